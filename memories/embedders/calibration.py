"""What the cosines of a model mean, measured on the sentences of `calibration_set`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.embedders.base import Embedder
from memories.embedders.calibration_set import CalibrationSet

# At least this share of the answers passes a threshold of search.
KEPT = 0.98
# At most this share of the pairs with another fact passes the threshold of a question in Review.
ADMITTED = 0.05
# Thresholds have three digits.
STEPS = 1000

Cosines = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answers:
    """Cosines of the best hits: of those that answer their question, and of far questions."""

    asked: int
    right: Cosines
    far: Cosines


@dataclass(frozen=True, slots=True)
class Measured:
    """What one model made of the set."""

    in_language: Answers
    # Questions in the other language; here the far ones meet statements of every language.
    across: Answers
    # By label.
    pairs: Mapping[str, Cosines]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A cosine from which something passes; how many of how many it keeps and refuses."""

    name: str
    cosine: float
    kept: tuple[int, int]
    refused: tuple[int, int]


def measure(embedder: Embedder, texts: CalibrationSet) -> Measured:
    """Let the model read the set; raises EmbedderError when it does not answer."""
    statements = texts.statements
    documents = embedder.embed_documents([each.text for each in statements])
    languages = np.array([each.language for each in statements])

    def best(question: str, language: str) -> tuple[int, float]:
        """Return place and cosine of the best hit among the statements of one language."""
        cosines = np.where(languages == language, documents @ embedder.embed_query(question), -1)
        return int(cosines.argmax()), float(cosines.max())

    own = [best(each.question, each.language) for each in statements]
    places = [place for place, each in enumerate(statements) if each.across]
    across = [best(statements[place].across, statements[place].language) for place in places]
    far = [best(question, language)[1] for language, question in texts.far]
    anywhere = [max(best(text, each)[1] for each in set(languages)) for _, text in texts.far]
    return Measured(
        _answers(own, right=range(len(own)), far=far),
        _answers(across, right=places, far=anywhere),
        {label: _likeness(embedder, pairs) for label, pairs in texts.pairs.items()},
    )


def thresholds(measured: Measured) -> list[Threshold]:
    """Choose the thresholds: of search, to lose no answer; of pairs, to let no other fact pass.

    A question whose best hit is a wrong statement says nothing about answers and is left out.
    Search finds answers by their words too, so a higher `close` loses less there than here.
    """
    own, across = measured.in_language, measured.across
    nearly, other = measured.pairs["nearly"], measured.pairs["other"]
    close = _keeping(own.right)
    # Who may ask in another language is never held to more than who may not.
    close_across = min(close, _keeping(np.concatenate([own.right, across.right])))
    near_identical = max(_above(other, admitted=0), _keeping(nearly))
    return [
        effect(measured, "close", cosine=close),
        effect(measured, "close_across_languages", cosine=close_across),
        effect(measured, "review", cosine=_above(other, admitted=ADMITTED)),
        effect(measured, "near_identical", cosine=near_identical),
    ]


def effect(measured: Measured, name: str, *, cosine: float) -> Threshold:
    """Count what the threshold of this name keeps and refuses at a cosine."""
    own, across, pairs = measured.in_language, measured.across, measured.pairs
    keep, refuse = {
        "close": (own.right, own.far),
        "close_across_languages": (np.concatenate([own.right, across.right]), across.far),
        "review": (pairs["same"], pairs["other"]),
        "near_identical": (pairs["nearly"], pairs["other"]),
    }[name]
    return Threshold(
        name,
        cosine,
        kept=(int((keep >= cosine).sum()), len(keep)),
        refused=(int((refuse < cosine).sum()), len(refuse)),
    )


def setting(chosen: Sequence[Threshold]) -> str:
    """Return the line that makes these the thresholds of a model that is not built in."""
    values = ",".join(f"{each.name}={each.cosine:.3f}" for each in chosen)
    return f"BRAIN_EMBEDDER_THRESHOLDS={values}"


def _answers(
    hits: Sequence[tuple[int, float]], *, right: Sequence[int], far: Sequence[float]
) -> Answers:
    found = [cosine for (hit, cosine), place in zip(hits, right, strict=True) if hit == place]
    return Answers(len(hits), np.array(found, np.float64), np.array(far, np.float64))


def _likeness(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> Cosines:
    ones = embedder.embed_pairs([one for one, _ in pairs])
    others = embedder.embed_pairs([other for _, other in pairs])
    likeness: Cosines = (ones * others).sum(axis=1, dtype=np.float64)
    return likeness


def _keeping(cosines: Cosines) -> float:
    """Return the highest cosine that at least KEPT of these reach, or -1 when there are none."""
    lost = math.floor(round(len(cosines) * (1 - KEPT), 6))
    lowest = float(np.sort(cosines)[lost]) if len(cosines) else -1.0
    steps = round(lowest * STEPS)
    return (steps if steps / STEPS <= lowest else steps - 1) / STEPS


def _above(cosines: Cosines, *, admitted: float) -> float:
    """Return the lowest cosine that at most the share `admitted` of these reach."""
    passing = math.floor(round(len(cosines) * admitted, 6))
    highest = float(np.sort(cosines)[-1 - passing])
    steps = round(highest * STEPS)
    return min(1.0, (steps if steps / STEPS > highest else steps + 1) / STEPS)
