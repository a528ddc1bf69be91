"""The protocol half: one low-level SDK server for each request, closed over the caller.

Building one costs microseconds and gives each space its own instructions and each caller the
list of tools that its scopes allow.
"""

import uuid
from functools import partial

import mcp.types as mcp_types
from django.conf import settings
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from mcp_gateway.adapter import ToolRefusal, call_tool, in_thread
from mcp_gateway.cards.resource import EXTENSIONS, with_card
from mcp_gateway.completing import completed
from mcp_gateway.context import Caller
from mcp_gateway.instructions import instructions
from mcp_gateway.prompts import registry as prompts
from mcp_gateway.resources import listing as resources
from mcp_gateway.resources.reading import read
from mcp_gateway.services.connections import Deed
from mcp_gateway.serving import serve
from mcp_gateway.tools.registry import input_schema, listings, tool_for

Context = ServerRequestContext[object]
Page = mcp_types.PaginatedRequestParams | None
# A list depends on the token that asks, so nobody else may keep it (MCP 2026-07-28, caching).
_HINT = CacheHint(ttl_ms=60_000, scope="private")
_NEVER = CacheHint(ttl_ms=0, scope="private")


class _Doors:
    """What one caller may ask for: who asks and what was sent go to one function each."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    async def list_tools(self, context: Context, _params: Page) -> mcp_types.ListToolsResult:
        capabilities = context.session.client_capabilities
        tools = with_card(listings(self.caller.scopes), capabilities)
        return mcp_types.ListToolsResult(tools=tools)

    async def call_tool(
        self, _context: Context, params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        tool = tool_for(params.name, self.caller.scopes)
        if tool is None:
            raise MCPError(code=mcp_types.INVALID_PARAMS, message="Unknown tool.")
        call_id = uuid.uuid4().hex
        try:
            answer = await in_thread(call_tool, tool, self.caller, params.arguments or {}, call_id)
        except ToolRefusal as refusal:
            return mcp_types.CallToolResult(content=_text(refusal.sentence), is_error=True)
        return mcp_types.CallToolResult(
            content=_text(answer.text), structured_content=answer.structured
        )

    async def list_prompts(self, _context: Context, _params: Page) -> mcp_types.ListPromptsResult:
        return mcp_types.ListPromptsResult(prompts=prompts.listings(self.caller.space))

    async def get_prompt(
        self, _context: Context, params: mcp_types.GetPromptRequestParams
    ) -> mcp_types.GetPromptResult:
        given = params.arguments or {}
        work = partial(prompts.filled_in, params.name, given, caller=self.caller)
        return await in_thread(serve, "prompts/get", self.caller, work)

    async def list_resources(
        self, _context: Context, params: Page
    ) -> mcp_types.ListResourcesResult:
        work = partial(resources.listed, self.caller, params.cursor if params else None)
        return await in_thread(serve, "resources/list", self.caller, work)

    async def list_templates(
        self, _context: Context, _params: Page
    ) -> mcp_types.ListResourceTemplatesResult:
        return mcp_types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def read_resource(
        self, context: Context, params: mcp_types.ReadResourceRequestParams
    ) -> mcp_types.ReadResourceResult:
        revision = context.protocol_version
        work = partial(read, self.caller, params.uri, protocol_version=revision)
        return await in_thread(serve, "resources/read", self.caller, work, deed=Deed.SEARCHED)

    async def complete(
        self, _context: Context, params: mcp_types.CompleteRequestParams
    ) -> mcp_types.CompleteResult:
        work = partial(completed, self.caller, params)
        return await in_thread(serve, "completion/complete", self.caller, work)


def build_server(caller: Caller) -> Server[object]:
    """Return the MCP server that this caller, and nobody else, talks to."""
    doors = _Doors(caller)
    server = Server(
        "agents-brain",
        version=settings.VERSION,
        title=f"Agents Brain: {caller.space.name}",
        instructions=instructions(caller.space),
        on_list_tools=doors.list_tools,
        on_call_tool=doors.call_tool,
        on_list_prompts=doors.list_prompts,
        on_get_prompt=doors.get_prompt,
        on_list_resources=doors.list_resources,
        on_list_resource_templates=doors.list_templates,
        on_read_resource=doors.read_resource,
        on_completion=doors.complete,
        get_tool_input_schema=input_schema,
        cache_hints={
            "tools/list": _HINT,
            "prompts/list": _HINT,
            "resources/list": _NEVER,
            "resources/templates/list": _HINT,
            "server/discover": _HINT,
        },
    )
    server.extensions = dict(EXTENSIONS)
    return server


def _text(text: str) -> list[mcp_types.ContentBlock]:
    return [mcp_types.TextContent(type="text", text=text)]
