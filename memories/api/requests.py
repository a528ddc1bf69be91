"""What requests of the REST API have in common: who asks, and what they send beside the body."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Header, Path
from pydantic import Field

from accounts.actors import Actor
from brain.lib.errors import DomainError
from brain.lib.problems import ProblemOut
from memories.api import examples

IF_MATCH_HINT = 'Send the ETag that reading the memory gave, such as "3".'


class RestRequest(HttpRequest):
    """A request behind the API's authentication."""

    actor: Actor


class IfMatchError(DomainError):
    code = "bad_if_match"
    hint = IF_MATCH_HINT


# In the prefix of the routers, where ninja does not look for parameters by itself.
SpaceId = Annotated[
    UUID, Path(description="The space, as in its MCP address.", examples=[examples.SPACE_ID])
]
MemoryId = Annotated[UUID, Path(description="The memory.", examples=[examples.MEMORY_ID])]
QuestionId = Annotated[UUID, Path(description="The question.", examples=[examples.QUESTION_ID])]
ImportId = Annotated[UUID, Path(description="The import.", examples=[examples.IMPORT_ID])]
Limit = Annotated[int, Field(ge=1, le=200, description="How many, 1 to 200.", examples=[50])]
Cursor = Annotated[
    str, Field(description="The after of the page before.", examples=[examples.MEMORY_ID])
]

# What every operation on a space may answer besides its result.
PROBLEMS = {
    401: ProblemOut, 403: ProblemOut, 404: ProblemOut, 413: ProblemOut, 422: ProblemOut,
    429: ProblemOut, 503: ProblemOut,
}  # fmt: skip
# Of one with a body, which may be no JSON.
WRITE_PROBLEMS = {400: ProblemOut, **PROBLEMS}

IdempotencyKey = Annotated[
    str,
    Header(
        "",
        alias="Idempotency-Key",
        description="The same key and request write once; the answer is kept for a day.",
        examples=["6f1d3c1e-report-2026-11-30"],
    ),
]
IfMatch = Annotated[
    str,
    Header(
        "",
        alias="If-Match",
        description="The ETag that the change is based on; else 412.",
        examples=['"1"'],
    ),
]


def etag_on(*statuses: int) -> dict[str, Any]:
    """Return what the schema says of answers with these statuses: they name the version."""
    header = {
        "ETag": {
            "description": "The number of the version, for If-Match.",
            "schema": {"type": "string"},
            "example": '"1"',
        }
    }
    return {"responses": {status: {"headers": header} for status in statuses}}


def expected_version(if_match: str) -> int | None:
    """Return the version that `If-Match` names; none when anything matches (RFC 9110, 13.1.1)."""
    value = if_match.strip()
    if value in {"", "*"}:
        return None
    number = value.removeprefix("W/").strip('"')
    if not (number.isascii() and number.isdigit() and len(number) < len("1000000000")):
        raise IfMatchError("If-Match does not name a version of a memory.")
    return int(number)
