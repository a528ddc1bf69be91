"""`resume`, `revise`, `forget` and `checkpoint`, as the official client meets them."""

import asyncio
import uuid

import pytest
from asgiref.sync import sync_to_async

from memories.models import MemoryVersion, ReviewItem
from memories.services.comparing import compare_recent
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor, make_memory, make_space
from tests.mcp_gateway.clients import call, connected, refusal


async def remembered(space: Space, content: str = "We deploy on Fridays at noon.") -> str:
    memory = await sync_to_async(make_memory)(space, content)
    return str(memory.pk)


async def test_a_checkpoint_is_resumed_with_all_its_fields(space: Space) -> None:
    fields = {
        "task": "Ship the importer",
        "goal": "Import old notes",
        "next_step": "Write the dry run",
        "done": "Parser",
        "blockers": "None",
        "constraints": "No new tables",
        "sources": "docs/import.md",
    }
    async with connected(space) as client:
        written = await call(client, "checkpoint", **fields)
    async with connected(space) as other:
        resumed = await call(other, "resume")

    assert written["outcome"] == "created"
    assert written["task"] == "Ship the importer"
    (checkpoint,) = resumed["checkpoints"]
    assert fields.items() <= checkpoint.items()
    assert checkpoint["id"] == written["id"]


async def test_a_checkpoint_that_mentions_a_disagreement_says_so(space: Space) -> None:
    pair = {await remembered(space, f"Keep backups for {days} days.") for days in (30, 90)}
    await sync_to_async(compare_recent)(space)
    async with connected(space) as client:
        await call(client, "checkpoint", task="Backups", goal="g", next_step="See [[Project]]")
        resumed = await call(client, "resume")

    assert {*resumed["disagreements"][0]} == pair
    assert "ask the person" in resumed["notice"]


async def test_a_newer_checkpoint_replaces_the_earlier_one_of_the_task(space: Space) -> None:
    async with connected(space) as client:
        await call(client, "checkpoint", task="Ship it", goal="g", next_step="first")
        newer = await call(client, "checkpoint", task="ship it.", goal="g", next_step="second")
        resumed = await call(client, "resume", task="SHIP IT")

    assert newer["outcome"] == "replaced"
    (checkpoint,) = resumed["checkpoints"]
    assert checkpoint["next_step"] == "second"


async def test_a_task_without_a_checkpoint_is_answered_with_the_nearest_names(
    space: Space,
) -> None:
    async with connected(space) as client:
        await call(client, "checkpoint", task="Ship the importer", goal="g", next_step="n")
        resumed = await call(client, "resume", task="importer")

    assert resumed["checkpoints"] == []
    assert resumed["nearest_tasks"] == ["Ship the importer"]
    assert "no checkpoint of this task" in resumed["notice"]


async def test_revising_only_the_content_keeps_everything_else(space: Space) -> None:
    memory_id = await remembered(space)
    async with connected(space) as client:
        revised = await call(client, "revise", id=memory_id, content="We deploy on Mondays.")
        found = await call(client, "search", query=memory_id)

    assert revised["outcome"] == "revised"
    assert revised["version"] == 2
    (hit,) = found["results"]
    assert hit["content"] == "We deploy on Mondays."
    assert (hit["kind"], hit["path"], hit["source"]) == ("decision", "Project", "Ana")


async def test_a_revision_of_an_old_version_writes_nothing_and_returns_the_current_text(
    space: Space,
) -> None:
    memory_id = await remembered(space)
    async with connected(space) as client:
        await call(client, "revise", id=memory_id, content="We deploy on Mondays.")
        late = await call(
            client, "revise", id=memory_id, content="We deploy never.", expected_version=1
        )

    assert late["outcome"] == "conflict"
    assert late["current"] == "We deploy on Mondays."
    assert late["version"] == 2


async def test_parallel_revisions_write_versions_without_gaps(space: Space) -> None:
    memory_id = await remembered(space)
    async with connected(space) as client:
        await asyncio.gather(
            *(
                call(client, "revise", id=memory_id, content=f"We deploy on day {day}.")
                for day in range(10)
            )
        )

    def numbers() -> list[int]:
        with inside(space):
            return list(MemoryVersion.objects.order_by("number").values_list("number", flat=True))

    assert await sync_to_async(numbers)() == list(range(1, 12))


async def test_forgetting_twice_says_so(space: Space) -> None:
    memory_id = await remembered(space)
    async with connected(space) as client:
        first = await call(client, "forget", id=memory_id, reason="It was wrong")
        second = await call(client, "forget", id=memory_id)
        found = await call(client, "search", query="deploy")
        by_id = await call(client, "search", query=memory_id)

    assert first == {"outcome": "forgotten", "id": memory_id}
    assert second == {"outcome": "already_forgotten", "id": memory_id}
    assert found["results"] == []
    assert by_id["results"] == []
    assert "was forgotten" in by_id["notice"]


async def test_changing_what_the_person_wrote_takes_effect_and_asks_them(space: Space) -> None:
    memory = await sync_to_async(make_memory)(
        space, "I like short answers.", kind="preference", actor=make_actor(space.owner)
    )
    async with connected(space) as client:
        await call(client, "revise", id=str(memory.pk), content="I like long answers.")

    def questions() -> list[str]:
        with inside(space):
            return list(ReviewItem.objects.values_list("question", flat=True))

    assert await sync_to_async(questions)() == ["changed_by_agent"]


@pytest.mark.parametrize("tool", ["revise", "forget"])
async def test_unknown_and_foreign_ids_get_the_same_sentence(space: Space, tool: str) -> None:
    foreign = await remembered(await sync_to_async(make_space)())
    more = {"content": "We deploy on Mondays."} if tool == "revise" else {}
    async with connected(space) as client:
        answers = [
            await refusal(client, tool, id=memory_id, **more)
            for memory_id in (foreign, str(uuid.uuid4()))
        ]

    assert answers[0] == answers[1]
    assert "There is no memory with this id" in answers[0]


@pytest.mark.parametrize("memory_id", ["", "7", "not-an-id", "'; drop table x; --", "0" * 200])
async def test_a_malformed_id_gets_a_sentence(space: Space, memory_id: str) -> None:
    async with connected(space) as client:
        said = await refusal(client, "forget", id=memory_id)

    assert "id is not an id" in said


async def test_a_revision_of_nothing_is_refused(space: Space) -> None:
    memory_id = await remembered(space)
    async with connected(space) as client:
        said = await refusal(client, "revise", id=memory_id)

    assert "Nothing was sent to revise." in said


@pytest.mark.parametrize("missing", ["task", "goal", "next_step"])
async def test_a_checkpoint_needs_task_goal_and_next_step(space: Space, missing: str) -> None:
    fields = {"task": "t", "goal": "g", "next_step": "n"} | {missing: "  "}
    async with connected(space) as client:
        said = await refusal(client, "checkpoint", **fields)

    assert f"The checkpoint has no {missing}." in said


async def test_an_unknown_tool_is_unknown(space: Space) -> None:
    async with connected(space) as client:
        with pytest.raises(Exception, match="Unknown tool"):
            await client.call_tool("drop_everything", {})
