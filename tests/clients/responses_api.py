"""The Responses API, as far as Codex needs it."""

import json
from collections.abc import Iterator

from tests.clients.scripted_models import Call, Json, Offered, Say

USAGE = {
    "input_tokens": 1,
    "input_tokens_details": None,
    "output_tokens": 1,
    "output_tokens_details": None,
    "total_tokens": 2,
}


class ResponsesApi:
    """Puts turns into output items."""

    def offered(self, request: Json) -> list[Offered]:
        return list(_offered(request.get("tools", []), namespace=""))

    def results(self, request: Json) -> list[str]:
        items = [item for item in request["input"] if item.get("type") == "function_call_output"]
        return [_text(item["output"]) for item in items]

    def answer(self, turn: Call | Say, *, tool: Offered | None, number: int) -> Json:
        item: Json
        if isinstance(turn, Call):
            assert tool is not None
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
            item |= {"name": tool.name, "arguments": json.dumps(turn.arguments)}
            if tool.namespace:
                item |= {"namespace": tool.namespace}
        else:
            content = [{"type": "output_text", "text": turn.text}]
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
            item |= {"content": content}
        return {"id": f"resp_{number}", "output": [item], "usage": USAGE}

    def events(self, answer: Json) -> Iterator[Json]:
        (item,) = answer["output"]
        yield {"type": "response.created", "response": {"id": answer["id"]}}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed", "response": answer}


def _offered(tools: list[Json], *, namespace: str) -> Iterator[Offered]:
    for tool in tools:
        if tool["type"] == "namespace":
            yield from _offered(tool["tools"], namespace=tool["name"])
        elif tool["type"] == "function":
            schema = tool.get("parameters", {})
            yield Offered(tool["name"], tool.get("description", ""), schema, namespace)


def _text(output: str | list[Json]) -> str:
    if isinstance(output, str):
        return output
    return "\n".join(part["text"] for part in output if "text" in part)
