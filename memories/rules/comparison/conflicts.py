"""When two statements about one thing cannot both hold."""

from memories.rules.comparison.evidence import Evidence
from memories.rules.comparison.items import VALUES
from memories.rules.comparison.keys import verbs
from memories.rules.comparison.matching import Match, Side, context
from memories.rules.comparison.oppositions import has
from memories.rules.comparison.replacements import (
    are_about_two,
    differing,
    explained,
    follows_a_preposition,
    in_one_frame,
    is_compound,
    leading_up_to,
    names_another_subject,
    replaced_elsewhere,
    sides,
    stand_together,
)
from memories.rules.comparison.verdicts import Aspect
from memories.rules.comparison.vocabulary import Role

# Share of the words around what differs that both must have, alone and where meaning agrees too.
SHARED = 0.5
SHARED_IN_PLACE = 0.3
# The same of the side that has more for itself, where words decide more than a value.
SHARED_BY_BOTH = 0.35
# Below this cosine two texts are about different things, whatever words they share.
FAR = 0.3
NEAR = 0.6


def conflicting(found: Evidence, *, is_near: bool) -> bool:
    """Say whether the two disagree: one thing in the same words, and one value replaced."""
    narrow, wide = context(found.match, explained(found))
    least = SHARED_IN_PLACE if is_near else SHARED
    if not found.match.shared or wide < least or names_another_subject(found):
        return False
    if _has_clash(found) or _is_opposed(found):
        return True
    if _is_rephrased(found):
        return True
    return narrow >= SHARED_BY_BOTH and (
        _is_changed(found) or _is_denied(found) or _is_renamed(found) or _is_widened(found)
    )


def _has_clash(found: Evidence) -> bool:
    """One value replaced, or several that stand together, and nothing else replaced."""
    if not found.clashes or found.denials or any(clash.is_open for clash in found.clashes):
        return False
    if any(reason.aspect is Aspect.OPPOSITE for reason, _, _ in found.opposed):
        # It opens at eight and closes at six.
        return False
    replaced = differing(found.clashes, found)
    if not all(stand_together(side, replaced) for side in sides(found.match)):
        return False
    return not replaced_elsewhere(found.match, replaced) and not is_compound(found)


def _is_opposed(found: Evidence) -> bool:
    """One word replaced by its opposite, or by another of which only one holds."""
    if not found.opposed or found.denials or found.clashes or _is_additive(found.match):
        return False
    understood = explained(found)
    is_one_thing = all(stand_together(side, understood) for side in sides(found.match))
    return is_one_thing and not replaced_elsewhere(found.match, understood)


def _is_denied(found: Evidence) -> bool:
    """Said here and denied there, and nothing replaced besides."""
    if not found.denials or found.clashes:
        return False
    denying, other = sides(found.match)
    if not found.denials[0].first.startswith("not "):
        denying, other = other, denying
    # "Use tabs in Go", "no tabs in YAML": what is denied is something else.
    is_elsewhere = any(item.sign < 0 for item in denying.lacking) and bool(other.lacking)
    return not is_elsewhere and not are_about_two(found.match)


def _is_renamed(found: Evidence) -> bool:
    """One name replaced by another where only one can be."""
    if not found.names or found.clashes or found.denials or _is_additive(found.match):
        return False
    understood = explained(found)
    valued = {any(item.sort in VALUES for item in side.lacking) for side in sides(found.match)}
    is_once = all(
        len(side.runs) == 1 and stand_together(side, understood) for side in sides(found.match)
    )
    if not is_once or len(valued) > 1 or is_compound(found):
        return False
    return _are_in_one_place(found) and not replaced_elsewhere(found.match, understood)


def _are_in_one_place(found: Evidence) -> bool:
    """Say whether both names are what the same is said of: every word, or enough of them."""
    if in_one_frame(found.match) and not _follows_a_loose_verb(found.match):
        return True
    return found.match.strong > 1


def _is_rephrased(found: Evidence) -> bool:
    """Said of the same in the same words, after the same preposition, and something else."""
    if found.differences or not found.match.strong or _is_additive(found.match):
        return False
    if not in_one_frame(found.match) or are_about_two(found.match):
        return False
    if _follows_a_loose_verb(found.match):
        return False
    return all(
        follows_a_preposition(side) and not any(item.sort in VALUES for item in side.lacking)
        for side in sides(found.match)
    )


def _is_changed(found: Evidence) -> bool:
    """One side says that something is no longer so, and what holds instead."""
    if len(found.changes) != 1 or not found.match.strong:
        return False
    changed, other = sides(found.match)
    if not found.changes[0].first:
        changed, other = other, changed
    return bool(changed.lacking) and len(other.runs) <= 1


def _is_widened(found: Evidence) -> bool:
    """Only some here; there everybody, or others besides."""
    first, second = sides(found.match)
    return not found.clashes and any(
        has(one, Role.ONLY) and not has(two, Role.ONLY) and _goes_beyond(found.match, one, two)
        for one, two in ((first, second), (second, first))
    )


def _goes_beyond(matched: Match, one: Side, two: Side) -> bool:
    if has(two, Role.UNIVERSAL):
        return len(one.runs) <= 1 and len(two.runs) <= 1
    return not one.lacking and len(two.lacking) == 1 and matched.strong > 1


def _is_additive(matched: Match) -> bool:
    """Say whether the verb of what differs has several subjects or objects: speak, support."""
    return any(
        item.plain in verbs("additive")
        for side in sides(matched)
        for item in (side.items if are_about_two(matched) else leading_up_to(side, side.lacking))
    )


def _follows_a_loose_verb(matched: Match) -> bool:
    """Say whether it follows a verb that only sometimes has one object: use, prefer."""
    return any(
        item.plain in verbs("loose")
        for side in sides(matched)
        for item in leading_up_to(side, side.lacking)
    )
