import csv
import io
import json

import pytest
from django.test import AsyncClient, Client
from django.urls import reverse

from accounts.actors import Actor
from memories.queries import activity as lines
from memories.queries.activity import PAGE
from memories.services.forgetting import forget_memory
from memories.views import activity
from spaces.models import Space
from tests.factories import agent_of, make_memory


def url(space: Space) -> str:
    return reverse("memories:activity", args=[space.pk])


def export_url(space: Space, form: str) -> str:
    return reverse("memories:activity-export", args=[space.pk, form])


def exported(client: Client, address: str) -> str:
    return b"".join(client.get(address)).decode()


def test_a_line_says_who_did_what_when_and_why(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Shop.Deploy", actor=agent)
    forget_memory(space=space, actor=agent, memory_id=memory.pk, reason="It was <wrong>")

    page = signed_in.get(url(space)).content.decode()

    for text in ("Claude Code", "forgot", "saved", "Shop.Deploy", "It was &lt;wrong&gt;"):
        assert text in page
    assert memory.get_absolute_url() in page


def test_filters_come_with_the_address(
    space: Space, signed_in: Client, agent: Actor, person: Actor
) -> None:
    make_memory(space, "We deploy on Fridays at noon.", actor=agent)
    make_memory(space, "We deploy on Mondays at noon.", actor=person)

    theirs = signed_in.get(url(space), {"app": agent.client_key, "verb": "saved"})
    none = signed_in.get(url(space), {"until": "2020-01-01"})
    wrong = signed_in.get(url(space), {"since": "yesterday"})

    page = theirs.content.decode()
    assert "on Fridays" in page
    assert "on Mondays" not in page
    assert f'value="{agent.client_key}" selected' in page
    assert "Nothing matches" in none.content.decode()
    assert wrong.status_code == 422


def test_an_empty_space_says_what_will_stand_here(space: Space, signed_in: Client) -> None:
    page = signed_in.get(url(space)).content.decode()

    assert "Nothing happened here yet" in page


def test_the_next_lines_and_the_live_part_are_fragments(space: Space, signed_in: Client) -> None:
    for number in range(PAGE + 3):
        make_memory(space, f"Oysters of sort number {number}.")
    after = signed_in.get(url(space)).context["page"].after

    rest = signed_in.get(url(space), {"after": after}, headers={"HX-Request": "true"})
    live = signed_in.get(url(space), headers={"HX-Request": "true"})

    assert rest.content.decode().count('class="row event"') == 3
    assert "<ol" not in rest.content.decode()
    assert 'id="found"' in live.content.decode()
    assert "<html" not in live.content.decode()


def test_everything_is_taken_along_as_a_table_that_is_no_formula(
    space: Space, signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "BATCH", 2)
    monkeypatch.setattr(lines, "BATCH", 2)
    evil = agent_of(space, name="=cmd|' /C calc'!A0")
    for number in range(5):
        make_memory(space, f"Oysters of sort number {number}.", actor=evil)

    response = signed_in.get(export_url(space, "csv"))
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))

    assert response["Content-Disposition"].startswith('attachment; filename="activity-')
    assert len(rows) == 5
    assert rows[0]["app"] == "'=cmd|' /C calc'!A0"
    assert rows[0]["who"] == "agent"
    assert rows[0]["verb"] == "saved"


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_json_is_whole_however_many_lines_there_are(
    space: Space, signed_in: Client, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(activity, "BATCH", 2)
    monkeypatch.setattr(lines, "BATCH", 2)
    for number in range(count):
        make_memory(space, f"Oysters of sort number {number}.", path="Açaí")

    rows = json.loads(exported(signed_in, export_url(space, "json")))

    assert len(rows) == count
    assert all(row["path"] == "Açaí" for row in rows)


def test_an_export_has_what_the_filters_let_through(
    space: Space, signed_in: Client, person: Actor
) -> None:
    make_memory(space, "We deploy on Fridays at noon.")
    make_memory(space, "We deploy on Mondays at noon.", actor=person)

    rows = json.loads(exported(signed_in, f"{export_url(space, 'json')}?app=you"))

    assert [row["who"] for row in rows] == ["person"]


@pytest.mark.django_db(transaction=True)
async def test_the_event_loop_streams_the_same(space: Space) -> None:
    client = AsyncClient()
    await client.aforce_login(space.owner)

    response = await client.get(export_url(space, "json"))

    assert json.loads(b"".join([part async for part in response])) == []  # type: ignore[attr-defined]


def test_strangers_unknown_forms_and_other_methods_get_nothing(
    space: Space, signed_in: Client, stranger: Client
) -> None:
    assert stranger.get(url(space)).status_code == 404
    assert stranger.get(export_url(space, "csv")).status_code == 404
    assert signed_in.get(export_url(space, "xls")).status_code == 404
    assert signed_in.post(url(space)).status_code == 405
