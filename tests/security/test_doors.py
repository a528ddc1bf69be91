"""Every address, tried by everybody who has no business there. A new one is tried by itself."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import BrowserSession
from brain.api import api
from mcp_gateway.models import ApiKey
from mcp_gateway.scopes import READ
from spaces.isolation import inside
from tests.factories import make_actor, make_memory, make_space, make_user
from tests.mcp_gateway.clients import key_of
from tests.operators import verified_browser
from tests.security.doors import OPEN, Door, doors
from tests.security.victims import (
    MARK,
    Victim,
    browser,
    comparable,
    id_for,
    make_victim,
    nowhere,
)
from tests.tally import Tally

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unlimited")]

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND")
# What a form of any page could want, so that nothing is refused for what it lacks.
FORM = {
    "name": "Taken", "email": "taken@example.org", "content": "This was taken over by somebody.",
    "answer": "kept_first", "confirm": "yes", "word": "erase", "reason": "taken", "kind": "decision",
    "path": "Taken", "source": "taken", "rationale": "taken", "label": "taken", "access": "write",
    "days": "0", "language": "en", "app": "app:wrong", "since": "2020-01-01T00:00", "seen": "1,1",
}  # fmt: skip


@pytest.fixture
def victim() -> Victim:
    return make_victim()


def ids_of(door: Door, victim: Victim) -> dict[str, str]:
    return {part: id_for(part, victim) for part in door.parts}


def bearer(value: str) -> Client:
    return Client(headers={"authorization": f"Bearer {value}"})


def with_cookie(value: str) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = value
    return client


def session_of(victim: Victim) -> str:
    """Return the cookie of a new session of the victim."""
    return str(browser(victim.user).cookies[settings.SESSION_COOKIE_NAME].value)


def signed_out(victim: Victim) -> Client:
    cookie = session_of(victim)
    with_cookie(cookie).post("/sign-out/")
    return with_cookie(cookie)


def expired(victim: Victim) -> Client:
    cookie = session_of(victim)
    past = timezone.now() - timedelta(seconds=1)
    BrowserSession.objects.filter(session_key=cookie).update(expire_date=past)
    return with_cookie(cookie)


def ended_key(victim: Victim, field: str) -> str:
    """Return a key of the space that was revoked, or has expired."""
    secret = key_of(victim.space)
    with inside(victim.space):
        newest = ApiKey.objects.latest("created_at")
        ApiKey.objects.filter(pk=newest.pk).update(**{field: timezone.now()})
    return secret


# It opens the REST API of its space, and nothing else.
OWN_KEY = "an API key of the space, at the pages"
STRANGERS: dict[str, Callable[[Victim], Client]] = {
    "nobody": lambda _: Client(),
    "an access token": lambda victim: bearer(victim.access_token),
    "a refresh token": lambda victim: bearer(victim.refresh_token),
    OWN_KEY: lambda victim: bearer(victim.key),
    "a key of another space of the person": lambda victim: bearer(
        key_of(make_space(owner=victim.user))
    ),
    "a key of another account": lambda _: bearer(key_of(make_space())),
    "a revoked key": lambda victim: bearer(ended_key(victim, "revoked_at")),
    "an expired key": lambda victim: bearer(ended_key(victim, "expires_at")),
    "an API key as the cookie": lambda victim: with_cookie(victim.key),
    "a made-up cookie": lambda _: with_cookie("a" * 32),
    "a browser that signed out": signed_out,
    "a session that expired": expired,
}


def test_the_open_doors_are_exactly_those_that_are_listed_with_a_reason() -> None:
    assert set(OPEN) <= {door.name for door in doors()}
    assert all(OPEN.values())


@pytest.mark.parametrize("who", STRANGERS)
def test_who_is_not_signed_in_gets_through_no_closed_door(
    victim: Victim, who: str, tried: Tally
) -> None:
    client = STRANGERS[who](victim)
    before = victim.fingerprint()
    let_in: list[str] = []

    for door in doors():
        if who == OWN_KEY and door.is_rest:
            continue
        for method in METHODS if who == "nobody" else ("GET", "POST"):
            answer = client.generic(method, door.url(ids_of(door, victim)))
            tried.add()
            if not door.is_open and not is_refusal(answer):
                let_in.append(f"{method} {door.route}: {answer.status_code}")
            assert MARK not in text_of(answer), (method, door.route)
            assert answer.status_code < 500, (method, door.route)

    assert let_in == []
    assert victim.fingerprint() == before


def text_of(answer: "Answer") -> str:
    """Return the body, also of an answer that is sent in parts."""
    return b"".join(answer).decode(errors="replace")


def is_refusal(answer: "Answer") -> bool:
    """Say whether the answer leads to sign-in, or says that there is nothing."""
    if answer.status_code in {301, 302}:
        return urlsplit(answer["Location"]).path in {"/sign-in/", "/admin/login/", "/admin/"}
    return answer.status_code in {401, 403, 404, 405}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_another_account_finds_the_same_as_where_there_is_nothing(
    victim: Victim, method: str, tried: Tally
) -> None:
    """Status, body and number of queries are the same for a foreign id and for none."""
    stranger = make_user()
    own = make_space(owner=stranger)
    make_memory(own)
    client, before = browser(stranger), victim.fingerprint()

    for door in doors():
        if not door.parts or door.is_open or door.is_admin:
            continue
        foreign = ids_of(door, victim)
        tries: list[Mapping[str, str]] = [foreign]
        if "space_id" in door.parts and len(door.parts) > 1:
            tries.append(foreign | {"space_id": str(own.pk)})
        for ids in tries:
            nobodys = nowhere(ids) | ({"space_id": str(own.pk)} if ids is not foreign else {})
            theirs, theirs_asked = asked(client, method, door.url(ids))
            none, none_asked = asked(client, method, door.url(nobodys))
            tried.add()
            where = (method, door.route, dict(ids))
            assert is_nothing(theirs, door), where
            assert theirs.status_code == none.status_code, where
            assert said(theirs, ids) == said(none, nobodys), where
            assert theirs_asked == none_asked, where
            assert MARK not in text_of(theirs), where
    assert victim.fingerprint() == before


def is_nothing(answer: "Answer", door: Door) -> bool:
    # In a space of one's own the format of a file is no id of anybody. Taking away what is not
    # there leads back to the list, whether it is somebody's or nobody's.
    is_own_list = set(door.parts) == {"space_id", "form"} and answer.status_code == 200
    is_led_back = answer.status_code == 302 and answer["Location"] == "/account/apps/"
    # What the schema refuses is refused before anybody looks for the space.
    is_malformed = door.is_rest and answer.status_code in {400, 422}
    return is_own_list or is_led_back or is_malformed or answer.status_code in {404, 405}


def asked(client: Client, method: str, url: str) -> "tuple[Answer, int]":
    with CaptureQueriesContext(connection) as queries:
        if method == "POST" and url.startswith("/api/"):
            answer = client.post(url, json.dumps(FORM), "application/json")
        elif method == "POST":
            answer = client.post(url, FORM)
        else:
            answer = client.generic(method, url)
    return answer, len(queries)


def said(answer: "Answer", ids: Mapping[str, str]) -> str:
    return comparable(text_of(answer) + answer.get("Location", ""), ids)


def test_an_account_that_was_closed_is_nobody(victim: Victim, tried: Tally) -> None:
    client = browser(victim.user)
    victim.user.is_active = False
    victim.user.save()

    for door in doors():
        answer = client.get(door.url(ids_of(door, victim)))
        tried.add()
        assert door.is_open or is_refusal(answer), (door.route, answer.status_code)


def test_no_page_changes_anything_by_being_looked_at(victim: Victim, tried: Tally) -> None:
    """A picture on a foreign page makes the browser of the victim send such a request."""
    client, before = browser(victim.user), victim.fingerprint()

    for door in doors():
        for method in ("GET", "HEAD", "OPTIONS"):
            answer = client.generic(method, door.url(ids_of(door, victim)), **navigated())
            text_of(answer)
            tried.add()
            assert answer.status_code < 500, (method, door.route)
            assert victim.fingerprint() == before, (method, door.route)


def navigated() -> dict[str, Any]:
    return {"headers": {"sec-fetch-site": "cross-site", "referer": "https://evil.example/"}}


def test_no_form_is_taken_without_the_token_of_the_page(victim: Victim, tried: Tally) -> None:
    """Cross-site request forgery, at every address, with everything that a form could hold."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(victim.user)
    before = victim.fingerprint()
    taken = []

    for door in doors():
        if door.is_open:
            continue
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            url = door.url(ids_of(door, victim))
            encoded = {} if method != "POST" else {"data": FORM}
            send = getattr(client, method.lower())
            answer = send(url, **encoded, headers={"origin": "https://evil.example"})
            tried.add()
            if answer.status_code not in {403, 404, 405}:
                taken.append((method, door.route, answer.status_code))

    assert taken == []
    assert victim.fingerprint() == before


def test_a_key_that_only_reads_writes_nothing_by_any_address(victim: Victim, tried: Tally) -> None:
    client = bearer(key_of(victim.space, READ))
    body = json.dumps(FORM | {"version": 1, "task": "x", "goal": "y", "next_step": "z"})
    client.get(f"/api/v1/spaces/{victim.space.pk}")
    before = victim.fingerprint()
    taken = []

    for door in doors():
        if door.is_rest and not door.is_open:
            url = door.url(ids_of(door, victim))
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                answer = client.generic(method, url, body, "application/json")
                tried.add()
                if answer.status_code < 400:
                    taken.append((method, door.route))

    changed = {
        table: (before[table], after)
        for table, after in victim.fingerprint().items()
        if after != before[table] and table not in USES
    }
    assert changed == {}
    # What only reads may be asked with a body as well, such as a search.
    assert all("search" in route or "resume" in route for _, route in taken), taken


# Where a key notes that it was used.
USES = {'"mcp_gateway_connection"', '"mcp_gateway_apikey"', '"memories_recall"'}


def test_every_operation_of_the_rest_api_asks_who_it_is(tried: Tally) -> None:
    schema: dict[str, Any] = api.get_openapi_schema()

    unsecured = [
        f"{method} {path}"
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if not operation.get("security")
    ]
    tried.add(sum(len(methods) for methods in schema["paths"].values()))

    assert unsecured == []


def test_staff_without_rights_see_nothing_of_anybody_in_the_admin(
    victim: Victim, tried: Tally
) -> None:
    staff = make_user(is_staff=True)
    client, before = verified_browser(staff), victim.fingerprint()

    for door in doors():
        if door.is_admin:
            for method in ("GET", "POST"):
                answer = client.generic(method, door.url(ids_of(door, victim)))
                tried.add()
                assert MARK not in text_of(answer), (method, door.route)

    assert victim.fingerprint() == before


@contextmanager
def one_space_less(victim: Victim) -> Iterator[None]:
    """Give the space to somebody else for a while."""
    other = make_actor()
    type(victim.space).objects.filter(pk=victim.space.pk).update(owner=other.user)
    yield
    type(victim.space).objects.filter(pk=victim.space.pk).update(owner=victim.user)


def test_who_lost_a_space_is_a_stranger_in_it_at_once(victim: Victim, tried: Tally) -> None:
    client = browser(victim.user)

    with one_space_less(victim):
        for door in doors():
            if door.is_in_space:
                answer = client.get(door.url(ids_of(door, victim)))
                tried.add()
                assert is_nothing(answer, door), (door.route, answer.status_code)
                assert MARK not in text_of(answer), door.route
