"""How much text an answer may carry."""

from hypothesis import given
from hypothesis import strategies as st

from memories.rules.budgets import ANSWER_CHARACTERS, fit

TEXTS = st.lists(st.text(max_size=300), max_size=30)


def test_texts_that_fit_come_back_whole() -> None:
    excerpts = fit(["one", "two", ""])

    assert [excerpt.text for excerpt in excerpts] == ["one", "two", ""]
    assert not any(excerpt.is_cut for excerpt in excerpts)


def test_only_the_longest_text_is_cut() -> None:
    short, long = fit(["a" * 10, "b" * 100], budget=50)

    assert short.text == "a" * 10
    assert long.text == "b" * 39 + "…"
    assert long.is_cut


def test_twenty_memories_of_the_longest_kind_fit_into_an_answer() -> None:
    excerpts = fit(["x" * 4000] * 20)

    assert sum(len(excerpt.text) for excerpt in excerpts) <= ANSWER_CHARACTERS
    assert min(len(excerpt.text) for excerpt in excerpts) > 500


def test_nothing_fits_into_nothing() -> None:
    assert fit([]) == []


@given(TEXTS, st.integers(min_value=60, max_value=4000))
def test_no_answer_is_longer_than_its_budget(texts: list[str], budget: int) -> None:
    assert sum(len(excerpt.text) for excerpt in fit(texts, budget=budget)) <= budget


@given(TEXTS, st.integers(min_value=60, max_value=4000))
def test_a_text_is_whole_or_a_beginning_that_says_so(texts: list[str], budget: int) -> None:
    for text, excerpt in zip(texts, fit(texts, budget=budget), strict=True):
        assert excerpt.is_cut == (excerpt.text != text) or excerpt.text == text
        assert not excerpt.is_cut or text.startswith(excerpt.text.removesuffix("…"))


@given(TEXTS, st.integers(min_value=60, max_value=4000))
def test_a_text_is_never_cut_while_a_longer_one_is_whole(texts: list[str], budget: int) -> None:
    excerpts = fit(texts, budget=budget)
    whole = [len(excerpt.text) for excerpt in excerpts if not excerpt.is_cut]
    cut = [len(text) for text, each in zip(texts, excerpts, strict=True) if each.is_cut]

    assert max(whole, default=0) <= min(cut, default=300)
