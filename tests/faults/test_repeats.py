"""Jobs that are delivered twice, and clocks that jump: what was right stays right."""

import inspect
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from brain import celery_app
from memories.models import Memory, MemoryVersion
from memories.queries.search import search
from memories.services.affirming import confirm_memory
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import agent_of, make_actor, make_memory
from tests.security.victims import Victim, id_for, make_victim
from tests.tally import Tally

pytestmark = pytest.mark.django_db


def jobs() -> dict[str, Any]:
    """Return every job of the product, found in the task app itself."""
    celery_app.loader.import_default_modules()
    return {
        name: task
        for name, task in celery_app.tasks.items()
        if name.startswith(("brain.", "accounts.", "spaces.", "memories.", "mcp_gateway."))
    }


def arguments(task: Any, victim: Victim) -> list[str]:
    """Return an id for each argument of the job, by its name."""
    parameters = inspect.signature(task.run).parameters.values()
    return [id_for(each.name, victim) for each in parameters if each.default is each.empty]


def test_a_job_that_is_delivered_twice_changes_nothing_the_second_time(
    eager_jobs: None, runs: Tally
) -> None:
    victim = make_victim()
    assert jobs()

    for name, task in jobs().items():
        task.apply(args=arguments(task, victim)).get()
        once = victim.fingerprint()
        task.apply(args=arguments(task, victim)).get()
        task.apply(args=arguments(task, victim)).get()
        runs.add()
        assert victim.fingerprint() == once, name


def test_a_job_for_a_space_that_is_gone_ends_quietly(eager_jobs: None, runs: Tally) -> None:
    victim = make_victim()
    called = {name: arguments(task, victim) for name, task in jobs().items()}
    close_space(victim.space)

    for name, sent in called.items():
        jobs()[name].apply(args=sent).get()
        runs.add()
    assert not Space.objects.filter(pk=victim.space.pk).exists()


JUMPS = [timedelta(days=-400), timedelta(hours=-1), timedelta(days=400), timedelta(days=-1)]


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_clock_that_jumps_keeps_every_order_and_loses_nothing(
    space: Space, jump: timedelta, time_machine: TimeMachineFixture, runs: Tally
) -> None:
    """Written before the jump, changed after it: versions in order, dates that hold."""
    start = datetime(2026, 3, 1, 12, tzinfo=UTC)
    time_machine.move_to(start, tick=False)
    agent, person = agent_of(space), make_actor(space.owner)
    memory = make_memory(space, "The clock of this machine is right.")
    other = make_memory(space, "The other clock is slow by an hour.")

    time_machine.move_to(start + jump, tick=False)
    change = Revision(content="The clock of this machine was wrong.", reason="It jumped.")
    revised = revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    confirm_memory(space=space, actor=person, memory_id=memory.pk)
    forget_memory(space=space, actor=agent, memory_id=other.pk)
    again = make_memory(space, "A new fact after the jump.")
    runs.add()

    assert revised.outcome == "revised"
    with inside(space):
        row = Memory.objects.get(pk=memory.pk)
        versions = list(MemoryVersion.objects.filter(memory=row).order_by("number"))
        assert [version.number for version in versions] == [1, 2]
        assert row.updated_at >= row.created_at
        assert Memory.objects.get(pk=other.pk).state == "forgotten"
        assert Memory.objects.filter(pk=again.pk).exists()
    found = search(
        space=space, query="clock of this machine wrong", path_filter="", kinds=[], limit=5
    )
    assert [hit.memory.pk for hit in found.hits] == [memory.pk]


def test_an_expiry_follows_the_clock_both_ways(
    space: Space, time_machine: TimeMachineFixture, runs: Tally
) -> None:
    """Nothing is stored as expired: a clock that was wrong for an hour leaves nothing behind."""
    start = datetime(2026, 3, 1, 12, tzinfo=UTC)
    time_machine.move_to(start, tick=False)
    memory = make_memory(space, "The queue is empty right now.", kind="observation")

    seen = []
    for moment in (start, start + timedelta(days=31), start, start - timedelta(days=31)):
        time_machine.move_to(moment, tick=False)
        found = search(space=space, query="queue empty", path_filter="", kinds=[], limit=5)
        seen.append([hit.memory.pk for hit in found.hits] == [memory.pk])
        runs.add()

    assert seen == [True, False, True, True]
    assert timezone.now() < start
