"""Find what the person should look at: what lapsed, what has no source, what tries to command.

Each service looks at one space, asks at most a bounded number of questions a run, and may run
again at any time: what was asked already, or dismissed, is not asked again.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memories.models import Author, Kind, Memory, Question, ReviewItem, ReviewState, State
from memories.models.review import ReviewQuerySet
from memories.rules.authorship import RULE_KINDS
from memories.rules.instructions import signs_of_instruction
from memories.rules.lifetimes import EXPIRING
from memories.services.asking import ask
from spaces.isolation import inside
from spaces.models import Space

AT_MOST = 200
# Texts are read here, not by the database; older ones were read by an earlier run.
MOST_READ = 1000


def notice_expired(space: Space, *, at_most: int = AT_MOST) -> int:
    """Ask about observations and checkpoints whose date has passed; return how many are new.

    An answer holds for the date that it was about: what was let lapse is not asked again.
    """
    now = timezone.now()
    with inside(space):
        lapsed = Memory.objects.in_space(space).expired(now=now).filter(kind__in=EXPIRING)
        asked = _questions(space, Question.EXPIRED)
        answered = asked.filter(state=ReviewState.RESOLVED, resolved_at__gte=OuterRef("expires_at"))
        fresh = lapsed.filter(~Exists(asked.unsettled()), ~Exists(answered))
        return sum(
            ask(Question.EXPIRED, memory, evidence={"expires_at": _text(memory.expires_at)})
            for memory in fresh.order_by("expires_at", "pk")[:at_most]
        )


def notice_unsourced(space: Space, *, at_most: int = AT_MOST) -> int:
    """Ask about rules that an agent wrote and nobody stands for; return how many are new."""
    now = timezone.now()
    with inside(space):
        rules = Memory.objects.in_space(space).live(now=now).filter(_is_unsourced_rule())
        fresh = rules.filter(~Exists(_questions(space, Question.UNSOURCED).unsettled()))
        return sum(_ask_for_source(memory) for memory in fresh.order_by("pk")[:at_most])


def notice_instructions(space: Space, *, at_most: int = AT_MOST) -> int:
    """Ask about what a tool said that reads as a command; return how many are new."""
    now = timezone.now()
    with inside(space):
        said = Memory.objects.in_space(space).live(now=now).filter(author=Author.TOOL)
        asked = _questions(space, Question.INSTRUCTION)
        dismissed = asked.filter(state=ReviewState.RESOLVED, memory_version=OuterRef("version"))
        fresh = said.filter(~Exists(asked.unsettled()), ~Exists(dismissed))
        newest = fresh.order_by("-updated_at", "-pk")[:MOST_READ]
        return _count_up_to(at_most, (_ask_about_command(memory) for memory in newest))


def notice_about(memory: Memory) -> int:
    """Ask what there is to ask about one memory that was just written; call it inside its space."""
    if memory.state != State.ACTIVE:
        return 0
    asked = 0
    if memory.author == Author.TOOL:
        asked += _ask_about_command(memory)
    if memory.kind in RULE_KINDS and memory.author == Author.AGENT and not memory.source:
        asked += memory.person_confirmed_at is None and _ask_for_source(memory)
    return asked


def withdraw_moot(space: Space, *, at_most: int = AT_MOST) -> int:
    """Close open questions that answered themselves, such as a pair of which one is forgotten.

    The inbox leaves them out already; this keeps the table as small as it looks.
    """
    now = timezone.now()
    with inside(space):
        unsettled = ReviewItem.objects.in_space(space).unsettled()
        sensible = ReviewItem.objects.in_space(space).sensible(now=now).values("pk")
        moot = unsettled.exclude(pk__in=sensible).order_by("pk")[:at_most]
        return ReviewItem.objects.filter(pk__in=list(moot.values_list("pk", flat=True))).update(
            state=ReviewState.RESOLVED, resolution="moot", resolved_at=now, updated_at=now
        )


def _questions(space: Space, question: Question) -> ReviewQuerySet:
    """Return the questions of a kind about the memory of the outer query."""
    return ReviewItem.objects.filter(space=space, question=question, memory=OuterRef("pk"))


def _is_unsourced_rule() -> Q:
    is_rule = Q(kind__in=[Kind.DECISION, Kind.PREFERENCE], author=Author.AGENT)
    return is_rule & Q(source="", person_confirmed_at=None)


def _ask_for_source(memory: Memory) -> bool:
    return ask(Question.UNSOURCED, memory)


def _ask_about_command(memory: Memory) -> bool:
    signs = signs_of_instruction(memory.content)
    return bool(signs) and ask(Question.INSTRUCTION, memory, evidence={"reasons": signs})


def _count_up_to(limit: int, asked: Iterable[bool]) -> int:
    count = 0
    for is_new in asked:
        count += is_new
        if count >= limit:
            break
    return count


def _text(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
