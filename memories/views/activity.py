"""The activity of a space: read, filtered, and taken along as a file."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from memories.filters import ActivityForm
from memories.models import Activity
from memories.queries.activity import BATCH, activity_page, batch_after
from memories.queries.logs import place_of
from memories.views.exports import Log, as_file
from memories.views.logs import shown
from spaces.access import readable_space

COLUMNS = (
    "at", "who", "app", "app_id", "instance", "door", "verb", "memory", "path", "version", "reason",
)  # fmt: skip


@login_required
@require_safe
def activity(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = ActivityForm(request.GET)
    page = activity_page(space, form.wanted, after=request.GET.get("after", ""))
    form.offer(page.apps)
    return shown(request, space, form, page, template="memories/activity.html")


@login_required
@require_safe
def export(request: SignedInRequest, space_id: UUID, form: str) -> StreamingHttpResponse:
    """Send all lines that the filters let through, while they are read."""
    space = readable_space(space_id, request.actor)
    wanted = ActivityForm(request.GET).wanted

    def batch(after: str) -> Sequence[Activity]:
        return batch_after(space, wanted, after=after)

    return as_file(request, Log("activity", COLUMNS, batch, BATCH, place_of, _row), form)


def _row(line: Activity) -> dict[str, object]:
    values = (
        line.at.isoformat(),
        "agent" if line.is_agent else "person",
        line.client_name,
        line.client_key,
        line.agent_instance,
        line.door,
        line.verb,
        str(line.memory_id or ""),
        line.memory.path if line.memory else "",
        line.version or "",
        line.reason,
    )
    return dict(zip(COLUMNS, values, strict=True))
