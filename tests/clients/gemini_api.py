"""The Gemini API, as far as Gemini CLI needs it."""

from collections.abc import Iterator

from tests.clients.scripted_models import Call, Json, Offered, Say

USAGE = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
_OF_SERVERS = "mcp_"


class GeminiApi:
    """Puts turns into parts."""

    def offered(self, request: Json) -> list[Offered]:
        declared = [
            function
            for tool in request.get("tools", [])
            for function in tool.get("functionDeclarations", [])
        ]
        return [_offered(function) for function in declared]

    def results(self, request: Json) -> list[str]:
        answers = [
            part["functionResponse"]["response"]
            for content in request["contents"]
            for part in content["parts"]
            if "functionResponse" in part
        ]
        return [str(answer.get("output") or answer.get("error")) for answer in answers]

    def answer(self, turn: Call | Say, *, tool: Offered | None, number: int) -> Json:
        part: Json
        if isinstance(turn, Call):
            assert tool is not None
            part = {"functionCall": {"name": _name(tool), "args": turn.arguments}}
        else:
            part = {"text": turn.text}
        content = {"role": "model", "parts": [part]}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        named = {"responseId": f"response_{number}", "modelVersion": "scripted"}
        return {"candidates": [candidate], "usageMetadata": USAGE, **named}

    def events(self, answer: Json) -> Iterator[Json]:
        yield answer


def _offered(function: Json) -> Offered:
    schema = function.get("parametersJsonSchema", {})
    name, namespace = function["name"], ""
    if name.startswith(_OF_SERVERS):
        server, _, name = name.removeprefix(_OF_SERVERS).rpartition("_")
        namespace = f"mcp__{server}"
    return Offered(name, function.get("description", ""), schema, namespace)


def _name(tool: Offered) -> str:
    server = tool.namespace.removeprefix("mcp__")
    return f"{_OF_SERVERS}{server}_{tool.name}" if server else tool.name
