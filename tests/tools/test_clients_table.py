"""The page about clients says what was recorded, of every client, and nothing is left blank."""

import json

import pytest

from tests.mcp_gateway.oauth.known_clients import DOCUMENTED, REGISTERED
from tools import clients_table
from tools.clients_table import CLIENTS, COLUMNS, IncompleteError, complete, replaced, section

GOOD = {client: dict.fromkeys(COLUMNS, "yes") for client in CLIENTS}


def test_the_page_agrees_with_what_was_recorded() -> None:
    record = json.loads(clients_table.RECORD.read_text())
    page = clients_table.PAGE.read_text()

    written = replaced(page, section(record["clients"], seen_on=record["seen_on"]))

    assert written == page


@pytest.mark.parametrize(
    "name", sorted({each.partition(",")[0] for each in REGISTERED | DOCUMENTED})
)
def test_the_page_names_every_client_that_is_replayed(name: str) -> None:
    replayed = clients_table.PAGE.read_text().partition("## Replayed")[2].partition("\n## ")[0]

    assert f"| {name.removesuffix(' of old')} |" in replayed


def test_a_cell_without_a_result_is_named_and_nothing_is_written() -> None:
    rows = GOOD | {"Codex": GOOD["Codex"] | {"refresh": ""}}

    with pytest.raises(IncompleteError, match=r"Codex: goes on after expiry\. Run: make clients"):
        section(rows, seen_on="2026-11-30")


def test_a_client_without_a_row_is_named() -> None:
    rows = {client: row for client, row in GOOD.items() if client != "mcporter"}

    with pytest.raises(IncompleteError, match="mcporter: version"):
        complete(rows)


def test_a_client_that_the_page_does_not_know_is_named() -> None:
    with pytest.raises(IncompleteError, match="Add curl to CLIENTS"):
        complete(GOOD | {"curl": GOOD["Codex"]})


def test_a_reason_stands_in_its_cell_and_notes_below() -> None:
    rows = GOOD | {"Codex": GOOD["Codex"] | {"refresh": "no: it can't", "notes": "It logs out."}}

    text = section(rows, seen_on="2026-11-30")

    assert "| Codex | yes | yes | yes | yes | no: it can't | yes |" in text
    assert "- **Codex**: It logs out." in text


def test_a_page_without_its_marks_is_refused() -> None:
    with pytest.raises(IncompleteError, match="needs the two lines"):
        replaced("# Clients", "text")
