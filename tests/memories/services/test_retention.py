"""What ended long ago goes for good, where the person chose that, and nothing else does."""

from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from accounts.actors import Actor
from memories.models import Activity, Memory, MemoryVersion, State, Verb
from memories.queries.ended import count_ended
from memories.services.affirming import restore_memory
from memories.services.forgetting import forget_memory
from memories.services.retention import apply_retention
from memories.services.revising import Revision, revise_memory
from memories.tasks import apply_retention_everywhere, apply_retention_in
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space
from tests.factories import agent_of, make_actor, make_memory, make_space

pytestmark = pytest.mark.django_db


@pytest.fixture
def short(space: Space) -> Space:
    """Return a space whose owner keeps what ended for thirty days."""
    return keeping(space, days=30)


def keeping(space: Space, *, days: int | None) -> Space:
    space.retention_days = days
    space.save()
    return space


def remembered(space: Space, content: str, *, state: str = State.ACTIVE, ended: int = 0) -> Memory:
    """Have something remembered that ended so many days ago."""
    memory = make_memory(space, content)
    with inside(space):
        Memory.objects.filter(pk=memory.pk).update(
            state=state, state_at=timezone.now() - timedelta(days=ended)
        )
    return memory


def lapse(space: Space, memory: Memory, *, days: int) -> None:
    with inside(space):
        moment = timezone.now() - timedelta(days=days)
        Memory.objects.filter(pk=memory.pk).update(expires_at=moment)


def texts(space: Space) -> set[str]:
    with inside(space):
        return set(Memory.objects.in_space(space).exclude(content="").values_list(
            "content", flat=True
        ))  # fmt: skip


def test_what_ended_before_the_days_is_erased_and_the_rest_stays(short: Space) -> None:
    remembered(short, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)
    remembered(short, "It was replaced long ago.", state=State.SUPERSEDED, ended=31)
    lapse(short, make_memory(short, "It lapsed some time ago."), days=31)
    remembered(short, "It was forgotten lately.", state=State.FORGOTTEN, ended=29)
    lapse(short, make_memory(short, "It lapsed only lately."), days=29)
    remembered(short, "It holds since long ago.", ended=400)
    remembered(short, "It waits for the person.", state=State.HELD, ended=400)

    applied = apply_retention(short)

    assert (applied.erased, applied.has_more) == (3, False)
    assert texts(short) == {
        "It was forgotten lately.", "It lapsed only lately.", "It holds since long ago.",
        "It waits for the person.",
    }  # fmt: skip


def test_every_version_goes_and_the_tombstone_and_the_events_stay(
    short: Space, person: Actor
) -> None:
    memory = make_memory(short, "The plan was to sell the shop.")
    revision = Revision(content="The plan is to keep the shop.")
    revise_memory(space=short, actor=person, memory_id=memory.pk, revision=revision)
    forget_memory(space=short, actor=person, memory_id=memory.pk, reason="the shop is sold")
    with inside(short):
        long_ago = timezone.now() - timedelta(days=40)
        Memory.objects.filter(pk=memory.pk).update(state_at=long_ago)

    apply_retention(short)

    with inside(short):
        left = Memory.objects.get(pk=memory.pk)
        versions = list(MemoryVersion.objects.of(left))
        lines = list(Activity.objects.in_space(short).filter(memory=left))
    assert left.erased_at is not None
    assert left.content == left.content_sha256 == left.source == left.rationale == ""
    assert [version.content for version in versions] == ["", ""]
    assert lines[0].verb == Verb.ERASED
    assert (lines[0].door, lines[0].is_agent) == ("job", False)
    assert len(lines) == 4
    assert "shop" not in " ".join(line.reason for line in lines)


def test_without_a_choice_everything_is_kept_for_ever(space: Space) -> None:
    remembered(space, "It was forgotten long ago.", state=State.FORGOTTEN, ended=4000)

    assert apply_retention(space).erased == 0
    assert texts(space) == {"It was forgotten long ago."}


def test_a_choice_that_was_taken_back_while_the_job_waited_counts(short: Space) -> None:
    remembered(short, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)
    Space.objects.filter(pk=short.pk).update(retention_days=None)

    assert apply_retention(short).erased == 0


def test_it_goes_in_bounded_steps_and_may_run_twice(short: Space) -> None:
    for number in range(5):
        remembered(short, f"Fact number {number} is over.", state=State.FORGOTTEN, ended=31)

    steps = [apply_retention(short, at_most=2) for _ in range(4)]

    assert [step.erased for step in steps] == [2, 2, 1, 0]
    assert [step.has_more for step in steps] == [True, True, False, False]
    with inside(short):
        assert Activity.objects.in_space(short).filter(verb=Verb.ERASED).count() == 5


def test_the_number_that_the_person_is_shown_is_that_which_goes(short: Space) -> None:
    for number in range(3):
        remembered(short, f"Fact number {number} is over.", state=State.FORGOTTEN, ended=31)

    announced = count_ended(short, 30)

    assert announced == apply_retention(short).erased == 3
    assert count_ended(short, 30) == 0


def test_the_activity_says_that_it_was_the_settings(short: Space, client: "object") -> None:
    remembered(short, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)
    apply_retention(short)
    client.force_login(short.owner)  # type: ignore[attr-defined]

    page = client.get(f"/spaces/{short.pk}/memories/activity/").text  # type: ignore[attr-defined]

    assert "Your settings" in page


def test_the_job_goes_through_the_spaces_that_have_a_retention(eager_jobs: None) -> None:
    chosen, other = (make_space() for _ in range(2))
    keeping(chosen, days=30)
    for space in (chosen, other):
        remembered(space, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)

    apply_retention_everywhere()

    assert texts(chosen) == set()
    assert texts(other) == {"It was forgotten long ago."}


def test_a_space_that_is_gone_is_no_complaint(short: Space) -> None:
    key = str(short.pk)
    deleted = Space.objects.get(pk=short.pk)
    close_space(deleted)

    apply_retention_in(key)

    assert apply_retention(short).erased == 0


@pytest.mark.django_db(transaction=True)
def test_what_the_person_restores_at_the_same_moment_is_left_alone() -> None:
    import threading  # noqa: PLC0415

    space = keeping(make_space(), days=30)
    memory = remembered(space, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)
    erased: list[int] = []

    def work() -> None:
        erased.append(apply_retention(space).erased)
        connections.close_all()

    with inside(space):
        restore_memory(space=space, actor=make_actor(space.owner), memory_id=memory.pk)
        job = threading.Thread(target=work)
        job.start()
        # The job waits for the row, or has not come to it yet: both must end the same.
        job.join(0.3)
    job.join(10)

    assert erased == [0]
    assert texts(space) == {"It was forgotten long ago."}


def test_agents_of_the_space_can_save_it_again(short: Space) -> None:
    remembered(short, "It was forgotten long ago.", state=State.FORGOTTEN, ended=31)
    apply_retention(short)

    again = make_memory(short, "It was forgotten long ago.", actor=agent_of(short))

    assert again.state == State.ACTIVE
