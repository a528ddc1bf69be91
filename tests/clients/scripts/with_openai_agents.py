"""A program on the OpenAI Agents SDK: `python with_openai_agents.py URL`.

`ask` has an agent answer a question, with a model at OPENAI_BASE_URL.
"""

import os
import sys

from agents import Agent, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from dialogue import oauth, talk

url = sys.argv[1]
key = os.environ.get("AGENTS_BRAIN_KEY")
access = (
    {"headers": {"Authorization": f"Bearer {key}"}}
    if key
    else {"auth": oauth(url, name="OpenAI Agents")}
)
set_tracing_disabled(True)


async def do(tool: str, arguments: dict) -> dict:
    async with MCPServerStreamableHttp(
        name="brain", params={"url": url, **access}, use_structured_content=True
    ) as server:
        if not tool:
            return {"tools": [each.name for each in await server.list_tools()]}
        if tool == "ask":
            agent = Agent(name="Agent", model="scripted", mcp_servers=[server])
            return {"answer": (await Runner.run(agent, arguments["question"])).final_output}
        result = await server.call_tool(tool, arguments)
    said = result.model_dump(by_alias=True)
    return {
        "refused": bool(said["isError"]),
        "structured": said["structuredContent"],
        "text": said["content"][0]["text"],
    }


talk(do)
