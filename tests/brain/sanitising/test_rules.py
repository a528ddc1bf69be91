"""Each rule against what it must find and what it must leave. Made up at run time."""

import pytest

from brain.lib.sanitising import RULES, Rule, SecretRefusedError, sanitize_write
from brain.lib.sanitising.sanitize import PERSONAL
from tests.brain.sanitising.made_up import drawn_for, made_up

SEEDS = range(5)


HITS = [(rule, example) for rule in RULES for example in rule.hits]
LOOKALIKES = [(rule, example) for rule in RULES for example in rule.lookalikes]


def _shown(value: object) -> str:
    return value.name if isinstance(value, Rule) else ascii(value)[:40]


@pytest.mark.parametrize(("rule", "example"), HITS, ids=_shown)
def test_a_secret_is_found_and_nothing_of_it_stays(rule: Rule, example: str) -> None:
    for seed in SEEDS:
        text = made_up(example, seed=seed)
        if rule.refusal:
            with pytest.raises(SecretRefusedError) as refusal:
                sanitize_write(text)
            assert refusal.value.message == rule.refusal
            continue

        clean = sanitize_write(text, with_personal=rule in PERSONAL)

        assert clean.is_changed
        assert rule.name in clean.types
        assert f"[redacted: {rule.name}]" in clean.text
        for value in drawn_for(example, seed=seed):
            assert len(value) < 8 or value not in clean.text


@pytest.mark.parametrize(("rule", "example"), LOOKALIKES, ids=_shown)
def test_a_lookalike_comes_back_byte_for_byte(rule: Rule, example: str) -> None:
    for seed in SEEDS:
        text = made_up(example, seed=seed)

        clean = sanitize_write(text, with_personal=rule in PERSONAL)

        assert clean.text == text
        assert not clean.is_changed


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_says_what_it_was_tried_with(rule: Rule) -> None:
    assert rule.hits
    assert rule.lookalikes
    assert rule.hints


@pytest.mark.parametrize("rule", [r for r in RULES if not r.refusal], ids=lambda rule: rule.name)
def test_a_secret_is_found_inside_of_a_sentence_and_the_sentence_stays(rule: Rule) -> None:
    text = made_up(rule.hits[0])
    # Words before would be a part of what some rules read.
    sentence = f"Ana said on Monday:\n{text}\nand Rui wrote it down at once."

    clean = sanitize_write(sentence, with_personal=rule in PERSONAL).text

    assert clean.startswith("Ana said on Monday:\n")
    assert clean.endswith("\nand Rui wrote it down at once.")
    assert "[redacted: " in clean


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule in PERSONAL], ids=lambda rule: rule.name
)
def test_personal_data_stays_unless_the_space_asks(rule: Rule) -> None:
    for example in rule.hits:
        assert sanitize_write(example).text == example
