"""What the product hands out, to compare with what a client passed on to its model."""

from pathlib import Path

from django.conf import settings

from mcp_gateway.instructions import instructions
from mcp_gateway.scopes import ALL
from mcp_gateway.tools.registry import listings
from spaces.models import Space
from tests.clients.place import Place

# What docs/agents.md tells people to add to the instructions of a project.
LINES = Path(settings.BASE_DIR) / "docs" / "agents" / "instructions.md"
TOOLS = [tool.name for tool in listings(frozenset(ALL))]
DECISION = {
    "content": "The staging database is rebuilt every Monday.",
    "kind": "decision",
    "path": "Platform.Staging",
    "source": "Ana, in the weekly meeting",
    "rationale": "so that each week of tests begins clean",
}


def instructions_of(place: Place, *, language: str = "en") -> str:
    """Return what the space tells every agent on connection."""
    return instructions(Space(name=place.name, language=language))


def descriptions() -> dict[str, str]:
    """Return the description of each of the six tools."""
    return {tool.name: tool.description or "" for tool in listings(frozenset(ALL))}


def parameters() -> dict[str, set[str]]:
    """Return the names of each tool's arguments."""
    return {tool.name: set(tool.input_schema["properties"]) for tool in listings(frozenset(ALL))}
