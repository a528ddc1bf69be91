from dataclasses import dataclass, field

import pytest

from memories.rules.reversals import Line, Obstacle, Target, is_known, target


@dataclass
class Said:
    verb: str
    version: int | None = 1
    who: str = "you"
    standing: dict[str, object] = field(default_factory=lambda: {"state": "active"})


def theirs(line: Line) -> bool:
    assert isinstance(line, Said)
    return line.who == "app"


def test_what_an_app_added_was_not_there_before() -> None:
    found = target([Said("saved", who="app"), Said("revised", 2, "app")], is_theirs=theirs)

    assert found == Target()
    assert isinstance(found, Target)
    assert found.is_birth


def test_what_an_app_changed_goes_back_to_the_line_before() -> None:
    lines = [
        Said("saved"),
        Said("revised", 2),
        Said("revised", 3, "app"),
        Said("forgotten", 3, "app"),
    ]

    assert target(lines, is_theirs=theirs) == Target(2, {"state": "active"})


@pytest.mark.parametrize(
    "verb", ["revised", "confirmed", "restored", "forgotten", "kept", "merged"]
)
def test_what_somebody_else_did_since_is_not_overwritten(verb: str) -> None:
    lines = [Said("saved"), Said("revised", 2, "app"), Said(verb, 2)]

    assert target(lines, is_theirs=theirs) == Obstacle.CHANGED_SINCE


@pytest.mark.parametrize("verb", ["refreshed", "snoozed", "version_erased", "reverted"])
def test_what_changes_nothing_is_no_obstacle(verb: str) -> None:
    lines = [Said("saved"), Said("revised", 2, "app"), Said(verb, 2)]

    assert target(lines, is_theirs=theirs) == Target(1, {"state": "active"})


def test_an_app_that_did_nothing_leaves_nothing_to_take_back() -> None:
    assert target([Said("saved")], is_theirs=theirs) is None


def test_what_the_log_does_not_tell_is_not_guessed() -> None:
    without = Said("saved", standing={})

    assert target([Said("revised", 2, "app")], is_theirs=theirs) == Obstacle.UNKNOWN
    assert target([without, Said("revised", 2, "app")], is_theirs=theirs) == Obstacle.UNKNOWN
    assert not is_known([], version=1, state="active")
    assert not is_known([Said("saved")], version=2, state="active")
    assert not is_known([Said("saved")], version=1, state="forgotten")
    assert is_known([Said("saved", 3), Said("version_erased", 1)], version=3, state="active")
