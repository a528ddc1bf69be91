"""How long each kind lives, and which dates a caller may set."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.lifetimes import ExpiryError, Lifetimes, chosen_expiry

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LIFETIMES = Lifetimes(observation=timedelta(days=30), checkpoint=timedelta(days=14))


@pytest.mark.parametrize("kind", ["decision", "preference", "pointer"])
def test_rules_and_pointers_never_expire_by_date(kind: str) -> None:
    assert LIFETIMES.expiry(kind, now=NOW) is None


def test_an_observation_lives_thirty_days() -> None:
    assert LIFETIMES.expiry("observation", now=NOW) == datetime(2026, 3, 31, 12, tzinfo=UTC)


def test_a_checkpoint_lives_fourteen_days() -> None:
    assert LIFETIMES.expiry("checkpoint", now=NOW) == datetime(2026, 3, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-02", datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)),
        ("20260302", datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)),
        # The day is not over yet.
        ("2026-03-01", datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC)),
        ("2026-03-02T08:30", datetime(2026, 3, 2, 8, 30, tzinfo=UTC)),
        (" 2026-03-02T08:30:00Z ", datetime(2026, 3, 2, 8, 30, tzinfo=UTC)),
        ("2026-03-02T08:30:00-03:00", datetime(2026, 3, 2, 11, 30, tzinfo=UTC)),
        ("9999-12-31", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_date_may_be_chosen_with_or_without_a_time(text: str, moment: datetime) -> None:
    assert chosen_expiry(text, kind="observation", now=NOW) == moment


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-28",
        "2026-03-01T12:00:00Z",
        "2026-03-01T11:59:59Z",
        "0001-01-01",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2026-02-30",
        "tomorrow",
        "in 3 days",
        "",
        "1772366400",
        "2026-13-01",
        "2026-03-02T25:00",
    ],
)
def test_a_date_that_has_passed_or_is_none_is_refused(text: str) -> None:
    with pytest.raises(ExpiryError) as refusal:
        chosen_expiry(text, kind="observation", now=NOW)

    assert "2030-01-31" in refusal.value.hint


@pytest.mark.parametrize("kind", ["decision", "preference", "pointer"])
def test_no_date_may_be_chosen_for_what_never_expires(kind: str) -> None:
    with pytest.raises(ExpiryError, match="never expires by date"):
        chosen_expiry("2030-01-31", kind=kind, now=NOW)


@given(st.text(max_size=40))
def test_any_text_is_a_future_date_or_refused(text: str) -> None:
    try:
        moment = chosen_expiry(text, kind="observation", now=NOW)
    except ExpiryError:
        return

    assert moment > NOW


@given(st.datetimes(min_value=datetime(2026, 3, 2), timezones=st.just(UTC)))  # noqa: DTZ001
def test_every_future_moment_can_be_chosen(moment: datetime) -> None:
    assert chosen_expiry(moment.isoformat(), kind="checkpoint", now=NOW) == moment
