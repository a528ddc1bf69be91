"""The six tools, in the order in which clients list them."""

from collections.abc import Iterable
from typing import Any

import mcp.types as mcp_types

from mcp_gateway.tools import checkpoint, forget, resume, revise, save, search
from mcp_gateway.tools.definition import Json, Tool

TOOLS: dict[str, Tool[Any]] = {
    module.TOOL.name: module.TOOL for module in (search, resume, save, revise, forget, checkpoint)
}
_LISTINGS = {name: tool.listing() for name, tool in TOOLS.items()}
_SCHEMAS: dict[str, Json] = {name: tool.input_schema() for name, tool in TOOLS.items()}


def tool_for(name: str, scopes: Iterable[str]) -> Tool[Any] | None:
    """Return the tool, if there is one and the scopes allow it: hiding alone is no boundary."""
    tool = TOOLS.get(name)
    return tool if tool is not None and tool.scope in scopes else None


def listings(scopes: frozenset[str]) -> list[mcp_types.Tool]:
    """Return what `tools/list` answers to a caller with these scopes."""
    return [_LISTINGS[name] for name, tool in TOOLS.items() if tool.scope in scopes]


def input_schema(name: str) -> Json | None:
    return _SCHEMAS.get(name)
