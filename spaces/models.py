"""One memory with one MCP address."""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone

from accounts.models import User


class SpaceQuerySet(models.QuerySet["Space"]):
    def of(self, user: User) -> Self:
        return self.filter(owner=user).order_by(Lower("name"), "id")


class Space(models.Model):
    """One isolated memory. Its id is random: whoever has the address can not guess another."""

    class Language(models.TextChoices):
        ENGLISH = "en", "English"
        PORTUGUESE = "pt", "Português"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(User, models.CASCADE, related_name="spaces")
    name = models.CharField(max_length=80)
    description = models.TextField(max_length=1000, blank=True)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.ENGLISH)
    auto_redact_pii = models.BooleanField(default=False)
    # Whether the ledger of reads notes what was searched for.
    keeps_queries = models.BooleanField(default=True, db_default=True)
    # Days after which what no longer holds is erased for good; empty keeps everything.
    retention_days = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[SpaceQuerySet] = SpaceQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="space_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(retention_days=None) | models.Q(retention_days__gte=1),
                name="retention_is_at_least_a_day",
            ),
            models.UniqueConstraint("owner", Lower("name"), name="one_space_of_a_name_per_account"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("memories:list", args=[self.pk])

    @property
    def mcp_url(self) -> str:
        """Return the address that agents connect to; also the OAuth resource (RFC 8707)."""
        return f"{settings.PUBLIC_URL}/mcp/{self.pk}"
