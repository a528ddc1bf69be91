"""Websockets, tried by everybody who has no business there. A new one is tried by itself."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import BrowserSession
from brain.asgi import application
from tests.factories import make_space, make_user
from tests.security.victims import Ids, Victim, browser, make_victim, nowhere
from tests.tally import Tally

pytestmark = pytest.mark.django_db(transaction=True)

HOST = settings.PUBLIC_URL.partition("://")[2]
COOKIE = settings.SESSION_COOKIE_NAME
Asked = dict[str, str]


@pytest.fixture
def victim() -> Victim:
    return make_victim()


def routes() -> list[str]:
    """Return every address of a websocket, found in the application itself."""
    return [str(route.pattern) for route in _router(application.application_mapping["websocket"])]


def _router(app: Any) -> list[Any]:
    while not isinstance(app, URLRouter):
        app = getattr(app, "application", None) or app.inner
    return [route for route in app.routes if "<" in str(route.pattern)]


def cookie(value: str) -> Asked:
    return {"cookie": f"{COOKIE}={value}"}


def own(victim: Victim) -> str:
    return str(browser(victim.user).cookies[COOKIE].value)


def expired(victim: Victim) -> Asked:
    key = own(victim)
    past = timezone.now() - timedelta(seconds=1)
    BrowserSession.objects.filter(session_key=key).update(expire_date=past)
    return cookie(key)


def signed_out(victim: Victim) -> Asked:
    key = own(victim)
    client = Client()
    client.cookies[COOKIE] = key
    client.post("/sign-out/")
    return cookie(key)


def another_account(_victim: Victim) -> Asked:
    return cookie(str(browser(make_user()).cookies[COOKIE].value))


def owner_of_another_space(_victim: Victim) -> Asked:
    return cookie(str(browser(make_space().owner).cookies[COOKIE].value))


STRANGERS: dict[str, Callable[[Victim], Asked]] = {
    "nobody": lambda _: {},
    "another account": another_account,
    "the owner of another space": owner_of_another_space,
    "a session that expired": expired,
    "a browser that signed out": signed_out,
    "a made-up cookie": lambda _: cookie("a" * 32),
    "an access token": lambda victim: {"authorization": f"Bearer {victim.access_token}"},
    "an API key": lambda victim: {"authorization": f"Bearer {victim.key}"},
    "an API key as the cookie": lambda victim: cookie(victim.key),
    "a page of another origin": lambda victim: (
        cookie(own(victim)) | {"origin": "https://evil.example"}
    ),
    "a page of another port": lambda victim: (
        cookie(own(victim)) | {"origin": "http://127.0.0.1:9999"}
    ),
    "a page without an origin": lambda victim: cookie(own(victim)) | {"origin": "null"},
    "a name that begins like ours": lambda victim: (
        cookie(own(victim)) | {"origin": f"http://{HOST}.evil.example"}
    ),
    "a page that sends our host along": lambda victim: (
        cookie(own(victim)) | {"origin": f"http://{HOST}@evil.example"}
    ),
    "a rebound name": lambda victim: (
        cookie(own(victim)) | {"host": "rebound.example", "origin": "http://rebound.example"}
    ),
}


async def heard(route: str, ids: Ids, sent: Asked) -> list[dict[str, Any]]:
    """Return all that a page hears that opens the address, sends something, and waits."""
    path = "/" + route.replace("<uuid:space_id>", ids["space_id"])
    headers = {"host": HOST, "origin": settings.PUBLIC_URL} | sent
    scope = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "subprotocols": [],
    }
    communicator: Any = ApplicationCommunicator  # asgiref has no types for it
    socket = communicator(application, scope)
    await socket.send_input({"type": "websocket.connect"})
    messages = [await socket.receive_output(10)]
    while messages[-1]["type"] != "websocket.close":
        messages.append(await socket.receive_output(10))
        if messages[-1]["type"] == "websocket.send":
            break
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait(1)
    return messages


async def test_no_stranger_hears_anything_and_none_learns_what_exists(
    victim: Victim, tried: Tally
) -> None:
    assert routes(), "No websocket was found; this test looks at the wrong place."

    sent = {who: await sync_to_async(asked)(victim) for who, asked in STRANGERS.items()}
    # All at once: a socket takes a second to let go of its channel.
    pairs = await asyncio.gather(
        *(pair(route, victim, each) for route in routes() for each in sent.values())
    )
    tried.add(len(pairs))

    for who, (theirs, nobodys) in zip(list(sent) * len(routes()), pairs, strict=True):
        assert not [m for m in theirs if m["type"] == "websocket.send"], who
        assert theirs == nobodys, who


async def pair(
    route: str, victim: Victim, sent: Asked
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what is heard at the victim's address, and at one that nobody has."""
    theirs = await heard(route, victim.ids, sent)
    return theirs, await heard(route, nowhere(victim.ids), sent)


async def test_the_person_is_heard_so_that_the_refusals_mean_something(victim: Victim) -> None:
    sent = cookie(await sync_to_async(own)(victim))

    for route in routes():
        assert (await heard(route, victim.ids, sent))[-1]["type"] == "websocket.send"


async def test_other_addresses_are_no_websockets(transactional_db: None, tried: Tally) -> None:
    paths = ["/", "/live/", "/live/x", f"/live/{UUID(int=0)}/x", "/mcp/x", "/admin/", "/live/%00"]

    answers = await asyncio.gather(*(heard(path[1:], {"space_id": ""}, {}) for path in paths))
    tried.add(len(paths))

    assert [[message["type"] for message in each] for each in answers] == [
        ["websocket.close"]
    ] * len(paths)
