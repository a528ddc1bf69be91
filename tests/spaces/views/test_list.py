"""The home page."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from memories.services.revising import Revision, revise_memory
from tests.factories import agent_of, make_actor, make_memory, make_space


def test_who_has_no_space_is_led_to_the_first(signed_in: Client) -> None:
    page = signed_in.get("/")

    assert page.status_code == 200
    assert "Make your first space" in page.text
    assert 'href="/spaces/new/"' in page.text


def test_every_space_is_a_card(signed_in: Client, user: User) -> None:
    space = make_space(owner=user, name="Website <3")
    make_memory(space)
    make_memory(space, "We write the changelog by hand.")
    make_space(name="Somebody else's")

    page = signed_in.get("/").text

    assert "Website &lt;3" in page
    assert "2 memories" in page
    assert "last change now" in page
    assert f'href="/spaces/{space.pk}/connect/"' in page
    assert "Somebody else" not in page


def test_who_has_as_many_as_there_may_be_is_told_so(signed_in: Client, user: User) -> None:
    for _ in range(5):
        make_space(owner=user)

    page = signed_in.get("/").text

    assert "as many as an account can have" in page


def test_what_waits_for_the_person_stands_above_the_spaces(signed_in: Client, user: User) -> None:
    space, calm = make_space(owner=user, name="Busy"), make_space(owner=user, name="Calm")
    mine = make_memory(space, actor=make_actor(user))
    make_memory(calm)
    change = Revision(content="We deploy on Mondays at noon.")
    revise_memory(space=space, actor=agent_of(space), memory_id=mine.pk, revision=change)

    page = signed_in.get("/").text

    waiting = page[page.index('id="waiting"') : page.index('class="cards"')]
    assert ">1 question</a>" in waiting
    assert f'href="/spaces/{space.pk}/memories/review/"' in waiting
    assert "Calm" not in waiting


def test_an_empty_space_leads_to_connecting_an_agent(signed_in: Client, user: User) -> None:
    space = make_space(owner=user)

    page = signed_in.get("/").text

    assert "Nothing is remembered here yet." in page
    assert f'button-primary" href="/spaces/{space.pk}/connect/"' in page
    assert "no agent connected" in page


def test_a_newcomer_is_told_the_steps(signed_in: Client) -> None:
    page = signed_in.get("/").text

    assert page.count("<li><strong>") == 3
    assert "Copy one line into Claude Code" in page


def test_search_by_meaning_being_off_is_said_once(signed_in: Client, user: User) -> None:
    for _ in range(2):
        make_memory(make_space(owner=user))

    page = signed_in.get("/").text

    assert page.count("Search by meaning is off") == 1
    assert "Whoever runs this installation turned it off." in page


def test_the_page_asks_the_database_as_often_whatever_is_in_the_spaces(
    signed_in: Client, user: User
) -> None:
    spaces = [make_space(owner=user) for _ in range(5)]
    for space in spaces:
        make_memory(space)
    with CaptureQueriesContext(connection) as few:
        signed_in.get("/")
    for space in spaces:
        for number in range(20):
            make_memory(space, f"Oysters of sort number {number}.", actor=make_actor(user))

    with CaptureQueriesContext(connection) as many:
        signed_in.get("/")

    assert len(few) == len(many)


def test_who_is_signed_out_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/")["Location"] == "/sign-in/?next=/"


def test_other_methods_are_refused(signed_in: Client) -> None:
    assert signed_in.post("/").status_code == 405
