"""Counters for Prometheus."""

import pytest
from django.conf import LazySettings
from django.test import Client

from mcp_gateway.adapter import ToolRefusal, call_tool
from mcp_gateway.context import Caller
from mcp_gateway.scopes import ALL
from mcp_gateway.tools.registry import tool_for
from spaces.models import Space
from tests.factories import agent_of


def scraped(client: Client) -> str:
    answer = client.get("/metrics", headers={"authorization": "Bearer scraper"})
    assert answer.status_code == 200
    return answer.content.decode()


def counted(client: Client, line: str) -> float:
    return sum(
        float(each.rpartition(" ")[2])
        for each in scraped(client).splitlines()
        if each.startswith(line)
    )


@pytest.mark.parametrize("token", ["", "scraper"])
@pytest.mark.parametrize("sent", ["", "Bearer ", "Bearer wrong"])
def test_without_the_token_there_is_no_such_page(
    client: Client, settings: LazySettings, token: str, sent: str, db: None
) -> None:
    settings.METRICS_TOKEN = token

    assert client.get("/metrics", headers={"authorization": sent}).status_code == 404


def test_requests_are_counted_by_view_and_never_by_address(
    client: Client, settings: LazySettings, db: None
) -> None:
    settings.METRICS_TOKEN = "scraper"
    name = 'brain_http_requests_total{method="GET",status="200",view="accounts:sign-in"}'
    before = counted(client, name)

    client.get("/sign-in/?next=/secret-place/")

    assert counted(client, name) == before + 1
    assert "secret-place" not in scraped(client)


def test_calls_of_tools_are_counted_by_how_they_ended(
    client: Client, settings: LazySettings, space: Space
) -> None:
    settings.METRICS_TOKEN = "scraper"
    caller = Caller(agent_of(space), space, frozenset(ALL))
    tool = tool_for("search", caller.scopes)
    assert tool is not None
    good, bad = (
        f'brain_tool_calls_total{{outcome="{outcome}",tool="search"}}'
        for outcome in ("answered", "bad_arguments")
    )
    before = counted(client, good), counted(client, bad)

    call_tool(tool, caller, {"query": "deploy"}, "1")
    with pytest.raises(ToolRefusal):
        call_tool(tool, caller, {"colour": "red"}, "2")

    assert (counted(client, good), counted(client, bad)) == (before[0] + 1, before[1] + 1)
