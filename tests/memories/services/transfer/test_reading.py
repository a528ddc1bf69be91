"""A file is read to its first fault, and no further."""

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.services.transfer.reading import DEPTH_MAX, FileError, entries

WHOLE = {"format": "agents-brain/1", "origin": "x", "memories": [{"id": 1}, {"id": 2}], "links": []}


def read(file: bytes) -> list[tuple[str, int, object]]:
    return [
        (each.section, each.number, json.loads(each.text)) for each in entries(io.BytesIO(file))
    ]


def test_records_come_one_by_one_with_their_number() -> None:
    assert read(json.dumps(WHOLE).encode()) == [
        ("format", 0, "agents-brain/1"),
        ("origin", 0, "x"),
        ("memories", 1, {"id": 1}),
        ("memories", 2, {"id": 2}),
    ]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"", "not a JSON file"),
        (b"PK\x03\x04", "not a JSON file"),
        (b"[]", "one JSON object"),
        (b'"text"', "one JSON object"),
        (b"{}", "no “format”"),
        (b'{"format":"agents-brain/1"}', "no “memories”"),
        (b'{"format":"agents-brain/1","memories":[{"id":1}', "not a JSON file"),
        (b'{"memories":[],"format":"x"} more', "not a JSON file"),
        (b'{"memories":{},"format":"x"}', "should be a list"),
        (b'{"memories":[{"id":1,"id":2}],"format":"x"}', "same key twice"),
        (b'{"memories":[],"memories":[],"format":"x"}', "there twice"),
        (b'{"tokens":[],"memories":[],"format":"x"}', "no part of an export"),
        (b'{"memories":[{"a":NaN}],"format":"x"}', "not a JSON file"),
        (b'{"memories":[{"a":1e999}],"format":"x"}', "not a JSON file"),
        (b'{"memories":[{"a":"\xff"}],"format":"x"}', "not a JSON file"),
        (b'{"memories":[' + b"[" * 100_000, "nested too deeply"),
        (b'{"memories":[' + b'{"a":' * (DEPTH_MAX + 1), "nested too deeply"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(len(value)),
)
def test_a_file_that_is_no_export_is_refused_with_a_reason(file: bytes, said: str) -> None:
    with pytest.raises(FileError, match=said):
        read(file)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_causes_anything_but_a_refusal(file: bytes) -> None:
    with pytest.raises(FileError):
        read(file)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=10)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(st.dictionaries(st.text(max_size=5), json_values, max_size=4), max_size=5))
def test_what_was_written_is_read(records: list[dict[str, object]]) -> None:
    file = json.dumps({"format": "x", "memories": records}).encode()

    assert [value for section, _, value in read(file) if section == "memories"] == records


def test_a_long_file_is_never_in_memory_as_a_whole() -> None:
    record = json.dumps({"text": "x" * 1000})
    file = io.BytesIO(b'{"format":"x","memories":[' + ",".join([record] * 20_000).encode() + b"]}")
    tracemalloc.start()

    count = sum(1 for _ in entries(file))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_001
    assert peak < 2_000_000
