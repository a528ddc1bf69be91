"""The page that looks for secrets in older memories and redacts them."""

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.brain.sanitising.made_up import made_up
from tests.factories import make_memory, make_space

KEY = made_up("ghp_<alnum 36>")


def page(space: Space, name: str = "secrets") -> str:
    return reverse(f"memories:{name}", args=[space.pk])


@pytest.fixture
def old(space: Space) -> Memory:
    memory = make_memory(space)
    with inside(space):
        Memory.objects.update(content=f"The bot has {KEY}")
    return memory


def test_the_page_looks_only_when_it_is_asked_to(
    space: Space, signed_in: Client, old: Memory
) -> None:
    response = signed_in.get(page(space))

    assert b"Look for secrets" in response.content
    assert b"github_token" not in response.content


def test_the_page_names_memories_and_types_and_no_value(
    space: Space, signed_in: Client, old: Memory
) -> None:
    text = signed_in.get(page(space), {"look": "yes"}).content.decode()

    assert "1 memory holds secrets" in text
    assert old.get_absolute_url() in text
    assert "github_token (1)" in text
    assert KEY not in text


def test_redacting_clears_the_page(space: Space, signed_in: Client, old: Memory) -> None:
    response = signed_in.post(page(space, "redact-secrets"), follow=True)

    assert b"Redacted in 1 memory." in response.content
    assert b"No secrets were found" in response.content
    with inside(space):
        assert Memory.objects.get().content == "The bot has [redacted: github_token]"


def test_what_would_become_the_same_is_left_and_said(
    space: Space, signed_in: Client, old: Memory
) -> None:
    make_memory(space, f"The bot has {KEY}")

    response = signed_in.post(page(space, "redact-secrets"), follow=True)

    assert b"erase one of each two" in response.content
    assert b"1 memory holds secrets" in response.content


def test_a_secret_in_the_description_is_pointed_to(space: Space, signed_in: Client) -> None:
    Space.objects.update(description=f"The bot has {KEY}")

    response = signed_in.get(page(space), {"look": "yes"})

    assert b"The name or the description of this space holds a secret." in response.content


def test_the_settings_lead_there(space: Space, signed_in: Client) -> None:
    response = signed_in.get(reverse("spaces:settings", args=[space.pk]))

    assert page(space).encode() in response.content


@pytest.mark.parametrize("name", ["secrets", "redact-secrets"])
def test_a_stranger_finds_nothing(signed_in: Client, name: str) -> None:
    other = make_space()
    method = signed_in.get if name == "secrets" else signed_in.post

    assert method(page(other, name)).status_code == 404


def test_redacting_needs_a_post(space: Space, signed_in: Client) -> None:
    assert signed_in.get(page(space, "redact-secrets")).status_code == 405
