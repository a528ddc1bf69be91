"""Which agent read what, when, and what it had asked."""

from collections.abc import Callable
from datetime import datetime, timedelta

from accounts.actors import Actor
from memories.demo.story import Story
from memories.models import Memory, Recall, Way
from memories.rules.paths import key_of
from spaces.models import Space

# The ledger is kept for ninety days; agents ask about one thing every few of them.
DAYS, EVERY, HITS = 88, 11, 4


def told_reads(space: Space, story: Story, cast: Callable[[str], Actor], *, now: datetime) -> None:
    """Write the ledger of reads as it would be, inside the space."""
    rows: list[Recall] = []
    readers = sorted({event.who.partition("@")[0] for event in story.events} - {"me", "script"})
    for number, question in enumerate(story.questions):
        memories = Memory.objects.in_space(space).active().at_or_below(key_of(question.path))
        hits = list(memories.order_by("created_at", "pk")[:HITS])
        for day in range(DAYS - number % EVERY, -1, -EVERY):
            at = now - timedelta(days=day, minutes=37 + 13 * number)
            actor = cast(readers[(number + day) % len(readers)])
            rows += [
                Recall(
                    space=space,
                    memory=memory,
                    way=Way.SEARCHED,
                    query=question.query,
                    client_key=actor.client_key,
                    client_name=actor.client_name,
                    agent_instance=actor.agent_instance,
                    at=at,
                )
                for memory in hits
                if memory.created_at < at
            ]
    Recall.objects.bulk_create(rows)
