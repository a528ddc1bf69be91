"""The page that shows the REST API, written from its schema; no script of another host."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brain.api import api

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    place: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One address with one method; `example` is a request body, as JSON."""

    method: str
    path: str
    tag: str
    summary: str
    parameters: Sequence[Parameter]
    example: str
    answers: Sequence[str]


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every operation with its parameters; anybody may read it."""
    context = {"operations": _operations(), "api": api, "description": api.description}
    return render(request, "api.html", context)


@cache
def _operations() -> Sequence[Operation]:
    schema = api.get_openapi_schema()
    return tuple(
        _operation(schema, path, method, details)
        for path, methods in schema["paths"].items()
        for method, details in methods.items()
    )


def _operation(schema: Json, path: str, method: str, details: Json) -> Operation:
    return Operation(
        method=method.upper(),
        path=path,
        tag=(details.get("tags") or [""])[0],
        summary=details.get("description") or details.get("summary", ""),
        parameters=tuple(_parameters(details)),
        example=_example(schema, details),
        answers=tuple(str(status) for status in details.get("responses", {})),
    )


def _parameters(details: Json) -> Iterator[Parameter]:
    for each in details.get("parameters", ()):
        text = each.get("description") or each.get("schema", {}).get("description", "")
        yield Parameter(each["name"], each["in"], bool(each.get("required")), text)


def _example(schema: Json, details: Json) -> str:
    body = details.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    model = schema["components"]["schemas"].get(name, {})
    examples = model.get("examples") or [dict.fromkeys(model.get("properties", {}), "")]
    return json.dumps(examples[0], indent=2) if name else ""
