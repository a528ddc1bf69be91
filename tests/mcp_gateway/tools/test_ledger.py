"""What a tool hands over is in the ledger of reads, and nothing else is."""

from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from memories.models import Memory, Recall
from memories.services import recalling
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory
from tests.mcp_gateway.clients import call, connected, refusal


async def remembered(space: Space, content: str, **fields: Any) -> Memory:
    return await sync_to_async(make_memory)(space, content, **fields)


@sync_to_async
def ledger(space: Space) -> list[Recall]:
    assert recalling.flush()
    with inside(space):
        return list(Recall.objects.in_space(space).order_by("id"))


async def test_hits_of_a_search_are_noted_with_client_and_query(space: Space) -> None:
    memory = await remembered(space, "We deploy on Fridays at noon.")
    async with connected(space, x_agent_instance_id="laptop-7") as client:
        await call(client, "search", query="when do we deploy?")

    (line,) = await ledger(space)
    assert (line.memory_id, line.way, line.query) == (memory.pk, "searched", "when do we deploy?")
    assert (line.client_name, line.agent_instance) == ("Test agent", "laptop-7")
    assert line.client_key.startswith("key:")


async def test_a_memory_that_is_looked_up_by_its_id_is_noted_as_that(space: Space) -> None:
    memory = await remembered(space, "We deploy on Fridays at noon.")
    async with connected(space) as client:
        await call(client, "search", query=str(memory.pk))

    (line,) = await ledger(space)
    assert (line.memory_id, line.way, line.query) == (memory.pk, "looked_up", "")


async def test_what_a_task_is_resumed_by_is_noted(space: Space) -> None:
    async with connected(space) as client:
        kept = await call(client, "checkpoint", task="Ship", goal="Release 2", next_step="Notes")
        await call(client, "resume", task="Ship")

    (line,) = await ledger(space)
    assert (str(line.memory_id), line.way, line.query) == (kept["id"], "resumed", "Ship")


async def test_what_a_save_shows_of_others_is_noted(space: Space) -> None:
    other = await remembered(space, "The release train leaves on Fridays at noon.", path="Trains")
    async with connected(space) as client:
        saved = await call(
            client,
            "save",
            content="The release train leaves on Mondays at noon.",
            kind="decision",
            path="Trains",
            source="Ana",
            rationale="She said so",
        )

    shown = [*saved.get("similar", []), *saved.get("disagrees_with", [])]
    lines = await ledger(space)
    assert [line.memory_id for line in lines] == [other.pk]
    assert {line.way for line in lines} == {"shown"}
    assert {row["id"] for row in shown} == {str(other.pk)}


@pytest.mark.parametrize("query", ["", "the colour of the moon at breakfast"])
async def test_an_answer_without_memories_is_not_noted(space: Space, query: str) -> None:
    await remembered(space, "We deploy on Fridays.")
    async with connected(space) as client:
        found = await call(client, "search", query=query, kinds=["pointer"])

    assert found["results"] == []
    assert await ledger(space) == []


async def test_what_is_refused_is_not_noted(space: Space) -> None:
    memory = await remembered(space, "We deploy on Fridays.")
    async with connected(space) as client:
        await refusal(client, "search", query=str(memory.pk), limit=500)
        await refusal(client, "revise", id=str(uuid4()), content="We deploy on Mondays.")

    assert await ledger(space) == []


async def test_a_search_is_answered_when_the_ledger_cannot_be_written(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await remembered(space, "We deploy on Fridays at noon.")

    def broken(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memories.services.recalling.write_reads", broken)
    async with connected(space) as client:
        found = await call(client, "search", query="deploy")

    assert found["results"][0]["id"] == str(memory.pk)
    assert await ledger(space) == []
