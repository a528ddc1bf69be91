"""The Messages API, as far as Claude Code needs it."""

import json
from collections.abc import Iterator

from tests.clients.scripted_models import Call, Json, Offered, Say

USAGE = {"input_tokens": 1, "output_tokens": 1}


class MessagesApi:
    """Puts turns into content blocks."""

    def offered(self, request: Json) -> list[Offered]:
        return [
            Offered(tool["name"], tool.get("description", ""), tool.get("input_schema", {}))
            for tool in request.get("tools", [])
        ]

    def results(self, request: Json) -> list[str]:
        blocks = [
            block
            for message in request["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
            if block["type"] == "tool_result"
        ]
        return [_text(block["content"]) for block in blocks]

    def answer(self, turn: Call | Say, *, tool: Offered | None, number: int) -> Json:
        block: Json
        if isinstance(turn, Call):
            assert tool is not None
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": tool.name}
            block |= {"input": turn.arguments}
        else:
            block = {"type": "text", "text": turn.text}
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [block],
            "stop_reason": "tool_use" if isinstance(turn, Call) else "end_turn",
            "stop_sequence": None,
            "usage": USAGE,
        }

    def events(self, answer: Json) -> Iterator[Json]:
        (block,) = answer["content"]
        empty: Json
        if block["type"] == "text":
            empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        stop = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
        begun = answer | {"content": [], "stop_reason": None}
        yield {"type": "message_start", "message": begun}
        yield {"type": "content_block_start", "index": 0, "content_block": block | empty}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        yield {"type": "message_delta", "delta": stop, "usage": USAGE}
        yield {"type": "message_stop"}


def _text(content: str | list[Json]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")
