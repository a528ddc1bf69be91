"""What becomes of labelled pairs on the product's own way: two saves, then the job.

Import it only where Django is set up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actors import Actor
from accounts.models import User
from bench.review import Pair, Rate
from brain.lib.ids import new_id
from memories.models import Memory, Question, ReviewItem
from memories.rules.comparison.verdicts import Relation, Statement
from memories.services.comparing import compare_recent
from memories.services.embedding import embed_missing, vectorisers
from memories.services.saving import Draft, Saved, save_memory
from spaces.isolation import inside
from spaces.models import Space

LEAST = 12


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pair, whether the second save refreshed the first, what its answer named, what was asked.

    `named` and `asked` are a relation, or empty for none.
    """

    pair: Pair
    was_refreshed: bool
    named: str
    asked: str


def outcomes(pairs: Sequence[Pair]) -> list[Outcome]:
    """Save both texts of each pair in a space of its own, one after the other, and compare them."""
    owner, _ = User.objects.get_or_create(email="bench@example.org")
    return [
        _outcome(pair, Space.objects.create(owner=owner, name=str(new_id())))
        for pair in pairs
        if min(len(pair.first.text), len(pair.second.text)) >= LEAST
    ]


def report(title: str, found: Sequence[Outcome]) -> None:
    """Print what became of the pairs by their labels, and the figures that matter."""
    print(f"\n### {title}, saved one after the other ({len(found)} pairs)\n")
    print("| labelled | refreshed | answer names a contradiction | answer names a repeat or "
          "neighbour | asked: disagreement | asked: repeated |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    for label in Relation:
        rows = [each for each in found if each.pair.label is label]
        counts = (
            sum(each.was_refreshed for each in rows),
            sum(each.named == Relation.CONFLICT for each in rows),
            sum(each.named == Relation.RELATED for each in rows),
            sum(each.asked == Relation.CONFLICT for each in rows),
            sum(each.asked == Relation.SAME for each in rows),
        )
        print(f"| {label} | " + " | ".join(map(str, counts)) + " |")
    print()
    print(f"- silent refresh: {refreshed(found)}")
    print(f"- contradictions that the answer names: {named(found)}")
    print(f"- disagreements that the person is asked about: {asked(found, Relation.CONFLICT)}")
    print(f"- repeats that are refreshed or asked about: {asked(found, Relation.SAME)}")


def refreshed(found: Sequence[Outcome]) -> Rate:
    return _rate(found, [each for each in found if each.was_refreshed], Relation.SAME)


def named(found: Sequence[Outcome]) -> Rate:
    said = [each for each in found if each.named == Relation.CONFLICT]
    return _rate(found, said, Relation.CONFLICT)


def asked(found: Sequence[Outcome], relation: Relation) -> Rate:
    is_same = relation is Relation.SAME
    said = [each for each in found if each.asked == relation or (is_same and each.was_refreshed)]
    return _rate(found, said, relation)


def _rate(found: Sequence[Outcome], said: Sequence[Outcome], relation: Relation) -> Rate:
    return Rate(
        right=sum(each.pair.label is relation for each in said),
        answered=len(said),
        wanted=sum(each.pair.label is relation for each in found),
    )


def _outcome(pair: Pair, space: Space) -> Outcome:
    actor = Actor(space.owner, "mcp", client_key="app:bench", client_name="Bench")
    first, second = (_save(space, actor, side) for side in (pair.first, pair.second))
    for vectoriser in vectorisers():
        embed_missing(space, vectoriser)
    compare_recent(space)
    return Outcome(
        pair,
        was_refreshed=second.outcome == "refreshed",
        named=_named(second, first.memory),
        asked=_asked(space),
    )


def _save(space: Space, actor: Actor, side: Statement) -> Saved:
    draft = Draft(side.text, side.kind, side.path or "Bench", source="Bench", rationale="Bench")
    return save_memory(space=space, actor=actor, draft=draft)


def _named(saved: Saved, first: Memory) -> str:
    if first in saved.near.disagrees_with:
        return Relation.CONFLICT
    return Relation.RELATED if first in saved.near.similar else ""


def _asked(space: Space) -> str:
    relations = {Question.DISAGREEMENT: Relation.CONFLICT, Question.REPEATED: Relation.SAME}
    with inside(space):
        items = ReviewItem.objects.in_space(space).filter(question__in=relations)
        question = items.values_list("question", flat=True).first()
    return relations[Question(question)] if question else ""
