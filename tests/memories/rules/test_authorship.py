"""Who may write what."""

import itertools

import pytest

from memories.rules.authorship import ToolAuthorError, UnsourcedError, check_authorship

KINDS = ["decision", "preference", "observation", "pointer"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_person_may_write_anything_without_a_reason(kind: str) -> None:
    check_authorship(kind=kind, author="user", source="", rationale="")


@pytest.mark.parametrize(
    ("kind", "given"),
    [*itertools.product(["decision", "preference"], [("", ""), ("Ana", ""), ("", "She said so")])],
)
def test_a_rule_of_an_agent_needs_source_and_rationale(kind: str, given: tuple[str, str]) -> None:
    with pytest.raises(UnsourcedError) as refusal:
        check_authorship(kind=kind, author="agent", source=given[0], rationale=given[1])

    assert ("source" in refusal.value.message) == (not given[0])
    assert ("rationale" in refusal.value.message) == (not given[1])


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_may_write_anything_with_source_and_rationale(kind: str) -> None:
    check_authorship(kind=kind, author="agent", source="Ana", rationale="She said so")


@pytest.mark.parametrize("kind", ["observation", "pointer"])
def test_facts_of_an_agent_need_no_reason(kind: str) -> None:
    check_authorship(kind=kind, author="agent", source="", rationale="")


@pytest.mark.parametrize("kind", ["decision", "preference", "pointer"])
def test_what_a_tool_said_is_only_an_observation(kind: str) -> None:
    with pytest.raises(ToolAuthorError, match=f"never a {kind}"):
        check_authorship(kind=kind, author="tool", source="a page", rationale="it says so")

    check_authorship(kind="observation", author="tool", source="", rationale="")
