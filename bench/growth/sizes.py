"""How many memories each space holds: one very large, some large, most of them small."""

from collections.abc import Sequence

LARGEST = 0.1
LARGE = 0.01
# One space in a hundred is large.
LARGE_IN = 100
# The smaller the offset, the steeper the fall from one space to the next.
OFFSET = 20


def sizes(memories: int, *, spaces: int) -> list[int]:
    """Return the sizes of the spaces, largest first; together they are `memories`.

    One space has a tenth of all, one in a hundred a hundredth, and the rest shares what is left
    by Zipf's law. Raises ValueError where there is less than one memory for each space.
    """
    if spaces < LARGE_IN or memories < 10 * spaces:
        raise ValueError("Growth wants at least 100 spaces, and 10 memories for each of them.")
    first = [round(memories * LARGEST), *[round(memories * LARGE)] * (spaces // LARGE_IN)]
    rest = memories - sum(first)
    return [*first, *_shares(rest, among=spaces - len(first))]


def _shares(total: int, *, among: int) -> list[int]:
    weights = [1 / (rank + 1 + among / OFFSET) for rank in range(among)]
    shares = [max(1, int(total * weight / sum(weights))) for weight in weights]
    # What rounding left over goes to the first ones, so that the order stays.
    for number in range(total - sum(shares)):
        shares[number % among] += 1
    return shares


def typical(sized: Sequence[int]) -> dict[str, int]:
    """Return where in the list a small, a middle and the large space stand."""
    return {"small": len(sized) * 3 // 4, "middle": 1, "large": 0}
