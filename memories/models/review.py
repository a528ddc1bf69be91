"""Questions that only the person can settle."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from memories.models.memory import Memory
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


class ReviewQuerySet(models.QuerySet["ReviewItem"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space)

    def open(self) -> Self:
        return self.filter(state=ReviewState.OPEN)


class ReviewItem(models.Model):
    """One question about one memory or two; at most one open question of a kind about them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    question = models.CharField(max_length=16, choices=Question.choices)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="questions", db_index=False)
    other = models.ForeignKey(
        Memory, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    # Machine-readable: codes, version numbers and dates, never text of a memory.
    evidence = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=ReviewState.choices, default=ReviewState.OPEN)
    resolution = models.CharField(max_length=20, blank=True)
    resolved_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    resolved_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
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
        ]

    def __str__(self) -> str:
        return f"{self.question} about {self.memory_id}"
