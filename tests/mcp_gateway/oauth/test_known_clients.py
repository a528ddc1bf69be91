"""Clients that can't be run here, replayed: from how they register to the list of tools."""

from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from oauth2_provider.cimd import CIMDError
from pytest_django import Settings

from accounts.models import User
from mcp_gateway.models import Application
from mcp_gateway.oauth.bearer import authenticate
from mcp_gateway.oauth.client_documents import ClientDocumentFetcher, Document
from mcp_gateway.oauth.known_documents import CLAUDE, KNOWN_DOCUMENTS
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.clients import POST_HEADERS, rpc, web
from tests.mcp_gateway.oauth.flow import App, browser_of, connected, consent, sent_back
from tests.mcp_gateway.oauth.known_clients import DOCUMENTED, REGISTERED, KnownClient


def register(client: KnownClient) -> dict[str, object]:
    answer = Client().post("/register", data=client.registration, content_type="application/json")
    assert answer.status_code == 201, answer.content
    body: dict[str, object] = answer.json()
    return body


def let_in(client: KnownClient, app: App, space: Space) -> dict[str, object]:
    """Go through the consent page as the client has people do, and fetch the tokens."""
    resource = {"resource": space.mcp_url} if client.names_the_space else {}
    picked = {} if client.names_the_space else {"resource": space.mcp_url}
    page = app.authorize_url(**client.asks, **resource)
    back = sent_back(consent(browser_of(space.owner), page, **picked))
    answer = app.exchange(back["code"], **resource)
    assert answer.status_code == 200, answer.content
    tokens: dict[str, object] = answer.json()
    return tokens


async def tools_of(space: Space, token: object) -> list[str]:
    async with web(str(token)) as http:
        answer = await http.post(space.mcp_url, content=rpc("tools/list"), headers=POST_HEADERS)
    assert answer.status_code == 200, answer.text
    return [tool["name"] for tool in answer.json()["result"]["tools"]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("client", REGISTERED.values(), ids=REGISTERED)
async def test_a_client_of_the_field_registers_is_let_in_and_sees_the_tools(
    client: KnownClient,
) -> None:
    space = await sync_to_async(make_space)()

    body = await sync_to_async(register)(client)
    app = App(str(body["client_id"]), client.redirect, str(body.get("client_secret", "")))
    tokens = await sync_to_async(let_in)(client, app, space)
    tools = await tools_of(space, tokens["access_token"])
    refreshed = await sync_to_async(app.refresh)(str(tokens["refresh_token"]))
    tools_after = await tools_of(space, refreshed.json()["access_token"])

    sent = client.registration
    assert body["redirect_uris"] == sent["redirect_uris"]
    assert body["token_endpoint_auth_method"] == sent["token_endpoint_auth_method"]
    assert body["client_name"] == sent["client_name"]
    assert ("client_secret" in body) is (sent["token_endpoint_auth_method"] != "none")
    assert tokens["scope"] == "auth:read auth:write"
    assert len(tools) == 6
    assert tools_after == tools


@pytest.mark.parametrize("client", REGISTERED.values(), ids=REGISTERED)
def test_people_read_which_client_asks_and_where_it_sends_them(
    space: Space, client: KnownClient
) -> None:
    app = App(str(register(client)["client_id"]), client.redirect)

    page = browser_of(space.owner).get(app.authorize_url(resource=space.mcp_url, **client.asks))

    text = page.content.decode()
    assert str(client.registration["client_name"]) in text
    assert client.redirect.partition("://")[2].partition("/")[0] in text


@pytest.mark.parametrize(
    "grants", [["authorization_code"], ["refresh_token", "authorization_code"]]
)
def test_whichever_grants_a_client_lists_it_may_refresh(space: Space, grants: list[str]) -> None:
    known = REGISTERED["goose"]
    client = KnownClient(known.registration | {"grant_types": grants}, known.redirect)

    app = App(str(register(client)["client_id"]), client.redirect)
    tokens = connected(app, space)

    assert app.refresh(str(tokens["refresh_token"])).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("client_id", "redirect"), DOCUMENTED.values(), ids=DOCUMENTED)
async def test_a_client_with_a_document_is_let_in_without_registering(
    client_documents: None, client_id: str, redirect: str
) -> None:
    space = await sync_to_async(make_space)()
    app = App(client_id, redirect)

    tokens = await sync_to_async(connected)(app, space)
    tools = await tools_of(space, tokens["access_token"])
    refreshed = await sync_to_async(app.refresh)(str(tokens["refresh_token"]))

    assert len(tools) == 6
    assert refreshed.status_code == 200
    name = KNOWN_DOCUMENTS[client_id]["client_name"]
    caller = await sync_to_async(partial(authenticate, refreshed.json()["access_token"]))(space.pk)
    assert caller.actor.client_name == name


class PuzzledDocuments(ClientDocumentFetcher):
    """Publishers that answer this server with a puzzle for browsers."""

    def document(self, client_id: str) -> tuple[Document, int]:
        raise CIMDError(f"client_id document of {client_id} returned HTTP 403")


@pytest.fixture
def nothing_can_be_fetched(settings: Settings) -> None:
    settings.OAUTH2_PROVIDER = {
        **settings.OAUTH2_PROVIDER,
        "CIMD_ENABLED": True,
        "CIMD_METADATA_FETCHER": PuzzledDocuments,
    }


@pytest.mark.parametrize(("client_id", "redirect"), DOCUMENTED.values(), ids=DOCUMENTED)
def test_a_well_known_client_is_let_in_although_its_document_can_not_be_read(
    space: Space, nothing_can_be_fetched: None, client_id: str, redirect: str
) -> None:
    tokens = connected(App(client_id, redirect), space)

    caller = authenticate(str(tokens["access_token"]), space.pk)
    assert caller.actor.client_name == KNOWN_DOCUMENTS[client_id]["client_name"]


@pytest.mark.parametrize(
    ("client_id", "redirect"),
    [
        (str(CLAUDE["client_id"]), "https://evil.example/api/mcp/auth_callback"),
        (str(CLAUDE["client_id"]), "http://localhost:5/api/mcp/auth_callback"),
        (f"{CLAUDE['client_id']}/", "https://claude.ai/api/mcp/auth_callback"),
        ("https://claude.ai.evil.example/oauth/mcp-oauth-client-metadata", "https://claude.ai/cb"),
    ],
)
def test_what_is_known_of_a_client_helps_nobody_else(
    space: Space, nothing_can_be_fetched: None, client_id: str, redirect: str
) -> None:
    url = App(client_id, redirect).authorize_url(resource=space.mcp_url)

    page = browser_of(space.owner).get(url)

    assert page.status_code == 400
    assert not page.has_header("Location")


def test_what_a_client_published_before_stays_when_it_can_not_be_read_again(
    user: User, space: Space, nothing_can_be_fetched: None
) -> None:
    client_id = str(CLAUDE["client_id"])
    app = App(client_id, "https://claude.ai/api/mcp/auth_callback")
    connected(app, space)
    Application.objects.filter(client_id=client_id).update(
        redirect_uris="https://claude.ai/moved", cimd_expires_at="2020-01-01T00:00Z"
    )

    page = browser_of(user).get(app.authorize_url(resource=space.mcp_url))
    app.redirect = "https://claude.ai/moved"
    moved = browser_of(user).get(app.authorize_url(resource=space.mcp_url))

    assert page.status_code == 400
    assert moved.status_code == 200


@pytest.mark.parametrize("document", KNOWN_DOCUMENTS.values(), ids=KNOWN_DOCUMENTS)
def test_known_documents_send_people_to_their_publisher_or_to_their_own_computer(
    document: Document,
) -> None:
    publisher = str(document["client_id"]).split("/")[2]
    uris = document["redirect_uris"]

    assert isinstance(uris, list)
    hosts = {uri.split("/")[2].partition(":")[0] for uri in uris}
    # claude.com is the other name of claude.ai.
    assert hosts <= {publisher, publisher.replace(".ai", ".com"), "localhost", "127.0.0.1"}
