"""The REST API: one schema, put together from each app's router."""

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import SessionAuth

from accounts.api import router as accounts_router
from accounts.models import User
from brain.api_schema import DescribedAPI
from brain.lib.errors import DomainError, TooManyError
from brain.lib.problems import problem, refused
from brain.lib.strict_json import NotJsonError, strict_json
from brain.middleware import status_of
from mcp_gateway.api import router as agents_router
from mcp_gateway.key_auth import SpaceKey
from memories.api.router import router as memories_router
from spaces.api import router as spaces_router

DESCRIPTION = """
Everything that agents' tools do, and lists, for scripts and other front ends.

Send an API key of the space as `Authorization: Bearer`. The key opens its own space and no
other; one without `auth:write` may only read. In the dashboard's own pages the session works
too, and then it is the person who acts. Errors are problem details (RFC 9457).
"""


class SignedIn(SessionAuth):
    """The dashboard's session. An agent's OAuth token is not read here at all."""

    def __call__(self, request: HttpRequest) -> User | None:
        # Who is signed out is told so, not that a token against forgery is missing.
        user: User | None = super().__call__(request) if self._user(request) else None
        return user

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:  # noqa: ARG002
        return self._user(request)

    @staticmethod
    def _user(request: HttpRequest) -> User | None:
        return request.user if isinstance(request.user, User) else None


class StrictParser(Parser):
    def parse_body(self, request: HttpRequest) -> object:  # type: ignore[override]
        return strict_json(request.body)


api = DescribedAPI(
    title="Agents Brain",
    version="1",
    description=DESCRIPTION,
    # A key first: a request that carries one is the key's, whatever cookies come along.
    auth=[SpaceKey(), SignedIn()],
    parser=StrictParser(),
    docs_url=None,
    urls_namespace="api",
)
api.add_router("", accounts_router)
api.add_router("", spaces_router)
api.add_router("/spaces/{space_id}", memories_router)
api.add_router("", agents_router)


@api.exception_handler(DomainError)
def on_domain_error(request: HttpRequest, error: DomainError) -> HttpResponse:  # noqa: ARG001
    response = refused(error, status=status_of(error))
    if isinstance(error, TooManyError):
        response["Retry-After"] = str(error.retry_after)
    return response


@api.exception_handler(ValidationError)
def on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:  # noqa: ARG001
    # What was sent is not repeated: it may be a secret, and it may be long.
    errors = [
        {"at": ".".join(map(str, each["loc"])), "message": each["msg"]} for each in error.errors
    ]
    return problem(
        422,
        code="bad_request",
        detail="Something in the request is not as the schema says; nothing was written.",
        hint=f"Look at errors, and at {settings.PUBLIC_URL}/api/v1/openapi.json.",
        errors=errors[:10],
    )


@api.exception_handler(HttpError)
def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:  # noqa: ARG001
    if error.status_code == 401:  # noqa: PLR2004
        response = problem(
            401,
            code="unauthorised",
            detail="Sign in, or send an API key of this space.",
            hint="Authorization: Bearer, with a key from the space's page of keys.",
        )
        response["WWW-Authenticate"] = "Bearer"
        return response
    if isinstance(error.__cause__, NotJsonError):
        return problem(
            400, code="bad_json", detail=str(error.__cause__), hint="Send one JSON object."
        )
    return problem(error.status_code, code="refused", detail=error.message)


@api.exception_handler(RequestDataTooBig)
def on_too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:  # noqa: ARG001
    return problem(413, code="too_big", detail="The request is too big.", hint="Send less.")


@api.exception_handler(BadRequest)
@api.exception_handler(MultiPartParserError)
@api.exception_handler(SuspiciousOperation)
def on_unreadable(request: HttpRequest, error: Exception) -> HttpResponse:  # noqa: ARG001
    """Answer what Django could not read at all, such as a form that is none."""
    return problem(
        400,
        code="unreadable",
        detail="The request can't be read.",
        hint="Send what the schema says, in its content type.",
    )


@api.exception_handler(Http404)
def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:  # noqa: ARG001
    return problem(404, code="not_found", detail="There is nothing at this address.")
