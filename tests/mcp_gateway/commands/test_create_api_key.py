import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from mcp_gateway.models import ApiKey
from mcp_gateway.oauth.bearer import authenticate
from spaces.isolation import inside
from spaces.models import Space


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("create_api_key", *arguments, stdout=out)
    return out.getvalue()


def test_json_is_one_object_and_nothing_else(space: Space) -> None:
    printed = run(str(space.pk), "--scope", "auth:read", "--scope", "auth:write", "--json")

    made = json.loads(printed)
    assert printed.count("\n") == 1
    assert made.keys() == {"id", "url", "key"}
    assert made["url"] == space.mcp_url
    caller = authenticate(made["key"], space.pk)
    assert caller.actor.client_key == f"key:{made['id']}"
    assert caller.may_write


def test_the_key_is_printed_once_for_people(space: Space) -> None:
    printed = run(str(space.pk), "--label", "nightly", "--expires-in-days", "7")

    with inside(space):
        key = ApiKey.objects.get()
    secret = next(word for word in printed.split() if word.startswith("brain_"))
    assert authenticate(secret, space.pk).actor.client_name == "nightly"
    assert key.expires_at is not None
    assert timedelta(days=6) < key.expires_at - timezone.now() <= timedelta(days=7)


def test_without_a_scope_the_key_can_only_read(space: Space) -> None:
    made = json.loads(run(str(space.pk), "--json"))

    assert authenticate(made["key"], space.pk).scopes == {"auth:read"}


@pytest.mark.parametrize("name", ["9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001", "nonsense", ""])
def test_an_unknown_space_is_one_sentence(db: None, name: str) -> None:
    with pytest.raises(CommandError, match=r"^There is no such space\.") as caught:
        run(name, "--json")

    assert caught.value.returncode == 1


@pytest.mark.parametrize(
    "wrong", [["--scope", "auth:all"], ["--expires-in-days", "0"], ["--label", "x" * 81]]
)
def test_what_can_not_be_a_key_is_refused(space: Space, wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        run(str(space.pk), *wrong)

    with inside(space):
        assert not ApiKey.objects.exists()
