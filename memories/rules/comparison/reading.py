"""A text read once: its items in order, with signs, subjects and bounds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memories.rules.comparison.items import CONTENT, Item, Read, Sort
from memories.rules.comparison.keys import key, name_key
from memories.rules.comparison.languages import is_foreign, language
from memories.rules.comparison.moments import moment
from memories.rules.comparison.quantities import quantity
from memories.rules.comparison.signs import signed
from memories.rules.comparison.tokens import Shape, Token, tokens
from memories.rules.comparison.vocabulary import (
    Language,
    Role,
    Vocabulary,
    unaccented,
    vocabulary,
)

_BOUNDS = frozenset({Role.AT_LEAST, Role.AT_MOST})
_AFTER_A_STATE = frozenset({".", ",", ";", "by", "in", "for", "and"})
_BOTH = frozenset({Role.AT_LEAST, Role.AT_MOST, Role.OBLIGATION, Role.PERMISSION})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says, item by item."""

    language: Language
    items: tuple[Item, ...]

    @property
    def content(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.sort in CONTENT)

    @property
    def roles(self) -> frozenset[Role]:
        return frozenset(item.role for item in self.items if item.role is not None)


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """Read `text`. What comes back is shared: it is never changed."""
    found = tokens(text)
    spoken = language(found)
    words = vocabulary(spoken)
    items: list[Item] = []
    at, clause = 0, 0
    bound: Role | None = None
    while at < len(found):
        step = (
            moment(found, at, words, spoken)
            or quantity(found, at, words, bound)
            or _role(found, at, words, spoken)
            or Read((_item(found, at, words, spoken),), 1)
        )
        for item in step.items:
            bound = _bound(bound, item)
            clause += item.sort is Sort.BREAK
            items.append(replace(item, clause=clause) if clause else item)
        at += step.used
    return Reading(spoken, _with_context(items, words))


def _bound(bound: Role | None, item: Item) -> Role | None:
    """Return the bound that the next number has: the last one said in the clause."""
    if item.role in _BOUNDS:
        return item.role
    return None if item.sort in {Sort.BREAK, Sort.NUMBER} else bound


def _role(found: Sequence[Token], at: int, words: Vocabulary, spoken: Language) -> Read | None:
    for phrase, roles in words.roles.get(found[at].low, ()):
        ahead = tuple(token.low for token in found[at : at + len(phrase)])
        if ahead != phrase:
            continue
        text = " ".join(token.text for token in found[at : at + len(phrase)])
        acting = tuple(
            Item(Sort.ROLE, f"role:{role}", text, plain=text.casefold(), role=role)
            for role in roles
        )
        word = replace(_word(found[at], words, spoken), is_weak=Role.CHANGE not in roles)
        # "Requires" is a duty and a verb, "limit" a bound and a noun, "disabled" a state.
        speaks = len(phrase) == 1 and word.sort is Sort.WORD and _is_word(word, roles)
        return Read((*acting, word) if speaks else acting, len(phrase))
    return None


def _is_word(word: Item, roles: Sequence[Role]) -> bool:
    return Role.CHANGE in roles or (roles[0] in _BOTH and word.key.startswith("="))


def _item(found: Sequence[Token], at: int, words: Vocabulary, spoken: Language) -> Item:
    token = found[at]
    if token.low == "on" and (at + 1 == len(found) or found[at + 1].low in _AFTER_A_STATE):
        # A state and no preposition: "the flag is on".
        return Item(Sort.WORD, key("enabled", spoken), token.text, plain="on")
    if token.shape is Shape.BREAK:
        return Item(Sort.BREAK, token.text, token.text)
    if token.shape is not Shape.WORD and token.shape is not Shape.SIGN:
        # Code, and numbers that are none: compared as written.
        return Item(Sort.OPTION, token.text, token.text, plain=token.low)
    if token.shape is Shape.SIGN:
        return Item(Sort.SIGN, token.text, token.text, plain=token.low)
    return _word(token, words, spoken)


def _word(token: Token, words: Vocabulary, spoken: Language) -> Item:
    plain = unaccented(token.low)
    # 北京 in an English text is a name, though it has no capitals.
    is_foreign_name = spoken is not Language.OTHER and is_foreign(token.low)
    if (
        is_foreign_name
        or any(map(str.isdigit, token.low))
        or (len(token.text) > 1 and token.text[1:] != token.low[1:])
    ):
        return Item(Sort.NAME, name_key(token.low), token.text, plain)
    is_capital = token.text[0].isupper() and len(token.text) > 1
    is_name = is_capital and not token.is_first
    if not is_name and (words.has("light", token.low) or token.low.startswith("'")):
        return Item(Sort.LIGHT, token.low, token.text, plain)
    sort = Sort.NAME if is_name else Sort.WORD
    is_weak = not is_name and words.has("weak", token.low)
    word = name_key(token.low) if is_name else key(token.low, spoken)
    may_be_name = is_capital and not is_weak and not word.startswith("=")
    return Item(sort, word, token.text, plain, is_weak=is_weak, may_be_name=may_be_name)


def _with_context(items: list[Item], words: Vocabulary) -> tuple[Item, ...]:
    """Add what depends on the neighbours: signs, subjects, and what numbers count."""
    counted = [_counting(items, at, words) for at in range(len(items))]
    return signed(_with_subjects(counted, words))


def _counting(items: Sequence[Item], at: int, words: Vocabulary) -> Item:
    item = items[at]
    if item.sort is Sort.WORD and at and words.has("ones", items[at - 1].plain):
        return replace(item, is_single=True)
    after = items[at + 1].text.casefold() if at + 1 < len(items) else ""
    if item.may_be_name and item.sort is Sort.WORD and words.has("singular", after):
        # "Anna owns ...": one, without an article.
        return replace(item, sort=Sort.NAME, key=name_key(item.text.casefold()))
    if item.quantity is None:
        return item
    near = [*items[at + 1 : at + 3], *reversed(items[max(0, at - 3) : at])]
    noun = next((n.key for n in near if n.sort in {Sort.WORD, Sort.NAME}), "")
    return replace(item, quantity=replace(item.quantity, of=noun))


def _with_subjects(items: Sequence[Item], words: Vocabulary) -> list[Item]:
    """Mark what stands before the verb of its clause; a clause without a verb has no subject."""
    verbs: dict[int, int] = {}
    for at, item in enumerate(items):
        if words.has("pivots", item.plain) or words.has("pivots", item.text.casefold()):
            verbs.setdefault(item.clause, at)
    return [
        replace(item, is_subject=True) if at < verbs.get(item.clause, 0) else item
        for at, item in enumerate(items)
    ]
