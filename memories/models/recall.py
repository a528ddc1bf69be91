"""Which client received which memory, when, and for which query."""

from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from brain.lib.ids import new_id
from memories.models.memory import Memory
from spaces.models import Space


class Way(models.TextChoices):
    """How a client came by a memory; the label goes on after the client's name."""

    SEARCHED = "searched", _("searched")
    LOOKED_UP = "looked_up", _("looked it up by its id")
    RESUMED = "resumed", _("resumed a task")
    SHOWN = "shown", _("was shown it beside what it wrote")
    LISTED = "listed", _("listed the memories")


class RecallQuerySet(models.QuerySet["Recall"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space)

    def newest_first(self) -> Self:
        return self.order_by("-at", "-id")

    def since(self, moment: datetime) -> Self:
        return self.filter(at__gte=moment)


class Recall(models.Model):
    """That one client received one memory; nothing of the memory changes by it.

    A line is one answer until its day is rolled up: then `day` is set, `times` counts what was
    alike on that day, and `at` is the last of them.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    # A foreign key of the database would lock the memory, and wait for whoever changes it.
    memory = models.ForeignKey(
        Memory, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    way = models.CharField(max_length=9, choices=Way.choices)
    query = models.CharField(max_length=500, blank=True)
    client_key = models.CharField(max_length=80, blank=True)
    client_name = models.CharField(max_length=255, blank=True)
    agent_instance = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(default=timezone.now)
    day = models.DateField(null=True, blank=True)
    times = models.PositiveIntegerField(default=1)

    objects: ClassVar[RecallQuerySet] = RecallQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(way__in=Way.values), name="recall_way_is_known"),
            models.CheckConstraint(condition=Q(times__gte=1), name="recall_happened"),
            models.CheckConstraint(
                condition=Q(times=1) | Q(day__isnull=False), name="only_a_day_counts_several"
            ),
        ]
        indexes = [
            models.Index(fields=["space", "-at", "-id"], name="recalls_newest_first"),
            models.Index(fields=["space", "memory", "-at"], name="recalls_of_a_memory"),
            models.Index(fields=["space", "client_key", "-at", "-id"], name="recalls_of_a_client"),
            models.Index(fields=["space", "at"], condition=Q(day=None), name="recalls_to_roll_up"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} {self.way}"

    @property
    def answer(self) -> tuple[object, ...]:
        """Return what the lines of one answer have in common."""
        return (self.at, self.client_key, self.agent_instance, self.way, self.query, self.times)
