"""Measure a model and print the thresholds that belong to it."""

from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError

from memories.embedders import choices
from memories.embedders.base import Embedder
from memories.embedders.calibration import (
    Measured,
    Threshold,
    effect,
    measure,
    setting,
    thresholds,
)
from memories.embedders.calibration_set import calibration_set
from memories.embedders.errors import EmbedderError
from memories.embedders.providers import E5, USE, check_name, load
from memories.embedders.registry import search_embedder, search_status

ROW = "{:<24}{:>7}   {:<10}  {:<10}  {:>5}   {:<10}  {:<10}"
LEGEND = """
Search keeps answers and refuses questions that nothing answers.
Review keeps texts that say the same and refuses other facts about the same thing.
"From" is read off these sentences by the cosine alone, so that it loses none of their answers;
"now" is what is set, and what that does to the same sentences. In search an answer counts as
close also when it holds enough of the question's words, so that "close" may be set higher: it
then refuses more far questions, and loses answers that share few words with their question.
"""
OWN = (
    "{name} has its own thresholds, read off larger sets through the whole search "
    "(docs/decisions/0014-search-at-scale.md); this line is for other models:"
)


class Command(BaseCommand):
    help = (
        "Let a model read the sentences that come with the product, and print the thresholds "
        "that fit it. Reads no memory and changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "embedder", nargs="?", help="as in BRAIN_EMBEDDER; without it the one that search uses"
        )

    def handle(self, *, embedder: str | None, **_options: object) -> None:
        try:
            model = _named(embedder) if embedder else _active()
            measured = measure(model, calibration_set())
        except EmbedderError as error:
            raise CommandError(str(error)) from error
        chosen = thresholds(measured)
        self.stdout.write(f"{model.name}, revision {model.revision}, {model.dimensions} numbers\n")
        self._print_answers(measured)
        self._print_thresholds(chosen, model, measured)
        if model.name in {E5, USE}:
            self.stdout.write(OWN.format(name=model.name))
        self.stdout.write(setting(chosen))

    def _print_answers(self, measured: Measured) -> None:
        for where, answers in (
            ("in the same language", measured.in_language),
            ("in another language", measured.across),
        ):
            count = f"{len(answers.right)} of {answers.asked}"
            self.stdout.write(f"The best hit is the answer to {count} questions {where}.")

    def _print_thresholds(
        self, chosen: Sequence[Threshold], model: Embedder, measured: Measured
    ) -> None:
        heads = ("from", "keeps", "refuses", "now", "keeps", "refuses")
        self.stdout.write("\n" + ROW.format("", *heads).rstrip())
        for each in chosen:
            now = getattr(model.thresholds, each.name)
            is_set = ("none", "", "")
            if now is not None:
                is_set = (f"{now:.3f}", *_counts(effect(measured, each.name, cosine=now)))
            row = ROW.format(each.name, f"{each.cosine:.3f}", *_counts(each), *is_set)
            self.stdout.write(row.rstrip())
        self.stdout.write(f"{LEGEND}\n")


def _counts(threshold: Threshold) -> tuple[str, str]:
    (kept, answers), (refused, others) = threshold.kept, threshold.refused
    return f"{kept} of {answers}", f"{refused} of {others}"


def _active() -> Embedder:
    model = search_embedder()
    if model is None:
        raise CommandError(f"Search by meaning is off. {search_status().why}")
    return model


def _named(name: str) -> Embedder:
    options = choices.options()
    check_name(name, options=options)
    return load(name, options)
