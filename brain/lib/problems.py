"""Errors of the REST API: problem details (RFC 9457)."""

from http import HTTPStatus

from django.http import JsonResponse
from pydantic import BaseModel, ConfigDict

from brain.lib.errors import DomainError

CONTENT_TYPE = "application/problem+json"


class ProblemOut(BaseModel):
    """Problem details, as the schema of the API describes them; more fields may come along."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:agents-brain:problem:not_found",
                    "title": "Not Found",
                    "status": 404,
                    "code": "not_found",
                    "detail": "There is no such memory.",
                    "hint": "Check the address.",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    code: str
    detail: str = ""
    hint: str = ""


def problem(
    status: int, *, code: str, detail: str = "", hint: str = "", **more: object
) -> JsonResponse:
    """Return the answer; `code` is stable and for programs, `detail` and `hint` for people."""
    body: dict[str, object] = {
        "type": f"urn:agents-brain:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
    }
    body |= {name: text for name, text in (("detail", detail), ("hint", hint)) if text}
    return JsonResponse(body | more, status=status, content_type=CONTENT_TYPE)


def refused(error: DomainError, *, status: int, **more: object) -> JsonResponse:
    """Return what a rule said no to."""
    return problem(status, code=error.code, detail=error.message, hint=error.hint, **more)
