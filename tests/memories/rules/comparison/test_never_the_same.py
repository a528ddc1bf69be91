"""One digit, unit, version, name, negation or quantifier apart: never the same fact."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Relation, Statement
from tests.memories.rules.comparison.statements import Pair, apart

kinds = st.sampled_from(["decision", "preference", "observation", "pointer"])
cosines = st.one_of(st.none(), st.floats(min_value=-1, max_value=1))


@settings(max_examples=1500, deadline=None)
@given(pair=apart, kind=kinds, cosine=cosines)
@example(
    pair=("Decision: the owner of the shop is 北京", "We decided: the owner of the shop is 東京"),
    kind="decision",
    cosine=0.55,
)
def test_one_thing_apart_is_never_the_same(pair: Pair, kind: str, cosine: float | None) -> None:
    first, second = (Statement(text, kind=kind, path="Shop.Rules") for text in pair)

    verdict = compare(first, second, cosine=cosine)

    assert verdict.relation is not Relation.SAME
    assert not verdict.is_certain


@settings(max_examples=200, deadline=None)
@given(pair=apart, kind=kinds, cosine=cosines)
def test_it_does_not_matter_which_is_named_first(
    pair: Pair, kind: str, cosine: float | None
) -> None:
    first, second = (Statement(text, kind=kind) for text in pair)

    forth = compare(first, second, cosine=cosine)
    back = compare(second, first, cosine=cosine)

    assert forth.relation is back.relation
    assert [reason.turned() for reason in forth.reasons] == list(back.reasons)


@settings(max_examples=200, deadline=None)
@given(pair=apart, cosine=cosines)
def test_observations_never_disagree(pair: Pair, cosine: float | None) -> None:
    first, second = (Statement(text, kind="observation") for text in pair)

    verdict = compare(first, second, cosine=cosine)

    assert verdict.relation is not Relation.CONFLICT
