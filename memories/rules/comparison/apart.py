"""What two statements of one fact never differ in."""

from collections.abc import Container

from memories.rules.comparison.evidence import Evidence
from memories.rules.comparison.items import CONTENT, VALUES, Item, Sort
from memories.rules.comparison.matching import Side
from memories.rules.comparison.oppositions import cancelled
from memories.rules.comparison.vocabulary import Role

_HARD = VALUES | {Sort.NAME, Sort.OPTION}
_QUANTIFIERS = frozenset({Role.UNIVERSAL, Role.ONLY, Role.SOME, Role.MOST})
# Signs that say nothing: bullets, and what is read as a word.
_UNTOLD = frozenset({"-", "\u2022", "/", "&", "="})
# By whom: the passive voice turns names round and says the same.
_BY = frozenset({"by", "por", "pelo", "pela"})
_DIRECTIONS = ({"from", "to"}, {"de", "para"}, {"in", "out"}, {"into", "out"})
_DIRECTED = frozenset("over than from before after into antes depois sobre".split())


def apart(found: Evidence) -> bool:
    """Say whether the two differ in a value, a name, a negation, a quantifier or an order."""
    if found.clashes or found.denials or found.opposed or found.names or found.modals:
        return True
    first, second = found.match.first, found.match.second
    if any(item.sort in _HARD for side in (first, second) for item in side.lacking):
        return True
    return (
        bool(found.changes)
        or _denied_apart(found)
        or _signs(first) != _signs(second)
        or _quantified_apart(found)
        or _turned_round(first, second)
        or _one_spelling_apart(first, second)
    )


def _denied_apart(found: Evidence) -> bool:
    """Say whether one side denies once more than the other, whatever it denies."""
    denials = [
        item
        for side in (found.match.first, found.match.second)
        for item in side.items
        if item.role is Role.NEGATION
    ]
    return len(denials) % 2 == 1 and not cancelled(found.match)


def _signs(side: Side) -> set[str]:
    return {item.text for item in side.items if item.sort is Sort.SIGN} - _UNTOLD


def _quantified_apart(found: Evidence) -> bool:
    """Say whether all, some, most or only differ; "every" may go unsaid in other words."""
    if not found.quantifiers:
        return False
    sides = (found.match.first, found.match.second)
    spelled = [[item.plain for item in side.content] for side in sides]
    roles = [{item.role for item in side.items if item.role in _QUANTIFIERS} for side in sides]
    return (roles[0] ^ roles[1]) != {Role.UNIVERSAL} or spelled[0] == spelled[1]


def _turned_round(first: Side, second: Side) -> bool:
    """Say whether the same words change places in a way that changes what is said.

    Names do (Alice reports to Bob), and what stands at both ends of a direction (from, over).
    """
    items = [*first.items, *second.items]
    if any(item.plain in _BY for item in items):
        return False
    if _turned(_ordered(first, {Sort.NAME}), _ordered(second, {Sort.NAME})):
        return True
    directed = [{item.plain for item in side.items} & _DIRECTED for side in (first, second)]
    return bool(directed[0] & directed[1]) and _turned(
        _ordered(first, CONTENT), _ordered(second, CONTENT)
    )


def _ordered(side: Side, sorts: Container[Sort]) -> list[str]:
    return [item.key for item in side.content if item.sort in sorts and not item.is_weak]


def _turned(first: list[str], second: list[str]) -> bool:
    if first == second or sorted(first) != sorted(second):
        return False
    # An adverbial moves from the end to the front and changes nothing; two names never do that.
    starts = [at for at, key in enumerate(first) if key == second[0]]
    is_rotated = any([*first[at:], *first[:at]] == second for at in starts[:_STARTS])
    return len(first) == 2 or not is_rotated  # noqa: PLR2004  Alice and Bob


# A text of one word again and again has as many.
_STARTS = 5


def _one_spelling_apart(first: Side, second: Side) -> bool:
    """Say whether one word is spelled differently and nothing else is: carla and carlos.

    The plural of a word, and words that are listed as meaning the same, say the same.
    """
    one, two = (
        [item for item in side.items if item.sort is not Sort.BREAK] for side in (first, second)
    )
    if len(one) != len(two):
        return False
    pairs = [(a, b) for a, b in zip(one, two, strict=True) if a.plain != b.plain]
    return len(pairs) == 1 and _spelled_apart(*pairs[0])


def _spelled_apart(one: Item, two: Item) -> bool:
    if {one.plain, two.plain} in _DIRECTIONS:
        return True
    is_listed = all(item.key.startswith("=") or item.sort is not Sort.WORD for item in (one, two))
    short, long = sorted((one.plain, two.plain), key=len)
    return not is_listed and long not in {f"{short}s", f"{short}es"}
