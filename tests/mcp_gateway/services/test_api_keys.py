import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotFoundError
from mcp_gateway.models import ApiKey
from mcp_gateway.services.api_keys import (
    KeyDetails,
    PastExpiryError,
    UnknownScopeError,
    create_api_key,
    revoke_api_key,
)
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_space


def test_a_key_is_stored_only_as_a_hash(space: Space, actor: Actor) -> None:
    created = create_api_key(
        space=space, actor=actor, details=KeyDetails(["auth:read"], " nightly  report ")
    )

    with inside(space):
        row = ApiKey.objects.values().get()
    assert created.secret.startswith("brain_")
    assert len(created.secret) == len("brain_") + 43
    assert created.secret not in str(row)
    assert row["label"] == "nightly report"
    assert row["scopes"] == ["auth:read"]
    assert row["created_by_id"] == actor.user.pk


def test_a_key_without_a_label_is_called_what_it_is(space: Space, actor: Actor) -> None:
    created = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:write"]))

    assert created.key.label == "API key"
    assert created.key.scopes == ["auth:read", "auth:write"]


@pytest.mark.parametrize("scopes", [[], ["auth:all"], ["auth:read", "admin"], [""]])
def test_a_key_needs_scopes_that_exist(space: Space, actor: Actor, scopes: list[str]) -> None:
    with pytest.raises(UnknownScopeError):
        create_api_key(space=space, actor=actor, details=KeyDetails(scopes))

    with inside(space):
        assert not ApiKey.objects.exists()


def test_a_key_can_not_have_expired_already(space: Space, actor: Actor) -> None:
    details = KeyDetails(["auth:read"], expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(PastExpiryError):
        create_api_key(space=space, actor=actor, details=details)


@pytest.mark.parametrize("label", ["x" * 81, "a\ud800b"])
def test_a_label_must_be_readable(space: Space, actor: Actor, label: str) -> None:
    with pytest.raises(DomainError):
        create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"], label))


def test_revoking_twice_changes_nothing(space: Space, actor: Actor) -> None:
    key = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"])).key
    revoke_api_key(space=space, key_id=key.pk)
    with inside(space):
        first = ApiKey.objects.get().revoked_at

    revoke_api_key(space=space, key_id=key.pk)

    with inside(space):
        assert ApiKey.objects.get().revoked_at == first
    assert first is not None


def test_a_key_of_another_space_can_not_be_revoked_here(space: Space, actor: Actor) -> None:
    key = create_api_key(space=space, actor=actor, details=KeyDetails(["auth:read"])).key
    other = make_space(owner=actor.user)

    for space_of, key_id in ((other, key.pk), (space, uuid.uuid4())):
        with pytest.raises(NotFoundError):
            revoke_api_key(space=space_of, key_id=key_id)


def test_the_database_refuses_a_key_that_allows_nothing(space: Space, actor: Actor) -> None:
    with pytest.raises(IntegrityError, match="key_allows_something"), inside(space):
        ApiKey.objects.create(
            space=space, label="x", key_hash="x", scopes=[], created_by=actor.user
        )
