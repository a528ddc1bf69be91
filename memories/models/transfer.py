"""Files that are being brought into a space; they go when they are in, and with the space."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from spaces.models import Space


class Stage(models.TextChoices):
    """How far an import is; the first and the third are the worker's, the second the person's."""

    CHECKING = "checking", _("Being looked through")
    READY = "ready", _("Waiting for you")
    IMPORTING = "importing", _("Being brought in")
    DONE = "done", _("Done")
    FAILED = "failed", _("Stopped")


AT_WORK = (Stage.CHECKING, Stage.IMPORTING)


class ItemVerdict(models.TextChoices):
    """What becomes of one memory of the file; `rules/transfer_verdicts.py` decides it."""

    NEW = "new", _("New")
    UPDATED = "updated", _("Newer in the file")
    HERE = "here", _("Already here")
    KEPT = "kept", _("Newer here")
    APART = "apart", _("Changed in both places")
    FORGOTTEN = "forgotten", _("Forgotten here")
    REFUSED = "refused", _("Refused")


class TransferQuerySet(models.QuerySet["Transfer"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space).order_by("-created_at", "-id")

    def at_work(self) -> Self:
        return self.filter(stage__in=AT_WORK)


class Transfer(models.Model):
    """One import. Its counts hold what the look through found, and in the end what was done."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    door = models.CharField(max_length=10)
    # The key that handed the file in, where it was not the person.
    client_key = models.CharField(max_length=80, blank=True, default="", db_default="")
    client_name = models.CharField(max_length=255, blank=True, default="", db_default="")
    file_name = models.CharField(max_length=120, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    stage = models.CharField(max_length=9, choices=Stage.choices, default=Stage.CHECKING)
    origin = models.CharField(max_length=255, blank=True)
    exported_at = models.CharField(max_length=40, blank=True)
    # Records of the file, and how many of them all the present stage has gone through.
    memories = models.PositiveIntegerField(default=0)
    links = models.PositiveIntegerField(default=0)
    reviews = models.PositiveIntegerField(default=0)
    position = models.PositiveIntegerField(default=0)
    parts_read = models.PositiveIntegerField(default=0)
    part_count = models.PositiveIntegerField(default=0)
    # What was replaced by markers, by type.
    redacted = models.JSONField(default=dict, blank=True)
    # Links and questions about memories that are not here.
    left_out = models.PositiveIntegerField(default=0)
    # How often it was taken up again without getting any further.
    tries = models.PositiveSmallIntegerField(default=0)
    problem = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    moved_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[TransferQuerySet] = TransferQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space"],
                condition=Q(stage__in=["checking", "ready", "importing"]),
                name="one_import_at_a_time",
            ),
        ]
        indexes = [models.Index(fields=["space", "-created_at"], name="imports_newest_first")]

    def __str__(self) -> str:
        return f"import {self.pk}"

    @property
    def is_at_work(self) -> bool:
        return self.stage in AT_WORK

    @property
    def percent(self) -> int:
        """Return how far the present stage is, in hundredths."""
        if self.stage == Stage.CHECKING:
            return self.parts_read * 100 // self.part_count if self.part_count else 0
        records = self.memories + self.links + self.reviews
        return min(100, self.position * 100 // records) if records else 0


class TransferPart(models.Model):
    """A piece of the file, sealed; workers on other machines read it here."""

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    transfer = models.ForeignKey(Transfer, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "transfer", "number"], name="one_part_of_a_number"
            ),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.transfer_id}"


class TransferItem(models.Model):
    """What becomes of one memory of the file, and whether it has become of it."""

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    transfer = models.ForeignKey(Transfer, models.CASCADE, related_name="items", db_index=False)
    number = models.PositiveIntegerField()
    # Not a foreign key: most of these memories are not here yet.
    memory_id = models.UUIDField(null=True, blank=True)
    path = models.CharField(max_length=255, blank=True)
    verdict = models.CharField(max_length=9, choices=ItemVerdict.choices)
    reason = models.CharField(max_length=300, blank=True)
    # What the memory is replaced by and whether the person forgot it, as the file says.
    successor_id = models.UUIDField(null=True, blank=True)
    is_declined = models.BooleanField(default=False)
    is_done = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "transfer", "number"], name="one_item_of_a_number"
            ),
        ]
        indexes = [
            models.Index(
                fields=["space", "transfer", "verdict", "number"], name="items_of_a_verdict"
            ),
            models.Index(fields=["space", "transfer", "memory_id"], name="items_about_a_memory"),
        ]

    def __str__(self) -> str:
        return f"item {self.number} of {self.transfer_id}"
