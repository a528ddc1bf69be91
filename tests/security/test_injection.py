"""Text that is code in a query: every parameter that a page reads, every argument of a tool."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.http import QueryDict
from django.test import Client

from mcp_gateway.tools.registry import TOOLS
from tests.factories import make_memory, make_space
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web
from tests.security.doors import Door, doors
from tests.security.test_agents import arguments
from tests.security.victims import MARK, Victim, browser, id_for, make_victim
from tests.tally import Tally

pytestmark = pytest.mark.usefixtures("unlimited")

HOSTILE = (
    "' or '1'='1", "'; drop table memories_memory; --", "1); select pg_sleep(9); --", "\\'; --",
    "%' or space_id is not null --", "$$; select 1; $$", "{{space_id}}", "%s %(x)s %%", "{0.__class__}",
    "a & ! | <-> :* (", ":*", "!!!", "'a' <2> 'b':ABCD*", "\"unclosed", "a:b -c OR AND NOT near(",
    "%", "_", "\\", "%%%%_____", "\\%\\_\\", "*", "?", "[", "(" * 200, "a" * 20_000, "é" * 3_000,
    "\x00", "a\x00b", "\ufeff", "\u202e", "\ud7ff", "’", "-1", "1e999", "NaN", "null", "true", "[]",
    "../../etc/passwd", "2026-99-99", "0000-00-00T99:99", "9999-12-31T23:59:59Z", "-infinity",
    "' union select content, content from memories_memory --", "x' || pg_sleep(9) || '",
)  # fmt: skip


# Those that have found something elsewhere; all of them go to what becomes part of a query.
TELLING = (
    "' or '1'='1", "'; select pg_sleep(9); --", "%s %(x)s {0} %", "a & ! | <-> :* (", "\x00", "\\",
    "(" * 200, "a" * 20_000, "-1", "\ud7ff\u202e", "9999-12-31T23:59:59Z",
)  # fmt: skip
SEARCHED = {"query", "path_filter", "task", "path"}


@pytest.fixture
def victim(db: None) -> Victim:
    return make_victim()


@contextmanager
def names_read() -> Iterator[set[str]]:
    """Note every parameter that is asked for, so that a new one is attacked by itself."""
    seen: set[str] = set()
    patch = pytest.MonkeyPatch()

    def noting(original: Callable[..., object]) -> Callable[..., object]:
        def asked(self: QueryDict, key: str, *more: object, **named: object) -> object:
            seen.add(key)
            return original(self, key, *more, **named)

        return asked

    for name in ("__getitem__", "getlist", "get"):
        patch.setattr(QueryDict, name, noting(getattr(QueryDict, name)))
    try:
        yield seen
    finally:
        patch.undo()


def attacked() -> list[Door]:
    return [door for door in doors() if not door.is_admin and "delete" not in door.route]


def test_no_parameter_of_a_page_is_ever_code(victim: Victim, tried: Tally) -> None:
    """In a space of one's own, beside a victim: no error, no pause, nothing of the victim."""
    own = make_space()
    make_memory(own)
    client, before = browser(own.owner), victim.fingerprint()

    for door in attacked():
        ids = {part: id_for(part, victim) for part in door.parts} | {"space_id": str(own.pk)}
        url = door.url(ids)
        with names_read() as names:
            check(client.get(url), url)
        for text in TELLING:
            for name in sorted(names):
                check(client.get(url, {name: text}), (url, name, text))
                tried.add()
    assert victim.fingerprint() == before


def test_no_field_of_a_form_is_ever_code(victim: Victim, tried: Tally) -> None:
    own = make_space()
    make_memory(own)
    client, before = browser(own.owner), victim.fingerprint()

    for door in attacked():
        ids = {part: id_for(part, victim) for part in door.parts} | {"space_id": str(own.pk)}
        url = door.url(ids)
        if "sign-out" in url:
            continue
        with names_read() as names:
            check(client.post(url, {}), url)
        for text in TELLING:
            check(client.post(url, dict.fromkeys(names, text)), (url, text))
            tried.add(max(1, len(names)))
            client = browser(own.owner) if "sign" in url else client
    assert victim.fingerprint() == before


def check(answer: Any, where: object) -> None:
    body = b"".join(answer).decode(errors="replace")
    assert answer.status_code < 500, where
    assert f"{MARK} deploys" not in body, where
    assert "syntax error" not in body, where


@pytest.mark.parametrize(
    "part", ["1%27", "..%2f..%2fetc", "%00", "x" * 5000, "%F0%9F%98%80", "-1", "%25s"]
)
def test_no_part_of_an_address_is_ever_code(victim: Victim, part: str, tried: Tally) -> None:
    client = browser(victim.user)

    for door in doors():
        for name in door.parts:
            url = door.url({each: id_for(each, victim) for each in door.parts} | {name: part})
            answer = client.get(url)
            tried.add()
            assert answer.status_code in {301, 302, 400, 401, 403, 404, 405, 422}, (
                url,
                answer.status_code,
            )


@pytest.mark.django_db(transaction=True)
async def test_no_argument_of_a_tool_is_ever_code(tried: Tally) -> None:
    victim = await sync_to_async(make_victim)()
    before = await sync_to_async(victim.fingerprint)()
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        for name, tool in TOOLS.items():
            schema: dict[str, Any] = tool.input_schema()
            for argument in schema["properties"]:
                for text in HOSTILE if argument in SEARCHED else TELLING:
                    sent = arguments(name, victim, id=str(uuid4())) | {argument: text}
                    body = rpc("tools/call", name=name, arguments=sent)
                    answer = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)
                    tried.add()
                    where = (name, argument, text)
                    assert answer.status_code == 200, where
                    assert "Something went wrong here" not in answer.text, where
                    assert f"{MARK} deploys" not in answer.text, where

    assert await sync_to_async(victim.fingerprint)() == before


WRONG_TYPES: tuple[object, ...] = (
    0, -1, 10**30, 1.5, True, None, [], {}, [[]], {"a": {"b": []}}, ["x", 7], {"__proto__": 1}, "",
)  # fmt: skip


@pytest.mark.django_db(transaction=True)
async def test_no_argument_of_a_wrong_type_is_more_than_a_refusal(tried: Tally) -> None:
    victim = await sync_to_async(make_victim)()
    space = await sync_to_async(make_space)()
    key = await sync_to_async(key_of)(space)

    async with web(key) as http:
        for name, tool in TOOLS.items():
            schema: dict[str, Any] = tool.input_schema()
            for argument in (*schema["properties"], "unknown", "__class__", "space_id", "scopes"):
                is_known = argument in schema["properties"]
                for value in WRONG_TYPES if is_known else ("x", {}):
                    sent = arguments(name, victim, id=str(uuid4())) | {argument: value}
                    body = rpc("tools/call", name=name, arguments=sent)
                    answer = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)
                    tried.add()
                    where = (name, argument, value)
                    assert answer.status_code in {200, 400}, where
                    assert "Something went wrong here" not in answer.text, where
                    if not is_known:
                        assert answer.json()["result"]["isError"], where


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":' + b'{"a":' * 50_000,
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":'
        + b'{"query":' + b"[" * 20_000 + b"]" * 20_000 + b"}}}",
        b'{"jsonrpc":"2.0","id":NaN,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":Infinity,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":' + b"9" * 10_000 + b',"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1e400,"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","method":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list\\u0000"}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search",'
        b'"arguments":{"query":"\\ud800 \\udfff"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":'
        b'{"content":"Half a character \\ud800 here.","kind":"observation","path":"A"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["search"]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}',
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]' * 2,
        "[".encode("utf-16"),
        b"\xff" * 1000,
        b" " * 200_000,
        b'"' + b"a" * 5_000_000 + b'"',
    ],
    ids=["deep list", "deep object", "deep argument", "nan", "infinity", "long number", "float",
         "object as id", "twice", "nul", "half id", "half method", "half tool", "half query",
         "half content", "list of params", "list as name", "file", "sampling", "two bodies",
         "utf16", "bytes", "blanks", "large"],
)  # fmt: skip
async def test_a_body_that_is_no_call_gets_an_error_and_breaks_nothing(
    body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    space = await sync_to_async(make_space)()

    async with web(await sync_to_async(key_of)(space)) as http:
        answer = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)
        after = await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS)

    assert answer.status_code in {200, 202, 400, 404, 413}
    if answer.status_code == 200:
        said = answer.json()
        assert "error" in said or "result" in said
        assert "Something went wrong here" not in answer.text
    assert after.status_code == 200
    assert "Traceback" not in caplog.text
    assert json.loads(after.text)["result"]["tools"]
    assert connection.alias == "default"


def test_a_page_of_another_kind_of_body_is_refused_not_broken(db: None, tried: Tally) -> None:
    client = Client()

    for door in doors():
        for body, kind in ((b"[" * 100_000, "application/json"), (b"\xff\x00", "text/xml")):
            answer = client.generic("POST", door.url(dict.fromkeys(door.parts, "x")), body, kind)
            tried.add()
            assert answer.status_code < 500, door.route
