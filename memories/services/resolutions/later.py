"""Put a question off; it comes back by itself."""

from datetime import timedelta

from memories.models import ReviewState, Verb
from memories.services.activity import record
from memories.services.resolutions.cases import Reply, open_case
from memories.services.telling import tell
from spaces.isolation import inside

SNOOZE_FOR = timedelta(days=7)


def snooze(reply: Reply) -> None:
    """Ask again in a week; decided when the inbox is read, so no job needs to run."""
    with inside(reply.space):
        case = open_case(reply)
        item = case.item
        item.state, item.snoozed_until = ReviewState.SNOOZED, case.now + SNOOZE_FOR
        item.decision_id, item.updated_at = reply.decision_id, case.now
        item.save(update_fields=["state", "snoozed_until", "decision_id", "updated_at"])
        record(case.memory, reply.actor, Verb.SNOOZED)
    tell(reply.space.pk, "review")
