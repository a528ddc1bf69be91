"""The activity of a space: read, filtered, and taken along as a file."""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from urllib.parse import urlencode
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from memories.filters import ActivityForm
from memories.models import Activity
from memories.queries.activity import BATCH, Lines, activity_page, batch_after, place_of
from spaces.access import readable_space
from spaces.models import Space

COLUMNS = (
    "at", "who", "app", "app_id", "instance", "door", "verb", "memory", "path", "version", "reason",
)  # fmt: skip
# What a spreadsheet would take for a formula (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@login_required
@require_safe
def activity(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = ActivityForm(request.GET)
    page = activity_page(space, form.wanted, after=request.GET.get("after", ""))
    form.offer(page.apps)
    asked = {name: form[name].value() for name in form.fields if form[name].value()}
    context = {
        "space": space,
        "section": "activity",
        "form": form,
        "page": page,
        "query": urlencode(asked),
        "has_filters": bool(asked),
        "next_url": f"?{urlencode(asked | {'after': page.after})}" if page.after else "",
    }
    template = f"memories/activity.html{_part(request)}"
    return render(request, template, context, status=200 if form.is_valid() else 422)


def _part(request: SignedInRequest) -> str:
    if not request.htmx:
        return ""
    return "#lines" if request.GET.get("after") else "#found"


@login_required
@require_safe
def export(request: SignedInRequest, space_id: UUID, form: str) -> StreamingHttpResponse:
    """Send all lines that the filters let through, while they are read."""
    space = readable_space(space_id, request.actor)
    written = {"csv": _as_csv, "json": _as_json}.get(form)
    if written is None:
        raise Http404
    wanted = ActivityForm(request.GET).wanted
    # Django can send what it gets in its own way only: in threads, or in the event loop.
    is_async = isinstance(request, ASGIRequest)
    parts = _async_parts(space, wanted, written) if is_async else _parts(space, wanted, written)
    kind = "text/csv; charset=utf-8" if form == "csv" else "application/json"
    response = StreamingHttpResponse(parts, content_type=kind)
    name = f"activity-{timezone.localdate().isoformat()}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


Written = Callable[[Sequence[Activity], bool, bool], str]


def _parts(space: Space, wanted: Lines, written: Written) -> Iterator[str]:
    after, is_first, is_last = "", True, False
    while not is_last:
        batch = batch_after(space, wanted, after=after)
        is_last = len(batch) < BATCH
        yield written(batch, is_first, is_last)
        after, is_first = (place_of(batch[-1]) if batch else ""), False


async def _async_parts(space: Space, wanted: Lines, written: Written) -> AsyncIterator[str]:
    parts = _parts(space, wanted, written)

    def next_part() -> str | None:
        return next(parts, None)

    while (part := await sync_to_async(next_part)()) is not None:
        yield part


def _as_csv(lines: Sequence[Activity], is_first: bool, is_last: bool) -> str:  # noqa: ARG001, FBT001
    text = io.StringIO()
    writer = csv.writer(text)
    if is_first:
        writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow(_harmless(str(value)) for value in _row(line).values())
    return text.getvalue()


def _as_json(lines: Sequence[Activity], is_first: bool, is_last: bool) -> str:  # noqa: FBT001
    rows = ",\n".join(json.dumps(_row(line), ensure_ascii=False) for line in lines)
    start = "[\n" if is_first else (",\n" if rows else "")
    return f"{start}{rows}{chr(10)}]\n" if is_last else f"{start}{rows}"


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


def _harmless(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
