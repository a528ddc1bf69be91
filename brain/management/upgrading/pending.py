"""Which migrations are to be applied, and what each does to the tables as they are now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.state import ProjectState

from brain.management.upgrading.effects import Effect, Weight
from brain.management.upgrading.known import KNOWN
from brain.management.upgrading.operations import Step, effects, is_new_table

_SIZES = """
select relname, greatest(reltuples, 0)::bigint, pg_total_relation_size(oid)
from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
"""
_ORDER = list(Weight)


@dataclass(frozen=True, slots=True)
class Judged:
    """A migration and what it does; the heaviest of it decides."""

    app: str
    name: str
    effects: Sequence[Effect]

    @property
    def weight(self) -> Weight:
        return max((each.weight for each in self.effects), key=_ORDER.index, default=_ORDER[0])

    @property
    def tables(self) -> list[str]:
        """Return the tables that are felt to be changed, without those that it makes."""
        felt = {each.table for each in self.effects if each.weight != Weight.NOTHING}
        return sorted(felt - {""})


@dataclass(frozen=True, slots=True)
class Size:
    rows: int
    bytes: int


def judged(migrations: Iterable[Migration], *, state: ProjectState) -> Iterator[Judged]:
    """Judge migrations in their order, from a state on; what they make is empty until then."""
    fresh = set[str]()
    for migration in migrations:
        found = []
        for operation in migration.operations:
            before = state.clone()
            operation.state_forwards(migration.app_label, state)
            step = Step(operation, migration.app_label, before, state)
            fresh |= {is_new_table(step)} - {""}
            found += [_on_empty(each) if each.table in fresh else each for each in effects(step)]
        yield Judged(
            migration.app_label, migration.name, _in_words(migration, [*dict.fromkeys(found)])
        )


def pending() -> list[Judged] | None:
    """Return what is to be applied, or None where nothing was ever applied."""
    loader = MigrationLoader(connection)
    applied = set(loader.applied_migrations or ())
    if not applied:
        return None
    plan: dict[tuple[str, str], Migration] = {}
    for leaf in sorted(loader.graph.leaf_nodes()):
        for key in loader.graph.forwards_plan(leaf):
            if key not in applied:
                plan[key] = loader.graph.nodes[key]
    if not plan:
        return []
    state = loader.project_state([key for key in applied if key in loader.graph.nodes])
    return list(judged(plan.values(), state=state))


def sizes() -> dict[str, Size]:
    """Return about how many rows each table has (the planner's estimate), and its bytes."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        return {str(name): Size(int(rows), int(size)) for name, rows, size in cursor.fetchall()}


def _on_empty(effect: Effect) -> Effect:
    return Effect(Weight.NOTHING, effect.does, effect.table)


def _in_words(migration: Migration, found: Sequence[Effect]) -> Sequence[Effect]:
    """Put what is known of a migration in the place of what no rule could tell."""
    known = KNOWN.get((migration.app_label, migration.name))
    if known is None:
        return found
    return [each for each in found if each.weight != Weight.UNKNOWN] + [known]
