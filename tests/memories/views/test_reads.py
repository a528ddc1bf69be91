"""The ledger of reads as a page and as a file, and what the page of a memory says of it."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.models import Memory, Recall, Way
from memories.queries.recalls import PAGE
from memories.services.affirming import erase_memory
from memories.services.recalling import Received, write_reads
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory


def url(space: Space) -> str:
    return reverse("memories:reads", args=[space.pk])


def export_url(space: Space, form: str) -> str:
    return reverse("memories:reads-export", args=[space.pk, form])


def read(space: Space, memory: Memory, *, by: str = "Cursor", query: str = "noon?") -> None:
    received = Received([memory.pk], Way.SEARCHED, query=query)
    at = timezone.now() - timedelta(minutes=5)
    write_reads(space=space, actor=agent_of(space, name=by), received=received, at=at)


def test_a_line_says_which_client_received_which_memory_for_what(
    space: Space, signed_in: Client
) -> None:
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Shop.Deploy")
    read(space, memory, query="when <do> we deploy?")

    page = signed_in.get(url(space)).text

    for text in ("Cursor", "searched", "when &lt;do&gt; we deploy?", "Shop.Deploy"):
        assert text in page
    assert memory.get_absolute_url() in page


def test_what_one_answer_handed_over_stands_together(space: Space, signed_in: Client) -> None:
    memories = [make_memory(space, f"Fact number {number} holds.") for number in range(3)]
    received = Received([memory.pk for memory in memories], Way.SEARCHED, query="facts?")
    write_reads(space=space, actor=agent_of(space), received=received, at=timezone.now())

    page = signed_in.get(url(space)).text

    assert page.count('class="row event"') == 1
    assert page.count("facts?") == 1
    assert all(memory.get_absolute_url() in page for memory in memories)


def test_an_empty_ledger_says_what_will_stand_here(space: Space, signed_in: Client) -> None:
    page = signed_in.get(url(space)).text

    assert "Nothing was read yet" in page


def test_filters_come_with_the_address(space: Space, signed_in: Client) -> None:
    memory, other = make_memory(space), make_memory(space, "We ship on Mondays at noon.")
    read(space, memory, by="Cursor", query="of cursor")
    read(space, other, by="Codex", query="of codex")

    by_client = signed_in.get(url(space), {"client": "app:codex"}).text
    by_memory = signed_in.get(url(space), {"memory": str(memory.pk)}).text
    nothing = signed_in.get(url(space), {"until": "2020-01-01"}).text
    wrong = signed_in.get(url(space), {"memory": "nonsense"})

    assert "of codex" in by_client
    assert "of cursor" not in by_client
    assert "of cursor" in by_memory
    assert "of codex" not in by_memory
    assert "Nothing matches" in nothing
    assert wrong.status_code == 422


def test_the_next_lines_are_a_fragment(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)
    for number in range(PAGE + 3):
        read(space, memory, query=f"query {number}")
    first = signed_in.get(url(space)).context["page"]

    rest = signed_in.get(url(space), {"after": first.after}, headers={"HX-Request": "true"}).text

    assert rest.count('class="row event"') == 3
    assert "<html" not in rest


def test_the_page_says_when_queries_are_not_noted(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)
    read(space, memory, query="private matter")
    Space.objects.filter(pk=space.pk).update(keeps_queries=False)

    page = signed_in.get(url(space)).text

    assert "is not noted in this space" in page
    assert "private matter" not in page


def test_everything_is_taken_along_as_a_table_that_is_no_formula(
    space: Space, signed_in: Client
) -> None:
    memory = make_memory(space, path="Shop")
    read(space, memory, query="=1+1")

    sent = b"".join(signed_in.get(export_url(space, "csv"))).decode()

    (row,) = csv.DictReader(io.StringIO(sent))
    assert (row["query"], row["memory"], row["path"]) == ("'=1+1", str(memory.pk), "Shop")


@pytest.mark.parametrize("lines", [0, 1, 3])
def test_json_is_whole_however_many_lines_there_are(
    space: Space, signed_in: Client, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.views.recalls.BATCH", 2)
    monkeypatch.setattr("memories.queries.recalls.BATCH", 2)
    memory = make_memory(space)
    for number in range(lines):
        read(space, memory, query=f"query {number}")

    sent = b"".join(signed_in.get(export_url(space, "json"))).decode()

    assert len(json.loads(sent)) == lines


def test_an_export_has_what_the_filters_let_through(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)
    read(space, memory, by="Cursor")
    read(space, memory, by="Codex")

    sent = b"".join(signed_in.get(export_url(space, "json"), {"client": "app:codex"}))

    assert [row["app"] for row in json.loads(sent)] == ["Codex"]


def test_strangers_unknown_forms_and_other_methods_get_nothing(
    space: Space, signed_in: Client, stranger: Client
) -> None:
    for address in (url(space), export_url(space, "csv")):
        assert stranger.get(address).status_code == 404
        assert Client().get(address).status_code == 302
        assert signed_in.post(address).status_code == 405
    assert signed_in.get(export_url(space, "xml")).status_code == 404


def test_the_page_of_a_memory_says_who_has_read_it(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)
    for by in ("Cursor", "Codex", "Codex"):
        read(space, memory, by=by)

    page = " ".join(signed_in.get(memory.get_absolute_url()).text.split())

    assert "Read 3 times by 2 clients" in page
    assert f"{url(space)}?memory={memory.pk}" in page


def test_the_page_of_a_memory_says_that_nobody_has(space: Space, signed_in: Client) -> None:
    assert "Never read" in signed_in.get(make_memory(space).get_absolute_url()).text


def test_a_day_is_told_with_its_number_of_times(space: Space, signed_in: Client) -> None:
    memory = make_memory(space)
    read(space, memory)
    with inside(space):
        Recall.objects.update(times=4, day="2026-11-12")

    page = signed_in.get(url(space)).text

    assert "4 times on Nov. 12, 2026" in page


def test_erasing_a_memory_takes_the_queries_that_led_to_it_along(
    space: Space, signed_in: Client
) -> None:
    memory, other = make_memory(space), make_memory(space, "We ship on Mondays at noon.")
    for each in (memory, other):
        read(space, each, query="the secret plan")
    read(space, other, query="something else")

    erase_memory(space=space, actor=make_actor(space.owner), memory_id=memory.pk)
    page = signed_in.get(url(space)).text

    assert "the secret plan" not in page
    assert "something else" in page
    assert "a memory that was erased" in page
