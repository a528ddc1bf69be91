"""What the REST API says of imports."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from ninja import Schema

from memories.api import examples
from memories.api.examples import shown
from memories.rules.transfer import ExportFile

Verdict = Literal["new", "updated", "here", "kept", "apart", "forgotten", "refused"]


class ExportOut(ExportFile):
    """The file, as docs/export-format.md describes it."""

    model_config = shown(examples.EXPORT)


class ImportItemOut(Schema):
    """What becomes of one memory of the file; `is_here` says that its id leads to one here."""

    model_config = shown(examples.ITEM)

    number: int
    memory: UUID | None
    path: str
    verdict: Verdict
    reason: str
    is_here: bool


class ImportOut(Schema):
    """A file that was handed in. `counts` says how many of its memories become what.

    `items` are those of one verdict; `after` is the next page's, 0 on the last one.
    """

    model_config = shown(examples.IMPORT)

    id: UUID
    stage: Literal["checking", "ready", "importing", "done", "failed"]
    file_name: str
    size: int
    percent: int
    handed_in_by: str
    origin: str
    memories: int
    counts: Mapping[Verdict, int]
    redacted: Mapping[str, int]
    left_out: int
    problem: str
    created: datetime
    finished: datetime | None
    verdict: Verdict
    items: list[ImportItemOut]
    after: int


class ImportsOut(Schema):
    """There is one import of a space at a time."""

    model_config = shown({"items": [examples.IMPORT]})

    items: list[ImportOut]
