"""Which live memories say nearly the same as a new one."""

from django.utils import timezone

from accounts.actors import Actor
from memories.models import Memory
from memories.queries.neighbours import AT_MOST, Neighbours, neighbours
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space


def near(memory: Memory) -> Neighbours:
    with inside(memory.space):
        return neighbours(memory, now=timezone.now())


def test_a_memory_is_no_neighbour_of_itself(space: Space) -> None:
    assert near(make_memory(space)) == Neighbours([], [])


def test_at_most_three_similar_ones_are_named(space: Space) -> None:
    for number in range(6):
        make_memory(space, f"The release team meets in room {number}.", kind="observation")

    memory = make_memory(space, "The release team meets in room nine.", kind="observation")

    assert len(near(memory).similar) == AT_MOST


def test_what_disagrees_is_not_also_similar(space: Space) -> None:
    against = make_memory(space, "The session timeout of the shop is 30 minutes.")
    memory = make_memory(space, "The session timeout of the shop is 60 minutes.")

    found = near(memory)

    assert [row.pk for row in found.disagrees_with] == [against.pk]
    assert not found.similar


def test_what_is_forgotten_or_elsewhere_is_no_neighbour(space: Space, agent: Actor) -> None:
    forgotten = make_memory(space, "The session timeout of the shop is 30 minutes.")
    forget_memory(space=space, actor=agent, memory_id=forgotten.pk)
    make_memory(make_space(), "The session timeout of the shop is 40 minutes.")

    memory = make_memory(space, "The session timeout of the shop is 60 minutes.")

    assert near(memory) == Neighbours([], [])


def test_another_subject_is_no_neighbour(space: Space) -> None:
    make_memory(space, "Ana likes short answers in the morning.")

    assert near(make_memory(space, "The port of the database is 5432 here.")) == Neighbours([], [])
