"""That the person took back what an app did, as one action."""

from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from accounts.models import User
from brain.lib.ids import new_id
from spaces.models import Space


class UndoingQuerySet(models.QuerySet["Undoing"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space).order_by("-at", "-id")


class Undoing(models.Model):
    """One such action; the lines of the activity log that it wrote carry its id.

    Taking it back is another one, which names it in `undoes`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    client_key = models.CharField(max_length=80)
    client_name = models.CharField(max_length=255)
    agent_instance = models.CharField(max_length=100, blank=True)
    since = models.DateTimeField()
    at = models.DateTimeField(default=timezone.now)
    memories = models.PositiveIntegerField()
    undoes = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="undone_by"
    )

    objects: ClassVar[UndoingQuerySet] = UndoingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [models.Index(fields=["space", "-at"], name="undoings_newest_first")]

    def __str__(self) -> str:
        return f"undoing {self.pk}"
