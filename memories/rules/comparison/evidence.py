"""Everything that two readings say for and against each other, before it is judged."""

from dataclasses import dataclass

from memories.rules.comparison.clashes import Clash, clashes
from memories.rules.comparison.items import Item
from memories.rules.comparison.matching import Match, match
from memories.rules.comparison.oppositions import (
    changes,
    denials,
    modals,
    names,
    opposed,
    quantifiers,
)
from memories.rules.comparison.reading import Reading
from memories.rules.comparison.verdicts import Aspect, Reason
from memories.rules.comparison.vocabulary import Language


@dataclass(frozen=True, slots=True)
class Evidence:
    """The match of two readings with what differs, each kind by itself."""

    match: Match
    is_translated: bool
    has_vocabulary: bool
    clashes: tuple[Clash, ...]
    opposed: tuple[tuple[Reason, Item, Item], ...]
    denials: tuple[Reason, ...]
    names: tuple[Reason, ...]
    quantifiers: tuple[Reason, ...]
    modals: tuple[Reason, ...]
    changes: tuple[Reason, ...]

    @property
    def differences(self) -> tuple[Reason, ...]:
        """Return what differs, the most telling first."""
        return (
            *(clash.reason for clash in self.clashes),
            *self.names,
            *self.denials,
            *(reason for reason, _, _ in self.opposed),
            *self.quantifiers,
            *self.modals,
            *self.changes,
        )


def evidence(first: Reading, second: Reading) -> Evidence:
    """Collect what two readings say about each other."""
    matched = match(first, second)
    return Evidence(
        match=matched,
        is_translated=first.language is not second.language,
        has_vocabulary=Language.OTHER not in {first.language, second.language},
        clashes=tuple(clashes(matched)),
        opposed=tuple(opposed(matched)),
        denials=tuple(denials(matched)),
        names=tuple(names(matched)),
        quantifiers=tuple(quantifiers(matched)),
        modals=tuple(modals(matched)),
        changes=tuple(changes(matched)),
    )


def shared_words(matched: Match) -> tuple[Reason, ...]:
    """Return the words that both say, and the subject when it is the same."""
    common = [item for item in matched.first.content if item.key in matched.shared]
    written = {item.key: item.text for item in common if not item.is_weak}
    text = " ".join(written.values())
    found = [Reason(Aspect.SHARED, text, text)] if text else []
    about = {item.key for item in matched.second.content if item.is_subject}
    subject = [item.text for item in common if item.is_subject and item.key in about]
    if subject:
        found.append(Reason(Aspect.SUBJECT, " ".join(subject), " ".join(subject)))
    return tuple(found)
