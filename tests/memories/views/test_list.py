"""The page that lists what a space remembers."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actors import Actor
from memories.queries.lists import PAGE
from memories.services.affirming import erase_memory
from memories.services.forgetting import forget_memory
from spaces.models import Space
from tests.factories import make_memory


def url(space: Space) -> str:
    return reverse("memories:list", args=[space.pk])


def test_a_memory_is_listed_with_kind_path_text_and_author(space: Space, signed_in: Client) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Shop.Deploy")

    response = signed_in.get(url(space))

    page = response.content.decode()
    assert response.status_code == 200
    assert memory.get_absolute_url() in page
    for text in ("We deploy on Fridays at noon.", "Shop.Deploy", "Decision", "Claude Code"):
        assert text in page


def test_an_empty_space_says_how_to_connect_an_agent(space: Space, signed_in: Client) -> None:
    page = signed_in.get(url(space)).content.decode()

    assert "Nothing is remembered here yet" in page
    assert reverse("spaces:connect", args=[space.pk]) in page
    assert 'role="search"' not in page


def test_nothing_matches_is_another_text_than_nothing_yet(space: Space, signed_in: Client) -> None:
    make_memory(space)

    for query in ("?q=chromodynamics", "?kind=pointer", "?path=Elsewhere", "?state=forgotten"):
        page = signed_in.get(url(space) + query).content.decode()
        assert "Nothing matches" in page
        assert "Nothing is remembered here yet" not in page


def test_filters_and_search_come_with_the_address_and_stay_in_the_form(
    space: Space, signed_in: Client, person: Actor
) -> None:
    make_memory(space, "Oysters are kept on ice.", path="Shop.Fish", actor=person)
    make_memory(space, "Oysters are sold on Friday.", path="Shop.Sale")

    query = {"q": "oysters", "kind": "decision", "author": "user", "path": "Shop"}
    page = signed_in.get(url(space), query).content.decode()

    assert "<mark>Oysters</mark> are kept on ice." in page
    assert "are sold on Friday." not in page
    assert 'value="oysters"' in page
    assert '<option value="user" selected>' in page


def test_what_no_list_has_is_as_if_it_had_not_been_asked(space: Space, signed_in: Client) -> None:
    make_memory(space)

    for query in ("?kind=rumour", "?state=gone", "?author=nobody", "?after=nowhere", "?x=1"):
        response = signed_in.get(url(space) + query)
        assert response.status_code == 200
        assert b"We deploy on Fridays" in response.content


def test_a_path_that_is_none_is_said_to_be_none(space: Space, signed_in: Client) -> None:
    make_memory(space)

    response = signed_in.get(url(space), {"path": "A..B"})

    assert response.status_code == 422
    assert b"The path has an empty segment." in response.content


def test_more_comes_as_a_page_without_scripts_and_as_rows_with_them(
    space: Space, signed_in: Client
) -> None:
    for number in range(PAGE + 3):
        make_memory(space, f"Oysters of sort number {number}.")
    first = signed_in.get(url(space)).content.decode()
    found = re.search(r'hx-get="([^"]+after=[^"]+)"', first)
    assert found

    more = found[1].replace("&amp;", "&")
    whole = signed_in.get(more).content.decode()
    rows = signed_in.get(more, headers={"HX-Request": "true"}).content.decode()

    assert first.count('<li class="row"') == PAGE
    assert whole.count('<li class="row"') == rows.count('<li class="row"') == 3
    assert "<html" in whole
    assert "<html" not in rows
    assert rows.lstrip().startswith("<li")


def test_each_state_has_a_link_with_its_number(
    space: Space, signed_in: Client, person: Actor
) -> None:
    memory = make_memory(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    page = signed_in.get(url(space), {"state": "forgotten"}).content.decode()

    assert re.search(r'\?state=forgotten" aria-current="page">Forgotten <span[^>]*>1<', page)
    assert 'data-state="forgotten"' in page


def test_what_was_written_is_shown_as_text_and_hides_nothing(
    space: Space, signed_in: Client
) -> None:
    make_memory(space, "<script>alert(1)</script> pay\u200fpal \u200bhere", source="<b>x</b>")

    page = signed_in.get(url(space)).content.decode()

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\u200f" not in page
    assert '<mark class="mono">U+200F</mark>' in page
    assert '<mark class="mono">U+200B</mark>' in page


def test_an_erased_memory_is_listed_without_its_text(
    space: Space, signed_in: Client, person: Actor
) -> None:
    memory = make_memory(space)
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    page = signed_in.get(url(space), {"state": "erased"}).content.decode()

    assert "Erased for good" in page
    assert memory.content not in page


def test_a_stranger_is_told_that_there_is_no_such_space(
    space: Space, stranger: Client, signed_in: Client
) -> None:
    make_memory(space)

    theirs, nobodys = (
        stranger.get(url(space)),
        signed_in.get(reverse("memories:list", args=[uuid4()])),
    )

    assert theirs.status_code == nobodys.status_code == 404
    assert b"There is no such space." in theirs.content
    assert b"We deploy" not in theirs.content


def test_who_is_not_signed_in_is_asked_to(space: Space, client: Client) -> None:
    response = client.get(url(space))

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("accounts:sign-in"))


def test_the_list_is_only_read(space: Space, signed_in: Client) -> None:
    assert signed_in.post(url(space)).status_code == 405


def test_a_live_page_gets_what_was_found_without_the_rest(space: Space, signed_in: Client) -> None:
    make_memory(space, "Oysters are kept on ice.")

    response = signed_in.get(url(space), headers={"HX-Request": "true"})

    page = response.content.decode()
    assert 'id="found"' in page
    assert "Oysters are kept on ice." in page
    assert "<html" not in page
    assert 'role="search"' not in page


def test_three_ways_to_search_are_labelled_and_each_has_an_address(
    space: Space, signed_in: Client
) -> None:
    make_memory(space, "We deploy the café at noon.", source="Marta")

    for mode, query in (("meaning", "deploying"), ("word", "cafe"), ("text", "arta")):
        page = signed_in.get(url(space), {"q": query, "mode": mode}).content.decode()
        assert f'name="mode" value="{mode}" checked' in page
        assert "at noon." in page
    assert "in the source" in page
    assert "<mark>arta</mark>" in page


def test_every_filter_is_a_chip_that_takes_only_itself_away(
    space: Space, signed_in: Client, person: Actor
) -> None:
    make_memory(space, path="Shop.Auth", actor=person)

    asked = "?q=deploy&mode=word&kind=decision&author=user&path=Shop&sort=path"
    page = unescape(signed_in.get(url(space) + asked).content.decode())

    for gone in ("q=deploy", "kind=decision", "author=user", "path=Shop"):
        rest = asked.replace(f"{gone}&", "")
        assert f'<a class="chip" href="{url(space)}{rest}">' in page


def test_what_scripts_ask_for_gets_a_clean_address(space: Space, signed_in: Client) -> None:
    make_memory(space)

    asked = {"q": "", "mode": "meaning", "kind": "decision", "author": "", "sort": "", "path": ""}
    response = signed_in.get(url(space), asked, headers={"HX-Request": "true"})

    assert response["HX-Push-Url"] == f"{url(space)}?kind=decision"
    # A browser that goes back must not take the part for the page.
    assert "HX-Request" in response["Vary"]
    assert "HX-Push-Url" not in signed_in.get(url(space), asked)


def test_an_app_can_be_chosen_even_when_nothing_of_it_is_left(
    space: Space, signed_in: Client
) -> None:
    make_memory(space)

    page = signed_in.get(url(space), {"client": "app:gone"}).content.decode()

    assert '<option value="app:gone" selected>' in page
    assert "Nothing matches" in page


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("meaning", "Search by meaning is off"),
        ("word", "No memory has all of these words as you wrote them."),
        ("text", "These letters stand nowhere in a row."),
    ],
)
def test_nothing_found_says_why(space: Space, signed_in: Client, mode: str, text: str) -> None:
    make_memory(space)

    page = signed_in.get(url(space), {"q": "chromodynamics", "mode": mode}).content.decode()

    assert "Nothing matches" in page
    assert text in page


@pytest.mark.parametrize("asked", ["", "?kind=decision&sort=path", "?q=oysters&mode=text"])
def test_the_page_asks_the_database_as_often_for_one_memory_as_for_twenty(
    space: Space, signed_in: Client, asked: str
) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    with CaptureQueriesContext(connection) as few:
        signed_in.get(url(space) + asked)
    for number in range(20):
        make_memory(space, f"Oysters of sort number {number}.", path=f"P.Q{number}")

    with CaptureQueriesContext(connection) as many:
        signed_in.get(url(space) + asked)

    assert len(few) == len(many) < 22
