"""Every page that a person can open, found by walking the addresses; a new page needs no entry."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from memories.models import Memory, Transfer
from spaces.isolation import inside
from spaces.models import Space

# Django's own, and what only programs open; an app's request opens the consent page.
NOT_OURS = ("admin", "api-1.0.0", "oauth2_provider")
# Views of a page that look quite different.
VARIANTS = {
    "memories:list": ["?q=payments", "?q=payments&mode=words", "?q=zzzzqqqq", "?state=forgotten"],
    "memories:map": ["?as=list"],
    "memories:review": ["?queue=later", "?queue=settled", "?queue=disagreement", "?queue=expired"],
}
OPEN_TO_ALL = ("accounts:sign-in", "accounts:code")
_BY_CONVERTER: Mapping[str, object] = {
    "UUIDConverter": UUID(int=7),
    "IntConverter": 1,
    "StringConverter": "csv",
}


@dataclass(frozen=True, slots=True)
class Page:
    """An address, with a name that can stand in a report and in the name of a file."""

    name: str
    url: str


def pages_of(client: Client, space: Space) -> list[Page]:
    """Return what the signed-in client can open of its account and the space."""
    known = {
        "space_id": space.pk,
        "memory_id": _with_most_versions(space).pk,
        "transfer_id": _started_import(client, space),
    }
    return [page for page in _addresses(known) if _is_page(client, page)]


def open_pages() -> list[Page]:
    """Return what somebody sees who is not signed in."""
    return [Page(name.replace(":", "-"), reverse(name)) for name in OPEN_TO_ALL]


def _is_page(client: Client, page: Page) -> bool:
    """Say whether it is a page, and not a redirect, a file, or an address that takes a POST."""
    response = client.get(page.url)
    kind = response.headers.get("content-type", "")
    # To its end, so that the file behind a download is closed.
    b"".join(response)
    if response.status_code == 404:
        # Some pages are not for everybody; but an id that is not there shows nothing.
        assert str(UUID(int=7)) not in page.url, f"{page.name}: add what it needs to tests/pages.py"
    return response.status_code == 200 and kind.startswith("text/html")


def _addresses(known: Mapping[str, object]) -> Iterator[Page]:
    for name, converters in _patterns(get_resolver(), namespace="", above={}):
        values = {
            argument: known.get(argument, _BY_CONVERTER[converter])
            for argument, converter in converters.items()
        }
        url = reverse(name, kwargs=values)
        plain = name.replace(":", "-")
        yield Page(plain, url)
        for query in VARIANTS.get(name, []):
            shown = "-".join(value for _, value in parse_qsl(query[1:]))
            yield Page(f"{plain}-{shown}", url + query)


def _patterns(
    resolver: URLResolver, *, namespace: str, above: Mapping[str, str]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    for each in resolver.url_patterns:
        converters = dict(above) | {
            argument: type(converter).__name__
            for argument, converter in each.pattern.converters.items()
        }
        if isinstance(each, URLPattern) and each.name:
            yield ":".join(filter(None, [namespace, each.name])), converters
        elif isinstance(each, URLResolver) and each.namespace not in NOT_OURS:
            inner = ":".join(filter(None, [namespace, each.namespace or ""]))
            yield from _patterns(each, namespace=inner, above=converters)


def _with_most_versions(space: Space) -> Memory:
    with inside(space):
        memory = Memory.objects.in_space(space).order_by("-version", "created_at").first()
    assert memory is not None
    return memory


def _started_import(client: Client, space: Space) -> UUID:
    """Bring the space's own export in again, once; return the id of that import."""
    with inside(space):
        begun = Transfer.objects.in_space(space).first()
    if begun is not None:
        return begun.pk
    export = client.get(reverse("memories:export", args=[space.pk]))
    file = SimpleUploadedFile("space.json", b"".join(export), "application/json")
    answer = client.post(reverse("memories:start-import", args=[space.pk]), {"file": file})
    return UUID(answer.headers["location"].rstrip("/").rpartition("/")[2])
