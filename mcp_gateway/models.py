"""OAuth clients, API keys, and what each of them last did in a space."""

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from oauth2_provider.models import AbstractApplication
from typing_extensions import override

from accounts.models import User
from brain.lib.ids import new_id
from brain.lib.sanitising import without_secrets
from brain.lib.text import visible_length
from spaces.models import Space

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_NAME_LIMIT = 80


def is_loopback(uri: str) -> bool:
    """Tell whether the address is a program on the person's own computer (RFC 8252, 7.3)."""
    parts = urlsplit(uri)
    return parts.scheme == "http" and parts.hostname in _LOOPBACK


def plain_http(uris: Iterable[str]) -> list[str]:
    """Return the addresses to which a code would travel in the clear."""
    return [uri for uri in uris if urlsplit(uri).scheme == "http" and not is_loopback(uri)]


def unprintable(uris: Iterable[str]) -> list[str]:
    """Return the addresses with white space, control characters or halves of characters.

    No address has them, and the last can't even be stored.
    """
    return [
        uri for uri in uris if any(char <= " " or char == "\x7f" or _is_half(char) for char in uri)
    ]


def _is_half(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"


class Application(AbstractApplication):  # type: ignore[misc]
    """An OAuth client: an app that asks people for access to their spaces.

    `created` is when it registered; `last_used_at` stays empty until a person lets it in.
    """

    name: str
    # Apps are nobody's; only an operator may note who looks after one.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar[models.Manager["Application"]] = models.Manager()

    @override
    def clean(self) -> None:
        """Hold registration, client documents and the admin to the same rules."""
        self.name = _displayable(self.name)
        if self.client_type == self.CLIENT_PUBLIC:
            # A public client proves itself with PKCE; a secret that nobody knows is only a row
            # that takes long to hash.
            self.client_secret, self.hash_client_secret = "", False
        super().clean()
        uris = self.redirect_uris.split(" ")
        if unprintable(uris):
            raise ValidationError({"redirect_uris": "A redirect URI has a control character."})
        if refused := plain_http(uris):
            raise ValidationError(
                {"redirect_uris": f"Plain http is for this computer only: {refused[0]}"}
            )
        if self.authorization_grant_type != self.GRANT_AUTHORIZATION_CODE:
            raise ValidationError(
                {"authorization_grant_type": "Only the authorization code grant is offered."}
            )


def _displayable(name: str) -> str:
    """Return the name that an app gave itself, without disguises and secrets."""
    seen = "".join(char if visible_length(char) else " " for char in name)
    return without_secrets(" ".join(seen.split())).text[:_NAME_LIMIT]


class ApiKey(models.Model):
    """A secret for a program without a browser. It opens one space; only its hash is stored."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="api_keys")
    label = models.CharField(max_length=80)
    key_hash = models.CharField(max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=20))
    created_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["space", "key_hash"], name="one_key_of_a_secret"),
            models.CheckConstraint(condition=~Q(label=""), name="key_has_a_label"),
            models.CheckConstraint(condition=Q(scopes__len__gt=0), name="key_allows_something"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def client_key(self) -> str:
        """Return what the history calls the agent that uses this key."""
        return f"key:{self.pk}"

    def is_live(self, *, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


class Connection(models.Model):
    """What one agent (an app or a key, by its `client_key`) last did in a space.

    It names the agent instead of pointing at its row, so that the history of a space outlives
    an app that was removed.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="connections")
    client_key = models.CharField(max_length=64)
    client_name = models.CharField(max_length=_NAME_LIMIT)
    first_seen_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(default=timezone.now)
    last_saved_at = models.DateTimeField(null=True, blank=True)
    last_searched_at = models.DateTimeField(null=True, blank=True)
    last_error_at = models.DateTimeField(null=True, blank=True)
    last_error_code = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "client_key"], name="one_connection_per_client"
            ),
        ]

    def __str__(self) -> str:
        return self.client_name
