"""When two statements say the same in other words: worth asking, never certain."""

from memories.rules.comparison.apart import apart
from memories.rules.comparison.evidence import Evidence
from memories.rules.comparison.items import CONTENT, Sort
from memories.rules.comparison.matching import Side
from memories.rules.comparison.oppositions import cancelled

# Share of both texts' words that both have, where no strong word is left over.
ALIKE = 0.8
ALIKE_AND_NEAR = 0.3
SOMEHOW_NEAR = 0.45
# More than a cosine and a share can be together.
NEVER = 3.0
# Cosine and share together, by the number of strong words that one side has for itself. Read off
# the pairs to develop on and off dense facts about few people, where most near pairs differ.
TOGETHER = {1: 1.1, 2: 1.15, 3: 1.45}
# Cosine of a translation, whose words are known only in part.
TRANSLATED = {1: 0.6, 2: 0.6, 3: 0.75}
ALIKE_IN_TRANSLATION = 0.2


def repeated(found: Evidence, *, cosine: float | None) -> bool:
    """Say whether the two seem to state one fact: no value, name or negation apart.

    Without a cosine only where both have the same words; in a language without a vocabulary
    always so.
    """
    if apart(found):
        return False
    left_over = max(len(found.match.first.lacking), len(found.match.second.lacking))
    if cosine is None:
        return not left_over and found.match.strong > 0 and found.match.alike >= ALIKE
    if not found.has_vocabulary or _one_word_edited(found):
        return False
    return _near(found, left_over, cosine)


def _near(found: Evidence, left_over: int, cosine: float) -> bool:
    alike = found.match.alike
    if not left_over:
        return cosine >= SOMEHOW_NEAR and alike >= ALIKE_AND_NEAR
    if found.is_translated:
        return cosine >= TRANSLATED.get(left_over, NEVER) and alike >= ALIKE_IN_TRANSLATION
    return cosine + alike >= TOGETHER.get(left_over, NEVER)


def _one_word_edited(found: Evidence) -> bool:
    """Say whether one word is put in, or in place of another, and nothing else is changed."""
    sides = (found.match.first, found.match.second)
    if found.is_translated or cancelled(found.match):
        return False
    if max(len(side.lacking) for side in sides) != 1:
        return False
    is_replaced = all(side.lacking for side in sides)
    first, second = (_rest(side, with_light=not is_replaced) for side in sides)
    return first == second


def _rest(side: Side, *, with_light: bool) -> list[str]:
    sorts = CONTENT | {Sort.LIGHT} if with_light else CONTENT
    return [item.key for item in side.items if item.sort in sorts and item not in side.lacking]
