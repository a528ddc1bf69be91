"""How to connect an agent."""

from uuid import uuid4

from django.test import Client
from django.utils.html import escape

from spaces.connecting import claude_code_command, generic_configuration, key_command
from spaces.models import Space
from tests.factories import make_space


def test_the_page_has_everything_to_paste(signed_in: Client, space: Space) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/connect/")

    assert page.status_code == 200
    for text in (space.mcp_url, claude_code_command(space), key_command(space)):
        assert text in page.text
    assert escape(generic_configuration(space)) in page.text
    assert f"/spaces/{space.pk}/keys/" in page.text
    assert 'data-copy="mcp-url"' in page.text
    assert 'aria-current="page"' in page.text


def test_a_newcomer_reads_the_address_first_and_of_keys_last(
    signed_in: Client, space: Space
) -> None:
    page = signed_in.get(f"/spaces/{space.pk}/connect/").text

    places = [page.index(text) for text in ("The address", "Claude Code", "Another app", "API key")]
    assert places == sorted(places)


def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(signed_in: Client) -> None:
    theirs = make_space()

    answers = [signed_in.get(f"/spaces/{each}/connect/") for each in (theirs.pk, uuid4())]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text


def test_who_is_signed_out_is_sent_to_sign_in(client: Client, space: Space) -> None:
    address = f"/spaces/{space.pk}/connect/"

    assert client.get(address)["Location"] == f"/sign-in/?next={address}"


def test_other_methods_are_refused(signed_in: Client, space: Space) -> None:
    assert signed_in.post(f"/spaces/{space.pk}/connect/").status_code == 405
