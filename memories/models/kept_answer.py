"""What became of a request that may come twice, for scripts that cannot tell whether it arrived."""

from django.db import models
from django.utils import timezone

from brain.lib.ids import new_id
from spaces.models import Space


class KeptAnswer(models.Model):
    """The outcome of one request with an `Idempotency-Key`: ids and numbers, never a text.

    IETF draft-ietf-httpapi-idempotency-key-header.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="+", db_index=False)
    # Whose key it is: two callers may choose the same one.
    caller = models.CharField(max_length=80)
    key_sha256 = models.CharField(max_length=64)
    request_sha256 = models.CharField(max_length=64)
    outcome = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "caller", "key_sha256"], name="one_answer_of_an_idempotency_key"
            ),
        ]
        indexes = [models.Index(fields=["space", "created_at"], name="kept_answers_by_age")]

    def __str__(self) -> str:
        return f"answer {self.pk}"
