"""The ledger of reads: which client received which memory; read, filtered, taken along."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from memories.filters import ReadsForm
from memories.models import Recall
from memories.queries.logs import place_of
from memories.queries.recalls import BATCH, recall_page, recalls_after
from memories.views.exports import Log, as_file
from memories.views.logs import shown
from spaces.access import readable_space

COLUMNS = (
    "at", "day", "times", "app", "app_id", "instance", "how", "query", "memory", "path",
)  # fmt: skip


@login_required
@require_safe
def reads(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = ReadsForm(request.GET)
    page = recall_page(space, form.wanted, after=request.GET.get("after", ""))
    form.offer(page.readers)
    return shown(request, space, form, page, template="memories/reads.html")


@login_required
@require_safe
def export(request: SignedInRequest, space_id: UUID, form: str) -> StreamingHttpResponse:
    """Send all lines that the filters let through, while they are read."""
    space = readable_space(space_id, request.actor)
    wanted = ReadsForm(request.GET).wanted

    def batch(after: str) -> Sequence[Recall]:
        return recalls_after(space, wanted, after=after)

    return as_file(request, Log("reads", COLUMNS, batch, BATCH, place_of, _row), form)


def _row(line: Recall) -> dict[str, object]:
    values = (
        line.at.isoformat(),
        line.day.isoformat() if line.day else "",
        line.times,
        line.client_name,
        line.client_key,
        line.agent_instance,
        line.way,
        line.query,
        str(line.memory_id),
        line.memory.path,
    )
    return dict(zip(COLUMNS, values, strict=True))
