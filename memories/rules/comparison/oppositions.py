"""Words that cannot both hold: denied here and said there, opposites, alternatives, quantifiers."""

from collections.abc import Iterable, Iterator
from itertools import islice, product

from memories.rules.comparison.items import Item, Sort
from memories.rules.comparison.keys import alternatives, opposite_keys
from memories.rules.comparison.matching import Match, Side
from memories.rules.comparison.verdicts import Aspect, Reason
from memories.rules.comparison.vocabulary import Role

_NAMES = frozenset({Sort.NAME, Sort.OPTION})
# Each is compared with each.
_MOST = 30
_QUANTIFIERS = frozenset({Role.UNIVERSAL, Role.ONLY, Role.SOME, Role.MOST})
_MODALS = frozenset({Role.OBLIGATION, Role.PERMISSION, Role.ADVICE})


def denials(match: Match) -> list[Reason]:
    """Return what one side says and the other denies; nothing where they deny together."""
    signs = [_signs(side) for side in (match.first, match.second)]
    both = signs[0].keys() & signs[1].keys()
    if cancelled(match) or any(signs[0][key] == signs[1][key] == {-1} for key in both):
        return []
    if abs(_denying(match.first) - _denying(match.second)) == _TWICE:
        # "No call works without a key": two negations that make one claim.
        return []
    found = [key for key in both if {frozenset(signs[0][key]), frozenset(signs[1][key])} == _SAID]
    texts = {item.key: item.text for item in match.first.content}
    return [
        Reason(Aspect.NEGATION, *_denied(texts[key], first=signs[0][key] == {-1}))
        for key in sorted(found)
    ]


def cancelled(match: Match) -> bool:
    """Say whether one side denies the opposite of what the other says: not like, dislike."""
    return any(
        one.sign * two.sign == -1 and (one.key, two.key) in opposite_keys()
        for one, two in _pairs(match)
    )


def _denying(side: Side) -> int:
    return sum(item.role is Role.NEGATION for item in side.items)


_TWICE = 2
_SAID = {frozenset({1}), frozenset({-1})}


def _signs(side: Side) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for item in side.content:
        found.setdefault(item.key, set()).add(item.sign)
    return found


def _denied(text: str, *, first: bool) -> tuple[str, str]:
    return (f"not {text}", text) if first else (text, f"not {text}")


def opposed(match: Match) -> list[tuple[Reason, Item, Item]]:
    """Return pairs of opposites and of alternatives, one on each side, equally said."""
    opposites = opposite_keys()
    # Looked up once an item: there are hundreds of pairs, and most items are in no group.
    groups = {item.key: _group(item) for side in _sides(match) for item in _lacking(match, side)}
    found = []
    for one, two in _pairs(match):
        if one.sign != two.sign or not one.sign or one.sort is two.sort is Sort.DATE:
            continue
        if (one.key, two.key) in opposites:
            found.append((Reason(Aspect.OPPOSITE, one.text, two.text), one, two))
        elif one.sign == 1 and not groups[one.key].isdisjoint(groups[two.key]):
            found.append((Reason(Aspect.ALTERNATIVE, one.text, two.text), one, two))
    return found


def _group(item: Item) -> frozenset[str]:
    # Every Sunday or every hour; two weekdays are compared as dates.
    if item.key.startswith("weekday:"):
        return frozenset({"frequency"})
    return alternatives().get(item.key, frozenset())


def _pairs(match: Match) -> Iterable[tuple[Item, Item]]:
    # Weak words have opposites too ("kept", "deleted").
    first, second = (list(islice(_lacking(match, side), _MOST)) for side in _sides(match))
    return product(first, second)


def _sides(match: Match) -> tuple[Side, Side]:
    return match.first, match.second


def _lacking(match: Match, side: Side) -> Iterator[Item]:
    return (item for item in side.content if item.key not in match.shared)


def names(match: Match) -> list[Reason]:
    """Return the first name or option that only each side has, when each has one."""
    first, second = (
        [item for item in side.lacking if item.sort in _NAMES and item.sign == 1]
        for side in _sides(match)
    )
    if not first or not second:
        return []
    if _is_inflected(first[0].plain, second[0].plain):
        return []
    are_options = Sort.OPTION in {first[0].sort, second[0].sort}
    aspect = Aspect.OPTION if are_options else Aspect.NAME
    return [Reason(aspect, first[0].text, second[0].text)]


def _is_inflected(one: str, two: str) -> bool:
    """Say whether one is the other with an ending: API and APIs."""
    short, long = sorted((one, two), key=len)
    return bool(short) and long in {f"{short}s", f"{short}es"}


def quantifiers(match: Match) -> list[Reason]:
    """Return how the two differ in all, some, most and only."""
    return _roles_apart(match, _QUANTIFIERS, Aspect.QUANTIFIER)


def modals(match: Match) -> list[Reason]:
    """Return how the two differ in must, may and should, when both say one of them."""
    first, second = (_said(side, _MODALS) for side in _sides(match))
    if not first or not second or first.keys() & second.keys():
        return []
    return [Reason(Aspect.MODALITY, _text(first.values()), _text(second.values()))]


def changes(match: Match) -> list[Reason]:
    """Return the words that say a change, when only one side has them."""
    return _roles_apart(match, frozenset({Role.CHANGE}), Aspect.CHANGE)


def _roles_apart(match: Match, roles: frozenset[Role], aspect: Aspect) -> list[Reason]:
    first, second = (_said(side, roles) for side in _sides(match))
    apart = [
        [text for role, text in said.items() if role not in other]
        for said, other in ((first, second), (second, first))
    ]
    return [Reason(aspect, _text(apart[0]), _text(apart[1]))] if any(apart) else []


def _said(side: Side, roles: frozenset[Role]) -> dict[Role, str]:
    return {item.role: item.text for item in side.items if item.role in roles and item.role}


def _text(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def has(side: Side, role: Role) -> bool:
    """Say whether a side says the role."""
    return any(item.role is role for item in side.items)
