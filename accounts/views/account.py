"""The account page: who one is, where one is signed in, and the way out."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import DeleteAccountForm, ProfileForm
from accounts.http import SignedInRequest
from accounts.services.browsers import sign_out_browser, sign_out_everywhere, signed_in_browsers
from accounts.services.changing import change_profile
from accounts.services.closing import delete_account
from accounts.user_agents import browser_and_system
from brain.lib.errors import DomainError


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    form = ProfileForm(request.POST)
    if form.is_valid():
        try:
            change_profile(user=request.user, profile=form.profile)
        except DomainError as error:
            form.add_error(None, error.sentence)
        else:
            with translation.override(request.user.language):
                messages.success(request, gettext("Saved."))
            return redirect("accounts:account")
    return _page(request, form=form, status=422)


@login_required
@require_POST
def sign_out_all(request: SignedInRequest) -> HttpResponse:
    """Sign out everywhere else, or with `here` in this browser too."""
    if "here" in request.POST:
        sign_out_everywhere(user=request.user)
        logout(request)
        return redirect("accounts:sign-in")
    ended = sign_out_everywhere(user=request.user, except_key=request.session.session_key)
    said = ngettext("%(ended)d browser signed out.", "%(ended)d browsers signed out.", ended)
    messages.success(request, said % {"ended": ended})
    return redirect("accounts:account")


@login_required
@require_POST
def sign_out_one(request: SignedInRequest, public_id: UUID) -> HttpResponse:
    sign_out_browser(user=request.user, public_id=public_id)
    messages.success(request, gettext("The browser is signed out."))
    return redirect("accounts:account")


@login_required
@require_POST
def delete(request: SignedInRequest) -> HttpResponse:
    form = DeleteAccountForm(request.POST)
    if form.is_valid():
        try:
            delete_account(user=request.user, typed_email=form.cleaned_data["email"])
        except DomainError as error:
            form.add_error("email", error.sentence)
        else:
            logout(request)
            messages.success(request, gettext("Your account and everything in it is deleted."))
            return redirect("accounts:sign-in")
    return _page(request, delete_form=form, status=422)


def _page(
    request: SignedInRequest,
    *,
    form: ProfileForm | None = None,
    delete_form: DeleteAccountForm | None = None,
    status: int = 200,
) -> HttpResponse:
    browsers = [
        {
            "public_id": row.public_id,
            "name": browser_and_system(row.user_agent),
            "signed_in_at": row.created_at,
            "last_seen_at": row.last_seen_at,
            "is_this": row.session_key == request.session.session_key,
        }
        for row in signed_in_browsers(request.user)
    ]
    context = {
        "form": form or ProfileForm.of(request.user),
        "delete_form": delete_form or DeleteAccountForm(),
        "browsers": browsers,
    }
    return render(request, "accounts/account.html", context, status=status)
