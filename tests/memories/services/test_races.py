"""Many at once: the database keeps the promises."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Activity, Memory, MemoryVersion, State
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.locking import changing
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory
from tests.races import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 50


def at_once(work: Callable[[int], str], times: int = TIMES) -> Counter[str]:
    """Count the outcomes, or the codes of refusals, of so many calls at the same moment."""
    outcomes = all_at_once([partial(work, number) for number in range(times)])
    return Counter(
        outcome.code if isinstance(outcome, DomainError) else outcome for outcome in outcomes
    )


def save(space: Space, content: str) -> str:
    draft = Draft(content, "decision", "Project", source="Ana", rationale="Asked")
    return save_memory(space=space, actor=agent_of(space), draft=draft).outcome


def test_one_fact_saved_fifty_times_at_once_is_one_memory_confirmed_fifty_times(
    space: Space,
) -> None:
    outcomes = at_once(lambda _: save(space, "We deploy on Fridays at noon."))

    assert outcomes == {"created": 1, "refreshed": TIMES - 1}
    with inside(space):
        assert Memory.objects.get().confirmations == TIMES
        assert MemoryVersion.objects.count() == 1
        assert Activity.objects.count() == TIMES


def test_fifty_facts_saved_at_once_are_fifty_memories(space: Space) -> None:
    outcomes = at_once(lambda number: save(space, f"The port of service {number} is known."))

    assert outcomes == {"created": TIMES}
    with inside(space):
        assert Memory.objects.filter(state=State.ACTIVE).count() == TIMES
        assert MemoryVersion.objects.count() == TIMES


def test_of_the_edits_of_one_version_exactly_one_is_written(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    def edit(number: int) -> str:
        change = Revision(content=f"We deploy on day {number}.", expected_version=1)
        return revise_memory(
            space=space, actor=person, memory_id=memory.pk, revision=change
        ).outcome

    assert at_once(edit, 20) == {"revised": 1, "conflict": 19}
    with inside(space):
        assert Memory.objects.get().version == 2
        assert MemoryVersion.objects.count() == 2


def test_edits_without_a_version_follow_each_other_without_gaps(
    space: Space, person: Actor
) -> None:
    memory = make_memory(space)

    def edit(number: int) -> str:
        change = Revision(content=f"We deploy on day {number}.")
        return revise_memory(
            space=space, actor=person, memory_id=memory.pk, revision=change
        ).outcome

    assert at_once(edit, 20) == {"revised": 20}
    with inside(space):
        now = Memory.objects.get()
        numbers = [version.number for version in MemoryVersion.objects.of(now)]
        newest = MemoryVersion.objects.of(now)[0]
    assert numbers == list(range(21, 0, -1))
    assert (now.version, now.content) == (21, newest.content)


def test_two_memories_never_become_the_same_fact_at_once(space: Space, person: Actor) -> None:
    memories = [
        make_memory(space, f"The port of service {number} is known.") for number in range(8)
    ]

    def edit(number: int) -> str:
        change = Revision(content="The ports of all services are known.")
        return revise_memory(
            space=space, actor=person, memory_id=memories[number].pk, revision=change
        ).outcome

    assert at_once(edit, 8) == {"revised": 1, "same_fact": 7}


def test_checkpoints_of_one_task_at_once_leave_one_that_holds(space: Space) -> None:
    def checkpoint(number: int) -> str:
        fields = CheckpointFields(task="Shop", goal="Cards work", next_step=f"Step {number}")
        return checkpoint_task(space=space, actor=agent_of(space), fields=fields).outcome

    assert at_once(checkpoint, 20) == {"created": 1, "replaced": 19}
    with inside(space):
        live = Memory.objects.get(state=State.ACTIVE)
        replaced = Memory.objects.filter(state=State.SUPERSEDED)
        assert replaced.count() == 19
        assert not replaced.filter(superseded_by=None).exists()
    assert live.superseded_by_id is None


def test_saving_while_somebody_forgets_leaves_one_that_holds_or_none(
    space: Space, agent: Actor
) -> None:
    def save_or_forget(number: int) -> str:
        if number % 2:
            return save(space, "We deploy on Fridays at noon.")
        with inside(space):
            live = Memory.objects.active().first()
        if live is None:
            return "nothing"
        return forget_memory(space=space, actor=agent, memory_id=live.pk).outcome

    outcomes = at_once(save_or_forget)

    saved = outcomes["created"] + outcomes["refreshed"] + outcomes["unavailable"]
    assert saved == TIMES // 2
    assert outcomes["unavailable"] == 0
    with inside(space):
        assert Memory.objects.active().count() == outcomes["created"] - outcomes["forgotten"]
        assert Memory.objects.active().count() <= 1


def test_no_agent_gets_past_a_forget_of_the_person_that_happens_meanwhile(
    space: Space, person: Actor
) -> None:
    memory = make_memory(space)

    def save_or_forget(number: int) -> str:
        if number != TIMES // 2:
            return save(space, memory.content)
        return forget_memory(space=space, actor=person, memory_id=memory.pk).outcome

    outcomes = at_once(save_or_forget)

    assert outcomes["forgotten"] == 1
    assert outcomes["created"] == 0
    assert outcomes["refreshed"] + outcomes["held"] == TIMES - 1
    with inside(space):
        assert not Memory.objects.active().exists()


def test_a_checkpoint_that_is_forgotten_meanwhile_stays_forgotten(
    space: Space, agent: Actor, person: Actor
) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Write the test")
    first = checkpoint_task(space=space, actor=agent, fields=fields).memory

    def forget_or_replace(number: int) -> str:
        if number == 0:
            return forget_memory(space=space, actor=person, memory_id=first.pk).outcome
        return checkpoint_task(space=space, actor=agent, fields=fields).outcome

    at_once(forget_or_replace, 4)

    with inside(space):
        assert Memory.objects.get(pk=first.pk).state == State.FORGOTTEN
        assert Memory.objects.active().count() == 1


def test_confirmations_at_once_are_all_counted(space: Space, person: Actor) -> None:
    memory = make_memory(space)

    def confirm(number: int) -> str:
        if number % 2:
            return save(space, memory.content)
        return str(confirm_memory(space=space, actor=person, memory_id=memory.pk).state)

    at_once(confirm, 30)

    with inside(space):
        assert Memory.objects.get().confirmations == 31


PARAPHRASES = [
    "The session timeout is thirty minutes.",
    "Session timeout is 30 min",
    "Decision: the session timeout is 30 minutes!",
    "the session timeout is thirty min.",
]


def test_a_fact_saved_at_once_in_several_spellings_is_one_memory(space: Space) -> None:
    outcomes = at_once(lambda number: save(space, PARAPHRASES[number % len(PARAPHRASES)]))

    assert outcomes == {"created": 1, "refreshed": TIMES - 1}
    with inside(space):
        assert Memory.objects.get().confirmations == TIMES


def test_no_spelling_gets_past_a_forget_of_the_person_that_happens_meanwhile(
    space: Space, person: Actor
) -> None:
    memory = make_memory(space, PARAPHRASES[0])

    def save_or_forget(number: int) -> str:
        if number != TIMES // 2:
            return save(space, PARAPHRASES[number % len(PARAPHRASES)])
        return forget_memory(space=space, actor=person, memory_id=memory.pk).outcome

    outcomes = at_once(save_or_forget)

    assert outcomes["forgotten"] == 1
    assert outcomes["created"] == 0
    assert outcomes["refreshed"] + outcomes["held"] == TIMES - 1
    with inside(space):
        assert not Memory.objects.active().exists()


def test_changes_that_wait_for_each_other_end_in_words_and_not_in_a_deadlock(
    space: Space, person: Actor
) -> None:
    ports = ["The port of the shop is 8000.", "The port of the shop is 9000."]
    theirs = [make_memory(space, port) for port in ports]
    others = [make_memory(space, f"The shop has {count} doors.") for count in (2, 3)]
    both_have_freed_theirs = threading.Barrier(2)

    def say(memory: Memory, content: str) -> str:
        change = Revision(content=content)
        return revise_memory(
            space=space, actor=person, memory_id=memory.pk, revision=change
        ).outcome

    def take_the_others_fact(number: int) -> str:
        with changing(space):
            say(theirs[number], f"The shop listens elsewhere: {number}.")
            both_have_freed_theirs.wait(timeout=30)
            return say(others[number], ports[1 - number])

    outcomes = at_once(take_the_others_fact, 2)

    assert outcomes in ({"gave_way": 1, "revised": 1}, {"gave_way": 1, "same_fact": 1})
    with inside(space):
        keys = list(Memory.objects.active().values_list("fact_key", flat=True))
    assert len(keys) == len(set(keys)) == 4


def test_three_changes_in_a_ring_end_in_words_too(space: Space, person: Actor) -> None:
    facts = [f"The port of the shop is {port}." for port in (8000, 9000, 9500)]
    memories = [make_memory(space, fact) for fact in facts]

    def shift(number: int) -> str:
        change = Revision(content=facts[(number + 1) % 3])
        return revise_memory(
            space=space, actor=person, memory_id=memories[number % 3].pk, revision=change
        ).outcome

    outcomes = at_once(shift, 9)

    assert outcomes.keys() <= {"revised", "unchanged", "same_fact", "gave_way"}
    with inside(space):
        live = list(Memory.objects.active().values_list("fact_key", flat=True))
    assert len(live) == len(set(live)) == 3
