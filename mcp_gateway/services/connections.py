"""What agents did in a space, and how a person takes their access away."""

import contextlib
from datetime import datetime, timedelta
from enum import Enum
from typing import assert_never
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from accounts.models import User
from mcp_gateway.context import Caller
from mcp_gateway.models import ApiKey, Application, Connection
from mcp_gateway.oauth.resources import resource_of
from spaces.isolation import inside
from spaces.models import Space

_AT_MOST_EVERY = timedelta(minutes=1)


_MOST_RECENT = 10_000


class Deed(Enum):
    """What a call was for."""

    CALLED = "called"
    SAVED = "saved"
    SEARCHED = "searched"


# What this process noted last: most calls then ask the database nothing for their note.
_recent: dict[tuple[UUID, str, Deed, str], datetime] = {}


def record_use(caller: Caller, *, deed: Deed = Deed.CALLED, error_code: str = "") -> None:
    """Note that the caller was here, at most once a minute for each thing it did.

    Call it after the work and outside its transaction: a refused call is noted as well, and no
    call then waits for another one's note.
    """
    now = timezone.now()
    what = (caller.space.pk, caller.actor.client_key, deed, error_code)
    if (last := _recent.get(what)) and last <= now < last + _AT_MOST_EVERY:
        return
    # A space that was deleted meanwhile takes no notes; the call itself was answered.
    with contextlib.suppress(IntegrityError):
        _note(caller, deed=deed, error_code=error_code, now=now)
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[what] = now


def _note(caller: Caller, *, deed: Deed, error_code: str, now: datetime) -> None:
    with inside(caller.space):
        connection, is_new = Connection.objects.get_or_create(
            space=caller.space,
            client_key=caller.actor.client_key,
            defaults={"client_name": caller.actor.client_name},
        )
        noted = _noted(connection, deed=deed, error_code=error_code, now=now)
        if not is_new and not noted:
            return
        for field, value in noted.items():
            setattr(connection, field, value)
        connection.save(update_fields=list(noted))
        if caller.actor.client_key.startswith("key:"):
            keys = ApiKey.objects.filter(pk=caller.actor.client_key.removeprefix("key:"))
            keys.update(last_used_at=now)


def _noted(
    connection: Connection, *, deed: Deed, error_code: str, now: datetime
) -> dict[str, datetime | str]:
    """Return the fields that are due for a change."""

    def is_due(last: datetime | None) -> bool:
        return last is None or last + _AT_MOST_EVERY <= now

    noted: dict[str, datetime | str] = {}
    if error_code:
        if connection.last_error_code != error_code or is_due(connection.last_error_at):
            noted |= {"last_error_at": now, "last_error_code": error_code}
    elif (field := _moment_of(deed)) and is_due(getattr(connection, field)):
        noted[field] = now
    if noted or is_due(connection.last_used_at):
        noted["last_used_at"] = now
    return noted


def _moment_of(deed: Deed) -> str:
    match deed:
        case Deed.CALLED:
            return ""
        case Deed.SAVED:
            return "last_saved_at"
        case Deed.SEARCHED:
            return "last_searched_at"
        case _:
            assert_never(deed)


def disconnect_app(*, space: Space, application_id: int) -> bool:
    """Take the app's access to this space away, at once; tell whether it had any."""
    return _delete_tokens(space, application_id=application_id)


def forget_space(space: Space) -> None:
    """Delete every token and code that opens the space, for its deletion."""
    _delete_tokens(space)


@transaction.atomic
def _delete_tokens(space: Space, **more: int) -> bool:
    # In this order, a code or refresh token that is being exchanged right now holds us up
    # until its new tokens are there to be deleted as well.
    deleted = 0
    for model in (Grant, RefreshToken, AccessToken):
        rows = model.objects.filter(
            user_id=space.owner_id, resource=[resource_of(space.pk)], **more
        )
        deleted += rows.delete()[0]
    return deleted > 0


@transaction.atomic
def forget_person(user: User) -> None:
    """Delete the apps that registered and that only this person let in, with their tokens."""
    mine, others = set[int](), set[int]()
    for model in (Grant, RefreshToken, AccessToken):
        known = model.objects.exclude(application=None).exclude(user=None)
        mine |= set(known.filter(user=user).values_list("application_id", flat=True))
    for model in (Grant, RefreshToken, AccessToken):
        known = model.objects.filter(application_id__in=mine).exclude(user=None)
        others |= set(known.exclude(user=user).values_list("application_id", flat=True))
    registered = Application.objects.exclude(
        registration_source=Application.RegistrationSource.MANUAL
    )
    registered.filter(pk__in=mine - others).delete()
