"""JSON as RFC 8259 has it, and no more."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.lib.strict_json import MAX_DEPTH, NotJsonError, strict_json

TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(TREES)
def test_what_json_can_say_is_read(tree: object) -> None:
    assert strict_json(json.dumps(tree)) == tree


@pytest.mark.parametrize(
    "text",
    ["", "x", "{", "[1,]", "NaN", "[Infinity]", '{"a": 1, "a": 2}', '{"b": {"a": 1, "a": 1}}'],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(NotJsonError):
        strict_json(text)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 1000, 200_000])
def test_what_is_too_deep_is_refused(depth: int) -> None:
    with pytest.raises(NotJsonError):
        strict_json("[" * depth + "]" * depth)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(NotJsonError):
        strict_json(b"\xff\xfe")
