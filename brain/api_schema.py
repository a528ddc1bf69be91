"""The published schema of the REST API: what ninja writes, with what it leaves out."""

from collections.abc import Iterator
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from typing_extensions import override

from brain.lib.problems import CONTENT_TYPE

Json = dict[str, Any]

_REFUSED_FROM = 400


class DescribedAPI(NinjaAPI):
    """An API whose schema is true of its errors too, and has an example of everything."""

    @override
    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**options)
        for operation in _operations(schema):
            for parameter in operation.get("parameters", ()):
                _show_one(parameter)
            for status, response in operation["responses"].items():
                if int(status) >= _REFUSED_FROM:
                    _as_problem(response)
        return schema

    @override
    def get_openapi_operation_id(self, operation: Operation) -> str:
        return str(operation.view_func.__name__)


def _operations(schema: OpenAPISchema) -> Iterator[Json]:
    for methods in schema["paths"].values():
        yield from methods.values()


def _show_one(parameter: Json) -> None:
    # A parameter has one example, or named ones (OpenAPI 3.1, 4.8.12); ninja writes a list.
    examples = parameter.pop("examples", None)
    if examples:
        parameter["example"] = examples[0]


def _as_problem(response: Json) -> None:
    content = response.get("content", {})
    if "application/json" in content:
        content[CONTENT_TYPE] = content.pop("application/json")
