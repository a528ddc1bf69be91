"""How a space is doing, in figures."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from memories.models import Memory, Recall
from memories.queries.concerns import Concern
from memories.queries.health import health
from memories.queries.lists import memory_page
from memories.queries.wanted import Wanted
from memories.services.noticing import notice_expired
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ago(days: int) -> datetime:
    return TODAY - timedelta(days=days)


def made(space: Space, content: str, *, days_ago: int, kind: str = "decision") -> Memory:
    with time_machine.travel(ago(days_ago), tick=False):
        return make_memory(space, content, kind=kind)


def read(memory: Memory) -> None:
    with inside(memory.space):
        Recall.objects.create(
            space=memory.space, memory=memory, client_key="app:1", way="searched", at=ago(1)
        )


def test_an_empty_space_is_well(space: Space) -> None:
    found = health(space)

    assert (found.holding, found.waiting, found.redacted, found.to_compare) == (0, 0, 0, 0)
    assert found.concerns == dict.fromkeys(Concern.values, 0)


def test_every_concern_is_counted_and_leads_to_what_it_counts(space: Space) -> None:
    stale = made(space, "Oysters are kept on ice.", days_ago=200)
    unread = made(space, "Oysters come from the north.", days_ago=30)
    ending = made(space, "Oysters are sold out today.", days_ago=26, kind="observation")
    new = made(space, "Oysters are sold on Friday.", days_ago=2)
    for memory in (stale, ending):
        read(memory)

    with time_machine.travel(TODAY, tick=False):
        found = health(space)
        lists = {
            concern: [row.memory for row in memory_page(space, Wanted(only=concern)).rows]
            for concern in Concern.values
        }

    assert lists == {"never_read": [unread], "stale": [stale], "ending": [ending]}
    assert found.concerns == dict.fromkeys(Concern.values, 1)
    assert (found.holding, new in lists["never_read"]) == (4, False)


def test_what_was_confirmed_is_not_stale(space: Space) -> None:
    memory = made(space, "Oysters are kept on ice.", days_ago=400)
    made(space, memory.content, days_ago=10)

    with time_machine.travel(TODAY, tick=False):
        assert health(space).concerns["stale"] == 0


def test_questions_are_counted_by_what_they_ask(space: Space, agent: Actor, person: Actor) -> None:
    made(space, "Oysters are sold out today.", days_ago=60, kind="observation")
    with time_machine.travel(TODAY, tick=False):
        notice_expired(space)
        mine = make_memory(space, actor=person)
        change = Revision(content="We deploy on Mondays at noon.")
        revise_memory(space=space, actor=agent, memory_id=mine.pk, revision=change)

        found = health(space)

    assert found.questions == {"expired": 1, "changed_by_agent": 1}
    assert found.waiting == 2


def test_secrets_that_were_taken_out_are_counted(space: Space) -> None:
    secret = "ghp_" + "a1B2" * 9
    make_memory(space, f"The bot pushes with {secret} every night.")

    found = health(space)

    wanted = Wanted("[redacted:", mode="text", standing="any")
    assert found.redacted == memory_page(space, wanted).total == 1


def test_what_no_job_has_compared_is_counted(space: Space) -> None:
    memory = make_memory(space)
    make_memory(space, "Oysters are kept on ice.")
    with inside(space):
        Memory.objects.filter(pk=memory.pk).update(compared_version=1)

    assert health(space).to_compare == 1


def test_search_by_meaning_is_told_as_it_is(space: Space) -> None:
    make_memory(space)

    assert health(space).meaning.why_off == "Whoever runs this installation turned it off."


def test_another_space_counts_for_nothing(space: Space) -> None:
    made(make_space(), "Oysters are kept on ice.", days_ago=400)

    found = health(space)

    assert (found.holding, sum(found.concerns.values())) == (0, 0)


def test_health_asks_the_database_as_often_for_one_memory_as_for_twenty(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_memory(space)
    with django_assert_num_queries(14):
        health(space)
    for number in range(20):
        make_memory(space, f"Oysters of sort number {number}.")

    with django_assert_num_queries(14):
        health(space)


@pytest.mark.parametrize("only", Concern.values)
def test_a_search_among_what_is_of_concern_goes_by_words(space: Space, only: str) -> None:
    made(space, "Oysters are kept on ice.", days_ago=400, kind="observation")

    page = memory_page(space, Wanted("oysters", only=only))

    assert (page.caveat, len(page.rows)) == ("by_words", 0)
