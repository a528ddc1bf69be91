"""What the benchmark of a mixed load makes of its samples."""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bench.load import report
from bench.load.agents import Outcome
from bench.load.flame import picture
from bench.load.stacks import Frame, Stack, inclusive, shares, stacks

CODE = Path("/home/somebody/brain")
DRIVER = "/home/somebody/brain/.venv/lib/python3.11/site-packages/psycopg/cursor.py"
SEARCH = "run (uvicorn/server.py:75);search (memories/queries/search.py:90)"
SAMPLES = [
    f"{SEARCH};execute ({DRIVER}:97) 60",
    f"{SEARCH} 20",
    "run (uvicorn/server.py:75);loads (/usr/lib/python3.11/json/__init__.py:346) 15",
    "_bootstrap (threading.py:1002) 5",
]


def test_a_sample_counts_for_the_innermost_code_that_has_an_owner() -> None:
    found = stacks(SAMPLES, code=CODE)

    assert shares(found) == [
        ("Django and driver", 0.6),
        ("ours: the rest", 0.2),
        ("SDK and protocol", 0.15),
        ("Python itself", 0.05),
    ]


def test_a_function_counts_with_all_that_it_calls() -> None:
    found = stacks(SAMPLES, code=CODE)

    assert inclusive(found, only=["memories."]) == [("memories.queries.search:search", 0.8)]


def test_the_picture_is_whole_small_and_names_no_place_of_this_machine() -> None:
    deep = ";".join(f"step{number} (memories/deep{number}.py:{number})" for number in range(200))
    many = [
        f"start (brain/asgi.py:1);leaf{number} (memories/wide.py:{number}) 1"
        for number in range(5000)
    ]

    drawn = picture(stacks([*SAMPLES, f"{deep} 50", *many], code=CODE), title="Load & more")

    assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314
    assert len(drawn) < 100_000
    assert "memories.queries.search:search 1.6 %" in drawn
    for place in ("/home", "/usr", "site-packages", "somebody"):
        assert place not in drawn


def test_frames_without_a_module_are_no_places() -> None:
    stack: Stack = (Frame("", "MainThread"), Frame("brain.asgi", "run"))
    found = Counter({stack: 3})

    assert "MainThread" not in picture(found, title="Load")


def test_errors_are_counted_beside_the_times(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = Outcome(seconds=2)
    outcome.waits["save"] = [0.010, 0.020, 0.030]
    outcome.errors["save: 503"] = 1

    report.outcomes([("now", 1, outcome)])

    printed = capsys.readouterr().out
    assert "| now | 1 | all | 3 | 1 | 2.0 | 20.0 |" in printed
    assert "- 1 times save: 503" in printed


def test_costs_are_divided_by_those_of_before(capsys: pytest.CaptureFixture[str]) -> None:
    report.cpu([("now", 1, 100, {"web": 1.0}), ("before", 1, 100, {"web": 2.0})])

    assert "| now / before | 1 | 0.50 |" in capsys.readouterr().out
