"""A log as a file: sent in batches while it is read, as a table or as JSON."""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils import timezone

Line = TypeVar("Line")
# What a spreadsheet would take for a formula (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@dataclass(frozen=True, slots=True)
class Log(Generic[Line]):
    """What a file is made of: `batch` returns up to `size` lines from a place on."""

    name: str
    columns: Sequence[str]
    batch: Callable[[str], Sequence[Line]]
    size: int
    place_of: Callable[[Line], str]
    row: Callable[[Line], Mapping[str, object]]


def as_file(request: HttpRequest, log: Log[Line], form: str) -> StreamingHttpResponse:
    """Send all of the log in the form that its address names: csv or json."""
    if form not in _KINDS:
        raise Http404
    written = _Csv(log) if form == "csv" else _Json(log)
    # Django can send what it gets in its own way only: in threads, or in the event loop.
    parts = _parts(log, written)
    is_async = isinstance(request, ASGIRequest)
    response = StreamingHttpResponse(
        _async(parts) if is_async else parts, content_type=_KINDS[form]
    )
    file_name = f"{log.name}-{timezone.localdate().isoformat()}.{form}"
    response["Content-Disposition"] = f'attachment; filename="{file_name}"'
    return response


@dataclass(frozen=True, slots=True)
class _Csv(Generic[Line]):
    log: Log[Line]

    def start(self) -> str:
        return self._lines([self.log.columns])

    def part(self, batch: Sequence[Line], *, is_first: bool) -> str:
        del is_first
        return self._lines([list(self.log.row(line).values()) for line in batch])

    def end(self) -> str:
        return ""

    def _lines(self, rows: Sequence[Sequence[object]]) -> str:
        text = io.StringIO()
        csv.writer(text).writerows([_harmless(str(value)) for value in row] for row in rows)
        return text.getvalue()


@dataclass(frozen=True, slots=True)
class _Json(Generic[Line]):
    log: Log[Line]

    def start(self) -> str:
        return "[\n"

    def part(self, batch: Sequence[Line], *, is_first: bool) -> str:
        rows = ",\n".join(json.dumps(self.log.row(line), ensure_ascii=False) for line in batch)
        return rows if is_first or not rows else f",\n{rows}"

    def end(self) -> str:
        return "\n]\n"


def _parts(log: Log[Line], written: "_Csv[Line] | _Json[Line]") -> Iterator[str]:
    yield written.start()
    after, is_first, is_last = "", True, False
    while not is_last:
        batch = log.batch(after)
        is_last = len(batch) < log.size
        if batch:
            yield written.part(batch, is_first=is_first)
            after, is_first = log.place_of(batch[-1]), False
    yield written.end()


async def _async(parts: Iterator[str]) -> AsyncIterator[str]:
    def next_part() -> str | None:
        return next(parts, None)

    while (part := await sync_to_async(next_part)()) is not None:
        yield part


def _harmless(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
