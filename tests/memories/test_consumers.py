import asyncio
import json
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError

from accounts.models import BrowserSession, User
from brain.asgi import application
from brain.lib import hints
from memories import consumers
from memories.services import telling
from spaces.models import Space
from tests.factories import make_memory, make_space, make_user

pytestmark = pytest.mark.django_db(transaction=True)
T = TypeVar("T")
HOST = settings.PUBLIC_URL.partition("://")[2]


def cookie_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


class OpenPage:
    """The websocket of a page, as the server sees it."""

    def __init__(self, scope: dict[str, object]) -> None:
        communicator: Any = ApplicationCommunicator  # asgiref has no types for it
        self.socket = communicator(application, scope)

    async def connect(self) -> bool:
        await self.socket.send_input({"type": "websocket.connect"})
        answer: dict[str, object] = await self.socket.receive_output(5)
        if answer["type"] == "websocket.accept":
            return True
        await self.leave()
        return False

    async def told(self) -> dict[str, object]:
        message: dict[str, object] = await self.socket.receive_output(5)
        assert message["type"] == "websocket.send", message
        told: dict[str, object] = json.loads(str(message["text"]))
        return told

    async def closed(self) -> int:
        """Return the code that it is closed with; none of it may be a message."""
        message = await self.socket.receive_output(5)
        assert message["type"] == "websocket.close"
        await self.leave()
        return int(message["code"])

    async def leave(self) -> None:
        """Go, as every browser does in the end; the server may not keep anything running then."""
        await self.socket.send_input({"type": "websocket.disconnect", "code": 1001})
        # Not wait(), which ends what goes on: no server does that.
        await asyncio.wait([self.socket.future], timeout=5)
        assert self.socket.future.done()

    async def says(self, text: str) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text})

    async def hears_nothing(self) -> bool:
        return bool(await self.socket.receive_nothing())


def page_at(path: str, *, cookie: str = "", origin: str = settings.PUBLIC_URL) -> OpenPage:
    headers = [("host", HOST), ("origin", origin), ("cookie", cookie)]
    scope: dict[str, object] = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "subprotocols": [],
    }
    return OpenPage(scope)


def page_of(space: Space, cookie: str, *, origin: str = settings.PUBLIC_URL) -> OpenPage:
    return page_at(f"/live/{space.pk}", cookie=cookie, origin=origin)


async def closes_with(page: OpenPage) -> int:
    assert await page.connect()
    return await page.closed()


async def listening(page: OpenPage) -> OpenPage:
    assert await page.connect()
    assert await page.told() == {"listening": True}
    return page


async def in_database(change: Callable[[], T]) -> T:
    result: T = await database_sync_to_async(change)()
    await asyncio.to_thread(hints.flush)
    return result


async def test_an_open_page_hears_what_changed_and_nothing_of_its_text(
    space: Space, user: User
) -> None:
    cookie = await in_database(lambda: cookie_of(user))
    page = await listening(page_of(space, cookie))

    await in_database(lambda: make_memory(space))

    assert await page.told() == {"changed": "memories"}
    await page.leave()


async def test_a_page_hears_nothing_of_another_space(space: Space, user: User) -> None:
    cookie = await in_database(lambda: cookie_of(user))
    page = await listening(page_of(space, cookie))

    await in_database(lambda: make_memory(make_space(owner=user)))

    assert await page.hears_nothing()
    await page.leave()


async def test_a_stranger_is_told_that_there_is_no_such_space(space: Space) -> None:
    cookie = await in_database(lambda: cookie_of(make_user()))

    assert await closes_with(page_of(space, cookie)) == 4404
    assert await closes_with(page_of(space, "")) == 4404
    assert await closes_with(page_of(space, f"{settings.SESSION_COOKIE_NAME}=guessed")) == 4404


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", ""])
async def test_a_page_of_another_host_is_refused(space: Space, user: User, origin: str) -> None:
    cookie = await in_database(lambda: cookie_of(user))
    page = page_of(space, cookie, origin=origin)

    assert not await page.connect()


async def test_a_page_on_another_port_of_this_machine_is_refused(space: Space, user: User) -> None:
    cookie = await in_database(lambda: cookie_of(user))

    assert await closes_with(page_of(space, cookie, origin="http://127.0.0.1:1")) == 4404


async def test_an_unknown_address_is_refused() -> None:
    assert not await page_at("/live/nothing").connect()


async def test_signing_out_ends_the_updates(
    space: Space, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "CHECKS_EVERY", 0.0)
    cookie = await in_database(lambda: cookie_of(user))
    page = await listening(page_of(space, cookie))

    await in_database(BrowserSession.objects.all().delete)
    await in_database(lambda: make_memory(space))

    assert await page.closed() == 4404


async def test_what_a_page_sends_is_ignored(space: Space, user: User) -> None:
    cookie = await in_database(lambda: cookie_of(user))
    page = await listening(page_of(space, cookie))

    await page.says("{not json")

    assert await page.hears_nothing()
    await page.leave()


async def test_without_valkey_the_page_is_asked_to_try_again_later(
    space: Space, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = await in_database(lambda: cookie_of(user))
    monkeypatch.setattr(get_channel_layer(), "hosts", [{"address": "unix:///nowhere.sock"}])

    assert await closes_with(page_of(space, cookie)) == 1013


def test_without_valkey_a_save_is_as_good_as_ever(
    space: Space, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise RedisConnectionError("no Valkey here")

    monkeypatch.setattr(telling, "_send", refuse)

    memory = make_memory(space)

    assert hints.flush()
    assert memory.version == 1
    assert "no Valkey here" not in caplog.text
