from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from memories.models import Activity, Verb
from memories.queries.activity import PAGE, PERSON, Lines, activity_page, batch_after
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space


def said(space: Space, wanted: Lines) -> list[tuple[str, str]]:
    page = activity_page(space, wanted)
    return [(line.verb, line.client_name) for line in page.lines]


def test_the_newest_line_comes_first_with_the_beginning_of_the_text(
    space: Space, agent: Actor
) -> None:
    memory = make_memory(space, f"We deploy on Fridays{'!' * 300}")
    forget_memory(space=space, actor=agent, memory_id=memory.pk, reason="It was wrong")

    page = activity_page(space, Lines())

    assert [line.verb for line in page.lines] == ["forgotten", "saved"]
    assert page.lines[0].reason == "It was wrong"
    assert len(page.lines[0].preview) == 140  # type: ignore[attr-defined]
    assert page.after == ""


def test_lines_are_filtered_by_app_person_verb_and_time(
    space: Space, person: Actor, agent: Actor
) -> None:
    memory = make_memory(space, "We deploy on Fridays.", actor=agent)
    make_memory(space, "We deploy on Mondays.", actor=agent_of(space, name="ChatGPT"))
    make_memory(space, "We deploy on Sundays.", actor=person)
    forget_memory(space=space, actor=agent, memory_id=memory.pk)
    now = timezone.now()

    assert said(space, Lines(app=agent.client_key)) == [
        ("forgotten", "Claude Code"),
        ("saved", "Claude Code"),
    ]
    assert said(space, Lines(app=PERSON)) == [("saved", "")]
    assert said(space, Lines(verb=Verb.FORGOTTEN)) == [("forgotten", "Claude Code")]
    assert len(said(space, Lines(since=now - timedelta(hours=1), until=now))) == 4
    assert said(space, Lines(since=now)) == said(space, Lines(app="app:unknown")) == []
    assert said(make_space(), Lines()) == []


def test_apps_come_with_the_last_one_first(space: Space, agent: Actor) -> None:
    make_memory(space, "We deploy on Fridays.", actor=agent)
    make_memory(space, "We deploy on Mondays.", actor=agent_of(space, name="ChatGPT"))

    apps = activity_page(space, Lines()).apps

    assert [(app.name, app.lines) for app in apps] == [("ChatGPT", 1), ("Claude Code", 1)]


def test_pages_follow_each_other_without_gap_or_repetition(space: Space) -> None:
    for number in range(PAGE + 3):
        make_memory(space, f"Oysters of sort number {number}.")

    first = activity_page(space, Lines())
    second = activity_page(space, Lines(), after=first.after)

    assert (len(first.lines), len(second.lines), second.after) == (PAGE, 3, "")
    everything = batch_after(space, Lines(), after="")
    assert [*first.lines, *second.lines] == everything


@pytest.mark.parametrize("after", ["nonsense", "_", "2026-01-01T00:00:00_x", "2026-01-01_x"])
def test_an_unknown_place_is_the_beginning(space: Space, after: str) -> None:
    make_memory(space)

    assert len(activity_page(space, Lines(), after=after).lines) == 1


def test_the_number_of_queries_does_not_grow(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        make_memory(space, f"Oysters of sort number {number}.")
    with django_assert_num_queries(9):
        activity_page(space, Lines())
    with inside(space):
        line = Activity.objects.in_space(space)[0]
        copies = [
            Activity(space=space, memory_id=line.memory_id, is_agent=True) for _ in range(200)
        ]
        Activity.objects.bulk_create(copies)

    with django_assert_num_queries(9):
        activity_page(space, Lines())
