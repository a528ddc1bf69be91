"""People who sign in, their sign-in codes, and their browsers."""

import secrets
from importlib import import_module
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import PermissionsMixin
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.addresses import canonical_address
from brain.lib.ids import new_id


class UserManager(BaseUserManager["User"]):
    def by_email(self, email: str) -> "User | None":
        """Find a person by any spelling of the address."""
        return self.filter(email=canonical_address(email)).first()

    def create_user(self, email: str, **fields: object) -> "User":
        user = self.model(email=canonical_address(email), **fields)
        user.set_unusable_password()
        user.save(using=self._db)
        return user

    def existing_or_new(self, email: str, *, language: str = "en") -> "User":
        """Return the one account of this address, whoever comes first."""
        # A usable password would be a second way in.
        fresh = {"password": make_password(None), "language": language}
        return self.get_or_create(email=canonical_address(email), defaults=fresh)[0]

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        """Make an operator; `password` is what Django's command asks for, and is not used."""
        del password
        fields |= {"is_staff": True, "is_superuser": True}
        return self.create_user(email, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person. Agents act for a person; they are not users themselves."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(max_length=254)
    name = models.CharField(max_length=80, blank=True)
    language = models.CharField(max_length=10, default="en")
    time_zone = models.CharField(max_length=64, default="UTC")
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    has_shortcuts = models.BooleanField(default=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["email"], name="one_account_per_email"),
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")) & ~models.Q(email=""),
                name="account_email_is_in_lower_case",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.email


def random_salt() -> str:
    return secrets.token_hex(16)


class SignInCode(models.Model):
    """The code that was last sent to an address. Only its keyed hash is stored."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(max_length=254)
    code_hash = models.CharField(max_length=64)
    salt = models.CharField(max_length=32, default=random_salt)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["email"], name="one_code_per_address")]
        indexes = [models.Index(fields=["expires_at"], name="codes_by_expiry")]

    def __str__(self) -> str:
        return f"sign-in code {self.pk}"


class BrowserSession(AbstractBaseSession):
    """A signed-in browser, so that a person can see and end every one of them.

    Pages name it by `public_id`, because its key is what opens the account.
    """

    public_id = models.UUIDField(default=new_id, unique=True, editable=False)
    user = models.ForeignKey(
        User, models.CASCADE, null=True, blank=True, related_name="browser_sessions"
    )
    user_agent = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"browser {self.public_id}"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store that reads these rows, as Django's session model does."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
