import uuid

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import authenticate
from mcp_gateway.services.connections import record_use
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.oauth.flow import browser_of, connected, registered


def test_every_app_is_listed_with_its_space_and_what_it_may_do(
    user: User, signed_in: Client, space: Space
) -> None:
    other = make_space(owner=user, name="Second space")
    connected(registered(client_name="Reader"), space, access="read")
    tokens = connected(registered(client_name="Writer <i>"), other)
    record_use(authenticate(str(tokens["access_token"]), other.pk))

    page = signed_in.get("/account/apps/").content.decode()

    assert "Reader" in page
    assert "Writer &lt;i&gt;" in page
    assert space.name in page
    assert "Second space" in page
    assert "read only" in page
    assert "read and write" in page


def test_without_apps_the_page_says_what_to_do(signed_in: Client) -> None:
    page = signed_in.get("/account/apps/").content.decode()

    assert "No app is connected" in page


def test_the_apps_of_other_people_are_not_listed(signed_in: Client) -> None:
    connected(registered(client_name="Theirs"), make_space())

    assert "Theirs" not in signed_in.get("/account/apps/").content.decode()


def test_disconnecting_takes_the_access_away(signed_in: Client, space: Space) -> None:
    app = registered()
    tokens = connected(app, space)
    application = Application.objects.get()

    answer = signed_in.post(f"/account/apps/{space.pk}/{application.pk}/disconnect/", follow=True)

    assert answer.redirect_chain == [("/account/apps/", 302)]
    assert "The app is disconnected" in answer.content.decode()
    assert app.refresh(str(tokens["refresh_token"])).status_code == 400


def test_disconnecting_what_is_not_connected_changes_nothing(
    signed_in: Client, space: Space
) -> None:
    answer = signed_in.post(f"/account/apps/{space.pk}/77/disconnect/", follow=True)

    assert answer.redirect_chain == [("/account/apps/", 302)]
    assert "The app is disconnected" not in answer.content.decode()


def test_a_stranger_can_not_disconnect_and_learns_nothing(space: Space) -> None:
    app = registered()
    tokens = connected(app, space)
    application = Application.objects.get()
    stranger = browser_of(make_space().owner)

    foreign = stranger.post(f"/account/apps/{space.pk}/{application.pk}/disconnect/")
    nowhere = stranger.post(f"/account/apps/{uuid.uuid4()}/{application.pk}/disconnect/")

    assert foreign.status_code == nowhere.status_code == 404
    assert authenticate(str(tokens["access_token"]), space.pk).space == space


def test_only_signed_in_people_and_the_right_methods_get_in(
    signed_in: Client, space: Space
) -> None:
    disconnect = f"/account/apps/{space.pk}/1/disconnect/"

    assert Client().get("/account/apps/").status_code == 302
    assert Client().post(disconnect)["Location"].startswith("/sign-in/")
    assert signed_in.post("/account/apps/").status_code == 405
    assert signed_in.get(disconnect).status_code == 405


def test_twenty_apps_cost_as_many_queries_as_one(
    signed_in: Client, space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        connected(registered(client_name=f"App {number}"), space)

    # Session, person, spaces (also for the header), tokens with their apps; and the connections,
    # with four queries to enter the space and to leave it.
    with django_assert_num_queries(10):
        page = signed_in.get("/account/apps/").content.decode()

    assert page.count("Disconnect\n") == 20
