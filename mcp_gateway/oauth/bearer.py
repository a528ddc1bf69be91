"""Who sent this token: the one place that turns a bearer token into a caller."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Field, Model
from django.utils import timezone
from oauth2_provider.models import AccessToken

from accounts.actors import Actor
from accounts.models import User
from mcp_gateway.context import Caller
from mcp_gateway.models import ApiKey, Application
from mcp_gateway.oauth.resources import resource_of
from mcp_gateway.scopes import known
from spaces.isolation import inside
from spaces.models import Space

KEY_PREFIX = "brain_"
_RESOURCE = AccessToken._meta.get_field("resource")  # noqa: SLF001
M = TypeVar("M", bound=Model)


class BearerError(Exception):
    """The token does not open this address; `description` goes into the challenge.

    It says the same for a foreign space and for one that does not exist.
    """

    def __init__(self, description: str = "The token is not valid for this address.") -> None:
        super().__init__(description)
        self.description = description


def digest(secret: str) -> str:
    """Return what is stored of a key or token.

    A plain hash is right here: slow hashes protect what people choose, and these carry 256
    random bits, which nobody can try through.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def authenticate(value: str, space_id: UUID) -> Caller:
    """Return who calls the space with this bearer token; raises BearerError."""
    if value.startswith(KEY_PREFIX):
        return _by_key(value, space_id)
    return _by_token(value, space_id)


@cache
def _statement() -> str:
    """Return the query of every call, written out: building it anew costs more than asking it.

    From the space through its owner to the token: a token without a user (those that manage a
    client's registration), of another user, or of an inactive one finds nothing.
    """
    models = (Space, User, AccessToken, Application)
    spaces, users, tokens, apps = (model._meta.db_table for model in models)  # noqa: SLF001
    return (
        f"select {_columns(Space, 's')}, {_columns(User, 'o')}, "  # noqa: S608  names of our tables
        "t.scope, t.expires, t.resource, t.application_id, a.name "
        f"from {spaces} s join {users} o on o.id = s.owner_id "
        f"join {tokens} t on t.user_id = o.id join {apps} a on a.id = t.application_id "
        "where s.id = %s and o.is_active and t.token_checksum = %s"
    )


def _columns(model: type[Model], alias: str) -> str:
    return ", ".join(f'{alias}."{field.column}"' for field in _fields(model))


def _fields(model: type[Model]) -> Sequence[Field[Any, Any]]:
    fields: Sequence[Field[Any, Any]] = model._meta.concrete_fields  # noqa: SLF001
    return fields


def _by_token(value: str, space_id: UUID) -> Caller:
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [space_id, digest(value)])
        row = cursor.fetchone()
    if row is None:
        raise BearerError
    values = iter(row)
    space, owner = _made(Space, values), _made(User, values)
    scope, expires, resource, application, name = values
    # Exactly this address: the toolkit's own check takes prefixes, and no resource for any.
    if _RESOURCE.from_db_value(resource, None, connection) != [resource_of(space_id)]:
        raise BearerError
    if expires <= timezone.now():
        raise BearerError("The access token has expired.")
    space.owner = owner
    actor = Actor(owner, "mcp", f"app:{application}", name)
    return Caller(actor, space, frozenset(known(scope.split())))


def _made(model: type[M], values: Iterator[Any]) -> M:
    """Return the row that the next values are, as a query would."""
    names = [field.attname for field in _fields(model)]
    return model.from_db(connection.alias, names, list(islice(values, len(names))))


def _by_key(value: str, space_id: UUID) -> Caller:
    with inside(space_id):
        key = (
            ApiKey.objects.select_related("space__owner")
            .filter(space_id=space_id, key_hash=digest(value))
            .first()
        )
    if key is None or not key.space.owner.is_active or key.revoked_at is not None:
        raise BearerError
    if not key.is_live(now=timezone.now()):
        raise BearerError("The key has expired.")
    actor = Actor(key.space.owner, "mcp", key.client_key, key.label)
    return Caller(actor, key.space, frozenset(known(key.scopes)))
