"""What the home page says of a space: how many memories in which state, and when it was used."""

from django.db.models import Count, Max, Q
from django.utils import timezone

from memories.models import Activity, Memory, State
from memories.queries.review import waiting_count
from spaces.isolation import inside
from spaces.models import Space
from spaces.queries import Contents


def contents(space: Space) -> Contents:
    """Count the memories of one space by the state that they are in now."""
    now = timezone.now()
    has_passed = Q(state=State.ACTIVE, expires_at__lte=now)
    with inside(space):
        counted = Memory.objects.in_space(space).aggregate(
            active=Count("pk", filter=Q(state=State.ACTIVE) & ~has_passed),
            expired=Count("pk", filter=has_passed),
            **{
                state.value: Count("pk", filter=Q(state=state))
                for state in (State.HELD, State.SUPERSEDED, State.FORGOTTEN)
            },
        )
        # Not `in_space`: an order makes no sense under an aggregate.
        newest = Activity.objects.filter(space=space).aggregate(at=Max("at"))
        waiting = waiting_count(space)
    return Contents(by_state=counted, last_activity_at=newest["at"], waiting=waiting)
