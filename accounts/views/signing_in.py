"""Sign in and out. These pages are part of the OAuth flow: they keep `next` and the opener."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import CodeForm, SignInForm
from accounts.http import caller_network, next_page, opener_kept
from accounts.models import User
from accounts.services.signing_in import redeem_code, request_code
from accounts.sessions import USER_AGENT_KEY
from brain.lib.errors import DomainError, TooManyError, UnavailableError
from brain.lib.sanitising import without_secrets

EMAIL_KEY = "sign_in_email"
# A browser that never signs in is forgotten soon.
WAITS_FOR = 3600


@opener_kept
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for the address, and send a code to it."""
    if isinstance(request.user, User):
        return redirect(next_page(request) or settings.LOGIN_REDIRECT_URL)
    typed_before = {"email": request.session.get(EMAIL_KEY, "")}
    form = SignInForm(_posted(request), initial=typed_before)
    if not form.is_valid():
        return _page(request, "sign_in", form, status=422 if form.is_bound else 200)
    email = form.cleaned_data["email"]
    try:
        request_code(email, ip=caller_network(request), language=get_language() or "en")
    except DomainError as error:
        return _refused(request, "sign_in", form, error)
    request.session[EMAIL_KEY] = email
    request.session.set_expiry(WAITS_FOR)
    if "again" in request.POST:
        messages.success(request, gettext("A new code is on its way. The one before is void."))
    return _redirect("accounts:code", next_url=next_page(request))


@opener_kept
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code that was sent, and sign in with it."""
    if isinstance(request.user, User):
        return redirect(next_page(request) or settings.LOGIN_REDIRECT_URL)
    email = request.session.get(EMAIL_KEY)
    if email is None:
        return _redirect("accounts:sign-in", next_url=next_page(request))
    form = CodeForm(_posted(request))
    if not form.is_valid():
        return _page(request, "code", form, status=422 if form.is_bound else 200)
    try:
        user = redeem_code(
            email,
            code=form.cleaned_data["code"],
            ip=caller_network(request),
            language=get_language() or "en",
        )
    except DomainError as error:
        return _refused(request, "code", form, error)
    _begin_session(request, user)
    return redirect(next_page(request) or settings.LOGIN_REDIRECT_URL)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this browser's session and forget what it held."""
    logout(request)
    response = redirect("accounts:sign-in")
    # Nobody gets the pages back by going back.
    response["Clear-Site-Data"] = '"cache"'
    return response


def _begin_session(request: HttpRequest, user: User) -> None:
    del request.session[EMAIL_KEY]
    user_agent = request.headers.get("User-Agent", "")[:200]
    request.session[USER_AGENT_KEY] = without_secrets(user_agent).text
    request.session.set_expiry(None)
    # Changes the session key, so that nobody who planted the old one is signed in with it.
    login(request, user)


def _posted(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _redirect(name: str, *, next_url: str) -> HttpResponseRedirect:
    query = f"?{urlencode({REDIRECT_FIELD_NAME: next_url})}" if next_url else ""
    return HttpResponseRedirect(reverse(name) + query)


def _refused(
    request: HttpRequest, page: str, form: SignInForm | CodeForm, error: DomainError
) -> HttpResponse:
    form.add_error(None, error.sentence)
    if isinstance(error, TooManyError):
        response = _page(request, page, form, status=429)
        response["Retry-After"] = str(error.retry_after)
        return response
    return _page(request, page, form, status=503 if isinstance(error, UnavailableError) else 422)


def _page(
    request: HttpRequest, page: str, form: SignInForm | CodeForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "next": next_page(request),
        "email": request.session.get(EMAIL_KEY, ""),
        "minutes": settings.SIGN_IN_CODE_MINUTES,
        "shows_mail": settings.DEBUG,
    }
    return render(request, f"accounts/{page}.html", context, status=status)
