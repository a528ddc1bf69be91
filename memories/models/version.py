"""Every text that a memory had; written once, never changed except by erasure."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from memories.models.memory import Author, Kind, Memory
from spaces.models import Space


class Operation(models.TextChoices):
    CREATED = "created", _("Written")
    REVISED = "revised", _("Changed")
    RESTORED = "restored", _("Restored")


class VersionQuerySet(models.QuerySet["MemoryVersion"]):
    def of(self, memory: Memory) -> Self:
        return self.filter(space_id=memory.space_id, memory=memory).order_by("-number")


class MemoryVersion(models.Model):
    """One version of one memory; `number` counts from 1 without gaps."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=11, choices=Kind.choices)
    path = models.CharField(max_length=255, blank=True)
    content = models.TextField()
    content_sha256 = models.CharField(max_length=64, blank=True)
    source = models.TextField(blank=True)
    rationale = models.TextField(blank=True)
    checkpoint = models.JSONField(default=dict, blank=True)

    operation = models.CharField(max_length=8, choices=Operation.choices)
    reason = models.TextField(blank=True)
    author = models.CharField(max_length=5, choices=Author.choices)
    changed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    client_key = models.CharField(max_length=80, blank=True)
    client_name = models.CharField(max_length=255, blank=True)
    agent_instance = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[VersionQuerySet] = VersionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "memory", "number"], name="one_version_of_a_number"
            ),
            models.CheckConstraint(
                condition=~Q(content="") | Q(erased_at__isnull=False),
                name="version_says_something_or_was_erased",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.memory_id}"
