"""How much of a space its retention would erase; whoever keeps memories adds the counting."""

from collections.abc import Callable

from spaces.models import Space

# Memories lie above this app and can't be imported.
count_ended_of: list[Callable[[Space, int], int]] = []


def would_erase(space: Space, days: int | None) -> int:
    """Return how many memories ended more than so many days ago and still have their text."""
    if days is None:
        return 0
    return sum(count(space, days) for count in count_ended_of)
