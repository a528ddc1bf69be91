"""Dates, weekdays and times of the day, whichever way they are written."""

import re
from collections.abc import Sequence

from memories.rules.comparison.items import Item, Read, Sort
from memories.rules.comparison.numerals import numeral
from memories.rules.comparison.tokens import Shape, Token
from memories.rules.comparison.vocabulary import Language, Vocabulary

_WEEKDAY_BEFORE = frozenset(
    "na nas à às toda todas cada de da das para até e ou desde próxima última só apenas "
    "somente é são a as".split()
)
_MONTHS = 12
_HALF_DAY = 720


def moment(tokens: Sequence[Token], at: int, words: Vocabulary, language: Language) -> Read | None:
    """Read a date, a month, a weekday or a time of the day that begins at `at`."""
    token = tokens[at]
    if token.shape is Shape.DATE:
        return _read(tokens, at, 1, Sort.DATE, _numeric_date(token.text, language))
    return (
        _clock(tokens, at, words) or _named_date(tokens, at, words) or _weekday(tokens, at, words)
    )


def _read(tokens: Sequence[Token], at: int, used: int, sort: Sort, key: str) -> Read:
    text = " ".join(token.text for token in tokens[at : at + used])
    return Read((Item(sort, key, text, plain=key),), used)


def _numeric_date(text: str, language: Language) -> str:
    parts = [int(part) for part in re.split(r"[-/.]", text)]
    if "-" in text:
        return _date_key(*parts)
    first, second, year = parts
    year += 2000 if year < 100 else 0  # noqa: PLR2004  two digits
    is_day_first = language is not Language.ENGLISH or "." in text or first > _MONTHS
    if not is_day_first and second <= _MONTHS and first != second:
        # The fourth of May for some and the fifth of April for others: compared as written.
        return f"date:{text}"
    day, month = (first, second) if is_day_first else (second, first)
    return _date_key(year, month, day)


def _date_key(year: int | None, month: int | None, day: int | None) -> str:
    return "date:" + "-".join("?" if part is None else f"{part:02}" for part in (year, month, day))


def _clock(tokens: Sequence[Token], at: int, words: Vocabulary) -> Read | None:
    token = tokens[at]
    noon = words.number("noon", token.low)
    if noon is not None:
        return _read(tokens, at, 1, Sort.TIME, f"time:{noon}")
    if token.shape is Shape.CLOCK:
        return _written_clock(tokens, at, words)
    number = numeral(tokens, at, words)
    if number is None or not 0 <= number.value <= 24 or number.value % 1:  # noqa: PLR2004  hours
        return None
    added, used = _part_of_day(tokens, at + number.used, words)
    after = tokens[at + number.used].low if at + number.used < len(tokens) else ""
    before = tokens[at - 1].low if at else ""
    if added is None and words.has("clock", before) and after in {"h", "horas", "hora"}:
        used = 1
        extra, parts = _part_of_day(tokens, at + number.used + 1, words)
        added, used = extra or 0, used + parts
    elif added is None and before == "às" and not after.isalpha():
        added = 0
    if added is None:
        return None
    return _time(tokens, at, number.used + used, int(number.value) * 60, added)


def _written_clock(tokens: Sequence[Token], at: int, words: Vocabulary) -> Read | None:
    hour, minute, *seconds = (int(part) for part in re.split("[:h]", tokens[at].text))
    if hour > 24 or minute >= 60 or any(seconds):  # noqa: PLR2004  a clock
        return None
    added, used = _part_of_day(tokens, at + 1, words)
    return _time(tokens, at, 1 + used, hour * 60 + minute, added)


def _time(tokens: Sequence[Token], at: int, used: int, minutes: int, added: int | None) -> Read:
    if added is not None and minutes >= _HALF_DAY:
        # 12 am is midnight and 12 pm is noon.
        minutes -= _HALF_DAY if minutes < _HALF_DAY + 60 else added
    return _read(tokens, at, used, Sort.TIME, f"time:{minutes + (added or 0)}")


def _part_of_day(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int | None, int]:
    """Return the minutes that "pm" or "da tarde" adds, and how many tokens it takes."""
    ahead = [token.low for token in tokens[at : at + 4]]
    for phrase, added in words.parts_of_day.items():
        if tuple(ahead[: len(phrase)]) == phrase:
            return added, len(phrase)
    return None, 0


def _named_date(tokens: Sequence[Token], at: int, words: Vocabulary) -> Read | None:
    """Read "4 May 2026", "May 4, 2026", "4 de maio de 2026", "maio de 2026" or a month alone."""
    end, day = at, _day(tokens, at)
    if day is not None:
        end = _past(tokens, at + 1, words.words.get("ordinal_ends", frozenset()) | {"de", "of"})
    month = words.months.get(tokens[end].low) if end < len(tokens) else None
    if month is None or not _is_month(tokens, end, words, has_day=day is not None):
        return None
    end += 1
    if day is None and (day := _day(tokens, end)) is not None:
        end = _past(tokens, end + 1, words.words.get("ordinal_ends", frozenset()))
    year_at = _past(tokens, end, {",", "de", "of"})
    year = _year(tokens, year_at)
    end = year_at + 1 if year is not None else end
    return _read(tokens, at, end - at, Sort.DATE, _date_key(year, month, day))


def _is_month(tokens: Sequence[Token], at: int, words: Vocabulary, *, has_day: bool) -> bool:
    """Tell the month from the verb "may" and from short words such as "mar"."""
    token = tokens[at]
    is_portuguese = words.has("joiner", "e") and token.low != "may"
    if is_portuguese or has_day or _day(tokens, at + 1) is not None:
        return True
    return token.text[0].isupper() and not (token.is_first and token.low in {"may", "march"})


def _day(tokens: Sequence[Token], at: int) -> int | None:
    if at >= len(tokens) or tokens[at].shape is not Shape.NUMBER:
        return None
    text = tokens[at].text
    return int(text) if text.isdecimal() and 1 <= int(text) <= 31 else None  # noqa: PLR2004


def _year(tokens: Sequence[Token], at: int) -> int | None:
    text = tokens[at].text if at < len(tokens) else ""
    return int(text) if re.fullmatch(r"(?:19|20)\d\d", text) else None


def _past(tokens: Sequence[Token], at: int, words: frozenset[str] | set[str]) -> int:
    while at < len(tokens) and tokens[at].low in words:
        at += 1
    return at


def _weekday(tokens: Sequence[Token], at: int, words: Vocabulary) -> Read | None:
    token = tokens[at]
    head, _, tail = token.low.partition("-")
    number = words.weekdays.get(head)
    if number is None:
        number = words.weekdays.get(head.removesuffix("s"))
    if number is None or (tail and not tail.startswith("feira")):
        return None
    is_sure = tail or head not in _ORDINAL_LIKE
    if is_sure or at == 0 or tokens[at - 1].low in _WEEKDAY_BEFORE:
        return _read(tokens, at, 1, Sort.DATE, f"weekday:{number}")
    return None


# These also mean second, third (part), fourth, fifth and sixth.
_ORDINAL_LIKE = frozenset("segunda segundas quarta quartas quinta quintas sexta sextas".split())
