"""The page on which a person lets an app into one space."""

from urllib.parse import parse_qsl, urlencode, urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from oauth2_provider.cimd import is_cimd_client_id
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.forms import AllowForm
from oauth2_provider.views import AuthorizationView
from oauthlib.oauth2.rfc6749.errors import (
    CustomOAuth2Error,
    InvalidClientIdError,
    MismatchingRedirectURIError,
    OAuth2Error,
)
from typing_extensions import override

from accounts.http import opener_kept
from accounts.models import User
from mcp_gateway.models import Application, is_loopback
from mcp_gateway.oauth.parameters import has_nul
from mcp_gateway.oauth.resources import requested_space
from mcp_gateway.scopes import READ, WRITE, known
from spaces.models import Space

_NO_SPACE = "resource must be the address of one of your spaces"


class ConsentForm(AllowForm):  # type: ignore[misc]
    """The toolkit's hidden fields, and how much of what was asked the person grants."""

    access = forms.ChoiceField(
        choices=[("write", _("Read and write")), ("read", _("Read only"))], required=False
    )

    @override
    def clean(self) -> dict[str, object]:
        """Reduce the scopes to reading when the person chose that."""
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        scopes = known(str(cleaned.get("scope", "")).split())
        if cleaned.get("access") == "read":
            scopes = [READ]
        cleaned["scope"] = " ".join(scopes)
        return cleaned


class ConsentView(AuthorizationView):  # type: ignore[misc]
    """Asks for exactly one space: the one that the app names, or one that the person picks."""

    template_name = "mcp_gateway/consent.html"
    form_class = ConsentForm
    space: Space | None = None

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if has_nul(request):
            return self._page(CustomOAuth2Error(error="invalid_request"))
        # With approval_prompt=auto an app could skip the person, for any of their spaces.
        asked = request.GET.copy()
        asked.pop("approval_prompt", None)
        request.GET = asked  # type: ignore[assignment]
        response = opener_kept(super().dispatch)(request, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    @override
    def handle_no_permission(self) -> HttpResponseBase:
        """Ask to sign in before a client's document is fetched, whatever `prompt` says."""
        if is_cimd_client_id(self.request.GET.get("client_id", "")):
            return redirect_to_login(self.request.get_full_path(), self.get_login_url())
        response: HttpResponseBase = super().handle_no_permission()
        return response

    @override
    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        assert isinstance(request.user, User)  # dispatch sends everybody else to sign in
        resources = request.GET.getlist("resource")
        self.space = requested_space(resources, user=request.user)
        if resources and self.space is None:
            return self._invalid_target()
        response: HttpResponseBase = super().get(request, *args, **kwargs)
        return response

    @override
    def form_valid(self, form: ConsentForm) -> HttpResponseBase:
        """Let the app in, or not; never send anybody to an address that isn't the app's."""
        application = Application.objects.filter(client_id=form.cleaned_data["client_id"]).first()
        if application is None:
            return self._page(InvalidClientIdError())
        if not application.redirect_uri_allowed(form.cleaned_data["redirect_uri"]):
            return self._page(MismatchingRedirectURIError())
        response: HttpResponseBase = super().form_valid(form)
        return response

    @override
    def form_invalid(self, form: ConsentForm) -> HttpResponseBase:
        return self._page(CustomOAuth2Error(error="invalid_request"))

    @override
    def redirect(self, redirect_to: str, application: Application | None) -> HttpResponse:
        """Name the issuer on errors too (RFC 9207, 2); the toolkit does on success only."""
        response: HttpResponse = super().redirect(_with_issuer(redirect_to), application)
        return response

    @override
    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        context: dict[str, object] = super().get_context_data(**kwargs)
        application, scopes = context["application"], context["scopes"]
        assert isinstance(application, Application)
        assert isinstance(scopes, list)
        context |= _facts(application, redirect_uri=str(context["redirect_uri"]))
        context |= {"space": self.space, "asks_to_write": WRITE in scopes}
        if self.space is None:
            context["spaces"] = list(Space.objects.of(self.request.user))
        return context

    def _invalid_target(self) -> HttpResponseBase:
        """Tell the app, not more than that; but only an app whose address is its own."""
        try:
            _scopes, credentials = self.validate_authorization_request(self.request)
        except OAuthToolkitError as error:
            return self._refused(error)
        refused = CustomOAuth2Error(
            error="invalid_target", description=_NO_SPACE, state=credentials.get("state")
        )
        return self._refused(
            OAuthToolkitError(error=refused, redirect_uri=credentials["redirect_uri"])
        )

    def _page(self, error: OAuth2Error) -> HttpResponseBase:
        return self._refused(FatalClientError(error=error))

    def _refused(self, error: OAuthToolkitError) -> HttpResponseBase:
        response: HttpResponseBase = self.error_response(error, application=None)
        return response


def _with_issuer(url: str) -> str:
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if "error" not in dict(pairs):
        return url
    pairs = [pair for pair in pairs if pair[0] != "iss"]
    query = urlencode([*pairs, ("iss", settings.PUBLIC_URL)])
    return parts._replace(query=query).geturl()


def _facts(application: Application, *, redirect_uri: str) -> dict[str, object]:
    """Return what the page says of the app: only what it can't make up by itself."""
    uris = application.redirect_uris.split()
    is_document = application.registration_source == Application.RegistrationSource.CIMD
    parts = urlsplit(redirect_uri)
    return {
        "redirect_host": parts.netloc,
        "redirect_scheme": parts.scheme,
        "is_local": is_loopback(redirect_uri),
        "is_app_link": parts.scheme not in {"http", "https"},
        "document_host": urlsplit(application.client_id).netloc if is_document else "",
        # Any program on the computer can listen there and claim to be this client.
        "is_anybodys": is_document and all(is_loopback(uri) for uri in uris),
    }
