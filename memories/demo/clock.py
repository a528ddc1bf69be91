"""Let services run as if it were an earlier moment, in this process only."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from unittest.mock import patch

from django.utils import timezone


@contextmanager
def set_back(*, to: datetime) -> Iterator[None]:
    """Run the block while Django's clock stands at `to`.

    Services and queries read `timezone.now`, and models fill columns with it: both find the class
    that is replaced here. The clock of the machine and of the database go on.
    """

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Stopped":
            return cls.fromtimestamp(to.timestamp(), tz)

    with patch.object(timezone, "datetime", Stopped):
        yield
