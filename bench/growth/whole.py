"""All measurements in their order, on an installation that is thrown away.

Import it only where Django is set up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from uuid import UUID

from django.db import connection

from bench.growth import asking, filling, indexes, moving, upkeep
from bench.growth.installation import AS_SHIPPED, FITTING, another_place, restart
from bench.growth.measuring import heading, step
from bench.growth.sizes import LARGE_IN, sizes, typical
from bench.growth.texts import Texts
from bench.rows import Connection, fill_space, superuser
from brain.management.owner import disconnect
from memories.services.counting import count_words
from spaces.models import Space

QUESTIONS, SAVES, NEAREST, MORE, SAMPLES = 110, 180, 40, 5000, 5
Sample = dict[str, tuple[UUID, int]]


@dataclass(frozen=True, slots=True)
class Growth:
    """An installation at `root` that shall hold `counts` memories, one number for each space."""

    root: Path
    counts: Sequence[int]
    at_most: int

    def measure(self) -> None:
        """Fill it, and print what its size costs; what takes longest comes last."""
        texts = Texts()
        self._restart(FITTING)
        space_ids = filling.make_spaces(len(self.counts))
        some = {at: (space_ids[n], self.counts[n]) for at, n in typical(self.counts).items()}
        questions = texts.questions(QUESTIONS)
        with superuser(self.root) as owner:
            owner.add_notice_handler(lambda said: print(f"\nPostgreSQL: {said.message_primary}"))
            self._fill(owner, space_ids, texts=texts)
            indexes.print_sizes(owner, sum(self.counts))
            _ask(some, questions, settings="settings that fit", texts=texts)
            asking.print_nearest(some, questions[:NEAREST])
            self._save_more(owner, space_ids[-1], texts=texts)
            upkeep.change(owner, root=self.root)
            upkeep.print_vacuum(owner, root=self.root)
            upkeep.print_words_again(owner, root=self.root)
        self._restart(AS_SHIPPED)
        _ask(some, questions, settings="settings as shipped", texts=texts)
        self._restart(FITTING)
        moving.print_deletion(self.root, some["large"][0])
        # Some of every size.
        self._move(space_ids[1 :: max(1, len(space_ids) // SAMPLES)])
        with superuser(self.root) as owner:
            upkeep.print_vectors_again(owner, root=self.root, at_most=self.at_most)

    def _move(self, space_ids: Sequence[UUID]) -> None:
        """Write a backup, bring it back elsewhere, and compare what these spaces export."""
        backup = self.root.with_name(f"{self.root.name}.dump")
        try:
            moving.print_backup(self.root, backup)
            before = moving.exports(self.root, space_ids)
            with another_place(self.root) as place:
                moving.print_restore(place, backup)
                after = moving.exports(place, space_ids)
        finally:
            backup.unlink(missing_ok=True)
        same = sum(one == two for one, two in zip(before, after, strict=True))
        print(f"\nOf {len(before)} spaces exported before and after, {same} are the same.")

    def _fill(self, owner: Connection, space_ids: Sequence[UUID], *, texts: Texts) -> None:
        left_out = indexes.drop(owner)
        # The rows are made of each other, so no reference can be wrong.
        owner.execute("set session_replication_role = replica")
        heading("rows, without most indexes")
        root, counts = self.root, self.counts
        step("memories", root, lambda: filling.fill_memories(owner, space_ids, counts, texts=texts))
        for key, write in filling.vectors(owner, texts=texts):
            step(f"vectors of {key.partition('@')[0]}", root, write)
        for name, statement in filling.BESIDE.items():
            step(name, root, lambda said=statement: owner.execute(said))  # type: ignore[misc]
        owner.execute("set session_replication_role = origin")
        indexes.build(owner, left_out, root=root)
        heading("afterwards")
        step("vacuum and analyze", root, lambda: owner.execute("vacuum analyze"))
        step("counting common words", root, lambda: _count_words(space_ids))

    def _save_more(self, owner: Connection, space_id: UUID, *, texts: Texts) -> None:
        heading("rows, with every index")
        more = list(islice(texts, MORE))
        step(
            f"{MORE:,} memories with their vectors",
            self.root,
            lambda: fill_space(owner, str(space_id), more),
        )
        upkeep.print_one_more(owner, space_id, root=self.root, texts=texts)

    def _restart(self, settings: str) -> None:
        disconnect(connection)
        restart(self.root, settings)


def measure(root: Path, memories: int, *, spaces: int, at_most: int) -> None:
    growth = Growth(root, sizes(memories, spaces=spaces), at_most)
    print(f"{memories:,} memories in {spaces:,} spaces: the largest has {growth.counts[0]:,}, "
          f"{spaces // LARGE_IN} have {growth.counts[1]:,}, the median "
          f"{sorted(growth.counts)[spaces // 2]:,}.")  # fmt: skip
    growth.measure()


def _ask(some: Sample, questions: Sequence[str], *, settings: str, texts: Texts) -> None:
    print(f"\n{settings}\n\n{asking.HEAD}\n|---|---|---|---|---|---|")
    asking.print_searches(some, questions)
    asking.print_saves(some, list(islice(texts, SAVES)))


def _count_words(space_ids: Sequence[UUID]) -> None:
    for space in Space.objects.filter(pk__in=space_ids):
        count_words(space)
