"""Questions that only the person can settle."""

from collections.abc import Collection
from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from memories.models.memory import Memory, State
from spaces.models import Space


class Question(models.TextChoices):
    DISAGREEMENT = "disagreement", _("Disagreement")
    REPEATED = "repeated", _("Repeated")
    EXPIRED = "expired", _("Expired")
    UNSOURCED = "unsourced", _("Rule without a source")
    CHANGED_BY_AGENT = "changed_by_agent", _("Changed by an agent")
    RELEARNED = "relearned", _("Learned again after you forgot it")
    INSTRUCTION = "instruction", _("Looks like an instruction")


class ReviewState(models.TextChoices):
    OPEN = "open", _("Open")
    SNOOZED = "snoozed", _("Later")
    RESOLVED = "resolved", _("Settled")


# Questions about two memories that hold; once one of them does not, there is nothing to ask.
PAIRS = (Question.DISAGREEMENT, Question.REPEATED)


class Answer(models.TextChoices):
    """What the person decided, as a past participle; `ReviewItem.resolution` holds it."""

    KEPT_FIRST = "kept_first", _("You kept the older one")
    KEPT_SECOND = "kept_second", _("You kept the newer one")
    KEPT_BOTH = "kept_both", _("You kept both")
    REWRITTEN = "rewritten", _("You wrote it anew")
    MERGED = "merged", _("You merged them into one")
    NOT_THE_SAME = "not_the_same", _("You said that they are not the same")
    RENEWED = "renewed", _("You renewed it")
    MADE_PERMANENT = "made_permanent", _("You made it permanent")
    LET_LAPSE = "let_lapse", _("You let it lapse")
    CONFIRMED_AS_MINE = "confirmed_as_mine", _("You made it yours")
    SOURCED = "sourced", _("You added a source")
    LET_GO = "let_go", _("You let it go")
    ACCEPTED = "accepted", _("You accepted the change")
    RESTORED = "restored", _("You restored your version")
    LET_IN = "let_in", _("You let it hold again")
    DECLINED = "declined", _("You forgot it again")
    KEPT = "kept", _("You kept it as it is")


class ReviewQuerySet(models.QuerySet["ReviewItem"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space)

    def open(self) -> Self:
        return self.filter(state=ReviewState.OPEN)

    def unsettled(self) -> Self:
        """Keep what nobody has answered, put off or not."""
        return self.filter(state__in=[ReviewState.OPEN, ReviewState.SNOOZED])

    def waiting(self, *, now: datetime) -> Self:
        """Keep what the person can answer now: open, or put off until a moment that has come."""
        is_due = Q(state=ReviewState.SNOOZED, snoozed_until__lte=now)
        return self.filter(Q(state=ReviewState.OPEN) | is_due).sensible(now=now)

    def put_off(self, *, now: datetime) -> Self:
        return self.filter(state=ReviewState.SNOOZED, snoozed_until__gt=now).sensible(now=now)

    def sensible(self, *, now: datetime) -> Self:
        """Leave out what answers itself: a pair that is none any more, a date that was renewed."""
        is_active = Q(memory__state=State.ACTIVE)
        holds = is_active & (Q(memory__expires_at=None) | Q(memory__expires_at__gt=now))
        other_holds = Q(other__expires_at=None) | Q(other__expires_at__gt=now)
        pair = Q(question__in=PAIRS, other__state=State.ACTIVE) & holds & other_holds
        alone = Q(question__in=[Question.UNSOURCED, Question.INSTRUCTION]) & holds
        lapsed = Q(question=Question.EXPIRED, memory__expires_at__lte=now) & is_active
        held = Q(question=Question.RELEARNED, memory__state=State.HELD)
        changed = Q(question=Question.CHANGED_BY_AGENT, memory__erased_at=None)
        return self.filter(pair | alone | lapsed | held | changed)

    def about(self, memory_ids: Collection[UUID]) -> Self:
        """Keep the questions in which one of these memories stands, on either side."""
        return self.filter(Q(memory__in=memory_ids) | Q(other__in=memory_ids))


class ReviewItem(models.Model):
    """One question about one memory or two; at most one open question of a kind about them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    question = models.CharField(max_length=16, choices=Question.choices)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="questions", db_index=False)
    other = models.ForeignKey(
        Memory, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    # Which texts the question, and later its answer, is about.
    memory_version = models.PositiveIntegerField(default=1)
    other_version = models.PositiveIntegerField(null=True, blank=True)
    # Machine-readable: codes, version numbers and dates, never text of a memory.
    evidence = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=ReviewState.choices, default=ReviewState.OPEN)
    resolution = models.CharField(max_length=20, blank=True)
    resolved_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    resolved_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    # Answers that were given in one go have the same.
    decision_id = models.UUIDField(null=True, blank=True)
    # How the memories stood before and after the answer, without their texts; empty when the
    # answer cannot be taken back.
    undo = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[ReviewQuerySet] = ReviewQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "question", "memory", "other"],
                condition=Q(state__in=["open", "snoozed"]),
                nulls_distinct=False,
                name="one_open_question_about_the_same",
            ),
        ]
        indexes = [
            models.Index(fields=["space", "state", "question", "-created_at"], name="review_inbox"),
            models.Index(fields=["space", "memory"], name="questions_about_a_memory"),
            models.Index(
                fields=["space", "other"],
                condition=Q(other__isnull=False),
                name="questions_about_the_other",
            ),
            models.Index(
                fields=["space", "decision_id"],
                condition=Q(decision_id__isnull=False),
                name="answers_given_in_one_go",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question} about {self.memory_id}"

    @property
    def memory_ids(self) -> list[UUID]:
        """Return the ids of what the question is about, in the order in which they are locked."""
        return sorted({self.memory_id, self.other_id or self.memory_id})

    @property
    def seen(self) -> str:
        """Return the versions that its memories have: what a page, and an answer, is based on."""
        return ".".join(str(each.version) for each in (self.memory, self.other) if each)

    @property
    def is_waiting_or_put_off(self) -> bool:
        return self.state in {ReviewState.OPEN, ReviewState.SNOOZED}

    @property
    def decided(self) -> str:
        """Return in words what became of the question."""
        if self.resolution in Answer.values:
            return str(Answer(self.resolution).label)
        return str(_("Settled by what was done to the memory"))
