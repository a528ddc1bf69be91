from datetime import datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import NotAllowedError, NotFoundError
from memories.models import Activity, Memory, MemoryVersion, State, Undoing, Verb
from memories.queries.undoing import Plan, Work, planned_undoing
from memories.rules.checkpoints import CheckpointFields
from memories.rules.reversals import Obstacle
from memories.services.affirming import confirm_memory, erase_memory, erase_version
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from memories.services.undoing import (
    AlreadyUndoneError,
    ChangedSinceShownError,
    NothingToUndoError,
    Undone,
    undo_undoing,
    undo_work,
)
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import delete_space
from tests.factories import agent_of, make_memory, make_space
from tests.races import at_once

LONG_AGO = datetime(2020, 1, 1, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def before(space: Space, person: Actor) -> Memory:
    """A memory of the person, from before the agent came."""
    return make_memory(space, "We deploy on Fridays at noon.", actor=person)


def work_of(agent: Actor, *, since: datetime = LONG_AGO, instance: str = "") -> Work:
    return Work(agent.client_key, since, instance)


def now_of(memory: Memory) -> Memory:
    with inside(memory.space_id):
        return Memory.objects.get(pk=memory.pk)


def revised(space: Space, agent: Actor, memory: Memory, content: str) -> None:
    revision = Revision(content=content)
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=revision)


def plan_of(space: Space, agent: Actor) -> Plan:
    return planned_undoing(space, work_of(agent))


def test_what_an_app_added_is_forgotten_and_held_back(
    space: Space, person: Actor, agent: Actor
) -> None:
    added = make_memory(space, "We sell oysters.", actor=agent)

    undone = undo_work(space=space, actor=person, work=work_of(agent))

    assert undone.undoing.memories == 1
    assert now_of(added).state == State.FORGOTTEN
    assert now_of(added).is_forgotten_by_person
    draft = Draft("We sell oysters.", "decision", "Project", source="Ana", rationale="So")
    assert save_memory(space=space, actor=agent, draft=draft).outcome == "held"


def test_a_changed_text_comes_back_as_a_new_version(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    revised(space, agent, before, "We deploy on Mondays at noon.")
    revised(space, agent, before, "We deploy on Sundays at noon.")

    undo_work(space=space, actor=person, work=work_of(agent))

    memory = now_of(before)
    assert memory.content == "We deploy on Fridays at noon."
    assert memory.author == "user"
    assert memory.version == 4
    with inside(space):
        assert MemoryVersion.objects.of(memory).count() == 4
        line = Activity.objects.in_space(space).first()
    assert line is not None
    assert line.verb == Verb.REVERTED
    assert line.undoing_id is not None


def test_what_an_app_forgot_holds_again(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    forget_memory(space=space, actor=agent, memory_id=before.pk)

    undo_work(space=space, actor=person, work=work_of(agent))

    assert now_of(before).state == State.ACTIVE
    assert now_of(before).version == 1


def test_a_changed_date_comes_back(space: Space, person: Actor, agent: Actor) -> None:
    memory = make_memory(space, "The office is closed.", actor=person, kind="observation")
    date = memory.expires_at
    assert date is not None
    later = Revision(expires_at=(date + timedelta(days=90)).isoformat())
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=later)

    undo_work(space=space, actor=person, work=work_of(agent))

    assert now_of(memory).expires_at == date


def test_a_replaced_checkpoint_takes_its_place_again(
    space: Space, person: Actor, agent: Actor
) -> None:
    fields = CheckpointFields(task="Ship", goal="Release", next_step="Write")
    earlier = checkpoint_task(space=space, actor=agent_of(space, name="Other"), fields=fields)
    newer = checkpoint_task(space=space, actor=agent, fields=fields)

    undo_work(space=space, actor=person, work=work_of(agent))

    assert now_of(newer.memory).state == State.FORGOTTEN
    assert now_of(earlier.memory).state == State.ACTIVE
    assert now_of(earlier.memory).superseded_by_id is None


def test_the_undoing_itself_is_undone_in_one_action(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    fields = CheckpointFields(task="Ship", goal="Release", next_step="Write")
    earlier = checkpoint_task(space=space, actor=agent_of(space, name="Other"), fields=fields)
    newer = checkpoint_task(space=space, actor=agent, fields=fields)
    revised(space, agent, before, "We deploy on Mondays at noon.")
    added = make_memory(space, "We sell oysters.", actor=agent)
    undone = undo_work(space=space, actor=person, work=work_of(agent))

    again = undo_undoing(space=space, actor=person, undoing_id=undone.undoing.pk)

    assert again.undoing.memories == undone.undoing.memories == 4
    assert now_of(before).content == "We deploy on Mondays at noon."
    assert now_of(before).author == "agent"
    assert now_of(added).state == State.ACTIVE
    assert not now_of(added).is_forgotten_by_person
    assert now_of(newer.memory).state == State.ACTIVE
    assert now_of(earlier.memory).superseded_by_id == newer.memory.pk
    with pytest.raises(AlreadyUndoneError):
        undo_undoing(space=space, actor=person, undoing_id=undone.undoing.pk)
    undo_undoing(space=space, actor=person, undoing_id=again.undoing.pk)
    assert now_of(before).content == "We deploy on Fridays at noon."


def test_what_somebody_changed_or_confirmed_since_is_left_alone(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    revised(space, agent, before, "We deploy on Mondays at noon.")
    confirm_memory(space=space, actor=person, memory_id=before.pk)
    rewritten = make_memory(space, "We sell oysters.", actor=agent)
    revised(space, person, rewritten, "We sell many oysters.")
    make_memory(space, "We sell mussels too.", actor=agent)

    undone = undo_work(space=space, actor=person, work=work_of(agent))

    assert {each.memory.pk for each in undone.left_alone} == {before.pk, rewritten.pk}
    assert {each.obstacle for each in undone.left_alone} == {Obstacle.CHANGED_SINCE}
    assert now_of(before).content == "We deploy on Mondays at noon."
    assert now_of(rewritten).state == State.ACTIVE


def test_only_this_app_this_instance_and_this_time_are_undone(
    space: Space, person: Actor, agent: Actor
) -> None:
    old = make_memory(space, "We sold oysters before.", actor=agent)
    since = timezone.now()
    other_app = make_memory(space, "We sell mussels.", actor=agent_of(space, name="ChatGPT"))
    laptop = Actor(space.owner, "mcp", agent.client_key, agent.client_name, "laptop")
    desk = Actor(space.owner, "mcp", agent.client_key, agent.client_name, "desk")
    at_desk = make_memory(space, "We sell from the desk.", actor=desk)
    at_laptop = make_memory(space, "We sell from the laptop.", actor=laptop)

    work = work_of(agent, since=since, instance="laptop")
    undo_work(space=space, actor=person, work=work)

    kept = [now_of(memory).state for memory in (old, other_app, at_desk)]
    assert kept == [State.ACTIVE] * 3
    assert now_of(at_laptop).state == State.FORGOTTEN


def test_a_text_that_was_erased_does_not_come_back(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    revised(space, agent, before, "We deploy on Mondays at noon.")
    erase_version(space=space, actor=person, memory_id=before.pk, number=1)
    gone = make_memory(space, "We sell oysters.", actor=agent)
    erase_memory(space=space, actor=person, memory_id=gone.pk)

    plan = plan_of(space, agent)

    assert plan.steps == []
    assert {each.obstacle for each in plan.left_alone} == {Obstacle.ERASED}
    with pytest.raises(NothingToUndoError):
        undo_work(space=space, actor=person, work=work_of(agent))


def test_a_fact_that_another_memory_states_now_is_left_alone(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    forget_memory(space=space, actor=agent, memory_id=before.pk)
    make_memory(space, "We deploy on Fridays at noon.", actor=person)
    make_memory(space, "We sell oysters.", actor=agent)

    undone = undo_work(space=space, actor=person, work=work_of(agent))

    assert [each.obstacle for each in undone.left_alone] == [Obstacle.SAME_FACT]
    assert now_of(before).state == State.FORGOTTEN
    assert undone.undoing.memories == 1


def test_nothing_is_undone_that_was_not_shown(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    revised(space, agent, before, "We deploy on Mondays at noon.")
    seen = plan_of(space, agent).seen
    make_memory(space, "We sell oysters.", actor=agent)

    with pytest.raises(ChangedSinceShownError):
        undo_work(space=space, actor=person, work=work_of(agent), seen=seen)

    assert now_of(before).content == "We deploy on Mondays at noon."
    with inside(space):
        assert not Undoing.objects.exists()


def test_undoing_twice_finds_nothing_the_second_time(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    revised(space, agent, before, "We deploy on Mondays at noon.")
    make_memory(space, "We sell oysters.", actor=agent)
    undo_work(space=space, actor=person, work=work_of(agent))

    assert plan_of(space, agent) == Plan([], [])
    with pytest.raises(NothingToUndoError):
        undo_work(space=space, actor=person, work=work_of(agent))


def test_saying_a_fact_again_leaves_only_its_date_to_take_back(
    space: Space, person: Actor, agent: Actor, before: Memory
) -> None:
    make_memory(space, "We deploy on Fridays at noon.", actor=agent)

    assert plan_of(space, agent).steps == []


def test_only_the_person_undoes_and_a_strange_action_is_none(
    space: Space, person: Actor, agent: Actor
) -> None:
    make_memory(space, "We sell oysters.", actor=agent)
    undone = undo_work(space=space, actor=person, work=work_of(agent))

    with pytest.raises(NotAllowedError):
        undo_work(space=space, actor=agent, work=work_of(agent))
    with pytest.raises(NotAllowedError):
        undo_undoing(space=space, actor=agent, undoing_id=undone.undoing.pk)
    other = make_space(owner=space.owner)
    with pytest.raises(NotFoundError):
        undo_undoing(space=other, actor=person, undoing_id=undone.undoing.pk)


@pytest.mark.django_db(transaction=True)
def test_two_browsers_at_once_undo_it_once(space: Space, person: Actor, agent: Actor) -> None:
    added = [make_memory(space, f"Oysters of sort {n}.", actor=agent) for n in range(3)]

    answers = at_once(lambda: undo_work(space=space, actor=person, work=work_of(agent)), times=4)

    done = [answer for answer in answers if isinstance(answer, Undone)]
    assert len(done) == 1
    assert {now_of(memory).state for memory in added} == {State.FORGOTTEN}
    back = partial(undo_undoing, space=space, actor=person, undoing_id=done[0].undoing.pk)
    assert len([each for each in at_once(back, times=4) if isinstance(each, Undone)]) == 1
    assert {now_of(memory).state for memory in added} == {State.ACTIVE}


def test_a_space_goes_with_its_links_and_undoings(
    space: Space, person: Actor, agent: Actor
) -> None:
    make_memory(space, "We sell oysters.", actor=agent)
    make_memory(space, "We sell mussels.", actor=agent)
    undo_work(space=space, actor=person, work=work_of(agent))

    delete_space(space=space, actor=person, typed_name=space.name)

    assert not Space.objects.filter(pk=space.pk).exists()
