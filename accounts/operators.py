"""Django admin, for staff who proved themselves twice: by a code in the mail and by an app."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp import login as remember_device
from django_otp.models import Device
from typing_extensions import override

from accounts.http import next_page

# Django's stubs say no more of them.
View = Callable[..., Any]

VERIFIED_AT_KEY = "second_factor_at"


class OperatorSite(AdminSite):
    """Opens to staff with a second factor that was shown in this browser not long ago."""

    site_header = site_title = "Agents Brain"

    @override
    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]
        """Let the pages of Django admin, which know no nonce, load scripts of this host."""
        opened: View = csp_replace({"script-src": [SELF]})(super().admin_view(view, cacheable))
        return opened

    @override
    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and is_verified(request)

    @override
    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Send on to whatever is missing: sign-in, the second factor, or the rights."""
        del extra_context
        goal = next_page(request) or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(goal)
        if not super().has_permission(request):
            raise PermissionDenied
        if not is_verified(request):
            return redirect_to_login(goal, reverse("accounts:second-factor"))
        return HttpResponseRedirect(goal)

    @override
    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: object = None
    ) -> HttpResponse:
        """End the second factor only; the account menu signs out altogether."""
        del extra_context
        if request.method == "POST":
            forget_verified(request)
        return redirect("spaces:list")

    @override
    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: object = None
    ) -> HttpResponse:
        """There are no passwords."""
        raise Http404

    @override
    def password_change_done(  # type: ignore[override]
        self, request: HttpRequest, extra_context: object = None
    ) -> HttpResponse:
        raise Http404


def remember_verified(request: HttpRequest, device: Device) -> None:
    """Note in this browser's session that its operator was verified just now."""
    remember_device(request, device)
    request.session[VERIFIED_AT_KEY] = timezone.now().isoformat()
    # More rights, another key: one that somebody planted or saw before opens nothing more.
    request.session.cycle_key()


def forget_verified(request: HttpRequest) -> None:
    for key in (VERIFIED_AT_KEY, DEVICE_ID_SESSION_KEY):
        request.session.pop(key, None)


def is_verified(request: HttpRequest) -> bool:
    """Tell whether this browser showed a second factor that still counts, and lately."""
    noted = request.session.get(VERIFIED_AT_KEY)
    # Set by OTPMiddleware, which looks the device up: one that was removed counts no longer.
    if noted is None or getattr(request.user, "otp_device", None) is None:
        return False
    holds_for = timedelta(hours=settings.OPERATOR_HOURS)
    return timezone.now() < datetime.fromisoformat(noted) + holds_for
