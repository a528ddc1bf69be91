"""Which words many memories of a large space hold."""

from django.db import models
from django.utils import timezone

from spaces.models import Space


class CommonWords(models.Model):
    """The words of one space that are too common to look up, as of when they were counted.

    `counts` says for each word form, as in `Memory.words`, how many active memories hold it;
    `memories` is how many there were. Only search reads it, and it can always be made anew.
    """

    space = models.OneToOneField(Space, models.CASCADE, primary_key=True, related_name="+")
    counts = models.JSONField(default=dict)
    memories = models.PositiveIntegerField()
    counted_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{len(self.counts)} common words"
