"""What holds for any text: once is enough, clean stays clean, and time grows with the length."""

import random
import time
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.lib.sanitising import RULES, Rule, SecretRefusedError, sanitize_write, without_secrets
from brain.lib.sanitising.rules import span
from tests.brain.sanitising.made_up import made_up

SHAPED = [
    "ghp_<alnum 36>",
    "AKIA<upper 16>",
    "sk-ant-api03-<token 93>AA",
    "eyJ<alnum 30>.eyJ<alnum 80>.<token 43>",
    "https://hooks.slack.com/services/T<upper 10>/B<upper 10>/<alnum 24>",
    "glpat-<token 20>",
]
# Words beside a key could make a shorter or longer name of it.
edges = st.text(st.characters(exclude_categories=["Cs", "L", "N"], exclude_characters="_-.+/=$@:"))


@given(st.text())
@example("[redacted: password]")
def test_once_is_enough(text: str) -> None:
    once = without_secrets(text).text

    assert without_secrets(once).text == once


WORDS = """
    password senha PIN token api_key secret passwd Authorization Bearer Cookie -u --password is é to
    = : == => -> | " ' ` \\ ( ) [ ] < > </ $ @ :// https:// ? & ; , . ! - _ / \n \t a The hunter2
    [redacted: password] [redacted: jwt] swordfish Gato@2024 4821 session=abc user sk- ghp_ eyJ
""".split(" ")


@given(st.lists(st.sampled_from([word.strip(" ") or " " for word in WORDS]), max_size=12))
def test_once_is_enough_for_what_the_rules_look_for(words: list[str]) -> None:
    for text in ("".join(words), " ".join(words)):
        once = without_secrets(text).text

        assert without_secrets(once).text == once


@given(st.text(), st.booleans())
def test_a_text_is_refused_changed_and_told_or_left_byte_for_byte(
    text: str,
    with_personal: bool,  # noqa: FBT001
) -> None:
    try:
        clean = sanitize_write(text, with_personal=with_personal)
    except SecretRefusedError:
        return

    assert (clean.text == text) == (not clean.types)
    assert all(count > 0 for count in clean.types.values())


@given(st.sampled_from(SHAPED), st.integers(0, 10_000), edges, edges)
def test_no_neighbours_hide_a_key(shape: str, seed: int, before: str, after: str) -> None:
    key = made_up(shape, seed=seed)

    clean = sanitize_write(f"{before} {key} {after}")

    assert key not in clean.text
    assert key[8:] not in clean.text


@given(st.lists(st.sampled_from(SHAPED), min_size=1, max_size=5), st.integers(0, 1000))
def test_every_one_of_several_keys_goes(shapes: list[str], seed: int) -> None:
    keys = [made_up(shape, seed=seed + place) for place, shape in enumerate(shapes)]

    clean = sanitize_write("\n".join(f"- {key}" for key in keys))

    assert sum(clean.types.values()) == len(keys)
    assert not any(key in clean.text for key in keys)


@given(st.from_regex(r"[a-z]{1,12}( [a-z]{1,12}){0,30}[.!?]", fullmatch=True))
def test_small_words_are_never_touched(sentence: str) -> None:
    words = {"phrase", "mnemonic", "seed", "words", "frase"}

    clean = sanitize_write(sentence)

    assert clean.text == sentence or words & set(sentence.split())


# 1 MB of the worst text for each rule

PIECES = [
    "a",
    "A1",
    "-",
    "_",
    ".",
    " ",
    "a ",
    "://",
    "0",
    "/",
    '="',
    "A-",
    "a:",
    "= ",
    "@a.",
    "eyJ",
]
SHORT, LONG = 250_000, 1_000_000


def worst_of(rule: Rule) -> Iterator[str]:
    """Return pieces that keep the rule busy: almost its keys, and what its search begins with."""
    drawn = random.Random(rule.name)  # noqa: S311  nothing here is secret
    for template in (*drawn.sample(rule.hits, 1), *drawn.sample(rule.lookalikes, 1)):
        text = made_up(template)
        yield text[:-1] + "!"
        yield text[: len(text) * 2 // 3]
    yield from (f"{hint}-" for hint in rule.hints[:2])
    yield drawn.choice(PIECES)


def seconds(rule: Rule, piece: str, *, length: int) -> float:
    text = (piece * (length // len(piece) + 1))[:length]
    started = time.process_time()
    for match in rule.pattern.finditer(text):
        start, end = span(match)
        if start < end:
            rule.check(match)
    return time.process_time() - started


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_four_times_the_text_takes_about_four_times_as_long(rule: Rule) -> None:
    for piece in worst_of(rule):
        short = seconds(rule, piece, length=SHORT)
        if short < 0.05:
            # Too quick to compare; a quadratic rule is not quick at 250 kB.
            continue

        long = seconds(rule, piece, length=LONG)

        # Linear is 4, quadratic 16.
        assert long / short < 9, piece
