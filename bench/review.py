"""Measure the rules that fill Review: python -m bench.review [--pairs PATH] [--misses].

Counts on labelled pairs: `bench/data/review_pairs.jsonl`, half of it for developing the rules and
half kept for measuring, and those of PATH (or of BRAIN_REVIEW_PAIRS), a file or a folder with
`pairs.json`. Then the same pairs go the product's own way: two saves and the job that compares.
"""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from bench.installation import throw_away
from memories.embedders.options import Options
from memories.embedders.providers import USE, absent, load
from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Relation, Statement, Verdict

OWN = Path(__file__).parent / "data" / "review_pairs.jsonl"
Cosines = Mapping[tuple[str, str], float]


class OwnPair(TypedDict):
    """One line of the project's own set."""

    id: str
    language: str
    kind: str
    label: str
    first: str
    second: str


class OtherPair(TypedDict):
    """One entry of a set that is given by its path."""

    label: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements with the relation that a person gave them."""

    first: Statement
    second: Statement
    label: Relation
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and what the rules say of it."""

    pair: Pair
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of the answers are right, and how many of the right ones were found."""

    right: int
    answered: int
    wanted: int

    @property
    def precision(self) -> float:
        return self.right / self.answered if self.answered else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    def __str__(self) -> str:
        """Return precision and recall with the counts behind them."""
        return (
            f"precision {self.precision:.3f} ({self.right} of {self.answered}), "
            f"recall {self.recall:.3f} ({self.right} of {self.wanted})"
        )


def own_pairs() -> list[Pair]:
    """Read the project's own set; the last bit of the id says which part a pair is in."""
    lines: list[OwnPair] = [json.loads(line) for line in OWN.read_text("utf-8").splitlines()]
    return [
        Pair(
            Statement(line["first"], kind=line["kind"]),
            Statement(line["second"], kind=line["kind"]),
            Relation(line["label"]),
            is_kept=int(line["id"], 16) % 2 == 1,
        )
        for line in lines
    ]


def other_pairs(path: Path) -> list[Pair]:
    """Read pairs of the form {"pairs": [{"label", "a", "b"}], "cross": [...]}."""
    found: Mapping[str, list[OtherPair]] = json.loads(path.read_text("utf-8"))
    names = {"contradiction": Relation.CONFLICT, "different": Relation.RELATED}
    return [
        Pair(
            Statement(entry["a"]),
            Statement(entry["b"]),
            names.get(entry["label"]) or Relation(entry["label"]),
        )
        for entry in [*found["pairs"], *found.get("cross", [])]
    ]


def cosines(pairs: Iterable[Pair]) -> Cosines:
    """Return the cosine of each pair by the built-in model for pairs."""
    pairs = list(pairs)
    texts = sorted({side.text for pair in pairs for side in (pair.first, pair.second)})
    vectors = load(USE, Options()).embed_pairs(texts)
    rows = dict(zip(texts, vectors, strict=True))
    return {
        (pair.first.text, pair.second.text): float(rows[pair.first.text] @ rows[pair.second.text])
        for pair in pairs
    }


def judge(pairs: Sequence[Pair], known: Cosines) -> list[Judged]:
    return [
        Judged(
            pair,
            compare(
                pair.first,
                pair.second,
                cosine=known.get((pair.first.text, pair.second.text)),
            ),
        )
        for pair in pairs
    ]


def report(title: str, judged: Sequence[Judged]) -> None:
    """Print the confusion table of a set and the three figures that matter."""
    counts = Counter((one.pair.label, one.verdict.relation) for one in judged)
    print(f"\n### {title} ({len(judged)} pairs)\n")
    print("| labelled | " + " | ".join(Relation) + " |")
    print("|---|" + "---|" * len(Relation))
    for label in Relation:
        print(f"| {label} | " + " | ".join(str(counts[label, found]) for found in Relation) + " |")
    print()
    certain = rate(judged, Relation.SAME, lambda verdict: verdict.is_certain)
    print(f"- silent refresh: {certain}")
    print(f"- disagreements: {rate(judged, Relation.CONFLICT)}")
    print(f"- repeats proposed: {rate(judged, Relation.SAME)}")


def rate(
    judged: Sequence[Judged],
    relation: Relation,
    counts: Callable[[Verdict], bool] = lambda _: True,
) -> Rate:
    answered = [one for one in judged if one.verdict.relation is relation and counts(one.verdict)]
    return Rate(
        right=sum(one.pair.label is relation for one in answered),
        answered=len(answered),
        wanted=sum(one.pair.label is relation for one in judged),
    )


def misses(judged: Sequence[Judged]) -> None:
    """Print what the rules got wrong, with their reasons."""
    for one in judged:
        if one.verdict.relation is not one.pair.label:
            reasons = "; ".join(
                f"{reason.aspect}: {reason.first} / {reason.second}"
                for reason in one.verdict.reasons
            )
            print(f"\n{one.pair.label} was read as {one.verdict.relation} ({reasons})")
            print(f"  {one.pair.first.text}\n  {one.pair.second.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the rules that fill Review.")
    parser.add_argument("--pairs", default=os.environ.get("BRAIN_REVIEW_PAIRS", ""))
    parser.add_argument(
        "--misses", action="store_true", help="show those of the part to develop on"
    )
    arguments = parser.parse_args()
    sets = {
        "Own pairs, part to develop on": [pair for pair in own_pairs() if not pair.is_kept],
        "Own pairs, part kept for measuring": [pair for pair in own_pairs() if pair.is_kept],
    }
    given = _file(arguments.pairs)
    if given is not None:
        sets["Given pairs"] = other_pairs(given)
    else:
        print("No other pairs: neither --pairs nor BRAIN_REVIEW_PAIRS names a file or its folder.")
    everything = [pair for pairs in sets.values() for pair in pairs]
    _print(sets, {}, "by words alone")
    if sentence := absent(USE):
        print(sentence)
        return
    known = cosines(everything)
    judged = _print(sets, known, "with the cosine of the built-in model for pairs")
    if arguments.misses:
        misses(judged[0])
    with throw_away(durable=False):
        from bench import saves  # noqa: PLC0415  Django is set up now

        for title, pairs in sets.items():
            saves.report(title, saves.outcomes(pairs))


def _file(name: str) -> Path | None:
    """Return the file that was named, or the one in the folder that was."""
    places = [Path(name), Path(name) / "pairs.json"] if name else []
    return next((place for place in places if place.is_file()), None)


def _print(sets: Mapping[str, Sequence[Pair]], known: Cosines, how: str) -> list[list[Judged]]:
    found = []
    started = time.perf_counter()
    for title, pairs in sets.items():
        found.append(judge(pairs, known))
        report(f"{title}, {how}", found[-1])
    each = (time.perf_counter() - started) / sum(map(len, sets.values()))
    print(f"\n{each * 1e6:.0f} microseconds a pair.")
    return found


if __name__ == "__main__":
    main()
