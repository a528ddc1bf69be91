"""How two memories stand to each other, by the one set of rules."""

from memories.models import Memory
from memories.rules.comparison.comparing import compare, is_certain
from memories.rules.comparison.verdicts import Statement, Verdict


def verdict_on(first: Memory, second: Memory, *, cosine: float | None = None) -> Verdict:
    """Compare two memories as they are now; a cosine is that of the built-in model for pairs."""
    return compare(_statement(first), _statement(second), cosine=cosine)


def is_certainly_the_same(first: Memory, second: Memory) -> bool:
    """Say whether one may refresh the other without anybody being asked."""
    return is_certain(_statement(first), _statement(second))


def _statement(memory: Memory) -> Statement:
    return Statement(memory.content, kind=memory.kind, path=memory.path)
