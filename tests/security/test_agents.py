"""The MCP endpoint and its tools, tried with every token that must not open them."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone
from oauth2_provider.models import AccessToken

from mcp_gateway.models import ApiKey
from mcp_gateway.scopes import READ
from mcp_gateway.services.connections import disconnect_app
from mcp_gateway.tools.registry import TOOLS
from memories.models import Activity
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import delete_space
from tests.factories import make_actor, make_space
from tests.mcp_gateway.clients import POST_HEADERS, key_of, rpc, web
from tests.mcp_gateway.oauth.flow import connected as token_of
from tests.mcp_gateway.oauth.flow import consent, register, registered, revoke, sent_back
from tests.security.victims import MARK, Victim, browser, comparable, make_victim
from tests.tally import Tally

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

_MOMENTS = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
Made = dict[str, str]
# A value for each argument of each tool, so that a call fails for nothing else.
USUAL: dict[str, object] = {
    "content": "This was written by a stranger.", "kind": "observation", "path": "Strange",
    "source": "a stranger", "rationale": "no reason", "author": "agent", "query": MARK,
    "task": f"{MARK} task", "goal": "Take over", "next_step": "Read it all", "reason": "no reason",
    "limit": 20,
}  # fmt: skip


@pytest.fixture
def victim() -> Victim:
    return make_victim()


def expired_token(victim: Victim) -> Made:
    token = str(token_of(registered(), victim.space)["access_token"])
    newest = AccessToken.objects.filter(user=victim.user).latest("pk")
    newest.expires = timezone.now()
    newest.save()
    return {"authorization": f"Bearer {token}"}


def expired_key(victim: Victim) -> Made:
    secret = key_of(victim.space)
    with inside(victim.space):
        newest = ApiKey.objects.latest("created_at")
        newest.expires_at = timezone.now() - timedelta(seconds=1)
        newest.save()
    return {"authorization": f"Bearer {secret}"}


def revoked_key(victim: Victim) -> Made:
    secret = key_of(victim.space)
    with inside(victim.space):
        newest = ApiKey.objects.latest("created_at")
        newest.revoked_at = timezone.now()
        newest.save()
    return {"authorization": f"Bearer {secret}"}


def revoked_token(victim: Victim) -> Made:
    app = registered()
    token = str(token_of(app, victim.space)["access_token"])
    assert revoke(app, token).status_code == 200
    return {"authorization": f"Bearer {token}"}


def replaced_token(victim: Victim) -> Made:
    app = registered()
    tokens = token_of(app, victim.space)
    assert app.refresh(str(tokens["refresh_token"])).status_code == 200
    return {"authorization": f"Bearer {tokens['access_token']}"}


def disconnected_app(victim: Victim) -> Made:
    token = str(token_of(registered(), victim.space)["access_token"])
    newest = AccessToken.objects.filter(user=victim.user).latest("pk")
    assert disconnect_app(space=victim.space, application_id=newest.application_id)
    return {"authorization": f"Bearer {token}"}


def unused_code(victim: Victim) -> Made:
    url = registered().authorize_url(resource=victim.space.mcp_url)
    return {"authorization": f"Bearer {sent_back(consent(browser(victim.user), url))['code']}"}


def registration_token(_victim: Victim) -> Made:
    return {"authorization": f"Bearer {register().json()['registration_access_token']}"}


def session_cookie(victim: Victim) -> Made:
    value = browser(victim.user).cookies[settings.SESSION_COOKIE_NAME].value
    return {"cookie": f"{settings.SESSION_COOKIE_NAME}={value}"}


def session_as_bearer(victim: Victim) -> Made:
    value = browser(victim.user).cookies[settings.SESSION_COOKIE_NAME].value
    return {"authorization": f"Bearer {value}"}


def key_of_another_account(_victim: Victim) -> Made:
    return {"authorization": f"Bearer {key_of(make_space())}"}


def key_of_another_space(victim: Victim) -> Made:
    return {"authorization": f"Bearer {key_of(make_space(owner=victim.user))}"}


def token_of_another_space(victim: Victim) -> Made:
    token = token_of(registered(), make_space(owner=victim.user))["access_token"]
    return {"authorization": f"Bearer {token}"}


def hash_of_the_key(victim: Victim) -> Made:
    with inside(victim.space):
        return {"authorization": f"Bearer brain_{ApiKey.objects.all()[0].key_hash}"}


def checksum_of_the_token(victim: Victim) -> Made:
    token = AccessToken.objects.filter(user=victim.user).latest("pk")
    return {"authorization": f"Bearer {token.token_checksum}"}


CALLERS: dict[str, Callable[[Victim], Made]] = {
    "nobody": lambda _: {},
    "an expired access token": expired_token,
    "a revoked access token": revoked_token,
    "an access token that was refreshed": replaced_token,
    "the token of an app that was disconnected": disconnected_app,
    "an access token of another space": token_of_another_space,
    "a refresh token": lambda victim: {"authorization": f"Bearer {victim.refresh_token}"},
    "a code that was not exchanged": unused_code,
    "the token of a registration": registration_token,
    "an expired key": expired_key,
    "a revoked key": revoked_key,
    "a key of another space of the person": key_of_another_space,
    "a key of another account": key_of_another_account,
    "what is stored of a key": hash_of_the_key,
    "what is stored of a token": checksum_of_the_token,
    "a session cookie": session_cookie,
    "a session cookie as bearer": session_as_bearer,
    "the key as basic": lambda victim: {"authorization": f"Basic {victim.key}"},
    "the key as a cookie": lambda victim: {"cookie": f"access_token={victim.key}"},
    "a key without its end": lambda victim: {"authorization": f"Bearer {victim.key[:-1]}"},
    "a key in capitals": lambda victim: {"authorization": f"Bearer {victim.key.upper()}"},
    "two tokens": lambda victim: {"authorization": f"Bearer {victim.key} {victim.key}"},
    "a wildcard": lambda _: {"authorization": "Bearer %"},
    "an injection": lambda _: {"authorization": "Bearer brain_' or '1'='1"},
}


async def test_no_other_token_opens_the_endpoint_for_any_tool(victim: Victim, tried: Tally) -> None:
    bodies = [rpc("initialize"), rpc("tools/list"), b"{", b""]
    bodies += [rpc("tools/call", name=name, arguments=arguments(name, victim)) for name in TOOLS]
    nowhere = f"{settings.PUBLIC_URL}/mcp/{uuid4()}"

    for who, made in CALLERS.items():
        headers = POST_HEADERS | await sync_to_async(made)(victim)
        before = await sync_to_async(victim.fingerprint)()
        async with web() as http:
            answers = [
                await http.post(victim.space.mcp_url, content=body, headers=headers)
                for body in bodies
            ]
            elsewhere = await http.post(nowhere, content=bodies[1], headers=headers)
        tried.add(len(bodies))

        assert {answer.status_code for answer in answers} == {401}, who
        assert len({answer.content for answer in answers}) == 1, who
        assert all(MARK not in answer.text for answer in answers), who
        # Those who once had a way in hear that it ended; everybody else, nothing.
        if who not in {"an expired access token", "an expired key"}:
            here = comparable(answers[1].headers["www-authenticate"], {})
            assert answers[1].content == elsewhere.content, who
            assert here == comparable(elsewhere.headers["www-authenticate"], {}), who
        assert await sync_to_async(victim.fingerprint)() == before, who


def arguments(name: str, victim: Victim, **changes: object) -> dict[str, object]:
    """Return a call of the tool that nothing but the caller stands against."""
    schema: dict[str, Any] = TOOLS[name].input_schema()
    known = {"id": victim.ids["memory_id"]} | USUAL | changes
    missing = [argument for argument in schema.get("required", ()) if argument not in known]
    assert not missing, f"Say in USUAL what {name} takes as {missing}."
    return {argument: known[argument] for argument in schema["properties"] if argument in known}


async def test_the_right_key_opens_it_so_that_the_refusals_mean_something(victim: Victim) -> None:
    async with web(victim.key) as http:
        answer = await http.post(
            victim.space.mcp_url,
            content=rpc("tools/call", name="search", arguments={"query": MARK}),
            headers=POST_HEADERS,
        )

    assert answer.status_code == 200
    assert MARK in answer.text


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.scope != READ])
async def test_a_key_that_only_reads_calls_no_tool_that_writes(victim: Victim, name: str) -> None:
    key = await sync_to_async(key_of)(victim.space, READ)
    before = await sync_to_async(victim.fingerprint)()

    async with web(key) as http:
        answers = [
            await http.post(
                victim.space.mcp_url,
                content=rpc("tools/call", name=asked, arguments=arguments(name, victim)),
                headers=POST_HEADERS,
            )
            for asked in (name, "no_such_tool")
        ]
        listed = await http.post(
            victim.space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS
        )

    assert answers[0].json()["error"] == answers[1].json()["error"]
    assert name not in {tool["name"] for tool in listed.json()["result"]["tools"]}
    assert await sync_to_async(victim.fingerprint)() == before


@pytest.mark.parametrize("name", TOOLS)
async def test_a_foreign_id_is_to_every_tool_as_one_that_never_was(
    victim: Victim, name: str, tried: Tally
) -> None:
    """Every text argument of the tool, with every id of the victim in it."""
    before = await sync_to_async(victim.fingerprint)()
    schema: dict[str, Any] = TOOLS[name].input_schema()
    texts = [
        argument
        for argument, property_ in schema["properties"].items()
        if property_["type"] == "string" and "enum" not in property_
    ]

    for argument in texts:
        for each in ("memory_id", "space_id"):
            theirs, nobodys = [
                await in_a_new_space(
                    name, arguments(name, victim, id=str(uuid4())) | {argument: value}
                )
                for value in (victim.ids[each], str(uuid4()))
            ]
            tried.add()
            assert f"{MARK} deploys" not in theirs, (argument, each)
            assert theirs == nobodys, (argument, each)

    assert await sync_to_async(victim.fingerprint)() == before


async def in_a_new_space(name: str, sent: dict[str, object]) -> str:
    """Return what the tool says to another account, without ids."""
    space = await sync_to_async(make_space)()
    async with web(await sync_to_async(key_of)(space)) as http:
        body = rpc("tools/call", name=name, arguments=sent)
        answer = await http.post(space.mcp_url, content=body, headers=POST_HEADERS)
    assert answer.status_code == 200
    return _MOMENTS.sub("MOMENT", comparable(answer.text, {}))


async def test_a_space_that_is_deleted_takes_every_token_along(
    victim: Victim, tried: Tally
) -> None:
    def delete() -> None:
        actor = make_actor(victim.user)
        delete_space(space=Space.objects.get(), actor=actor, typed_name=victim.space.name)

    await sync_to_async(delete)()

    for value in (victim.key, victim.access_token):
        async with web(value) as http:
            answer = await http.post(
                victim.space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS
            )
        tried.add()
        assert answer.status_code == 401
    renewed = await sync_to_async(victim.app.refresh)(victim.refresh_token)
    assert renewed.json()["error"] == "invalid_grant"


async def test_no_instance_id_reaches_a_row_as_it_was_sent(victim: Victim, tried: Tally) -> None:
    hostile = ["<script>", "\x1b[31m", "a" * 5000, "x\u202ey", "é" * 99, "=1+1", "\t\t"]

    for value in hostile:
        headers = {k.encode(): v.encode() for k, v in POST_HEADERS.items()}
        headers[b"x-agent-instance-id"] = value.encode()
        body = rpc("tools/call", name="save", arguments=arguments("save", victim))
        async with web(victim.key) as http:
            answer = await http.post(victim.space.mcp_url, content=body, headers=headers)
        tried.add()
        assert answer.status_code == 200

    def stored() -> list[str]:
        with inside(victim.space):
            return list(Activity.objects.values_list("agent_instance", flat=True))

    for value in await sync_to_async(stored)():
        assert len(value) <= 100
        assert value.isprintable()


async def test_calls_that_are_sent_again_change_nothing_twice(victim: Victim) -> None:
    """A recorded request, replayed: the same fact stays one memory."""
    body = rpc("tools/call", name="save", arguments=arguments("save", victim))

    async with web(victim.key) as http:
        answers = [
            await http.post(victim.space.mcp_url, content=body, headers=POST_HEADERS)
            for _ in range(3)
        ]

    results = [answer.json()["result"]["structuredContent"] for answer in answers]
    assert len({result["id"] for result in results}) == 1
    assert [result["outcome"] for result in results] == ["created", "refreshed", "refreshed"]
    assert json.dumps(results).count(MARK) == 0
