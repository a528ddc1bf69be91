import pytest
from pytest_django import DjangoAssertNumQueries

from brain.lib.errors import DomainError
from memories.models import Memory, MemoryLink, Reason, State
from memories.queries import linkmap
from memories.queries.linkmap import MapFilter, link_map
from memories.rules.checkpoints import CheckpointFields
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from memories.services.versions import derive
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space


def filled(space: Space, count: int) -> None:
    """Put memories and links into the tables at once, as an import does."""
    memories = [
        Memory(
            space=space,
            kind=("decision", "preference")[number % 2],
            path=f"P{number % 7}.Part{number % 3}",
            content=f"Number {number} of the facts.",
            author="agent",
        )
        for number in range(count)
    ]
    for memory in memories:
        derive(memory)
    links = [
        MemoryLink(space=space, first=memory, second=other, reason=Reason.MENTIONS)
        for memory, other in zip(memories[1:], memories[:-1], strict=True)
    ]
    with inside(space):
        Memory.objects.bulk_create(memories)
        MemoryLink.objects.bulk_create(links)


def test_marks_come_in_the_order_of_their_paths_with_their_links(space: Space) -> None:
    late = make_memory(space, "Tokens last for one hour.", path="Shop.Auth")
    early = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    third = make_memory(space, f"As {early.pk} says, not on Sundays.", path="Shop.Auth")

    found = link_map(space, MapFilter())

    assert [mark.id for mark in found.marks] == [early.pk, late.pk, third.pk]
    assert {(arc.first, arc.second, arc.reason) for arc in found.arcs} == {
        (2, 0, "mentions"),
        (2, 1, "same_path"),
    }
    assert found.total == 3
    assert found.kinds == {"decision": 3}


def test_only_what_holds_is_on_the_map(space: Space) -> None:
    forgotten = make_memory(space, f"We deploy on {State.ACTIVE} days.")
    forget_memory(space=space, actor=agent_of(space), memory_id=forgotten.pk)
    make_memory(space, "We deploy on Mondays at noon.")
    make_memory(make_space(), "Theirs and not ours.")

    found = link_map(space, MapFilter())

    assert [mark.text for mark in found.marks] == ["We deploy on Mondays at noon."]
    assert found.arcs == []


def test_what_was_replaced_comes_when_it_is_asked_for(space: Space) -> None:
    fields = CheckpointFields(task="Ship", goal="Release", next_step="Write")
    for _ in range(2):
        checkpoint_task(space=space, actor=agent_of(space), fields=fields)

    found = link_map(space, MapFilter(has_replaced=True))

    assert len(link_map(space, MapFilter()).marks) == 1
    assert [mark.is_replaced for mark in found.marks] == [True, False]
    assert (0, 1, "replaced_by") in {(arc.first, arc.second, arc.reason) for arc in found.arcs}


def test_a_memory_that_moved_is_no_longer_linked_for_its_path(space: Space) -> None:
    moving = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    make_memory(space, "We deploy on Mondays at noon.", path="Deploy")
    elsewhere = Revision(path="Elsewhere")

    revise_memory(space=space, actor=agent_of(space), memory_id=moving.pk, revision=elsewhere)

    assert link_map(space, MapFilter()).arcs == []


def test_filters_keep_a_path_with_what_is_below_it_and_a_kind(space: Space) -> None:
    make_memory(space, "Tokens last for one hour.", path="Shop.Auth")
    make_memory(space, "I like short answers.", path="shop", kind="preference")
    make_memory(space, "We deploy on Fridays at noon.", path="Shopping")

    by_path = link_map(space, MapFilter(path="Shop"))
    both = link_map(space, MapFilter(path="Shop", kind="preference"))

    assert [mark.path for mark in by_path.marks] == ["shop", "Shop.Auth"]
    assert [mark.path for mark in both.marks] == ["shop"]
    assert both.kinds == {"decision": 1, "preference": 1}
    with pytest.raises(DomainError):
        link_map(space, MapFilter(path="a..b"))


def test_above_the_limit_there_are_clusters_with_the_links_between_them(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linkmap, "MAX_MARKS", 20)
    monkeypatch.setattr(linkmap, "MAX_CLUSTERS", 10)
    filled(space, 42)

    found = link_map(space, MapFilter())

    assert found.marks == ()
    assert [cluster.path for cluster in found.clusters] == [f"P{number}" for number in range(7)]
    assert [cluster.count for cluster in found.clusters] == [6] * 7
    assert found.clusters[0].kinds == {"decision": 3, "preference": 3}
    assert sum(arc.count for arc in found.arcs) == 41
    assert link_map(space, MapFilter(path="P1")).marks


def test_small_paths_share_a_cluster(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linkmap, "MAX_MARKS", 5)
    monkeypatch.setattr(linkmap, "MAX_CLUSTERS", 3)
    filled(space, 14)

    found = link_map(space, MapFilter())

    assert [cluster.is_rest for cluster in found.clusters].count(True) == 1
    assert sum(cluster.count for cluster in found.clusters) == 14


@pytest.mark.parametrize("limit", [1000, 10])
def test_the_number_of_queries_does_not_grow(
    space: Space,
    limit: int,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(linkmap, "MAX_MARKS", limit)
    queries = 7 if limit == 1000 else 8

    filled(space, 20)
    with django_assert_num_queries(queries):
        link_map(space, MapFilter())
    other = make_space()
    filled(other, 200)
    with django_assert_num_queries(queries):
        link_map(other, MapFilter())


def test_too_many_arcs_are_counted_not_drawn(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linkmap, "MAX_ARCS", 5)
    filled(space, 20)

    found = link_map(space, MapFilter())

    assert len(found.arcs) == 5
    assert found.left_out == 14
