"""Where a memory lies: a path is shown as it was first written in its space."""

from memories.models import Memory
from memories.rules.paths import Path
from spaces.models import Space


def first_spelling(space: Space, path: Path) -> str:
    """Return `path` as it was first written in the space."""
    earlier = Memory.objects.filter(space=space, path_key=path.key)
    first = earlier.order_by("created_at", "id").values_list("path", flat=True).first()
    return first or path.text
