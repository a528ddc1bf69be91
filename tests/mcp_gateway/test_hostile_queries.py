"""Whatever an agent asks for, it gets an answer or a sentence; connecting loads no model."""

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from memories.embedders import registry
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.mcp_gateway.clients import call, connected, refusal, text_of

pytestmark = pytest.mark.django_db(transaction=True)

_PIECES = st.sampled_from(
    ["C++", "rm -rf /", "a & !b", '"', "'", "\\", "(", ")", "<->", ":*", "\x00", "🙂", "v1.2.3",
     "ana@example.org", "%s", "{}", "é", "ção", "\u202e", "select * from", "--", "|", "0x7fff"]
)  # fmt: skip
_FRAME = '  File "/srv/app/views.py", line 12, in handle\n    raise ValueError("no such row")\n'


@pytest.fixture
def space() -> Space:
    space = make_space()
    make_memory(space, "The C++ build calls rm -rf on its own folder only.")
    return space


@given(st.lists(_PIECES | st.text(max_size=20), max_size=30).map(" ".join))
@effort(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_query_gets_an_answer_or_a_sentence(space: Space, query: str) -> None:
    async def ask() -> tuple[bool, str]:
        async with connected(space) as client:
            result = await client.call_tool("search", {"query": query})
        return bool(result.is_error), text_of(result)

    is_error, text = async_to_sync(ask)()

    assert text
    assert not is_error or "too long" in text
    assert "Something went wrong" not in text


@pytest.mark.parametrize("query", ["C++", "rm -rf"])
async def test_a_short_technical_query_finds_its_memory(space: Space, query: str) -> None:
    async with connected(space) as client:
        found = await call(client, "search", query=query)

    assert "C++ build" in found["results"][0]["content"]


@pytest.mark.parametrize("kilobytes", [3, 50])
async def test_a_stack_trace_is_refused_with_what_to_do(space: Space, kilobytes: int) -> None:
    trace = _FRAME * (1000 * kilobytes // len(_FRAME))

    async with connected(space) as client:
        sentence = await refusal(client, "search", query=trace)

    assert "2,000" in sentence or "2000" in sentence


async def test_connecting_and_listing_the_tools_load_no_model(
    space: Space, settings: Settings
) -> None:
    settings.EMBEDDER = "auto"
    registry.forget_loaded()

    async with connected(space) as client:
        listed = await client.list_tools()

    assert listed.tools
    status = await sync_to_async(registry.search_status)()
    assert not status.is_loaded
    assert not registry.pair_status().is_loaded
