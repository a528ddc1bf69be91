"""Change a memory as the person, never over somebody else's change."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from memories.models import Memory
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space

NEW = "We deploy on Mondays at noon."


def url(memory: Memory) -> str:
    return reverse("memories:edit", args=[memory.space_id, memory.pk])


def now(memory: Memory) -> Memory:
    with inside(memory.space):
        return Memory.objects.get(pk=memory.pk)


def fields_of(memory: Memory, **changes: str) -> dict[str, str]:
    sent = {
        name: getattr(memory, name) for name in ("content", "kind", "path", "source", "rationale")
    }
    return sent | {"expected_version": str(memory.version)} | changes


def test_the_form_shows_what_is_there(space: Space, signed_in: Client) -> None:
    memory = make_memory(space, kind="observation", expires_at="2099-03-05")

    page = signed_in.get(url(memory)).content.decode()

    assert memory.content in page
    assert 'value="2099-03-05"' in page
    assert re.search(r'name="expected_version" value="1"', page)


def test_a_change_is_a_new_version_with_its_reason(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.post(url(memory), fields_of(memory, content=NEW, reason="Ana moved it"))

    assert response.status_code == 302
    assert response["Location"] == memory.get_absolute_url()
    assert (now(memory).content, now(memory).version, now(memory).author) == (NEW, 2, "user")
    assert b"Ana moved it" in signed_in.get(memory.get_absolute_url()).content


def test_a_form_that_comes_back_as_it_was_changes_nothing(space: Space, signed_in: Client) -> None:
    memory = make_memory(
        space, "first line\r\nsecond line", kind="observation", expires_at="2099-03-05"
    )

    sent = fields_of(memory, expires_at="2099-03-05")
    response = signed_in.post(url(memory), sent, follow=True)

    assert b"Nothing changed." in response.content
    assert (now(memory).content, now(memory).version) == (memory.content, 1)
    assert now(memory).expires_at == memory.expires_at


def test_another_day_changes_only_how_long_it_holds(space: Space, signed_in: Client) -> None:
    memory = make_memory(space, kind="observation")

    signed_in.post(url(memory), fields_of(memory, expires_at="2099-03-05"))

    assert now(memory).version == 1
    assert now(memory).expires_at == datetime(2099, 3, 5, 23, 59, 59, tzinfo=UTC)


def test_an_edit_of_an_older_version_shows_both_texts_and_writes_nothing(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    memory = make_memory(space)
    change = Revision(content="We deploy on Tuesdays at noon.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    response = signed_in.post(url(memory), fields_of(memory, content=NEW))

    page = response.content.decode()
    assert response.status_code == 409
    assert 'We deploy on <mark class="differs">Tuesdays</mark> at noon.' in page
    assert 'We deploy on <mark class="differs">Mondays</mark> at noon.' in page
    assert f"{NEW}</textarea>" in page
    assert now(memory).version == 2
    assert re.search(r'name="expected_version" value="2"', page)


def test_after_the_comparison_the_person_may_still_save_theirs(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    memory = make_memory(space)
    change = Revision(content="We deploy on Tuesdays at noon.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    signed_in.post(url(memory), fields_of(memory, content=NEW, expected_version="2"))

    assert (now(memory).content, now(memory).version) == (NEW, 3)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"content": "short"}, "The content has only 5 characters."),
        ({"path": "A..B"}, "The path has an empty segment."),
        ({"expected_version": ""}, "This form is incomplete"),
        ({"expected_version": "x"}, "This form is incomplete"),
        ({"expires_at": "2099-01-01"}, "A decision never expires by date."),
    ],
)
def test_a_refused_change_comes_back_in_its_form(
    space: Space, signed_in: Client, changes: dict[str, str], said: str
) -> None:
    memory = make_memory(space)

    response = signed_in.post(url(memory), fields_of(memory, **changes))

    assert response.status_code == 422
    assert said in response.content.decode()
    assert now(memory).version == 1


def test_what_was_forgotten_is_not_edited(space: Space, signed_in: Client, person: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    response = signed_in.post(url(memory), fields_of(memory, content=NEW))

    assert response.status_code == 422
    assert b"This memory was forgotten." in response.content


def test_a_stranger_changes_nothing(space: Space, stranger: Client) -> None:
    memory = make_memory(space)

    assert stranger.get(url(memory)).status_code == 404
    assert stranger.post(url(memory), fields_of(memory, content=NEW)).status_code == 404
    assert now(memory).version == 1


def test_a_memory_of_another_space_of_the_same_person_is_not_reached(
    space: Space, signed_in: Client
) -> None:
    memory = make_memory(make_space(owner=space.owner))
    address = reverse("memories:edit", args=[space.pk, memory.pk])

    assert signed_in.post(address, fields_of(memory, content=NEW)).status_code == 404
    assert now(memory).version == 1
