"""The home page."""

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from tests.factories import make_memory, make_space


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
    assert "<time datetime=" in page
    assert f'href="/spaces/{space.pk}/connect/"' in page
    assert "Somebody else" not in page


def test_who_has_as_many_as_there_may_be_is_told_so(signed_in: Client, user: User) -> None:
    for _ in range(5):
        make_space(owner=user)

    page = signed_in.get("/").text

    assert "as many as an account can have" in page


def test_the_page_asks_the_database_a_fixed_number_of_things_a_space(
    signed_in: Client, user: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        make_memory(make_space(owner=user))

    # Session, person, spaces and those of the switcher; in each space two savepoints, its
    # entering and leaving, and two counts.
    with django_assert_num_queries(4 + 5 * 6):
        signed_in.get("/")


def test_who_is_signed_out_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/")["Location"] == "/sign-in/?next=/"


def test_other_methods_are_refused(signed_in: Client) -> None:
    assert signed_in.post("/").status_code == 405
