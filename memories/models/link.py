"""Why two memories belong together."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from brain.lib.ids import new_id
from memories.models.memory import Memory
from spaces.models import Space


class Reason(models.TextChoices):
    SAME_PATH = "same_path", _("same path")
    SIMILAR = "similar", _("similar meaning")
    MENTIONS = "mentions", _("mentions")
    REPLACED_BY = "replaced_by", _("replaced by")

    @property
    def label_from_there(self) -> str:
        """Return what the reason is called as the second memory sees it."""
        if self == Reason.MENTIONS:
            return gettext("mentioned by")
        return gettext("took the place of") if self == Reason.REPLACED_BY else str(self.label)


class LinkQuerySet(models.QuerySet["MemoryLink"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space)

    def of(self, memory: Memory) -> Self:
        return self.filter(Q(first=memory) | Q(second=memory), space_id=memory.space_id)


class MemoryLink(models.Model):
    """One reason to go from one memory to another: `first` mentions, or was replaced by, `second`.

    What is alike has no direction; `first` is then the one that was linked later. Only whoever
    holds the row of `first` writes its links, so links never wait for each other.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    # A foreign key of the database would lock the other memory, and two changes of neighbours
    # would wait for each other.
    first = models.ForeignKey(
        Memory, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    second = models.ForeignKey(
        Memory, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    reason = models.CharField(max_length=11, choices=Reason.choices)
    weight = models.FloatField(default=1.0)
    made_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[LinkQuerySet] = LinkQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "first", "second", "reason"], name="one_link_for_a_reason"
            ),
            models.CheckConstraint(
                condition=~Q(first=F("second")), name="no_memory_is_linked_to_itself"
            ),
            models.CheckConstraint(
                condition=Q(reason__in=Reason.values), name="link_reason_is_known"
            ),
            models.CheckConstraint(
                condition=Q(weight__gt=0, weight__lte=1), name="link_weight_is_a_share"
            ),
        ]
        indexes = [models.Index(fields=["space", "second"], name="links_to_a_memory")]

    def __str__(self) -> str:
        return f"{self.first_id} {self.reason} {self.second_id}"
