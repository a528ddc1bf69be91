import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from memories.models import Memory, State, Undoing
from memories.services.affirming import confirm_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory


def url(space: Space) -> str:
    return reverse("memories:undo", args=[space.pk])


def hidden_in(page: str) -> dict[str, str]:
    """Return what the button that carries it out would send."""
    form = page.rpartition('<form method="post"')[2].partition("</form>")[0]
    return dict(
        re.findall(r'<input type="hidden" name="(app|since|instance|seen)" value="([^"]*)"', form)
    )


def now_of(memory: Memory) -> Memory:
    with inside(memory.space_id):
        return Memory.objects.get(pk=memory.pk)


@pytest.fixture
def changed(space: Space, person: Actor, agent: Actor) -> Memory:
    """A memory of the person that the agent changed."""
    memory = make_memory(space, "We deploy on Fridays at noon.", actor=person)
    revision = Revision(content="We deploy on Mondays at noon.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=revision)
    return memory


def test_what_would_happen_is_shown_as_a_difference_and_nothing_happens(
    space: Space, signed_in: Client, agent: Actor, changed: Memory
) -> None:
    make_memory(space, "We sell oysters.", actor=agent)

    asked = {"app": agent.client_key, "since": "2020-01-01T00:00"}
    page = signed_in.get(url(space), asked).content.decode()

    assert "2 memories go back" in page
    assert "<del>Mondays</del>" in page
    assert "<ins>Fridays</ins>" in page
    assert "is forgotten" in page
    assert 'value="2020-01-01T00:00"' in page
    assert now_of(changed).version == 2


def test_one_action_takes_it_back_and_another_brings_it_again(
    space: Space, signed_in: Client, agent: Actor, changed: Memory
) -> None:
    asked = {"app": agent.client_key, "since": "2020-01-01T00:00"}
    shown = signed_in.get(url(space), asked).content.decode()

    done = signed_in.post(url(space), hidden_in(shown), follow=True)
    with inside(space):
        undoing = Undoing.objects.get()
    taken_back = now_of(changed)
    take_back_url = reverse("memories:take-back", args=[space.pk, undoing.pk])
    again = signed_in.post(take_back_url, follow=True)

    assert "1 memory is as it was before." in done.content.decode()
    assert take_back_url in done.content.decode()
    assert taken_back.content == "We deploy on Fridays at noon."
    assert now_of(changed).content == "We deploy on Mondays at noon."
    assert "You brought back what Claude Code had done" in again.content.decode()
    assert take_back_url not in again.content.decode()
    twice = signed_in.post(take_back_url, follow=True)
    assert "This was undone already." in twice.content.decode()


def test_what_changed_meanwhile_is_shown_again_before_anything_happens(
    space: Space, signed_in: Client, agent: Actor, changed: Memory
) -> None:
    asked = {"app": agent.client_key, "since": "2020-01-01T00:00"}
    shown = signed_in.get(url(space), asked).content.decode()
    new = make_memory(space, "We sell oysters.", actor=agent)

    refused = signed_in.post(url(space), hidden_in(shown))

    assert refused.status_code == 422
    assert "Something changed while you were looking at it." in refused.content.decode()
    assert "We sell oysters." in refused.content.decode()
    assert now_of(new).state == State.ACTIVE


def test_what_is_left_alone_is_said(
    space: Space, signed_in: Client, person: Actor, agent: Actor, changed: Memory
) -> None:
    confirm_memory(space=space, actor=person, memory_id=changed.pk)

    asked = {"app": agent.client_key, "since": "2020-01-01T00:00"}
    page = signed_in.get(url(space), asked).content.decode()

    assert "Nothing to take back" in page
    assert "1 memory is left alone" in page
    assert "You or another app changed or confirmed it since." in page


def test_a_form_that_says_too_little_is_refused(
    space: Space, signed_in: Client, agent: Actor, changed: Memory
) -> None:
    first = signed_in.get(url(space))
    without = signed_in.post(url(space), {"app": agent.client_key})
    wrong = signed_in.get(url(space), {"app": agent.client_key, "since": "long ago"})

    assert first.status_code == 200
    assert "Choose an app" in first.content.decode()
    assert without.status_code == 422
    assert "go back" not in wrong.content.decode()


def test_a_space_without_apps_says_so(space: Space, signed_in: Client) -> None:
    assert "No app has done anything here" in signed_in.get(url(space)).content.decode()


def test_strangers_and_other_methods_get_nothing(
    space: Space, signed_in: Client, stranger: Client
) -> None:
    take_back_url = reverse("memories:take-back", args=[space.pk, uuid4()])

    assert stranger.get(url(space)).status_code == 404
    assert stranger.post(url(space)).status_code == 404
    assert stranger.post(take_back_url).status_code == 404
    assert signed_in.post(take_back_url).status_code == 404
    assert signed_in.get(take_back_url).status_code == 405
