"""Read a story from its files: what happened in a space, on which day, and who did it."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from django.utils.formats import date_format
from django.utils.translation import override

FOLDER = Path(__file__).parent
FIRST_HOUR, LAST_HOUR = 8, 18


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that somebody did; `day` counts back from today, `said` has its own fields."""

    day: int
    who: str
    does: str
    said: Mapping[str, str] = field(default_factory=dict)

    def word(self, name: str) -> str:
        return str(self.said.get(name, ""))


@dataclass(frozen=True, slots=True)
class Question:
    """What agents looked for, and below which path they found it."""

    query: str
    path: str


@dataclass(frozen=True, slots=True)
class Story:
    """A space and everything that happened in it, in order."""

    name: str
    description: str
    language: str
    events: Sequence[Event]
    questions: Sequence[Question]

    def moments(self, *, now: datetime) -> Iterator[tuple[datetime, Event]]:
        """Return each event with its moment; those of a day are spread over its working hours."""
        for day, events in groupby(self.events, key=lambda event: event.day):
            of_day = list(events)
            for number, event in enumerate(of_day):
                yield _moment(day, number, len(of_day), now=now), event


def roastery() -> Story:
    """Return what a small roastery's people and agents decided while they built a shop."""
    return Story(
        name="Hollow Oak",
        description="The shop, the roastery and the team of Hollow Oak, a coffee roastery of six.",
        language="en",
        events=_events("roastery"),
        questions=_questions("roastery"),
    )


def renovation() -> Story:
    """Return, in Portuguese, how a flat is renovated."""
    return Story(
        name="Reforma do apartamento",
        description="Tudo o que foi combinado sobre a reforma: obra, compras, cores e prazos.",
        language="pt",
        events=_events("reforma"),
        questions=_questions("reforma"),
    )


def dated(text: str, *, moment: datetime, language: str) -> str:
    """Put the moment into a text that names its day or month."""
    if "{" not in text:
        return text
    with override("pt-br" if language == "pt" else "en"):
        day, month = date_format(moment, "MONTH_DAY_FORMAT"), date_format(moment, "F")
    return text.format(date=day, month=month, year=moment.year)


def _moment(day: int, number: int, of: int, *, now: datetime) -> datetime:
    if day == 0:
        return now - timedelta(minutes=9 * (of - number) + 2)
    morning = (now + timedelta(days=day)).replace(hour=FIRST_HOUR, minute=0, second=0)
    step = timedelta(hours=LAST_HOUR - FIRST_HOUR) / (of + 1)
    return morning + step * (number + 1) + timedelta(minutes=(day * 17 + number * 7) % 23)


def _events(name: str) -> list[Event]:
    """Return what was saved and what happened to it; on one day the former comes first."""
    saved = [
        Event(int(row["day"]), row["who"], "save", {key: row[key] or "" for key in row})
        for row in _rows(f"{name}.csv")
    ]
    lines = (FOLDER / f"{name}.jsonl").read_text().splitlines()
    return sorted([*saved, *map(_event, lines)], key=lambda event: event.day)


def _event(line: str) -> Event:
    said = json.loads(line)
    return Event(said.pop("day"), said.pop("who"), said.pop("do"), said)


def _questions(name: str) -> list[Question]:
    return [Question(row["query"], row["path"]) for row in _rows(f"{name}_reads.csv")]


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="") as file:
        return list(csv.DictReader(file, delimiter="|"))
