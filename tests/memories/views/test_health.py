"""The page that tells how a space is doing."""

import re
from datetime import UTC, datetime, timedelta

import time_machine
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from mcp_gateway.models import ApiKey, Connection
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def url(space: Space) -> str:
    return reverse("memories:health", args=[space.pk])


def test_every_figure_leads_to_a_page_that_shows_as_many(
    space: Space, signed_in: Client, agent: Actor, person: Actor
) -> None:
    mine = make_memory(space, actor=person)
    change = Revision(content="We deploy on Mondays at noon.")
    revise_memory(space=space, actor=agent, memory_id=mine.pk, revision=change)

    page = signed_in.get(url(space)).content.decode()

    figures = re.findall(r'class="figure-link" href="([^"]+)"><span[^>]*>(\d+)<', page)
    assert len(figures) == 11
    assert all(signed_in.get(each.replace("&amp;", "&")).status_code == 200 for each, _ in figures)
    assert (
        dict(figures)[f"{reverse('memories:review', args=[space.pk])}?queue=changed_by_agent"]
        == "1"
    )
    assert "1 question waits for you." in page


def test_what_each_key_last_did_is_told(space: Space, signed_in: Client) -> None:
    with inside(space):
        key = ApiKey.objects.create(
            space=space, label="Nightly", key_hash="x", scopes=["auth:read"], created_by=space.owner
        )
        Connection.objects.create(
            space=space,
            client_key=key.client_key,
            client_name="Nightly",
            last_saved_at=TODAY,
            last_error_at=TODAY + timedelta(hours=1),
            last_error_code="bad_path",
        )

    with time_machine.travel(TODAY + timedelta(hours=2), tick=False):
        page = signed_in.get(url(space)).content.decode()

    table = page[page.index("<table") : page.index("</table>")]
    assert "Nightly" in table
    assert "2 hours ago" in table.replace("\xa0", " ")
    assert "bad path" in table
    assert "never" in table


def test_an_empty_space_leads_to_connecting(space: Space, signed_in: Client) -> None:
    page = signed_in.get(url(space)).content.decode()

    assert "Nothing waits for you." in page
    assert "No app is connected" in page
    assert "Search by meaning is off" in page


def test_a_stranger_is_told_that_there_is_no_such_space(space: Space, stranger: Client) -> None:
    response = stranger.get(url(space))

    assert response.status_code == 404
    assert b"There is no such space." in response.content


def test_health_is_only_read(space: Space, signed_in: Client) -> None:
    assert signed_in.post(url(space)).status_code == 405
