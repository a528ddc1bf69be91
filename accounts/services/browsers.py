"""The browsers in which a person is signed in, and how to end them."""

from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import BrowserSession, User
from brain.lib.errors import NotFoundError


def signed_in_browsers(user: User) -> list[BrowserSession]:
    """Return the browsers that are still signed in, the last used first."""
    live = BrowserSession.objects.filter(user=user, expire_date__gt=timezone.now())
    return list(live.order_by("-last_seen_at", "public_id"))


def sign_out_browser(*, user: User, public_id: UUID) -> None:
    """Sign one browser out at once; one of somebody else does not exist."""
    if not BrowserSession.objects.filter(user=user, public_id=public_id).delete()[0]:
        raise NotFoundError(_("There is no such browser."), hint=_("It may be signed out already."))


def sign_out_everywhere(*, user: User, except_key: str | None = None) -> int:
    """Sign every browser out, or all but the one of this session key; return how many."""
    browsers = BrowserSession.objects.filter(user=user)
    if except_key is not None:
        browsers = browsers.exclude(session_key=except_key)
    return browsers.delete()[0]
