"""A program on langchain-mcp-adapters: `python with_langchain.py URL`."""

import os
import sys

from dialogue import oauth, talk
from langchain_mcp_adapters.client import MultiServerMCPClient

url = sys.argv[1]
key = os.environ.get("AGENTS_BRAIN_KEY")
access = (
    {"headers": {"Authorization": f"Bearer {key}"}}
    if key
    else {"auth": oauth(url, name="LangChain")}
)
client = MultiServerMCPClient({"brain": {"transport": "streamable_http", "url": url, **access}})


async def do(tool: str, arguments: dict) -> dict:
    tools = {each.name: each for each in await client.get_tools()}
    if not tool:
        return {"tools": list(tools)}
    call = {"type": "tool_call", "id": "1", "name": tool, "args": arguments}
    message = await tools[tool].ainvoke(call)
    text = message.content if isinstance(message.content, str) else message.content[0]["text"]
    structured = (message.artifact or {}).get("structured_content")
    return {"refused": message.status == "error", "structured": structured, "text": text}


talk(do)
