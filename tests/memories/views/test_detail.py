"""The page of one memory."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import time_machine
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from memories.models import Memory
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import erase_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.factories import make_memory, make_space


def page_of(memory: Memory, signed_in: Client) -> str:
    response = signed_in.get(memory.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def test_a_memory_is_shown_with_everything_that_is_known_of_it(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    memory = make_memory(space, source="Ana, on the phone", rationale="After the outage")
    make_memory(space, source="Bruno, by mail")
    change = Revision(content="We deploy on Mondays at noon.", reason="Ana moved it")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    page = page_of(memory, signed_in)

    for text in (
        "We deploy on Mondays at noon.",
        "We deploy on Fridays at noon.",
        "Ana, on the phone",
        "Bruno, by mail",
        "After the outage",
        "Ana moved it",
        "Version 2",
        "Claude Code",
        str(memory.pk),
    ):
        assert text in page
    assert reverse("memories:restore-version", args=[space.pk, memory.pk, 1]) in page
    assert reverse("memories:restore-version", args=[space.pk, memory.pk, 2]) not in page


def test_line_breaks_stay_and_markup_is_text(space: Space, signed_in: Client) -> None:
    memory = make_memory(space, "first line\n<b>second</b> line", rationale="a\u200fb")

    page = page_of(memory, signed_in)

    assert "first line\n&lt;b&gt;second&lt;/b&gt; line</p>" in page
    assert "<b>second" not in page
    assert "U+200F" in page


def test_each_state_says_what_it_means(
    space: Space, signed_in: Client, agent: Actor, person: Actor
) -> None:
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC) - timedelta(days=99), tick=False):
        expired = make_memory(space, "Oysters are sold out this week.", kind="observation")
    by_agent = make_memory(space, "Oysters come from the north.")
    forget_memory(space=space, actor=agent, memory_id=by_agent.pk)
    by_person = make_memory(space, "Oysters are sold on Friday.")
    forget_memory(space=space, actor=person, memory_id=by_person.pk)
    held = make_memory(space, "Oysters are sold on Friday.")
    fields = CheckpointFields(task="Oysters", goal="Count oysters", next_step="Buy oysters")
    replaced = checkpoint_task(space=space, actor=agent, fields=fields).memory
    newer = checkpoint_task(space=space, actor=agent, fields=fields).memory
    erased = make_memory(space, "Oysters are a secret of Ana.")
    erase_memory(space=space, actor=person, memory_id=erased.pk)

    for memory, text in (
        (expired, "Confirm it if it still holds."),
        (by_agent, "An agent forgot it on"),
        (by_person, "You forgot it on"),
        (held, "An agent saved again what you forgot."),
        (replaced, newer.get_absolute_url()),
        (newer, replaced.get_absolute_url()),
        (erased, "Its text was erased for good on"),
    ):
        assert text in page_of(memory, signed_in)


def test_what_an_agent_changed_of_the_persons_text_is_said(
    space: Space, signed_in: Client, agent: Actor, person: Actor
) -> None:
    memory = make_memory(space, actor=person)
    change = Revision(content="We deploy on Mondays at noon.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    assert "An agent changed what you wrote." in page_of(memory, signed_in)


def test_what_cannot_be_done_is_not_offered(space: Space, signed_in: Client, person: Actor) -> None:
    memory = make_memory(space)
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    page = page_of(memory, signed_in)

    for name in ("confirm", "restore", "forget", "edit", "erase"):
        assert reverse(f"memories:{name}", args=[space.pk, memory.pk]) not in page


def test_another_space_and_no_memory_are_answered_alike(space: Space, signed_in: Client) -> None:
    elsewhere = make_memory(make_space(owner=space.owner))

    answers = [
        signed_in.get(reverse("memories:detail", args=[space.pk, memory_id]))
        for memory_id in (elsewhere.pk, uuid4())
    ]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert all(b"There is no such memory." in answer.content for answer in answers)


def test_a_stranger_is_told_that_there_is_no_such_space(space: Space, stranger: Client) -> None:
    response = stranger.get(make_memory(space).get_absolute_url())

    assert response.status_code == 404
    assert b"There is no such space." in response.content


def test_the_page_is_only_read(space: Space, signed_in: Client) -> None:
    assert signed_in.post(make_memory(space).get_absolute_url()).status_code == 405


def with_versions(space: Space, agent: Actor, *contents: str) -> Memory:
    memory = make_memory(space, contents[0])
    for content in contents[1:]:
        change = Revision(content=content)
        revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    return memory


def test_any_two_versions_are_compared_at_an_address(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    memory = with_versions(
        space, agent, "We deploy on Fridays.", "We deploy on Mondays.", "We deploy on Tuesdays."
    )

    latest = page_of(memory, signed_in)
    asked = signed_in.get(memory.get_absolute_url(), {"from": "1", "to": "3"}).content.decode()

    assert "<del>Mondays</del>" in latest
    assert "<ins>Tuesdays</ins>" in latest
    assert "<del>Fridays</del>" in asked
    assert '<option value="1" selected>' in asked


def test_scripts_get_the_difference_alone(space: Space, signed_in: Client, agent: Actor) -> None:
    memory = with_versions(space, agent, "We deploy on Fridays.", "We deploy on Mondays.")

    headers = {"HX-Request": "true", "HX-Target": "difference"}
    part = signed_in.get(memory.get_absolute_url(), {"from": "2", "to": "2"}, headers=headers)

    assert part.content.decode().lstrip().startswith("<section")
    assert b"one and the same version" in part.content


def test_what_makes_no_sense_is_not_compared(space: Space, signed_in: Client, agent: Actor) -> None:
    memory = with_versions(space, agent, "We deploy on Fridays.", "We deploy on Mondays.")

    for sent in ("x", "-1", "9" * 40, "\x00", "²"):
        response = signed_in.get(memory.get_absolute_url(), {"from": sent, "to": sent})
        assert response.status_code == 200
        assert b"<del>Fridays</del>" in response.content


def test_one_version_has_nothing_to_compare(space: Space, signed_in: Client) -> None:
    assert "What changed" not in page_of(make_memory(space), signed_in)
