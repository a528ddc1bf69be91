"""One fact, as it stands now."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from brain.lib.ids import new_id
from spaces.models import Space


class Kind(models.TextChoices):
    DECISION = "decision", _("Decision")
    PREFERENCE = "preference", _("Preference")
    OBSERVATION = "observation", _("Observation")
    CHECKPOINT = "checkpoint", _("Checkpoint")
    POINTER = "pointer", _("Pointer")


class Author(models.TextChoices):
    USER = "user", _("You")
    AGENT = "agent", _("Agent")
    TOOL = "tool", _("Tool")


class State(models.TextChoices):
    """What somebody decided about a memory. *Expired* is not stored: a date decides it on reading.

    *Held* waits for the person's answer: it is never served.
    """

    ACTIVE = "active", _("Active")
    HELD = "held", _("Waiting for you")
    SUPERSEDED = "superseded", _("Superseded")
    FORGOTTEN = "forgotten", _("Forgotten")


class MemoryQuerySet(models.QuerySet["Memory"]):
    def in_space(self, space: Space) -> Self:
        return self.filter(space=space)

    def live(self, *, now: datetime) -> Self:
        """Keep what holds now: active, and its date has not passed."""
        return self.active().filter(Q(expires_at=None) | Q(expires_at__gt=now))

    def active(self) -> Self:
        return self.filter(state=State.ACTIVE)

    def expired(self, *, now: datetime) -> Self:
        return self.active().filter(expires_at__lte=now)

    def at_or_below(self, path_key: str) -> Self:
        return self.filter(Q(path_key=path_key) | Q(path_key__startswith=f"{path_key}."))


_Rows = models.Manager.from_queryset(MemoryQuerySet)


class MemoryManager(_Rows["Memory"]):
    def get_queryset(self) -> MemoryQuerySet:
        """Leave the words where they are: they are for searching, and longer than the text."""
        return MemoryQuerySet(self.model, using=self._db).defer("words")


# Two stemmers and the plain word, all without accents, so that either language and an
# identifier are found; weight A marks the path. The configurations come from a migration.
_WORDS = " || ".join(
    f"setweight(to_tsvector('brain_{language}', replace({column}, '.', ' ')), '{weight}')"
    if column == "path"
    else f"setweight(to_tsvector('brain_{language}', {column}), '{weight}')"
    for column, weight in (("path", "A"), ("content", "B"))
    for language in ("en", "pt", "exact")
)


class Memory(models.Model):
    """One fact. Its id is stable for life; `MemoryVersion` keeps every text that it had."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="memories", db_index=False)
    kind = models.CharField(max_length=11, choices=Kind.choices)
    path = models.CharField(max_length=255, blank=True)
    path_key = models.CharField(max_length=255, blank=True, editable=False)
    content = models.TextField()
    content_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    fact_key = models.CharField(max_length=64, blank=True, editable=False)
    source = models.TextField(blank=True)
    rationale = models.TextField(blank=True)
    author = models.CharField(max_length=5, choices=Author.choices)
    client_key = models.CharField(max_length=80, blank=True)
    client_name = models.CharField(max_length=255, blank=True)
    agent_instance = models.CharField(max_length=100, blank=True)
    version = models.PositiveIntegerField(default=1)

    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    state_at = models.DateTimeField(default=timezone.now)
    is_forgotten_by_person = models.BooleanField(default=False)
    superseded_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="supersedes", db_index=False
    )
    erased_at = models.DateTimeField(null=True, blank=True)

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(default=timezone.now)
    confirmations = models.PositiveIntegerField(default=1)
    person_confirmed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    # The version that was last compared with the rest of the space; a job looks for the others.
    compared_version = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # The version of which the judge, if there is one, saw the pairs that the rules leave open.
    judged_version = models.PositiveIntegerField(null=True, blank=True, editable=False)

    # Only checkpoints: the task as it is compared, and the fields that `content` is made of.
    task_key = models.CharField(max_length=255, blank=True, editable=False)
    checkpoint = models.JSONField(default=dict, blank=True)

    words = models.GeneratedField(
        expression=RawSQL(_WORDS, []),  # noqa: S611  constant text, nothing from outside
        output_field=SearchVectorField(),
        db_persist=True,
        editable=False,
    )

    objects: ClassVar[MemoryManager] = MemoryManager()

    class Meta:
        verbose_name_plural = _("memories")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "kind", "fact_key"],
                condition=Q(state__in=["active", "held"]) & ~Q(kind="checkpoint"),
                name="one_live_memory_per_fact",
            ),
            models.UniqueConstraint(
                fields=["space", "task_key"],
                condition=Q(state="active", kind="checkpoint"),
                name="one_live_checkpoint_per_task",
            ),
            models.CheckConstraint(
                condition=~Q(content="") | Q(erased_at__isnull=False),
                name="memory_says_something_or_was_erased",
            ),
            models.CheckConstraint(
                condition=Q(kind="checkpoint") ^ Q(task_key=""), name="only_checkpoints_have_a_task"
            ),
            models.CheckConstraint(
                condition=~Q(author="tool") | Q(kind__in=["observation", "checkpoint"]),
                name="what_a_tool_said_is_an_observation",
            ),
            models.CheckConstraint(
                condition=Q(state__in=State.values), name="memory_state_is_known"
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="memory_kind_is_known"),
            models.CheckConstraint(
                condition=Q(version__gte=1), name="memory_versions_start_at_one"
            ),
            models.CheckConstraint(
                condition=Q(updated_at__gte=F("created_at")), name="memory_changed_in_order"
            ),
        ]
        indexes = [
            models.Index(fields=["space", "-updated_at", "id"], name="memories_of_a_space"),
            models.Index(
                fields=["space", "path_key", "created_at", "id"], name="memories_along_a_path"
            ),
            models.Index(fields=["space", "fact_key"], name="memories_that_state_a_fact"),
            models.Index(
                fields=["space", "superseded_by"],
                condition=Q(superseded_by__isnull=False),
                name="memories_replaced_by",
            ),
            models.Index(
                fields=["space", "updated_at"],
                condition=Q(state="active")
                & (Q(compared_version=None) | ~Q(compared_version=F("version"))),
                name="memories_to_compare",
            ),
            GinIndex("space", "words", name="memories_by_word"),
            GinIndex("space", OpClass(F("content"), "gin_trgm_ops"), name="memories_by_letters"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("memories:detail", args=[self.space_id, self.pk])

    def is_expired(self, *, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def is_live(self, *, now: datetime) -> bool:
        return self.state == State.ACTIVE and not self.is_expired(now=now)

    def standing(self, *, now: datetime) -> str:
        """Return the state that people are shown: the stored one, or *expired*."""
        return "expired" if self.state == State.ACTIVE and self.is_expired(now=now) else self.state

    @property
    def was_written_by_person(self) -> bool:
        return self.author == Author.USER

    @property
    def checkpoint_fields(self) -> dict[str, Any]:
        return dict(self.checkpoint)


class MemorySource(models.Model):
    """Where a fact was said again; the first source stands in the memory itself."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="more_sources", db_index=False)
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64, editable=False)
    added_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    client_name = models.CharField(max_length=255, blank=True)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "memory", "text_sha256"], name="each_source_once"
            ),
        ]

    def __str__(self) -> str:
        return f"source of {self.memory_id}"
