"""The REST API: one schema, put together from each app's router."""

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.security import SessionAuth

from accounts.api import router as accounts_router
from accounts.models import User
from brain.lib.errors import DomainError
from brain.middleware import status_of
from spaces.api import router as spaces_router


class SignedIn(SessionAuth):
    """The dashboard's session. An agent's OAuth token is not read here at all."""

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:  # noqa: ARG002
        return request.user if isinstance(request.user, User) else None


api = NinjaAPI(title="Agents Brain", version="1", auth=SignedIn(), urls_namespace="api")
api.add_router("", accounts_router)
api.add_router("", spaces_router)


@api.exception_handler(DomainError)
def on_domain_error(request: HttpRequest, error: DomainError) -> HttpResponse:
    body = {"code": error.code, "message": error.message, "hint": error.hint}
    return api.create_response(request, body, status=status_of(error))
