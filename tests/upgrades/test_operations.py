"""What PostgreSQL does for an operation, as upgrades are judged by it."""

from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.functions import Lower

from brain.management.upgrading.effects import Effect, Weight
from brain.management.upgrading.pending import judged
from spaces.isolation import isolate

INDEX = models.Index(fields=["name"], name="things_by_name")
NAME = models.Q(name="")


def empty(kind: Any, *arguments: Any, **options: Any) -> Any:
    """Return a field that may hold nothing."""
    return kind(*arguments, null=True, **options)


def things() -> ProjectState:
    """Return a state with one table that has rows."""
    state = ProjectState()
    fields: list[tuple[str, Any]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("note", empty(models.CharField, max_length=20)),
    ]
    migrations.CreateModel("Thing", fields).state_forwards("upgrades", state)
    return state


def effects_of(*operations: Operation) -> list[Effect]:
    kind = type("Migration", (Migration,), {"operations": list(operations)})
    migration = kind("0002", "upgrades")
    (found,) = judged([migration], state=things())
    return list(found.effects)


def add(field: models.Field[object, object]) -> Operation:
    return migrations.AddField("thing", "more", field)


def alter(name: str, field: models.Field[object, object]) -> Operation:
    return migrations.AlterField("thing", name, field)


CASES: dict[str, tuple[Operation, Weight]] = {
    "a new table": (
        migrations.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
        Weight.NOTHING,
    ),
    "an empty column": (add(empty(models.IntegerField)), Weight.BRIEF),
    "a column that the database fills": (add(models.IntegerField(db_default=0)), Weight.BRIEF),
    "a column that only programs fill": (add(models.IntegerField(default=0)), Weight.BREAKS),
    "an indexed column": (add(empty(models.IntegerField, db_index=True)), Weight.WAITS),
    "a reference": (
        add(empty(models.ForeignKey, "self", models.CASCADE, db_index=False)),
        Weight.WAITS,
    ),
    "a column that is computed": (
        add(
            models.GeneratedField(
                expression=Lower("name"),
                output_field=models.CharField(max_length=20),
                db_persist=True,
            )
        ),
        Weight.REWRITES,
    ),
    "an index": (migrations.AddIndex("thing", INDEX), Weight.WAITS),
    "an index beside the work of others": (AddIndexConcurrently("thing", INDEX), Weight.NOTHING),
    "a constraint": (
        migrations.AddConstraint("thing", models.CheckConstraint(condition=~NAME, name="named")),
        Weight.WAITS,
    ),
    "a wider text": (alter("name", models.CharField(max_length=40)), Weight.BRIEF),
    "a narrower text": (alter("name", models.CharField(max_length=10)), Weight.REWRITES),
    "a text without an end": (alter("name", models.TextField()), Weight.BRIEF),
    "another type": (alter("name", models.JSONField()), Weight.REWRITES),
    "other choices": (
        alter("name", models.CharField(max_length=20, choices=[("a", "A")])),
        Weight.NOTHING,
    ),
    "a column that may be empty from now on": (
        alter("name", empty(models.CharField, max_length=20)),
        Weight.BRIEF,
    ),
    "a column that may not": (alter("note", models.CharField(max_length=20)), Weight.BREAKS),
    "a column less": (migrations.RemoveField("thing", "note"), Weight.BREAKS),
    "another name": (migrations.RenameField("thing", "note", "remark"), Weight.BREAKS),
    "a table less": (migrations.DeleteModel("Thing"), Weight.BREAKS),
    "isolation": (isolate("upgrades_thing"), Weight.BRIEF),
    "SQL": (migrations.RunSQL("update upgrades_thing set name = ''"), Weight.UNKNOWN),
    "a program": (migrations.RunPython(print), Weight.UNKNOWN),
    "no program": (migrations.RunPython(migrations.RunPython.noop), Weight.NOTHING),
    "only what Django knows": (
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("thing", "note")]
        ),
        Weight.NOTHING,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operation_is_as_heavy_as_what_the_database_does_for_it(name: str) -> None:
    operation, weight = CASES[name]

    found = effects_of(operation)

    assert max((each.weight for each in found), key=list(Weight).index, default=Weight.NOTHING) == (
        weight
    )


def test_a_table_that_the_same_migration_makes_is_empty() -> None:
    fields: list[tuple[str, Any]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.TextField()),
    ]

    found = effects_of(
        migrations.CreateModel("Other", fields),
        migrations.AddIndex("other", models.Index(fields=["name"], name="others_by_name")),
    )

    assert {each.weight for each in found} == {Weight.NOTHING}


def test_it_says_in_words_what_is_done_to_which_table() -> None:
    (found,) = effects_of(add(models.IntegerField(db_default=0)))

    assert found == Effect(Weight.BRIEF, "adds more to upgrades_thing", "upgrades_thing")
