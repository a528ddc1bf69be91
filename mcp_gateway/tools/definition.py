"""What a tool is: its words for the model, its schemas, and the function behind it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import mcp.types as mcp_types
from pydantic import BaseModel, ConfigDict

from mcp_gateway.context import Caller
from mcp_gateway.services.connections import Deed
from memories.services.recalling import Received

Json = dict[str, Any]


class Arguments(BaseModel):
    """Base of every tool's arguments: what is not known is refused, not ignored.

    Optional fields have a plain default instead of `None`: several clients choke on schemas
    with a union or a default of null. A null that arrives all the same counts as left out.
    """

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=False)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Answer:
    """A result twice, each complete on its own: some clients show one, some the other.

    `received` names the memories whose contents it hands over, for the ledger of reads.
    """

    structured: Json
    text: str
    received: Received | None = None


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool; `run` is a plain synchronous door over one service or query."""

    name: str
    title: str
    description: str
    scope: str
    deed: Deed
    arguments: type[A]
    output: Json
    run: Callable[[Caller, A], Answer]
    hints: Mapping[str, bool]

    def input_schema(self) -> Json:
        """Return the JSON schema of the arguments: one flat object without references."""
        schema = self.arguments.model_json_schema()
        for property_ in schema["properties"].values():
            property_.pop("title", None)
            if not property_.get("default", True):
                # Left out is what an empty default means; the whole list has to stay small.
                del property_["default"]
        return {key: schema[key] for key in _KEPT if key in schema}

    def listing(self) -> mcp_types.Tool:
        """Return what `tools/list` says of the tool."""
        return mcp_types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema(),
            output_schema=self.output,
            annotations=mcp_types.ToolAnnotations(
                read_only_hint=self.hints.get("read_only", False),
                destructive_hint=self.hints.get("destructive", False),
                idempotent_hint=self.hints.get("idempotent", False),
                open_world_hint=False,
            ),
            # Claude Code hides tools behind a search unless told that they are always wanted.
            _meta={"anthropic/alwaysLoad": True},
        )


_KEPT = ("type", "properties", "required", "additionalProperties")


def result(required: str, **properties: str | Json) -> Json:
    """Return the schema of a result; a property given as text is of that JSON type."""
    return {
        "type": "object",
        "properties": {
            name: {"type": kind} if isinstance(kind, str) else kind
            for name, kind in properties.items()
        },
        "required": required.split(),
    }


def one_of(*values: str) -> Json:
    return {"type": "string", "enum": list(values)}
