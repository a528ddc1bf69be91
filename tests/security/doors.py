"""Every address of the product, found by walking Django's own table of them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

_PART = re.compile(r"<(?:(\w+):)?(\w+)>")
# Who has no account may open these; each says why. Everything else must be closed.
OPEN = {
    "accounts:sign-in": "people sign in here",
    "accounts:code": "people sign in here",
    "accounts:development-mail": "does not exist unless DEBUG is on",
    "oauth2_provider:token": "asks for the client and a code or refresh token instead",
    "oauth2_provider:revoke-token": "asks for the client and a token instead",
    "oauth2_provider:dcr-register": "any app may register; people decide later",
    "oauth2_provider:dcr-register-management": "asks for the registration's own token",
    "oauth2_provider:oauth-server-metadata": "public by RFC 8414",
    ".well-known/oauth-protected-resource": "does not exist, on purpose",
    "space-metadata": "public by RFC 9728, the same for every id",
    ".well-known/oauth-protected-resource/mcp/<uuid:space_id>/": "the same with a slash",
    "api:openapi-json": "describes the API, holds nothing of anybody",
    "api-docs": "describes the API, holds nothing of anybody",
}


@dataclass(frozen=True, slots=True)
class Door:
    """One address; `name` is that of its URL, or the route where it has none."""

    name: str
    route: str
    parts: tuple[str, ...]
    view: Callable[..., object]

    def url(self, ids: Mapping[str, str]) -> str:
        return "/" + _PART.sub(lambda part: ids[part[2]], self.route)

    @property
    def is_open(self) -> bool:
        return self.name in OPEN

    @property
    def is_admin(self) -> bool:
        return self.route.startswith("admin/")

    @property
    def is_rest(self) -> bool:
        return self.route.startswith("api/")

    @property
    def is_in_space(self) -> bool:
        return "space_id" in self.parts and not self.is_open


def doors() -> list[Door]:
    """Return every address of the product; Django's admin keeps its catch-all for itself."""
    return [door for door in _walk(get_resolver().url_patterns, "", ()) if "(?P" not in door.route]


def _walk(
    patterns: list[URLPattern | URLResolver], before: str, spaces: tuple[str, ...]
) -> Iterator[Door]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = (*spaces, pattern.namespace) if pattern.namespace else spaces
            yield from _walk(pattern.url_patterns, route, inner)
        else:
            name = ":".join((*spaces, pattern.name)) if pattern.name else route
            parts = tuple(part[1] for part in _PART.findall(route))
            yield Door(name, route, parts, pattern.callback)
