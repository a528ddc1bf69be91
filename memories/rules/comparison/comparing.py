"""Compare two statements: the one door of these rules."""

from dataclasses import replace

from memories.rules.authorship import RULE_KINDS
from memories.rules.comparison.conflicts import FAR, NEAR, conflicting
from memories.rules.comparison.evidence import Evidence, evidence, shared_words
from memories.rules.comparison.reading import read
from memories.rules.comparison.repeats import repeated
from memories.rules.comparison.sentences import pairs
from memories.rules.comparison.verdicts import Aspect, Reason, Relation, Statement, Verdict
from memories.rules.comparison.wording import same_wording
from memories.rules.facts import normalised

# Related: this much of the shorter text is in the other one too, or they mean similar things.
OVERLAP = 0.34
ABOUT_THE_SAME = 0.5


def compare(first: Statement, second: Statement, *, cosine: float | None = None) -> Verdict:
    """Say how two statements stand to each other, and why.

    SAME is never answered where a number, unit, date, version, name, option, negation or
    quantifier differs. CONFLICT is answered for decisions and preferences only: an observation
    says what was true when it was looked at. `cosine` is that of the built-in model for pairs: what
    it decides was measured with it, so leave out that of another model.
    """
    if first.text > second.text:
        turned = compare(second, first, cosine=cosine)
        return replace(turned, reasons=tuple(reason.turned() for reason in turned.reasons))
    if _is_certain(first, second):
        shared = _of_the_whole(first, second)
        return Verdict(Relation.SAME, shared, first.kind == second.kind, shared=1.0)
    one, two = read(first.text), read(second.text)
    whole = evidence(one, two)
    near = _is_near(first, second, cosine)
    if {first.kind, second.kind} <= RULE_KINDS and (cosine is None or cosine >= FAR):
        for found in pairs(one, two, whole):
            if conflicting(found, is_near=near):
                reasons = _reasons(found, cosine)
                return Verdict(Relation.CONFLICT, reasons, shared=whole.match.contained)
    relation = Relation.SAME if repeated(whole, cosine=cosine) else _distance(whole, cosine)
    return Verdict(relation, _reasons(whole, cosine), shared=whole.match.contained)


def is_certain(first: Statement, second: Statement) -> bool:
    """Say what `compare` says of being certain, without reading further."""
    return first.kind == second.kind and _is_certain(first, second)


def _is_certain(first: Statement, second: Statement) -> bool:
    paths = {path.casefold() for path in (first.path, second.path) if path}
    if normalised(first.text) == normalised(second.text):
        return True
    return len(paths) < 2 and same_wording(first.text, second.text)  # noqa: PLR2004  both


def _is_near(first: Statement, second: Statement, cosine: float | None) -> bool:
    in_place = bool(first.path) and first.path.casefold() == second.path.casefold()
    return in_place or (cosine is not None and cosine >= NEAR)


def _distance(found: Evidence, cosine: float | None) -> Relation:
    if cosine is not None and cosine >= ABOUT_THE_SAME:
        return Relation.RELATED
    is_close = found.match.strong > 0 and found.match.contained >= OVERLAP
    return Relation.RELATED if is_close else Relation.UNRELATED


def _of_the_whole(first: Statement, second: Statement) -> tuple[Reason, ...]:
    return shared_words(evidence(read(first.text), read(second.text)).match)


def _reasons(found: Evidence, cosine: float | None) -> tuple[Reason, ...]:
    meaning = () if cosine is None else (Reason(Aspect.MEANING, f"{cosine:.2f}", f"{cosine:.2f}"),)
    return (*found.differences, *shared_words(found.match), *meaning)
