"""What makes up the text of a prompt, in one language."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Asked:
    """One argument: how it is called and explained, and what stands above its value."""

    title: str
    description: str
    introduced: str


@dataclass(frozen=True, slots=True)
class Words:
    """One prompt. `writing` ends it for whoever may write, `reading` for whoever may not."""

    title: str
    description: str
    opening: str
    writing: str
    reading: str
    arguments: Mapping[str, Asked] = field(default_factory=dict)
