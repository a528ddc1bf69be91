"""The page about sensitive data says what the rules do."""

import re
from collections import Counter

from django.conf import settings

from brain.lib.sanitising import RULES
from tests.brain.sanitising.test_prose import NOT_TOLD, TOLD

PAGE = settings.BASE_DIR / "docs" / "sensitive-data.md"
ROW = re.compile(r"^\| `(\w+)` \| .+ \| (\d+) \| (\d+) \|$", re.MULTILINE)


def test_every_type_stands_in_the_table_with_what_was_tried() -> None:
    hits, lookalikes = Counter[str](), Counter[str]()
    for rule in RULES:
        hits[rule.name] += len(rule.hits)
        lookalikes[rule.name] += len(rule.lookalikes)

    rows = ROW.findall(PAGE.read_text())

    assert [(name, str(hits[name]), str(lookalikes[name])) for name in hits] == rows


def test_the_number_of_sentences_is_right() -> None:
    told, talk = len(TOLD.splitlines()), len(NOT_TOLD.splitlines())

    text = " ".join(PAGE.read_text().split())

    assert f"{told} sentences and settings that tell a password and {talk} that only talk" in text
