"""The main job, end to end: an agent signs in through a person, saves, and finds it again."""

from urllib.parse import urlsplit

import httpx
import pytest

from tests.journeys.agent import Agent
from tests.journeys.conftest import NewPerson
from tests.journeys.person import Person
from tests.journeys.product import Product
from tests.mcp_gateway.clients import ERAS, POST_HEADERS, Era, call, rpc

pytestmark = pytest.mark.product


def space_of(product: Product, person: Person, name: str) -> str:
    return product.manage("create_space", person.email, name)["url"]


@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_signs_in_saves_and_finds_it_again_in_a_new_connection(
    product: Product, new_person: NewPerson, era: Era
) -> None:
    person = new_person()
    agent = Agent(space_of(product, person, f"Work {era}"), person)

    async with agent.connected(era) as client:
        version = client.protocol_version
        listed = await client.list_tools()
        saved = await call(
            client,
            "save",
            content="The release train leaves on Tuesdays.",
            kind="decision",
            path="Team/Releases",
            source="Ana, in the weekly meeting",
            rationale="so that support is at its desks",
        )
    async with agent.connected(era) as client:
        found = await call(client, "search", query="when does the release train leave?")
        revised = await call(
            client, "revise", id=saved["id"], content="The release train leaves on Thursdays."
        )
        found_new = await call(client, "search", query="release train")
        forgotten = await call(client, "forget", id=saved["id"])
        found_nothing = await call(client, "search", query="release train")
        kept = await call(
            client, "checkpoint", task="Ship", goal="Release 2", next_step="Write the notes"
        )
        resumed = await call(client, "resume")

    assert version == ("2026-07-28" if era == "auto" else "2025-11-25")
    assert len(listed.tools) == 6
    assert saved["outcome"] == "created"
    assert found["results"][0]["id"] == saved["id"]
    assert found["results"][0]["client"] == "Journey agent"
    assert revised == {
        "outcome": "revised",
        "id": saved["id"],
        "version": 2,
        "path": "Team.Releases",
    }
    assert found_new["results"][0]["content"] == "The release train leaves on Thursdays."
    assert forgotten["outcome"] == "forgotten"
    assert found_nothing["results"] == []
    assert resumed["checkpoints"][0]["id"] == kept["id"]


async def test_the_client_goes_from_401_over_metadata_and_registration_to_a_token(
    product: Product, new_person: NewPerson
) -> None:
    person = new_person()
    agent = Agent(space_of(product, person, "Steps"), person)

    async with agent.connected() as client:
        await client.list_tools()

    path = urlsplit(agent.url).path
    steps = list(dict.fromkeys(agent.exchanges))
    wanted = [
        ("POST", path, 401),
        ("GET", f"/.well-known/oauth-protected-resource{path}", 200),
        ("GET", "/.well-known/oauth-authorization-server", 200),
        ("POST", "/register", 201),
        ("POST", "/token", 200),
        ("POST", path, 200),
    ]
    assert [step for step in steps if step in wanted] == wanted


async def test_a_person_who_grants_reading_only_gets_an_agent_that_only_reads(
    product: Product, new_person: NewPerson
) -> None:
    person = new_person()
    person.access = "read"
    agent = Agent(space_of(product, person, "Read only"), person)

    async with agent.connected() as client:
        listed = await client.list_tools()

    assert [tool.name for tool in listed.tools] == ["search", "resume"]


async def test_a_token_opens_the_space_it_was_issued_for_and_nothing_else(
    product: Product, new_person: NewPerson
) -> None:
    person, stranger = new_person(), new_person()
    own, other = (space_of(product, person, name) for name in ("Own", "Other"))
    foreign = space_of(product, stranger, "Foreign")
    agent = Agent(own, person)
    async with agent.connected() as client:
        await client.list_tools()
    bearer = {"authorization": f"Bearer {agent.access_token}"}

    async with httpx.AsyncClient(base_url=product.url, headers=bearer, timeout=30) as http:

        async def post(url: str) -> httpx.Response:
            return await http.post(url, content=rpc("tools/list"), headers=POST_HEADERS)

        accepted, *refused = [await post(url) for url in (own, other, foreign)]
        refresh = await http.post("/token", data=agent.refresh_request(resource=other))
        rest = await http.get("/api/v1/me")
        dashboard = await http.get("/")

    assert accepted.status_code == 200
    for url, answer in zip([other, foreign], refused, strict=True):
        assert answer.status_code == 401
        assert urlsplit(url).path in answer.headers["www-authenticate"]
    assert refused[0].content == refused[1].content
    assert refresh.status_code == 400
    assert refresh.json()["error"] == "invalid_target"
    assert rest.status_code == 401
    assert dashboard.status_code == 302
    assert "/sign-in/" in dashboard.headers["location"]


def test_a_person_signs_in_makes_a_space_and_signs_out(
    product: Product, new_person: NewPerson
) -> None:
    person = new_person()

    home = person.sign_in()
    created = person.submit(person.open("/spaces/new/"), name="First space", language="en")
    again = person.open("/")

    assert home.status_code == 200
    assert created.status_code == 200
    assert "/mcp/" in created.text
    assert "First space" in again.text


def test_a_headless_client_needs_no_browser(product: Product) -> None:
    space = product.manage("create_space", "headless@example.org", "Scripts")
    key = product.manage(
        "create_api_key", space["id"], "--scope", "auth:read", "--scope", "auth:write"
    )

    answer = httpx.post(
        space["url"],
        content=rpc("tools/list"),
        headers=POST_HEADERS | {"authorization": f"Bearer {key['key']}"},
    )

    assert answer.status_code == 200
    assert len(answer.json()["result"]["tools"]) == 6
