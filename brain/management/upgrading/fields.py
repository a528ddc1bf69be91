"""Judge a column that is added or altered."""

from typing import Any

from django.db import connection, models

from brain.management.upgrading.effects import Effect, Weight

Field = models.Field[Any, Any]


def added(field: Field, *, table: str) -> Effect:
    """Say what adding the column does, and to whoever inserts without knowing it."""
    does = f"adds {field.name} to {table}"
    if field.many_to_many:
        return Effect(Weight.NOTHING, f"makes the table between {table} and another", table)
    if getattr(field, "generated", False):
        return Effect(Weight.REWRITES, does, table)
    if not (field.null or field.has_db_default()):
        # Django drops the default that filled the old rows again.
        said = f"{does}, without a default in the database"
        return Effect(Weight.BREAKS, said, table)
    if _has_index(field) or (field.remote_field and _is_checked(field)):
        return Effect(Weight.WAITS, f"{does}, with an index or a reference", table)
    return Effect(Weight.BRIEF, does, table)


def altered(before: Field, after: Field, *, table: str) -> Effect:
    """Say what changing the column does; most of what Django calls a change is none here."""
    does = f"changes {after.name} of {table}"
    old, new = _type(before), _type(after)
    if old != new:
        is_wider = old.startswith("varchar") and (new == "text" or _length(new) > _length(old) > 0)
        return Effect(Weight.BRIEF if is_wider else Weight.REWRITES, does, table)
    if before.null and not after.null:
        return Effect(Weight.BREAKS, f"{does}: it has to hold something from then on", table)
    if _has_index(after) and not _has_index(before):
        return Effect(Weight.WAITS, f"{does}: builds an index", table)
    is_same = before.null == after.null and before.db_default == after.db_default
    return Effect(Weight.NOTHING if is_same else Weight.BRIEF, does, table)


def _is_checked(field: Field) -> bool:
    return bool(getattr(field, "db_constraint", False))


def _type(field: Field) -> str:
    return str(field.db_parameters(connection)["type"] or "")


def _length(type_name: str) -> int:
    digits = "".join(char for char in type_name if char.isdigit())
    return int(digits or 0)


def _has_index(field: Field) -> bool:
    return bool(field.unique or getattr(field, "db_index", False))
