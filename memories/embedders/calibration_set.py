"""The sentences that a model is measured by: `calibration.json`, written for it.

It holds statements with a question in their language and, for half of them, in the other one;
questions that nothing answers; and pairs of texts with a label:

- `nearly`: the same words but for one, for spelling or for punctuation
- `same`: the same fact in other words, also in the other language
- `other`: another fact about the same thing

Contradictions are left out: no model tells them from repetitions, the rules do.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Statement:
    language: str
    text: str
    question: str
    # The question in the other language; empty where there is none.
    across: str = ""


@dataclass(frozen=True, slots=True)
class CalibrationSet:
    statements: Sequence[Statement]
    # Language and question.
    far: Sequence[tuple[str, str]]
    pairs: Mapping[str, Sequence[tuple[str, str]]]


def calibration_set() -> CalibrationSet:
    """Read the sentences that come with the product."""
    read = json.loads(Path(__file__).with_name("calibration.json").read_text(encoding="utf-8"))
    pairs: dict[str, list[tuple[str, str]]] = {}
    for pair in read["pairs"]:
        one, other = pair["texts"]
        pairs.setdefault(pair["label"], []).append((one, other))
    return CalibrationSet(
        statements=[Statement(**row) for row in read["statements"]],
        far=[(row["language"], row["question"]) for row in read["far"]],
        pairs=pairs,
    )
