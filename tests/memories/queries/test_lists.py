"""The list of a space: filtered, newest first, in pages."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Memory
from memories.queries.lists import PAGE, Page, Standing, Wanted, memory_page
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import erase_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.saving import Draft, save_memory
from spaces.models import Space
from tests.factories import make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def contents(page: Page) -> list[str]:
    return [row.memory.content for row in page.rows]


def make_many(space: Space, number: int) -> list[Memory]:
    return [make_memory(space, f"Oysters of sort number {sort}.") for sort in range(number)]


def one_of_each(space: Space, agent: Actor, person: Actor) -> dict[str, Memory]:
    """Make one memory of every standing."""
    with time_machine.travel(TODAY - timedelta(days=60), tick=False):
        expired = make_memory(space, "Oysters are sold out this week.", kind="observation")
    forgotten = make_memory(space, "Oysters are sold on Friday.", path="Oysters.Sale")
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    held = make_memory(space, "Oysters are sold on Friday.", path="Oysters.Sale")
    fields = CheckpointFields(task="Oysters", goal="Count oysters", next_step="Buy oysters")
    superseded = checkpoint_task(space=space, actor=agent, fields=fields).memory
    active = checkpoint_task(space=space, actor=agent, fields=fields).memory
    return {
        "active": active,
        "expired": expired,
        "held": held,
        "superseded": superseded,
        "forgotten": forgotten,
    }


def test_what_holds_comes_newest_first(space: Space) -> None:
    for day, content in enumerate(("The first of three facts.", "The second of three facts.")):
        with time_machine.travel(TODAY + timedelta(days=day), tick=False):
            make_memory(space, content)

    page = memory_page(space, Wanted())

    assert contents(page) == ["The second of three facts.", "The first of three facts."]
    assert (page.total, page.after) == (2, "")


@pytest.mark.parametrize("standing", Standing.values)
def test_each_standing_has_its_own_list_and_its_count(
    space: Space, agent: Actor, person: Actor, standing: str
) -> None:
    memories = one_of_each(space, agent, person)

    page = memory_page(space, Wanted(standing=standing))

    assert [(row.memory.pk, row.standing) for row in page.rows] == [
        (memories[standing].pk, standing)
    ]
    assert page.counts == dict.fromkeys(Standing.values, 1)


def test_filters_work_together(space: Space, agent: Actor, person: Actor) -> None:
    make_memory(space, "A decision of an agent.", path="Shop.Auth")
    make_memory(space, "A preference of an agent.", kind="preference", path="Shop.Auth")
    make_memory(space, "A decision of the person.", path="Shop.Auth.Keys", actor=person)
    make_memory(space, "A decision elsewhere in time.", path="Shopping", actor=person)

    by_kind = memory_page(space, Wanted(kind="preference"))
    by_author = memory_page(space, Wanted(author="user"))
    by_path = memory_page(space, Wanted(path="shop / auth"))
    by_all = memory_page(space, Wanted(kind="decision", author="user", path="Shop"))

    assert contents(by_kind) == ["A preference of an agent."]
    assert by_author.total == 2
    assert by_path.total == 3
    assert contents(by_all) == ["A decision of the person."]
    assert by_all.paths == ["Shop.Auth", "Shop.Auth.Keys", "Shopping"]


def test_pages_follow_each_other_without_gap_or_repetition(space: Space) -> None:
    with time_machine.travel(TODAY, tick=False):
        made = make_many(space, PAGE * 2 + 3)

        pages = [memory_page(space, Wanted())]
        while pages[-1].after:
            pages.append(memory_page(space, Wanted(after=pages[-1].after)))

    seen = [row.memory.pk for page in pages for row in page.rows]
    assert [len(page.rows) for page in pages] == [PAGE, PAGE, 3]
    assert len(set(seen)) == len(seen) == len(made)
    assert pages[0].total == len(made)


def test_a_memory_that_comes_meanwhile_shifts_no_page(space: Space) -> None:
    make_many(space, PAGE + 5)
    first = memory_page(space, Wanted())
    make_memory(space, "Something newer than all of them.")

    second = memory_page(space, Wanted(after=first.after))

    assert len(second.rows) == 5
    assert not {row.memory.pk for row in first.rows} & {row.memory.pk for row in second.rows}


@pytest.mark.parametrize("after", ["x", "25", "_", "2026-03-01_x", "2026-03-01T00:00:00_", "²"])
def test_a_place_that_is_none_is_the_beginning(space: Space, after: str) -> None:
    make_memory(space)

    assert len(memory_page(space, Wanted(after=after)).rows) == 1


def test_a_search_brings_what_holds_best_first(space: Space) -> None:
    make_memory(space, "Oysters are kept on ice in the shop.")
    make_memory(space, "The shop opens at nine in the morning.")

    page = memory_page(space, Wanted(query="oyster ice"))
    misspelt = memory_page(space, Wanted(query="oystesr"))

    assert contents(page) == contents(misspelt) == ["Oysters are kept on ice in the shop."]
    assert (page.total, page.counts) == (1, {})


def test_a_search_keeps_to_the_filters(space: Space, person: Actor) -> None:
    make_memory(space, "Oysters are kept on ice.", path="Shop", kind="preference")
    make_memory(space, "Oysters are kept on ice here.", path="Shop", actor=person)
    make_memory(space, "Oysters are kept on ice there.", path="Elsewhere", actor=person)

    page = memory_page(space, Wanted(query="oysters", path="shop", author="user", kind="decision"))

    assert contents(page) == ["Oysters are kept on ice here."]


def test_a_search_has_pages_too(space: Space) -> None:
    make_many(space, PAGE + 2)

    first = memory_page(space, Wanted(query="oysters"))
    second = memory_page(space, Wanted(query="oysters", after=first.after))

    assert (len(first.rows), len(second.rows), first.total) == (PAGE, 2, PAGE + 2)
    assert not {row.memory.pk for row in first.rows} & {row.memory.pk for row in second.rows}


@pytest.mark.parametrize("standing", ["expired", "held", "superseded", "forgotten"])
def test_what_does_not_hold_is_searched_by_plain_text(
    space: Space, agent: Actor, person: Actor, standing: str
) -> None:
    memories = one_of_each(space, agent, person)

    page = memory_page(space, Wanted(query="OYSTERS", standing=standing))
    nothing = memory_page(space, Wanted(query="100%", standing=standing))

    assert [row.memory.pk for row in page.rows] == [memories[standing].pk]
    assert (page.total, nothing.total) == (1, 0)


def test_an_id_brings_its_memory_however_it_stands(
    space: Space, agent: Actor, person: Actor
) -> None:
    for standing, memory in one_of_each(space, agent, person).items():
        page = memory_page(space, Wanted(query=str(memory.pk)))

        assert [(row.memory.pk, row.standing) for row in page.rows] == [(memory.pk, standing)]


def test_a_space_is_new_only_as_long_as_nothing_ever_was_in_it(space: Space, person: Actor) -> None:
    assert memory_page(space, Wanted()).is_new

    memory = make_memory(space)
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    assert not memory_page(space, Wanted()).is_new


def test_another_space_is_never_listed(space: Space, agent: Actor) -> None:
    other = make_space()
    elsewhere = make_memory(other, "Oysters are sold on Friday.", path="Oysters")

    for wanted in (Wanted(), Wanted(query="oysters"), Wanted(query=str(elsewhere.pk))):
        page = memory_page(space, wanted)
        assert (list(page.rows), page.total, list(page.paths)) == ([], 0, [])


@pytest.mark.parametrize(
    ("wanted", "code"),
    [(Wanted(path="A..B"), "bad_path"), (Wanted(query="x" * 2001), "too_long")],
)
def test_a_list_that_cannot_be_is_refused(space: Space, wanted: Wanted, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        memory_page(space, wanted)

    assert refusal.value.code == code


def test_a_fact_that_was_said_again_keeps_its_place(space: Space, agent: Actor) -> None:
    first = make_memory(space, "The first of two facts here.")
    make_memory(space, "The second of two facts here.")

    draft = Draft(first.content, "decision", "Project", source="Ana", rationale="Asked")
    save_memory(space=space, actor=agent, draft=draft)

    assert contents(memory_page(space, Wanted()))[0] == "The second of two facts here."


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(kind="decision"), Wanted(standing="held")])
def test_a_list_asks_the_database_as_often_for_one_row_as_for_twenty(
    space: Space, wanted: Wanted, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    with django_assert_num_queries(7):
        memory_page(space, wanted)
    make_many(space, 20)

    with django_assert_num_queries(7):
        memory_page(space, wanted)


def test_a_search_asks_the_database_as_often_for_one_row_as_for_twenty(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    with django_assert_num_queries(8):
        memory_page(space, Wanted(query="oysters"))
    make_many(space, 20)

    with django_assert_num_queries(8):
        memory_page(space, Wanted(query="oysters"))
