"""The three prompts, in the order in which clients list them.

A prompt carries no memory: its text speaks with the person's authority, and what is stored
must never do so. It tells the model which tools to call, and only those that it has.
"""

from collections.abc import Mapping

import mcp.types as mcp_types
from mcp.shared.exceptions import MCPError

from brain.lib.text import readable
from mcp_gateway.context import Caller
from mcp_gateway.presenters import quoted
from mcp_gateway.prompts import english, portuguese
from mcp_gateway.prompts.words import Words
from memories.rules.paths import path
from spaces.models import Space

ARGUMENT_MAX = 500
_TEXTS: Mapping[str, Mapping[str, Words]] = {
    Space.Language.ENGLISH: english.PROMPTS,
    Space.Language.PORTUGUESE: portuguese.PROMPTS,
}
NAMES = tuple(english.PROMPTS)


def listings(space: Space) -> list[mcp_types.Prompt]:
    """Return what `prompts/list` answers, in the language of the space."""
    texts = _TEXTS[space.language]
    return [_listing(name, texts[name]) for name in NAMES]


def _listing(name: str, words: Words) -> mcp_types.Prompt:
    arguments = [
        mcp_types.PromptArgument(
            name=argument, title=asked.title, description=asked.description, required=False
        )
        for argument, asked in words.arguments.items()
    ]
    return mcp_types.Prompt(
        name=name, title=words.title, description=words.description, arguments=arguments
    )


def filled_in(name: str, given: Mapping[str, str], *, caller: Caller) -> mcp_types.GetPromptResult:
    """Return the prompt as one message of the person.

    Raises MCPError for a name or an argument that is not known, and a DomainError for a value
    that cannot be one.
    """
    words = _TEXTS[caller.space.language].get(name)
    if words is None:
        raise _refused(f"Unknown prompt. There are {', '.join(NAMES)}.")
    if not set(given) <= set(words.arguments):
        # The name is the caller's own text and is not repeated.
        raise _refused(f"An argument is not known; {name} takes {', '.join(words.arguments)}.")
    parts = [words.opening, words.writing if caller.may_write else words.reading]
    for argument, asked in words.arguments.items():
        if value := _checked(argument, given.get(argument, "")):
            parts.append(f"{asked.introduced}\n{quoted(value)}")
    content = mcp_types.TextContent(type="text", text="\n\n".join(parts))
    return mcp_types.GetPromptResult(
        description=words.description,
        messages=[mcp_types.PromptMessage(role="user", content=content)],
    )


def _checked(argument: str, value: str) -> str:
    text = readable(value, limit=ARGUMENT_MAX, what=f"The argument {argument}").strip()
    return path(text).text if text and argument == "path" else text


def _refused(sentence: str) -> MCPError:
    return MCPError(code=mcp_types.INVALID_PARAMS, message=sentence)
