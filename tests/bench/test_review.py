"""The labelled pairs are sound, and the published figures still hold without a model."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.review import Pair, Rate, judge, misses, other_pairs, own_pairs, rate, report
from memories.rules.comparison.verdicts import Relation


@pytest.fixture(scope="module")
def kept() -> list[Pair]:
    return [pair for pair in own_pairs() if pair.is_kept]


def test_every_pair_is_there_once_and_every_relation_many_times() -> None:
    pairs = own_pairs()

    texts = Counter((pair.first.text, pair.second.text) for pair in pairs)
    labels = Counter(pair.label for pair in pairs)
    parts = Counter(pair.is_kept for pair in pairs)

    assert max(texts.values()) == 1
    assert len(pairs) >= 300
    assert min(labels[relation] for relation in Relation) >= 30
    assert min(parts.values()) >= 150


def test_the_kept_part_holds_what_was_promised_even_by_words_alone(kept: list[Pair]) -> None:
    judged = judge(kept, {})

    certain = rate(judged, Relation.SAME, lambda verdict: verdict.is_certain)
    disagreements = rate(judged, Relation.CONFLICT)

    assert certain.precision >= 0.99
    assert disagreements.precision >= 0.85
    assert disagreements.recall >= 0.75


def test_a_report_shows_every_relation(
    kept: list[Pair], capsys: pytest.CaptureFixture[str]
) -> None:
    report("Some pairs", judge(kept[:5], {}))

    printed = capsys.readouterr().out
    assert "### Some pairs (5 pairs)" in printed
    assert all(f"| {relation} |" in printed for relation in Relation)


def test_misses_are_shown_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    pair = own_pairs()[0]
    wrong = Relation.CONFLICT if pair.label is not Relation.CONFLICT else Relation.SAME

    misses(judge([Pair(pair.first, pair.second, wrong)], {}))

    assert pair.first.text in capsys.readouterr().out


def test_other_pairs_are_read_with_their_own_labels(tmp_path: Path) -> None:
    file = tmp_path / "pairs.json"
    pairs = [{"label": label, "a": "One.", "b": "Two."} for label in ("contradiction", "different")]
    file.write_text(json.dumps({"pairs": pairs, "cross": [{"label": "same", "a": "1", "b": "2"}]}))

    labels = [pair.label for pair in other_pairs(file)]

    assert labels == [Relation.CONFLICT, Relation.RELATED, Relation.SAME]


def test_a_rate_without_answers_is_not_a_failure() -> None:
    assert Rate(right=0, answered=0, wanted=0).precision == 1
    assert Rate(right=0, answered=0, wanted=0).recall == 1
