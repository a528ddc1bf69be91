"""Who did what, when, from which client. No contents: erased text must not live on here."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from memories.models.memory import Memory
from memories.models.undoing import Undoing
from spaces.models import Space


class Verb(models.TextChoices):
    SAVED = "saved", _("saved")
    REFRESHED = "refreshed", _("said again")
    HELD = "held", _("held for review")
    REVISED = "revised", _("changed")
    RESCHEDULED = "rescheduled", _("changed the validity of")
    SUPERSEDED = "superseded", _("replaced")
    FORGOTTEN = "forgotten", _("forgot")
    CONFIRMED = "confirmed", _("confirmed")
    RESTORED = "restored", _("restored")
    ERASED = "erased", _("erased")
    VERSION_ERASED = "version_erased", _("erased a version of")
    KEPT = "kept", _("kept")
    MERGED = "merged", _("merged another one into")
    LAPSED = "lapsed", _("let lapse")
    SNOOZED = "snoozed", _("put off a question about")
    UNDONE = "undone", _("undid an answer about")
    REVERTED = "reverted", _("took back what an app did to")
    IMPORTED = "imported", _("imported")


class ActivityQuerySet(models.QuerySet["Activity"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space).order_by("-at", "-id")


class Activity(models.Model):
    """One line of the activity log; written with the change, never edited."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    memory = models.ForeignKey(
        Memory, models.SET_NULL, null=True, related_name="activity", db_index=False
    )
    verb = models.CharField(max_length=14, choices=Verb.choices)
    version = models.PositiveIntegerField(null=True, blank=True)
    reason = models.TextField(blank=True)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    door = models.CharField(max_length=10)
    is_agent = models.BooleanField()
    client_key = models.CharField(max_length=80, blank=True)
    client_name = models.CharField(max_length=255, blank=True)
    agent_instance = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(default=timezone.now)
    # How the memory stood after this line: state, date and successor, never text.
    standing = models.JSONField(default=dict, blank=True)
    undoing = models.ForeignKey(
        Undoing, models.SET_NULL, null=True, blank=True, related_name="lines", db_index=False
    )

    objects: ClassVar[ActivityQuerySet] = ActivityQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["space", "-at"], name="activity_newest_first"),
            models.Index(fields=["space", "memory", "-at"], name="activity_of_a_memory"),
            models.Index(fields=["space", "client_key", "-at"], name="activity_of_a_client"),
            models.Index(
                fields=["space", "undoing"],
                condition=Q(undoing__isnull=False),
                name="activity_of_an_undoing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.memory_id}"
