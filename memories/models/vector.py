"""What a memory means, as a model puts it into numbers."""

from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from brain.lib.ids import new_id
from memories.models.memory import Memory
from spaces.models import Space


class MemoryVector(models.Model):
    """The vector of one text under one model; vectors of two models are never compared.

    It holds for the text whose SHA-256 it names: when the memory's text has changed since, it
    counts as missing. Models of different sizes stand side by side while one replaces another.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="vectors", db_index=False)
    model_key = models.CharField(max_length=160)
    content_sha256 = models.CharField(max_length=64)
    embedding = HalfVectorField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "memory", "model_key"], name="one_vector_of_a_model"
            ),
        ]
        indexes = [
            # An exact search reads all vectors of one model in one space.
            models.Index(fields=["space", "model_key"], name="vectors_of_a_model"),
        ]

    def __str__(self) -> str:
        return f"vector of {self.memory_id}"
