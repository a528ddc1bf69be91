"""Confirm, forget, restore and erase, each with one press that works without scripts."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from memories.models import Memory, MemoryVersion, State
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space

NUMBERED = {"restore-version", "erase-version"}
ALL = ["confirm", "forget", "restore", "reschedule", "erase", *sorted(NUMBERED)]


def url(name: str, memory: Memory, *, space: Space | None = None, number: int = 1) -> str:
    numbers = [number] if name in NUMBERED else []
    return reverse(f"memories:{name}", args=[(space or memory.space).pk, memory.pk, *numbers])


def now(memory: Memory) -> Memory:
    with inside(memory.space):
        return Memory.objects.get(pk=memory.pk)


def revised(memory: Memory, actor: Actor) -> Memory:
    change = Revision(content="We deploy on Mondays at noon.")
    return revise_memory(
        space=memory.space, actor=actor, memory_id=memory.pk, revision=change
    ).memory


def test_confirming_counts_and_goes_back_to_the_memory(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.post(url("confirm", memory))

    assert response.status_code == 302
    assert response["Location"] == memory.get_absolute_url()
    assert now(memory).confirmations == 2


def test_another_date_changes_nothing_but_the_date(space: Space, signed_in: Client) -> None:
    memory = make_memory(space, kind="observation")

    response = signed_in.post(url("reschedule", memory), {"expires_at": "2099-05-01"}, follow=True)

    changed = now(memory)
    assert b"The date is changed; the text is as it was." in response.content
    assert changed.expires_at is not None
    assert changed.expires_at.isoformat() == "2099-05-01T23:59:59+00:00"
    assert (changed.version, changed.content) == (1, memory.content)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2001-01-01", "expires_at has already passed."),
        ("", "This field is required."),
        ("soon", "Enter a valid date."),
    ],
)
def test_a_date_that_cannot_be_is_refused_at_its_field(
    space: Space, signed_in: Client, day: str, said: str
) -> None:
    memory = make_memory(space, kind="observation")

    response = signed_in.post(url("reschedule", memory), {"expires_at": day})

    assert response.status_code == 422
    assert said in response.content.decode()
    assert now(memory).expires_at == memory.expires_at


def test_what_has_no_date_offers_none_and_takes_none(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    page = signed_in.get(memory.get_absolute_url()).content.decode()
    response = signed_in.post(url("reschedule", memory), {"expires_at": "2099-05-01"})

    assert url("reschedule", memory) not in page
    assert response.status_code == 422
    assert now(memory).expires_at is None


def test_forgetting_keeps_the_reason(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.post(url("forget", memory), {"reason": "It was only an idea"}, follow=True)

    assert (now(memory).state, now(memory).is_forgotten_by_person) == (State.FORGOTTEN, True)
    assert b"It was only an idea" in response.content
    assert b"Forgotten. No agent finds it any more" in response.content


def test_restoring_brings_it_back(space: Space, signed_in: Client, person: Actor) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    signed_in.post(url("restore", memory))

    assert now(memory).state == State.ACTIVE


def test_restoring_a_version_makes_a_new_one(space: Space, signed_in: Client, agent: Actor) -> None:
    memory = make_memory(space)
    revised(memory, agent)

    signed_in.post(url("restore-version", memory))

    assert (now(memory).content, now(memory).version) == (memory.content, 3)


def test_erasing_asks_first_and_shows_what_goes(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.get(url("erase", memory))

    assert response.status_code == 200
    assert memory.content in response.content.decode()
    assert b'data-confirm="erase"' in response.content
    assert now(memory).erased_at is None


@pytest.mark.parametrize("typed", ["erase", " ERASE "])
def test_the_typed_word_erases_for_good(space: Space, signed_in: Client, typed: str) -> None:
    memory = make_memory(space)

    response = signed_in.post(url("erase", memory), {"confirmation": typed}, follow=True)

    assert response.status_code == 200
    assert now(memory).content == ""
    assert memory.content not in response.content.decode()


@pytest.mark.parametrize("name", ["erase", "erase-version"])
@pytest.mark.parametrize("sent", [{}, {"confirmation": ""}, {"confirmation": "yes"}])
def test_without_the_word_nothing_is_erased(
    space: Space, signed_in: Client, agent: Actor, name: str, sent: dict[str, str]
) -> None:
    memory = make_memory(space)
    revised(memory, agent)

    response = signed_in.post(url(name, memory), sent)

    assert response.status_code == 422
    with inside(space):
        assert not MemoryVersion.objects.filter(content="").exists()


def test_one_version_is_erased_for_good(space: Space, signed_in: Client, agent: Actor) -> None:
    memory = make_memory(space)
    revised(memory, agent)
    asked = signed_in.get(url("erase-version", memory))

    signed_in.post(url("erase-version", memory), {"confirmation": "erase"})

    assert memory.content in asked.content.decode()
    page = signed_in.get(memory.get_absolute_url()).content.decode()
    assert memory.content not in page
    assert "We deploy on Mondays at noon." in page


def test_the_person_answers_what_waits(space: Space, signed_in: Client, person: Actor) -> None:
    forgotten = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=forgotten.pk)
    held = make_memory(space)

    signed_in.post(url("confirm", held))

    assert now(held).state == State.ACTIVE


# Refusals


def test_a_refusal_stands_on_the_page_of_the_memory(
    space: Space, signed_in: Client, person: Actor
) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)
    make_memory(space, actor=person)

    for name, said in (
        ("confirm", "Only a memory that holds can be confirmed."),
        ("restore", "Another memory that holds already states this."),
    ):
        response = signed_in.post(url(name, memory))
        assert response.status_code == 422
        assert said in response.content.decode()


def test_the_present_version_is_not_erased_alone(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.post(url("erase-version", memory), {"confirmation": "erase"})

    assert response.status_code == 422
    assert b"This is the present text of the memory." in response.content


def test_a_reason_that_is_too_long_is_refused(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)

    response = signed_in.post(url("forget", memory), {"reason": "x" * 501})

    assert response.status_code == 422
    assert now(memory).state == State.ACTIVE


@pytest.mark.parametrize("name", sorted(NUMBERED))
def test_a_version_that_there_is_not_is_not_found(
    space: Space, signed_in: Client, name: str
) -> None:
    sent = {"confirmation": "erase"}

    assert signed_in.post(url(name, make_memory(space), number=9), sent).status_code == 404


@pytest.mark.parametrize("name", ALL)
def test_a_stranger_decides_nothing(space: Space, stranger: Client, name: str) -> None:
    memory = make_memory(space)

    response = stranger.post(url(name, memory), {"confirmation": "erase"})

    assert response.status_code == 404
    assert b"There is no such space." in response.content
    assert (now(memory).content, now(memory).confirmations) == (memory.content, 1)


@pytest.mark.parametrize("name", ALL)
def test_a_memory_of_another_space_of_the_same_person_is_not_reached(
    space: Space, signed_in: Client, name: str
) -> None:
    memory = make_memory(make_space(owner=space.owner))

    response = signed_in.post(url(name, memory, space=space), {"confirmation": "erase"})

    assert response.status_code == 404
    assert (now(memory).content, now(memory).state) == (memory.content, State.ACTIVE)


@pytest.mark.parametrize("name", ["confirm", "forget", "restore", "restore-version"])
def test_nothing_is_decided_by_following_a_link(space: Space, signed_in: Client, name: str) -> None:
    assert signed_in.get(url(name, make_memory(space))).status_code == 405


@pytest.mark.parametrize("name", ALL)
def test_who_is_not_signed_in_decides_nothing(space: Space, client: Client, name: str) -> None:
    memory = make_memory(space)

    assert client.post(url(name, memory), {"confirmation": "erase"}).status_code == 302
    assert (now(memory).content, now(memory).confirmations) == (memory.content, 1)


@pytest.mark.parametrize("name", ALL)
def test_a_form_of_another_site_decides_nothing(space: Space, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(space.owner)
    memory = make_memory(space)

    assert client.post(url(name, memory), {"confirmation": "erase"}).status_code == 403
    assert now(memory).confirmations == 1
