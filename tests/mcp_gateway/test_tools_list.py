"""What clients learn on connecting: the tools, their schemas, the instructions."""

import json

import pytest
from asgiref.sync import sync_to_async
from hypothesis import given
from hypothesis import strategies as st

from mcp_gateway.instructions import LIMIT, instructions
from mcp_gateway.scopes import ALL, READ
from mcp_gateway.tools.definition import Json
from mcp_gateway.tools.registry import TOOLS, listings
from spaces.models import Space
from tests.factories import make_space
from tests.mcp_gateway.clients import ERAS, Era, connected

READ_TOOLS = ["search", "resume"]
ALL_TOOLS = [*READ_TOOLS, "save", "revise", "forget", "checkpoint"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("era", ERAS)
async def test_the_six_tools_are_listed_in_a_stable_order(era: Era) -> None:
    space = await sync_to_async(make_space)()

    async with connected(space, era=era) as client:
        listed = await client.list_tools()

    assert [tool.name for tool in listed.tools] == ALL_TOOLS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("era", ERAS)
async def test_without_the_write_scope_only_the_reading_tools_are_listed(era: Era) -> None:
    space = await sync_to_async(make_space)()

    async with connected(space, READ, era=era) as client:
        listed = await client.list_tools()

    assert [tool.name for tool in listed.tools] == READ_TOOLS


@pytest.mark.django_db(transaction=True)
async def test_the_instructions_speak_the_language_of_the_space() -> None:
    space = await sync_to_async(make_space)(language="pt")

    async with connected(space) as client:
        text = client.instructions or ""

    assert "Comece uma tarefa com `resume`" in text
    assert space.name in text


def test_the_whole_list_stays_below_eight_kilobytes() -> None:
    listed = [
        tool.model_dump(by_alias=True, exclude_none=True) for tool in listings(frozenset(ALL))
    ]

    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": listed}}, ensure_ascii=False)

    assert len(body.encode()) < 8000 + body.count(", ") + body.count(": ")
    compact = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert len(compact.encode()) < 8000


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_every_tool_says_what_it_does_and_how_it_behaves(name: str) -> None:
    tool = TOOLS[name].listing()

    assert tool.title
    assert 40 < len(tool.description or "") < 2000
    hints = tool.annotations
    assert hints is not None
    assert hints.read_only_hint is (name in READ_TOOLS)
    assert hints.destructive_hint is (name in {"revise", "forget"})
    assert hints.open_world_hint is False
    assert hints.idempotent_hint is not None


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_schemas_hold_nothing_that_clients_choke_on(name: str) -> None:
    tool = TOOLS[name].listing()

    for schema in (tool.input_schema, tool.output_schema or {}):
        assert schema["type"] == "object"
        for banned in ("$ref", "$defs", "oneOf", "anyOf", "allOf"):
            assert banned not in json.dumps(schema)
        for property_ in schema["properties"].values():
            assert isinstance(property_["type"], str)
            assert property_.get("default", "") is not None
    assert tool.input_schema["additionalProperties"] is False


def test_the_parameters_are_those_of_the_contract() -> None:
    def parameters(name: str) -> tuple[list[str], list[str]]:
        schema: Json = TOOLS[name].input_schema()
        return list(schema["properties"]), schema.get("required", [])

    assert parameters("search") == (["query", "path_filter", "kinds", "limit"], [])
    assert parameters("resume") == (["task"], [])
    assert parameters("save") == (
        ["content", "kind", "path", "source", "rationale", "author", "expires_at"],
        ["content", "kind", "path"],
    )
    assert parameters("forget") == (["id", "reason"], ["id"])
    assert parameters("checkpoint") == (
        ["task", "goal", "next_step", "done", "blockers", "constraints", "sources"],
        ["task", "goal", "next_step"],
    )
    assert {"id", "content", "expires_at", "expected_version"} <= set(parameters("revise")[0])


@given(
    name=st.text(min_size=1, max_size=80),
    description=st.text(max_size=1000),
    language=st.sampled_from(Space.Language.values),
)
def test_the_instructions_stay_short_whatever_a_space_is_called(
    name: str, description: str, language: str
) -> None:
    text = instructions(Space(name=name, description=description, language=language))

    assert len(text) < LIMIT


@pytest.mark.parametrize("language", Space.Language.values)
def test_the_instructions_name_every_tool_and_say_that_memory_never_authorises(
    language: str,
) -> None:
    text = instructions(Space(name="Work", language=language))

    for tool in ("resume", "search", "revise", "forget", "checkpoint"):
        assert f"`{tool}`" in text
    assert "authorises" in text or "autoriza" in text


def test_braces_in_a_space_s_name_are_text() -> None:
    assert "{name} {0}" in instructions(Space(name="{name} {0}", language="en"))
