"""The card as a `ui://` resource: one page with everything in it, and which tool it belongs to."""

import json
from functools import lru_cache
from pathlib import Path

import mcp.types as mcp_types
from django.utils.html import escape
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from mcp_gateway.cards.words import words
from mcp_gateway.context import Caller

CARD_URI = "ui://agents-brain/search"
EXTENSIONS: dict[str, dict[str, object]] = {EXTENSION_ID: {}}
_TOOL = "search"
_HERE = Path(__file__).parent
_KEPT_FOR_MS = 60_000


def card(caller: Caller) -> mcp_types.ReadResourceResult:
    """Return the card in the person's language; with buttons only for whoever may write."""
    text = _page(language=caller.actor.user.language, may_write=caller.may_write)
    # No domains are named, so a host lets the page load nothing and connect to nobody.
    contents = mcp_types.TextResourceContents(
        uri=CARD_URI, mime_type=APP_MIME_TYPE, text=text, _meta={"ui": {"prefersBorder": True}}
    )
    return mcp_types.ReadResourceResult(
        contents=[contents], ttl_ms=_KEPT_FOR_MS, cache_scope="private"
    )


@lru_cache(maxsize=16)
def _page(*, language: str, may_write: bool) -> str:
    said = words(language=language) | {"mayWrite": may_write}
    # In a script, only this character could end it (HTML, 13.2.5.4).
    data = json.dumps(said, ensure_ascii=False).replace("<", "\\u003c")
    parts = {
        "lang": escape(language),
        "title": escape(said["title"]),
        "style": _file("card.css"),
        "words": data,
        "script": "\n".join(map(_file, ("bridge.js", "row.js", "card.js"))),
    }
    page = _file("card.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{ {name} }}}}", text)
    return page


def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def with_card(
    tools: list[mcp_types.Tool], capabilities: mcp_types.ClientCapabilities | None
) -> list[mcp_types.Tool]:
    """Tie the search to its card, unless the client has said that it shows none.

    Up to 2025-11-25 a client says what it shows once, on connecting, and no later request knows
    of it; such a client gets the tie, and passes over it when it shows no cards.
    """
    if capabilities is not None and not _shows_cards(capabilities):
        return tools
    return [_tied(tool) if tool.name == _TOOL else tool for tool in tools]


def _shows_cards(capabilities: mcp_types.ClientCapabilities) -> bool:
    settings = (capabilities.extensions or {}).get(EXTENSION_ID)
    mime_types = settings.get("mimeTypes") if settings else None
    return isinstance(mime_types, list) and APP_MIME_TYPE in mime_types


def _tied(tool: mcp_types.Tool) -> mcp_types.Tool:
    return tool.model_copy(update={"meta": {**(tool.meta or {}), "ui": {"resourceUri": CARD_URI}}})
