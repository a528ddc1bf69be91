"""After every write path a memory is found: by a word at once, by meaning after the jobs."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from memories.embedders.providers import E5, absent
from memories.queries.search import search
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import restore_memory, restore_version
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory
from tests.memories.meaning import embed_all

TEXT = "The zanzibar depot shuts its gates at nightfall."
BY_WORD, BY_MEANING = "zanzibar", "When does the warehouse close in the evening?"
OTHERS = [
    "The invoices are sent to customers on the first of each month.",
    "Ana leads the team that looks after the mobile app.",
    "The staging server has 8 GB of memory.",
    "Tests run on every push and take about ten minutes.",
]


def save(space: Space, _browser: Client) -> None:
    make_memory(space, TEXT)


def revise(space: Space, _browser: Client) -> None:
    memory = make_memory(space, "Nothing is known of the depot.")
    embed_all(space)
    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=memory.pk,
        revision=Revision(content=TEXT),
    )


def checkpoint(space: Space, _browser: Client) -> None:
    fields = CheckpointFields("Opening hours", goal=TEXT, next_step="Tell the drivers.")
    checkpoint_task(space=space, actor=agent_of(space), fields=fields)


def write_on_the_page(space: Space, browser: Client) -> None:
    fields = {"content": TEXT, "kind": "decision", "path": "Depot"}
    answer = browser.post(reverse("memories:new", args=[space.pk]), fields)
    assert answer.status_code == 302


def edit_on_the_page(space: Space, browser: Client) -> None:
    memory = make_memory(space, "Nothing is known of the depot.")
    embed_all(space)
    sent = {"content": TEXT, "kind": "decision", "path": "Depot", "source": "Ana"}
    sent |= {"rationale": "Asked", "expected_version": "1"}
    answer = browser.post(reverse("memories:edit", args=[space.pk, memory.pk]), sent)
    assert answer.status_code == 302


def restore(space: Space, _browser: Client) -> None:
    memory, person = make_memory(space, TEXT), make_actor(space.owner)
    forget_memory(space=space, actor=person, memory_id=memory.pk)
    restore_memory(space=space, actor=person, memory_id=memory.pk)


def restore_an_earlier_text(space: Space, _browser: Client) -> None:
    memory, person = make_memory(space, TEXT), make_actor(space.owner)
    change = Revision(content="Nothing is known of the depot.")
    revise_memory(space=space, actor=person, memory_id=memory.pk, revision=change)
    embed_all(space)
    restore_version(space=space, actor=person, memory_id=memory.pk, number=1)


PATHS: list[Callable[[Space, Client], None]] = [
    save,
    revise,
    checkpoint,
    write_on_the_page,
    edit_on_the_page,
    restore,
    restore_an_earlier_text,
]


def texts(space: Space, query: str) -> list[str]:
    return [hit.memory.content for hit in search(space=space, query=query, limit=2).hits]


@pytest.mark.parametrize("write", PATHS, ids=lambda write: write.__name__)
def test_what_was_just_written_is_found_by_a_word_of_it(
    write: Callable[[Space, Client], None], space: Space, signed_in: Client
) -> None:
    write(space, signed_in)

    (found,) = texts(space, BY_WORD)
    assert TEXT in found


@pytest.mark.skipif(bool(absent(E5)), reason="no wheel of the built-in model here")
@pytest.mark.parametrize("write", PATHS, ids=lambda write: write.__name__)
def test_what_was_written_is_found_by_its_meaning_after_the_jobs(
    write: Callable[[Space, Client], None], space: Space, signed_in: Client, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    for text in OTHERS:
        make_memory(space, text)
    write(space, signed_in)

    embed_all(space)

    assert TEXT in texts(space, BY_MEANING)[0]
