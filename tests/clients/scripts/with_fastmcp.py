"""A program on fastmcp: `python with_fastmcp.py URL`."""

import os
import sys

from dialogue import talk
from fastmcp import Client

url = sys.argv[1]
# Made once: its own sign-in keeps the tokens for as long as the program runs.
client = Client(url, auth=os.environ.get("AGENTS_BRAIN_KEY") or "oauth")


async def do(tool: str, arguments: dict) -> dict:
    async with client:
        if not tool:
            tools = [each.name for each in await client.list_tools()]
            return {"tools": tools}
        result = await client.call_tool(tool, arguments, raise_on_error=False)
    return {
        "refused": result.is_error,
        "structured": result.structured_content,
        "text": result.content[0].text,
    }


talk(do)
