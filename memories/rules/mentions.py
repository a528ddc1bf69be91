"""Which other memories a text names: by id, or by path as in [[Project.Auth]]."""

import re
from dataclasses import dataclass
from uuid import UUID

from memories.rules.paths import PathError, path

MAX_MENTIONS = 20
_IDS = re.compile(r"(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])", re.IGNORECASE)
_PATHS = re.compile(r"\[\[([^\[\]\n]{1,300})\]\]")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What is named, in the order of the text; only the first ones of each sort."""

    ids: tuple[UUID, ...] = ()
    path_keys: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ids or self.path_keys)


def mentions(text: str) -> Mentions:
    """Find what `text` names; brackets around what cannot be a path name nothing."""
    ids = dict.fromkeys(UUID(match[0]) for match in _IDS.finditer(text))
    keys = dict.fromkeys(key for match in _PATHS.finditer(text) if (key := _key(match[1])))
    return Mentions(tuple(ids)[:MAX_MENTIONS], tuple(keys)[:MAX_MENTIONS])


def _key(text: str) -> str:
    try:
        return path(text).key
    except PathError:
        return ""
