"""The list of a space: filtered, newest first, in pages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.embedders.providers import E5, USE, absent
from memories.models import Memory
from memories.queries import lists
from memories.queries.lists import PAGE, memory_page
from memories.queries.standings import Standing
from memories.queries.wanted import Page, Wanted
from memories.rules.checkpoints import CheckpointFields
from memories.rules.marking import Piece
from memories.services.affirming import erase_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.meaning import embed_all

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
    erased = make_memory(space, "Oysters were sold out all along.")
    erase_memory(space=space, actor=person, memory_id=erased.pk)
    fields = CheckpointFields(task="Oysters", goal="Count oysters", next_step="Buy oysters")
    superseded = checkpoint_task(space=space, actor=agent, fields=fields).memory
    active = checkpoint_task(space=space, actor=agent, fields=fields).memory
    return {
        "active": active,
        "expired": expired,
        "held": held,
        "superseded": superseded,
        "forgotten": forgotten,
        "erased": erased,
    }


def test_what_holds_comes_newest_first(space: Space) -> None:
    for day, content in enumerate(("The first of three facts.", "The second of three facts.")):
        with time_machine.travel(TODAY + timedelta(days=day), tick=False):
            make_memory(space, content)

    page = memory_page(space, Wanted())

    assert contents(page) == ["The second of three facts.", "The first of three facts."]
    assert (page.total, page.after) == (2, "")


@pytest.mark.parametrize("standing", [each.value for each in Standing if each != Standing.ANY])
def test_each_standing_has_its_own_list_and_its_count(
    space: Space, agent: Actor, person: Actor, standing: str
) -> None:
    memories = one_of_each(space, agent, person)

    page = memory_page(space, Wanted(standing=standing))

    assert [(row.memory.pk, row.standing) for row in page.rows] == [
        (memories[standing].pk, standing)
    ]
    assert page.counts == dict.fromkeys(Standing.values, 1) | {"any": 6}


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
    assert by_all.places.paths == ["Shop.Auth", "Shop.Auth.Keys", "Shopping"]


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


ID = "0199c4a0-0000-7000-8000-000000000000"


@pytest.mark.parametrize("after", ["x", "25", "_", "x_2026-03-01", f"{ID}_", f"{ID}_2026-13", "²"])
@pytest.mark.parametrize("query", ["", "fridays"])
def test_a_place_that_is_none_is_the_beginning(space: Space, after: str, query: str) -> None:
    make_memory(space)

    for mode in ("meaning", "text"):
        if not (query and mode == "meaning" and after == "25"):
            assert len(memory_page(space, Wanted(query, mode=mode, after=after)).rows) == 1


def make_scattered(space: Space) -> None:
    """Make memories whose dates and paths are in different orders, some of them the same."""
    for number in range(PAGE + 8):
        with time_machine.travel(TODAY + timedelta(hours=number // 2), tick=False):
            kind = "observation" if number % 3 else "decision"
            make_memory(space, f"Oysters, sort {number}.", kind=kind, path=f"P{number % 7}")
    with inside(space):
        for place, memory in enumerate(Memory.objects.filter(space=space)):
            Memory.objects.filter(pk=memory.pk).update(
                confirmed_at=TODAY + timedelta(hours=place * 7 % 11)
            )


@pytest.mark.parametrize("sort", ["updated", "created", "confirmed", "path", "expires"])
@pytest.mark.parametrize("wanted", [Wanted(), Wanted("oysters", mode="text")])
def test_every_order_goes_on_where_it_stopped(space: Space, sort: str, wanted: Wanted) -> None:
    make_scattered(space)
    wanted = replace(wanted, sort=sort, standing="any")

    first = memory_page(space, wanted)
    second = memory_page(space, replace(wanted, after=first.after), rows_only=True)

    seen = [row.memory for row in [*first.rows, *second.rows]]
    columns = {"path": "path_key"} | {"expires": "expires_at"}
    values = [getattr(memory, columns.get(sort, f"{sort}_at")) for memory in seen]
    known = [value for value in values if value is not None]
    assert len({memory.pk for memory in seen}) == len(seen) == PAGE + 8
    assert known == sorted(known, reverse=sort in {"updated", "created", "confirmed"})
    assert values[len(known) :] == [None] * (len(values) - len(known))
    assert second.after == ""


def test_an_app_brings_what_it_wrote(space: Space, agent: Actor) -> None:
    cursor = agent_of(space, name="Cursor")
    make_memory(space, "Oysters are kept on ice.", actor=agent)
    make_memory(space, "Oysters are sold on Friday.", actor=cursor)

    for query in ("", "oysters"):
        for mode in ("meaning", "word", "text"):
            page = memory_page(space, Wanted(query, mode=mode, client=cursor.client_key))
            assert contents(page) == ["Oysters are sold on Friday."]
    assert [writer.name for writer in page.writers] == ["Claude Code", "Cursor"]


def test_a_search_brings_what_holds_best_first(space: Space) -> None:
    make_memory(space, "Oysters are kept on ice in the shop.")
    make_memory(space, "The shop opens at nine in the morning.")

    page = memory_page(space, Wanted(query="oyster ice"))
    misspelt = memory_page(space, Wanted(query="oystesr"))

    assert contents(page) == contents(misspelt) == ["Oysters are kept on ice in the shop."]
    assert (page.total, page.counts) == (1, {})


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("deploy", ["We deploy the café at noon."]),
        ("DEPLOY cafe", ["We deploy the café at noon."]),
        ("cafes", []),
        ("deployed", ["Nobody deployed on Sunday."]),
        ('"the cafe"', ["We deploy the café at noon."]),
        ('"cafe the"', []),
        ("sunday or noon", ["Nobody deployed on Sunday.", "We deploy the café at noon."]),
        ("shop", ["Nobody deployed on Sunday."]),
        ("'; drop table --", []),
    ],
)
def test_an_exact_word_is_found_in_this_form_only(
    space: Space, query: str, found: list[str]
) -> None:
    make_memory(space, "We deploy the café at noon.", path="Site")
    make_memory(space, "Nobody deployed on Sunday.", path="Shop.Rules")

    page = memory_page(space, Wanted(query, mode="word"))

    assert sorted(contents(page)) == found


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("FÉ AT", "content"),
        ("fe at no", "content"),
        ("op.Rul", "path"),
        ("marta", "source"),
        ("50 %_", "rationale"),
    ],
)
def test_plain_text_is_found_as_letters_in_a_row(space: Space, query: str, why: str) -> None:
    make_memory(
        space,
        "We open the café at noon.",
        path="Shop.Rules",
        source="Marta, on the phone",
        rationale="It saves 50 %_ of the time",
    )
    make_memory(space, "Nobody works on Sunday.", path="Elsewhere")

    page = memory_page(space, Wanted(query, mode="text"))

    assert [(row.memory.path, row.why) for row in page.rows] == [("Shop.Rules", why)]
    assert page.total == 1


def marks(pieces: Sequence[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.is_match]


def test_what_was_found_is_marked(space: Space) -> None:
    make_memory(space, "We deployed the café; others deploy.", path="Shop.Deploy", source="café")

    by_meaning = memory_page(space, Wanted("deploying")).rows[0]
    by_word = memory_page(space, Wanted("deploy cafe", mode="word")).rows[0]
    by_text = memory_page(space, Wanted("PLOY", mode="text")).rows[0]

    assert marks(by_meaning.text) == ["deployed", "deploy"]
    assert marks(by_word.text) == ["café", "deploy"]
    assert marks(by_word.path) == ["Deploy"]
    assert marks(by_text.text) == ["ploy", "ploy"]


def test_without_models_a_search_by_meaning_says_that_it_is_off(space: Space) -> None:
    make_memory(space, "Oysters are kept on ice.")

    page = memory_page(space, Wanted("oysters"))

    assert (page.caveat, contents(page)) == ("off", ["Oysters are kept on ice."])
    assert page.why_off == "Whoever runs this installation turned it off."
    assert [row.why for row in page.rows] == ["words"]


@pytest.mark.skipif(bool(absent(E5) or absent(USE)), reason="no wheels of the built-in models")
def test_meaning_finds_other_words_and_says_when_nothing_is_close(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    bills = "The invoices are sent to customers on the first of each month."
    for fact in (bills, "Lunch is delivered by a small restaurant around the corner."):
        make_memory(space, fact)
    embed_all(space)

    found = memory_page(space, Wanted("when do clients get their bills?"))
    far = memory_page(space, Wanted("What is the boiling point of tungsten on Mars?"))

    assert (contents(found)[0], found.caveat) == (bills, "")
    assert found.rows[0].why in {"meaning", "both"}
    assert found.rows[0].percent
    assert far.caveat == "not_close"
    assert not any(row.is_close for row in far.rows)


def test_a_search_by_meaning_can_be_sorted_by_date(space: Space) -> None:
    with time_machine.travel(TODAY, tick=False):
        make_memory(space, "Oysters are kept on ice, oysters in the shop.")
    with time_machine.travel(TODAY + timedelta(days=1), tick=False):
        make_memory(space, "The shop has ice and once it had oysters too.")

    page = memory_page(space, Wanted("oysters", sort="updated"))

    assert contents(page)[0] == "The shop has ice and once it had oysters too."


def test_a_search_counts_up_to_a_bound(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_COUNTED", PAGE + 1)
    make_many(space, PAGE + 3)

    page = memory_page(space, Wanted("oysters", mode="word"))

    assert (page.total, page.has_more_than_total, len(page.rows)) == (PAGE + 1, True, PAGE)
    assert page.after


def test_paths_are_walked_down_step_by_step(space: Space, person: Actor) -> None:
    for number, path in enumerate(("Shop.Auth", "shop.auth.Keys", "Shop.Fish", "Site")):
        make_memory(space, f"Oysters of sort number {number}.", path=path)
    gone = make_memory(space, "Oysters of the last sort.", path="Gone")
    forget_memory(space=space, actor=person, memory_id=gone.pk)

    top = memory_page(space, Wanted()).places.branches
    below = memory_page(space, Wanted(path="SHOP")).places.branches
    none = memory_page(space, Wanted(path="Site")).places.branches

    assert [(each.name, each.path, each.count) for each in top] == [
        ("Shop", "Shop", 3),
        ("Site", "Site", 1),
    ]
    assert [(each.name.casefold(), each.count) for each in below] == [("auth", 2), ("fish", 1)]
    assert below[1].path == "SHOP.Fish"
    assert list(none) == []


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
@pytest.mark.parametrize("mode", ["meaning", "word", "text"])
def test_what_does_not_hold_is_searched_too(
    space: Space, agent: Actor, person: Actor, standing: str, mode: str
) -> None:
    memories = one_of_each(space, agent, person)

    page = memory_page(space, Wanted("OYSTERS", mode=mode, standing=standing))
    nothing = memory_page(space, Wanted("100%", mode=mode, standing=standing))

    assert [row.memory.pk for row in page.rows] == [memories[standing].pk]
    assert (page.total, nothing.total) == (1, 0)
    assert page.caveat == ("by_words" if mode == "meaning" else "")


def test_everything_is_searched_in_one_go(space: Space, agent: Actor, person: Actor) -> None:
    one_of_each(space, agent, person)

    page = memory_page(space, Wanted("oysters", mode="text", standing="any"))

    assert {row.standing for row in page.rows} == {
        "active",
        "expired",
        "held",
        "superseded",
        "forgotten",
    }


def test_an_id_brings_its_memory_however_it_stands(
    space: Space, agent: Actor, person: Actor
) -> None:
    for standing, memory in one_of_each(space, agent, person).items():
        page = memory_page(space, Wanted(query=str(memory.pk)))

        found = [(row.memory.pk, row.standing, row.why) for row in page.rows]
        assert found == [(memory.pk, standing, "id")]


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
        assert (list(page.rows), page.total, list(page.places.paths)) == ([], 0, [])


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
    with django_assert_num_queries(8):
        memory_page(space, wanted)
    make_many(space, 20)

    with django_assert_num_queries(8):
        memory_page(space, wanted)


def test_a_search_asks_the_database_as_often_for_one_row_as_for_twenty(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    with django_assert_num_queries(10):
        memory_page(space, Wanted(query="oysters"))
    make_many(space, 20)

    with django_assert_num_queries(10):
        memory_page(space, Wanted(query="oysters"))
