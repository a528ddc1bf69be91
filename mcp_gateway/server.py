"""The protocol half: one low-level SDK server for each request, closed over the caller.

Building one costs microseconds and gives each space its own instructions and each caller the
list of tools that its scopes allow.
"""

import uuid

import mcp.types as mcp_types
from django.conf import settings
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from mcp_gateway.adapter import ToolRefusal, call_tool, in_thread
from mcp_gateway.context import Caller
from mcp_gateway.instructions import instructions
from mcp_gateway.tools.registry import input_schema, listings, tool_for

# A list depends on the token that asks, so nobody else may keep it (MCP 2026-07-28, caching).
_HINT = CacheHint(ttl_ms=60_000, scope="private")


def build_server(caller: Caller) -> Server[object]:
    """Return the MCP server that this caller, and nobody else, talks to."""

    async def on_list_tools(
        _context: ServerRequestContext[object], _params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=listings(caller.scopes))

    async def on_call_tool(
        _context: ServerRequestContext[object], params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        tool = tool_for(params.name, caller.scopes)
        if tool is None:
            raise MCPError(code=mcp_types.INVALID_PARAMS, message="Unknown tool.")
        call_id = uuid.uuid4().hex
        try:
            answer = await in_thread(call_tool, tool, caller, params.arguments or {}, call_id)
        except ToolRefusal as refusal:
            return mcp_types.CallToolResult(content=_text(refusal.sentence), is_error=True)
        return mcp_types.CallToolResult(
            content=_text(answer.text), structured_content=answer.structured
        )

    return Server(
        "agents-brain",
        version=settings.VERSION,
        title=f"Agents Brain: {caller.space.name}",
        instructions=instructions(caller.space),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        get_tool_input_schema=input_schema,
        cache_hints={"tools/list": _HINT, "server/discover": _HINT},
    )


def _text(text: str) -> list[mcp_types.ContentBlock]:
    return [mcp_types.TextContent(type="text", text=text)]
