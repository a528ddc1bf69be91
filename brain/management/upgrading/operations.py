"""Judge one operation of a migration by what PostgreSQL does for it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.contrib.postgres import operations as postgres
from django.db import models
from django.db.migrations import operations as django
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from brain.management.upgrading.effects import Effect, Weight
from brain.management.upgrading.fields import added, altered

_ISOLATION = re.compile(r"row level security|create policy", re.IGNORECASE)
_CONCURRENT = re.compile(r"\s*(create|drop)( unique)? index concurrently", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Step:
    """An operation of an app, with the models as they are before and after it."""

    operation: Operation
    app: str
    before: ProjectState
    after: ProjectState

    def table(self, *, in_state: ProjectState | None = None) -> str:
        name = getattr(self.operation, "model_name", getattr(self.operation, "name", ""))
        return self._options(in_state or self.before, str(name).lower())

    def field(self, state: ProjectState) -> models.Field[object, object]:
        operation = self.operation
        assert isinstance(operation, django.AddField | django.AlterField)
        model = state.apps.get_model(self.app, operation.model_name)
        found: models.Field[object, object] = model._meta.get_field(operation.name)  # noqa: SLF001
        return found

    def _options(self, state: ProjectState, name: str) -> str:
        model = state.models.get((self.app, name))
        if model is None:
            return ""
        return str(model.options.get("db_table") or f"{self.app}_{name}")


def effects(step: Step) -> Iterator[Effect]:
    """Return what the operation does; what is not known is said to be unknown."""
    operation = step.operation
    if isinstance(operation, django.SeparateDatabaseAndState):
        for each in operation.database_operations:
            yield from effects(Step(each, step.app, step.before, step.after))
        return
    for kinds, judge in _JUDGES:
        if isinstance(operation, kinds):
            yield judge(step)
            return
    yield Effect(Weight.UNKNOWN, operation.describe())


def _makes_table(step: Step) -> Effect:
    table = step.table(in_state=step.after)
    return Effect(Weight.NOTHING, f"makes the table {table}", table)


def _as(weight: Weight) -> Callable[[Step], Effect]:
    def judged(step: Step) -> Effect:
        return Effect(weight, _lower(step.operation.describe()), step.table())

    return judged


def _adds_field(step: Step) -> Effect:
    return added(step.field(step.after), table=step.table())


def _alters_field(step: Step) -> Effect:
    return altered(step.field(step.before), step.field(step.after), table=step.table())


def _runs_sql(step: Step) -> Effect:
    operation = step.operation
    assert isinstance(operation, django.RunSQL)
    found = operation.sql if isinstance(operation.sql, list | tuple) else [operation.sql]
    statements = [str(each) for each in found]
    if all(_ISOLATION.search(each) for each in statements):
        return Effect(Weight.BRIEF, "lets rows be seen inside their space only")
    if all(_CONCURRENT.match(each) for each in statements):
        return Effect(Weight.NOTHING, "builds or drops an index beside the work of others")
    return Effect(Weight.UNKNOWN, "runs SQL of its own")


def _runs_python(step: Step) -> Effect:
    operation = step.operation
    assert isinstance(operation, django.RunPython)
    if operation.code is django.RunPython.noop:
        return Effect(Weight.NOTHING, "does nothing in this direction")
    return Effect(Weight.UNKNOWN, "runs a program of its own")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


# The first kind that fits decides: those that are others' subclasses stand before them.
_JUDGES: tuple[tuple[tuple[type[Operation], ...], Callable[[Step], Effect]], ...] = (
    ((django.CreateModel,), _makes_table),
    ((django.AddField,), _adds_field),
    ((django.AlterField,), _alters_field),
    (
        (
            postgres.AddIndexConcurrently, postgres.RemoveIndexConcurrently,
            postgres.ValidateConstraint, postgres.CreateExtension, django.AlterModelOptions,
            django.AlterModelManagers,
        ),
        _as(Weight.NOTHING),
    ),
    (
        (
            postgres.AddConstraintNotValid, django.RemoveIndex, django.RemoveConstraint,
            django.RenameIndex, django.AlterModelTableComment, django.AlterConstraint,
        ),
        _as(Weight.BRIEF),
    ),
    (
        (
            django.AddIndex, django.AddConstraint, django.AlterUniqueTogether,
            django.AlterIndexTogether,
        ),
        _as(Weight.WAITS),
    ),
    (
        (
            django.RemoveField, django.DeleteModel, django.RenameField, django.RenameModel,
            django.AlterModelTable,
        ),
        _as(Weight.BREAKS),
    ),
    ((django.RunSQL,), _runs_sql),
    ((django.RunPython,), _runs_python),
)  # fmt: skip


def is_new_table(step: Step) -> str:
    """Return the table that the operation makes, if it makes one."""
    return step.table(in_state=step.after) if isinstance(step.operation, django.CreateModel) else ""
