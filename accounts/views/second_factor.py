"""The pages on which operators show their second factor, and set it up."""

from collections.abc import Sequence

import segno
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import SecondFactorForm, SecondFactorSetupForm
from accounts.http import SignedInRequest, next_page
from accounts.operators import remember_verified
from accounts.services.second_factor import (
    app_address,
    has_second_factor,
    new_app_key,
    recovery_codes_left,
    set_up,
    verify,
)
from brain.lib.errors import DomainError, NotFoundError, TooManyError, UnavailableError

KEY = "second_factor_key"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: SignedInRequest) -> HttpResponse:
    """Ask for a code of the app or a recovery code; the first time, lead to the set-up."""
    _staff_only(request)
    if not has_second_factor(request.user):
        query = urlencode({"next": next_page(request)})
        return HttpResponseRedirect(f"{reverse('accounts:second-factor-setup')}?{query}")
    form = SecondFactorForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, "second_factor", form, status=422 if form.is_bound else 200)
    try:
        device = verify(request.user, typed=form.cleaned_data["code"])
    except DomainError as error:
        return _refused(request, "second_factor", form, error)
    remember_verified(request, device)
    return HttpResponseRedirect(next_page(request) or reverse("admin:index"))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: SignedInRequest) -> HttpResponse:
    """Show the picture for the app, and take the proof of app and operator."""
    _staff_only(request)
    if has_second_factor(request.user):
        return HttpResponseRedirect(reverse("accounts:second-factor"))
    # In the session of this browser: who else reads the operator's mail gets another picture.
    key: str = request.session.setdefault(KEY, new_app_key())
    form = SecondFactorSetupForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, "second_factor_setup", form, status=422 if form.is_bound else 200)
    try:
        device, codes = set_up(
            request.user,
            key=key,
            setup_code=form.cleaned_data["setup_code"],
            digits=form.cleaned_data["digits"],
        )
    except DomainError as error:
        return _refused(request, "second_factor_setup", form, error)
    del request.session[KEY]
    remember_verified(request, device)
    return _codes(request, codes)


def _staff_only(request: SignedInRequest) -> None:
    if not request.user.is_staff:
        raise NotFoundError("There is no such page.", hint="Check the address.")


def _codes(request: SignedInRequest, codes: Sequence[str]) -> HttpResponse:
    context = {"codes": codes, "next": next_page(request) or reverse("admin:index")}
    return render(request, "accounts/second_factor_codes.html", context, status=201)


def _refused(
    request: SignedInRequest,
    page: str,
    form: SecondFactorForm | SecondFactorSetupForm,
    error: DomainError,
) -> HttpResponse:
    form.add_error(None, error.sentence)
    if isinstance(error, TooManyError):
        response = _page(request, page, form, status=429)
        response["Retry-After"] = str(error.retry_after)
        return response
    return _page(request, page, form, status=503 if isinstance(error, UnavailableError) else 422)


def _page(
    request: SignedInRequest,
    page: str,
    form: SecondFactorForm | SecondFactorSetupForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, object] = {"form": form, "next": next_page(request)}
    if page == "second_factor_setup":
        context |= _picture(request)
    else:
        context["codes_left"] = recovery_codes_left(request.user)
    return render(request, f"accounts/{page}.html", context, status=status)


def _picture(request: HttpRequest) -> dict[str, object]:
    assert not request.user.is_anonymous
    address = app_address(request.user, key=request.session[KEY])
    picture = segno.make(address, error="m").svg_data_uri(scale=5, dark="#000", light="#fff")
    secret = address.partition("secret=")[2].partition("&")[0]
    return {"address": address, "picture": picture, "secret": secret}
