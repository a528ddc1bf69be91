"""What a list shall show, and one page of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memories.queries.finding import Mode
from memories.queries.places import Places, Writer
from memories.queries.rows import Row
from memories.queries.sorting import Sort
from memories.queries.standings import Standing


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list shall show; an empty field lets everything through.

    `only` is a reason to look at a memory, as the health of a space counts them.
    """

    query: str = ""
    mode: str = Mode.MEANING
    standing: str = Standing.ACTIVE
    kind: str = ""
    author: str = ""
    client: str = ""
    path: str = ""
    only: str = ""
    sort: str = ""
    after: str = ""

    @property
    def is_by_meaning(self) -> bool:
        """Say whether search by meaning answers: it knows all that holds now, and nothing else."""
        is_wanted = bool(self.query) and self.mode == Mode.MEANING
        return is_wanted and self.standing == Standing.ACTIVE and not self.only

    @property
    def order(self) -> str:
        """Return the order that holds: only a search by meaning knows a best hit."""
        if self.is_by_meaning:
            return self.sort or Sort.BEST
        return self.sort if self.sort not in {"", Sort.BEST} else Sort.UPDATED


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list. `after` names the place where the next one begins, if there is one.

    `counts` has the number of memories in each standing that pass the filters; a search has
    none, and counts its hits up to a bound. `places` and `writers` are all there are. `caveat`
    says what a reader has to know about the answer: "off", "by_words" or "not_close".
    """

    rows: Sequence[Row] = ()
    total: int = 0
    has_more_than_total: bool = False
    after: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    places: Places = field(default_factory=Places)
    writers: Sequence[Writer] = ()
    caveat: str = ""
    why_off: str = ""

    @property
    def is_new(self) -> bool:
        """Say whether nothing was ever remembered here, so that no filter is to blame."""
        return not (self.rows or self.places.paths or self.writers or any(self.counts.values()))
