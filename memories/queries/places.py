"""Where memories lie, and who wrote them: what the filters of a list offer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q

from memories.models import Memory
from memories.models.memory import MemoryQuerySet
from memories.rules.paths import key_of
from spaces.isolation import inside
from spaces.models import Space

MAX_PATHS = 200
MAX_BRANCHES = 60
MAX_CLIENTS = 50


@dataclass(frozen=True, slots=True)
class Branch:
    """The next step below a path: its name, the whole path, and how many memories lie there."""

    name: str
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class Writer:
    """An app or a key that wrote memories, under its last name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Places:
    """All paths of a space, and the next steps below one of them."""

    paths: Sequence[str] = ()
    branches: Sequence[Branch] = ()


def paths_in_use(space: Space) -> list[str]:
    """Return the paths that memories of the space have, whatever became of them."""
    with inside(space):
        paths = Memory.objects.in_space(space).exclude(path="").values_list("path_key")
        named = paths.annotate(shown=Min("path")).order_by("path_key")
        return [shown for _key, shown in named[:MAX_PATHS]]


def places_of(memories: MemoryQuerySet, *, counted: Q, below: str) -> Places:
    """Return the paths of the memories, and how many that are `counted` lie below each step."""
    paths = memories.exclude(path="").values_list("path_key")
    rows = list(paths.annotate(shown=Min("path"), count=Count("pk", filter=counted or None)))
    start = f"{key_of(below)}." if below else ""
    depth = start.count(".")
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for key, path, count in rows:
        if count and key.startswith(start):
            step = key.split(".", depth + 1)[depth]
            counts[step] += count
            shown.setdefault(step, path.split(".", depth + 1)[depth])
    steps = sorted(step for step, _count in counts.most_common(MAX_BRANCHES))
    return Places(
        paths=sorted((path for _key, path, _count in rows), key=str.casefold)[:MAX_PATHS],
        branches=[
            Branch(shown[step], f"{below}.{shown[step]}" if below else shown[step], counts[step])
            for step in steps
        ],
    )


def writers_of(memories: MemoryQuerySet) -> list[Writer]:
    """Return the apps and keys that wrote what these memories say now, by name."""
    keys = memories.exclude(client_key="").values_list("client_key")
    rows = keys.annotate(name=Max("client_name")).order_by("client_key")[:MAX_CLIENTS]
    found = [Writer(key, name or key) for key, name in rows]
    return sorted(found, key=lambda writer: (writer.name.casefold(), writer.key))
