"""Everything of an account in one archive, and nothing that opens anything."""

import io
import json
import zipfile
from typing import Any

from django.test import Client

from accounts.models import User
from mcp_gateway.models import ApiKey
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor, make_memory, make_space
from tests.mcp_gateway.oauth.flow import connected, registered


def archive(client: Client) -> dict[str, Any]:
    answer = client.get("/account/export/")
    assert answer["Content-Type"] == "application/zip"
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(io.BytesIO(body)) as found:
        return {name: json.loads(found.read(name)) for name in found.namelist()}


def test_the_archive_has_the_account_every_space_and_whom_they_let_in(
    signed_in: Client, user: User, space: Space
) -> None:
    second = make_space(owner=user, name="Ação")
    make_memory(space, "We deploy on Fridays at noon.")
    connected(registered(client_name="Reader"), second, access="read")
    details = KeyDetails(["auth:read"], "nightly report")
    create_api_key(space=space, actor=make_actor(user), details=details)

    found = archive(signed_in)

    assert found["account.json"]["email"] == user.email
    first = next(name for name in found if space.pk.hex[:8] in name and "reads" not in name)
    assert found[first]["memories"][0]["content"] == "We deploy on Fridays at noon."
    assert found[first]["events"]
    assert found[f"spaces/acao-{second.pk.hex[:8]}.json"]["memories"] == []
    assert found[f"spaces/acao-{second.pk.hex[:8]}.reads.json"] == []
    assert [app["app"] for app in found["apps.json"]] == ["Reader"]
    assert [key["label"] for key in found["keys.json"]] == ["nightly report"]


def test_nothing_in_it_opens_anything(signed_in: Client, user: User, space: Space) -> None:
    tokens = connected(registered(client_name="Reader"), space)
    details = KeyDetails(["auth:read"], "nightly report")
    created = create_api_key(space=space, actor=make_actor(user), details=details)

    text = json.dumps(archive(signed_in))

    with inside(space):
        secrets = [created.secret, ApiKey.objects.get(space=space).key_hash]
    secrets += [str(tokens["access_token"]), str(tokens["refresh_token"])]
    secrets += [signed_in.cookies["brain_session"].value]
    assert [secret for secret in secrets if secret in text] == []


def test_nothing_of_other_people_is_in_it(signed_in: Client, space: Space) -> None:
    make_memory(make_space(), "Somebody else's secret plan.")
    connected(registered(client_name="Theirs"), make_space())

    text = json.dumps(archive(signed_in))

    assert "secret plan" not in text
    assert "Theirs" not in text


def test_the_account_page_leads_there_and_only_for_who_is_signed_in(
    signed_in: Client, space: Space
) -> None:
    assert "/account/export/" in signed_in.get("/account/").text
    assert signed_in.post("/account/export/").status_code == 405
    assert Client().get("/account/export/").status_code == 302
