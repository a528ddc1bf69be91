"""Measure the product's own search: python -m bench.search --locomo FOLDER --pairs FOLDER.

Every method is measured in one run on one PostgreSQL: the word arm, the meaning arm, the two
fused as the product answers, and the BM25 of a library (bm25s, English stemmer).
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.installation import throw_away
from bench.search.measures import Quality, mean, quality
from bench.search.sets import Corpus, locomo, portuguese

Order = Callable[[str], Sequence[int]]
DEPTH = 20


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--locomo", type=Path)
    arguments.add_argument("--pairs", type=Path)
    arguments.add_argument("--only", default="")
    chosen = arguments.parse_args()
    sets: dict[str, list[Corpus]] = {}
    if chosen.locomo:
        sets |= locomo(chosen.locomo)
    if chosen.pairs:
        sets |= portuguese(chosen.pairs)
    if not sets:
        print("Nothing to measure: give --locomo and --pairs the folders of the evaluation data.")
        return
    print("| set | method | recall@5 | @10 | @20 | hit@5 | MRR | nDCG@10 |")
    print("|---|---|---|---|---|---|---|---|")
    with throw_away(durable=False):
        for name, corpora in sets.items():
            if chosen.only in name:
                _measure(name, corpora)


def _measure(name: str, corpora: Sequence[Corpus]) -> None:
    from bench.search.methods import methods_of  # noqa: PLC0415  Django is set up now

    results: dict[str, list[Quality]] = {}
    refused, kept = 0, 0
    questions, unanswered = 0, 0
    for corpus in corpora:
        methods = methods_of(corpus)
        for label, order in methods.orders.items():
            for question, relevant in corpus.questions:
                results.setdefault(label, []).append(quality(order(question)[:DEPTH], relevant))
        kept += sum(methods.is_close(question) for question, _ in corpus.questions)
        refused += sum(not methods.is_close(question) for question in corpus.unanswered)
        questions += len(corpus.questions)
        unanswered += len(corpus.unanswered)
    for label, each in results.items():
        row = mean(each)
        print(
            f"| {name} | {label} | {row.recall_5:.3f} | {row.recall_10:.3f} | {row.recall_20:.3f} "
            f"| {row.hit_5:.3f} | {row.mrr:.3f} | {row.ndcg_10:.3f} |",
            flush=True,
        )
    print(
        f"| {name} | {questions} questions; "
        f"called close: {kept / questions:.3f}; {refused} of {unanswered} unanswerable refused "
        "| | | | | | |",
        flush=True,
    )


if __name__ == "__main__":
    main()
