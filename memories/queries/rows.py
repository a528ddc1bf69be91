"""The rows of a list: a memory, how it stands, and why a search brought it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memories.models import Memory
from memories.queries.finding import FIELDS, Mode, words_found
from memories.rules.marking import (
    SEGMENT,
    Piece,
    has_match,
    passages_marked,
    shortened,
    words_marked,
    words_of,
)
from memories.rules.ranking import Ranked

PREVIEW = 400
ASIDE = 160


@dataclass(frozen=True, slots=True)
class Row:
    """A memory of the list; `why` is empty when nothing was searched.

    It says by what the memory was found (meaning, words, both, id), or in which field. `aside`
    is the beginning of a source or a rationale that was hit when the text was not.
    """

    memory: Memory
    standing: str
    text: Sequence[Piece]
    path: Sequence[Piece]
    aside: Sequence[Piece] = ()
    why: str = ""
    percent: int | None = None
    is_close: bool = True


def rows_of(
    memories: Sequence[Memory],
    *,
    query: str,
    mode: str,
    now: datetime,
    ranks: Mapping[UUID, Ranked] | None = None,
) -> list[Row]:
    """Return the rows in the order of the memories, with what answers the query marked."""
    if not query:
        return [_row(each, [Piece(each.content)], [Piece(each.path)], now=now) for each in memories]
    if mode == Mode.TEXT:
        return [_row_with_text(each, query, now=now) for each in memories]
    texts = {word for each in memories for word in words_of(each.content)}
    paths = {word for each in memories for word in words_of(each.path, SEGMENT)}
    words = words_found(query, sorted(texts | paths), exactly=mode == Mode.WORD)
    rows = [
        _row(
            each,
            words_marked(each.content, words),
            words_marked(each.path, words, SEGMENT),
            now=now,
        )
        for each in memories
    ]
    return [_ranked(row, ranks.get(row.memory.pk) if ranks else None) for row in rows]


def _row(memory: Memory, text: Sequence[Piece], path: Sequence[Piece], *, now: datetime) -> Row:
    return Row(
        memory=memory,
        standing="erased" if memory.erased_at else memory.standing(now=now),
        text=shortened(text, limit=PREVIEW),
        path=path,
    )


def _ranked(row: Row, rank: Ranked | None) -> Row:
    if rank is None:
        return replace(row, why="words")
    percent = round(100 * rank.score)
    return replace(row, why=rank.why, percent=percent, is_close=rank.is_close)


def _row_with_text(memory: Memory, query: str, *, now: datetime) -> Row:
    marked = {field: passages_marked(getattr(memory, field), query) for field in FIELDS}
    why = next((field for field in FIELDS if has_match(marked[field])), "content")
    aside = marked[why] if why in {"source", "rationale"} else ()
    row = _row(memory, marked["content"], marked["path"], now=now)
    return replace(row, why=why, aside=shortened(aside, limit=ASIDE))
