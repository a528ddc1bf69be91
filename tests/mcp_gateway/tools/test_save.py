"""The tool `save`, as the official client meets it."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from mcp_gateway.scopes import READ
from memories.models import Activity, Memory
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_actor
from tests.mcp_gateway.clients import ERAS, Era, call, connected, refusal, text_of

DECISION: dict[str, Any] = {
    "content": "We keep every row in PostgreSQL.",
    "kind": "decision",
    "path": "Project.Store",
    "source": "Ana",
    "rationale": "one thing to back up",
}


def rows(space: Space) -> list[Memory]:
    with inside(space):
        return list(Memory.objects.order_by("created_at"))


@pytest.mark.parametrize("era", ERAS)
async def test_a_new_fact_is_created_and_there_when_the_answer_arrives(
    space: Space, era: Era
) -> None:
    async with connected(space, era=era, x_agent_instance_id="runner-7") as client:
        saved = await call(client, "save", **DECISION)

    (memory,) = await sync_to_async(rows)(space)
    assert saved == {
        "outcome": "created",
        "id": str(memory.pk),
        "path": "Project.Store",
        "version": 1,
        "confirmations": 1,
    }
    assert memory.content == DECISION["content"]
    assert memory.author == "agent"
    assert memory.client_name == "Test agent"
    assert memory.agent_instance == "runner-7"


async def test_the_same_fact_again_refreshes_the_first(space: Space) -> None:
    again = DECISION | {"content": "we keep every row in  PostgreSQL", "source": "Bob"}
    async with connected(space) as client:
        first = await call(client, "save", **DECISION)
        second = await call(client, "save", **again)

    assert second["outcome"] == "refreshed"
    assert second["id"] == first["id"]
    assert second["confirmations"] == 2


async def test_an_observation_says_when_it_lapses(space: Space) -> None:
    async with connected(space) as client:
        saved = await call(
            client, "save", content="Build 4121 passed.", kind="observation", path="CI"
        )

    assert saved["expires_at"] > (timezone.now() + timedelta(days=29)).isoformat()


async def test_what_the_person_forgot_is_held(space: Space) -> None:
    async with connected(space) as client:
        first = await call(client, "save", **DECISION)
        await sync_to_async(forget_memory)(
            space=space, actor=make_actor(space.owner), memory_id=first["id"]
        )
        again = await call(client, "save", **DECISION)
        found = await call(client, "search", query="PostgreSQL")

    assert again["outcome"] == "held"
    assert again["id"] != first["id"]
    assert found["results"] == []


async def test_similar_and_contradicting_memories_are_named(space: Space) -> None:
    async with connected(space) as client:
        old = await call(client, "save", **DECISION | {"content": "Keep backups for 30 days."})
        new = await client.call_tool("save", DECISION | {"content": "Keep backups for 90 days."})

    assert new.structured_content is not None
    (named,) = new.structured_content["disagrees_with"]
    assert named["id"] == old["id"]
    assert named["content"] == "Keep backups for 30 days."
    assert "> Keep backups for 30 days." in text_of(new)


async def test_a_secret_is_replaced_and_only_its_type_is_named(space: Space) -> None:
    secret = "ghp_" + "a1B2" * 9
    async with connected(space) as client:
        result = await client.call_tool(
            "save", DECISION | {"content": f"The bot pushes with {secret} to the mirror."}
        )

    assert result.structured_content is not None
    assert result.structured_content["redacted"] == {"github_token": 1}
    assert secret not in result.model_dump_json()
    (memory,) = await sync_to_async(rows)(space)
    assert memory.content == "The bot pushes with [redacted: github_token] to the mirror."


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({"content": ""}, "The content is empty."),
    "blank": ({"content": "  \n\t " * 10}, "The content is empty."),
    "invisible": ({"content": "\u200b\u2060\ufeff\u200d" * 20}, "The content is empty."),
    "short": ({"content": "too short"}, "Send one statement of 12 to 4000 characters."),
    "long": ({"content": "x" * 4001}, "the limit is 4000"),
    "no content": ({"content": None}, "content is missing."),
    "a number": ({"content": 12345678901234}, "content must be a text."),
    "unknown kind": ({"kind": "rumour"}, "kind must be"),
    "checkpoint": ({"kind": "checkpoint"}, "checkpoints have a tool of their own"),
    "no path": ({"path": ""}, "The path is empty."),
    "bad path": ({"path": "a.b$c"}, "only letters, digits, _ and - are allowed"),
    "deep path": ({"path": ".".join("abcdefghijk")}, "the limit is 10"),
    "no source": ({"source": ""}, "A decision needs source."),
    "no reason": ({"rationale": " "}, "A decision needs rationale."),
    "as the person": ({"author": "user"}, "an agent never writes as the person"),
    "a tool decides": ({"author": "tool"}, "an observation, never a decision"),
    "expiry of a decision": ({"expires_at": "2999-01-01"}, "never expires by date"),
    "past expiry": (
        {"kind": "observation", "expires_at": "2001-01-01"},
        "expires_at has already passed",
    ),
    "no date": ({"kind": "observation", "expires_at": "soon"}, "expires_at is not a date"),
    "unknown argument": ({"colour": "red"}, "An argument is not known; save takes content"),
    "not the client's own": (
        {"wait_for_previous": "yes"},
        "An argument is not known; save takes content",
    ),
    "private key": (
        {"content": "-----BEGIN " + "PRIVATE KEY-----\nabc\n-----END"},
        "A private key is never stored.",
    ),
}


@pytest.mark.parametrize("case", BAD)
async def test_bad_input_gets_a_sentence_and_writes_nothing(
    space: Space, case: str, caplog: pytest.LogCaptureFixture
) -> None:
    changes, sentence = BAD[case]
    arguments = DECISION | changes
    async with connected(space) as client:
        said = await refusal(client, "save", **arguments)

    assert sentence in said
    assert await sync_to_async(rows)(space) == []
    for value in changes.values():
        if isinstance(value, str) and value.strip() and len(value) > 15:
            assert value not in said
            assert value not in caplog.text


async def test_what_a_client_adds_for_its_own_use_does_not_spoil_the_call(space: Space) -> None:
    async with connected(space) as client:
        saved = await call(client, "save", **DECISION, wait_for_previous=True)

    assert saved["outcome"] == "created"


async def test_without_the_write_scope_the_tool_is_unknown(space: Space) -> None:
    async with connected(space, READ) as client:
        with pytest.raises(Exception, match="Unknown tool"):
            await client.call_tool("save", DECISION)

    assert await sync_to_async(rows)(space) == []


async def test_fifty_parallel_saves_of_one_fact_leave_one_confirmed_fifty_times(
    space: Space,
) -> None:
    async with connected(space) as client:
        answers = await asyncio.gather(*(call(client, "save", **DECISION) for _ in range(50)))

    (memory,) = await sync_to_async(rows)(space)
    assert {answer["id"] for answer in answers} == {str(memory.pk)}
    assert sorted(answer["outcome"] for answer in answers) == ["created"] + ["refreshed"] * 49
    assert memory.confirmations == 50


async def test_fifty_parallel_saves_of_different_facts_are_all_there(space: Space) -> None:
    facts = [DECISION | {"content": f"Rule number {number} holds."} for number in range(50)]
    async with connected(space) as client:
        answers = await asyncio.gather(*(call(client, "save", **fact) for fact in facts))

    memories = await sync_to_async(rows)(space)
    assert {memory.content for memory in memories} == {fact["content"] for fact in facts}
    assert {answer["id"] for answer in answers} == {str(memory.pk) for memory in memories}

    def lines() -> int:
        with inside(space):
            return Activity.objects.count()

    assert await sync_to_async(lines)() == 50
