"""What an import does with a memory that is here already."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from memories.rules.facts import sha256
from memories.rules.transfer import Client, MemoryRecord, Source, Version
from memories.rules.transfer_verdicts import Verdict, verdict_beside

START = datetime(2026, 11, 1, tzinfo=UTC)
NOBODY = Client(key="", name="", instance="")
ID = uuid4()


def at(days: int) -> datetime:
    return START + timedelta(days=days)


def version(number: int, text: str, **changes: Any) -> Version:
    fields = {
        "number": number, "kind": "decision", "path": "Project", "content": text,
        "content_sha256": sha256(text), "source": "Ana", "rationale": "so", "checkpoint": {},
        "operation": "created", "reason": "", "author": "agent", "changed_by": None,
        "client": NOBODY, "created_at": at(number), "erased_at": None,
    }  # fmt: skip
    return Version(**(fields | changes))


def memory(*texts: str, **changes: Any) -> MemoryRecord:
    """Return a memory that had these texts, one a day."""
    versions = [version(number, text) for number, text in enumerate(texts, start=1)]
    last = versions[-1]
    fields = {
        "id": ID, "kind": "decision", "path": "Project", "content": last.content,
        "content_sha256": last.content_sha256, "source": "Ana", "rationale": "so",
        "checkpoint": {}, "author": "agent", "client": NOBODY, "version": len(texts),
        "state": "active", "state_at": at(1), "forgotten_by_person": False,
        "superseded_by": None, "created_at": at(1), "updated_at": last.created_at,
        "confirmed_at": at(1), "confirmations": 1, "person_confirmed_at": None,
        "expires_at": None, "erased_at": None, "sources": [], "versions": versions,
    }  # fmt: skip
    return MemoryRecord(**(fields | changes))


ERASED = {"content": "", "content_sha256": "", "state": "forgotten", "erased_at": at(9)}
SAID_AGAIN = [Source(text="Bruno", added_by=None, client_name="", added_at=at(6))]


@pytest.mark.parametrize(
    ("here", "there", "verdict"),
    [
        (memory("one"), memory("one"), Verdict.HERE),
        (memory("one"), memory("one", "two"), Verdict.UPDATED),
        (memory("one", "two"), memory("one"), Verdict.KEPT),
        (memory("one", "here"), memory("one", "there"), Verdict.APART),
        (memory("one", "here"), memory("one", "there", "more"), Verdict.APART),
        (memory("one"), memory("one", confirmations=2, confirmed_at=at(5)), Verdict.UPDATED),
        (memory("one", confirmations=2, confirmed_at=at(5)), memory("one"), Verdict.KEPT),
        (memory("one"), memory("one", sources=SAID_AGAIN), Verdict.UPDATED),
        (memory("one", sources=SAID_AGAIN), memory("one"), Verdict.KEPT),
    ],
)
def test_the_file_wins_only_where_it_goes_on_from_what_is_here(
    here: MemoryRecord, there: MemoryRecord, verdict: Verdict
) -> None:
    assert verdict_beside(here, there) == verdict


@pytest.mark.parametrize("later", [0, 8])
@pytest.mark.parametrize("state", ["active", "held", "superseded"])
def test_what_was_forgotten_here_stays_forgotten_however_new_the_file(
    state: str, later: int
) -> None:
    here = memory("one", state="forgotten", state_at=at(4))
    there = memory("one", "two", state=state, state_at=at(4 + later), updated_at=at(4 + later))

    assert verdict_beside(here, there) == Verdict.FORGOTTEN


def test_what_was_erased_here_stays_erased() -> None:
    assert verdict_beside(memory("one", **ERASED), memory("one")) == Verdict.FORGOTTEN


def test_a_file_erases_nothing() -> None:
    assert verdict_beside(memory("one"), memory("one", **ERASED)) == Verdict.KEPT


def test_what_was_replaced_here_does_not_hold_again() -> None:
    here = memory("one", state="superseded", state_at=at(4))
    there = memory("one", confirmed_at=at(8))

    assert verdict_beside(here, there) == Verdict.KEPT


def test_a_newer_file_may_say_that_it_was_forgotten() -> None:
    there = memory("one", state="forgotten", state_at=at(5), forgotten_by_person=True)

    assert verdict_beside(memory("one"), there) == Verdict.UPDATED


def test_an_erased_version_is_no_contradiction() -> None:
    blank = version(1, "", content_sha256="", path="", source="", rationale="", erased_at=at(9))
    here = memory("one", "two")
    here = here.model_copy(update={"versions": [blank, here.versions[1]]})

    assert verdict_beside(here, memory("one", "two", "three")) == Verdict.UPDATED
