"""Which of a tool's arguments count, and a sentence for what is wrong, without quoting them."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mcp_gateway.tools.definition import Arguments, Tool

_AT_MOST = 3


def is_for_the_client(name: str, value: object) -> bool:
    """Tell whether an argument was meant for the client, which sent it on all the same.

    Gemini CLI offers its model this one for every tool, to say what may run at once.
    """
    return name == "wait_for_previous" and isinstance(value, bool)


def explain(error: ValidationError, tool: Tool[Arguments]) -> str:
    """Return one or two sentences that say what to change."""
    details = error.errors(include_url=False, include_context=True, include_input=False)
    sentences = [_sentence(detail, tool) for detail in details[:_AT_MOST]]
    return " ".join(dict.fromkeys(sentences)) + " Nothing was written."


def _sentence(detail: ErrorDetails, tool: Tool[Arguments]) -> str:
    name = str(detail["loc"][0]) if detail["loc"] else "An argument"
    kind = detail["type"]
    if kind == "extra_forbidden":
        # The name is the caller's own text and is not repeated.
        return (
            f"An argument is not known; {tool.name} takes {', '.join(tool.arguments.model_fields)}."
        )
    if kind == "literal_error":
        return _choice(name, detail, tool)
    words = next((words for start, words in _WORDS.items() if kind.startswith(start)), "")
    return f"{name} {words or 'must be a text'}."


_WORDS = {
    "missing": "is missing",
    "uuid": "is not an id; use one that search or save returned",
    "int": "must be a whole number",
    "bool": "must be true or false",
    "list": "must be a list",
}


def _choice(name: str, detail: ErrorDetails, tool: Tool[Arguments]) -> str:
    expected = detail.get("ctx", {}).get("expected", "another value")
    if tool.name == "save" and name == "kind":
        return f"kind must be {expected}; checkpoints have a tool of their own."
    if name == "author":
        return "author must be 'agent' or 'tool'; an agent never writes as the person."
    return f"{name} must be {expected}."
