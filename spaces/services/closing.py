"""Delete a space with everything in it."""

import logging
from collections.abc import Callable

from django.apps import apps
from django.db import connection, models, transaction

from accounts.actors import Actor
from brain.lib.errors import DomainError
from spaces.isolation import inside
from spaces.models import Space

logger = logging.getLogger(__name__)


class WrongNameError(DomainError):
    code = "wrong_name"
    hint = "Type it exactly as it is shown."


# What other apps must clear that carries no space_id (tokens bound to the space's address).
on_closing: list[Callable[[Space], None]] = []


def delete_space(*, space: Space, actor: Actor, typed_name: str) -> None:
    """Delete the space for good: memories, versions, events, keys and tokens.

    Raises WrongNameError unless `typed_name` is the space's name.
    """
    if typed_name.strip() != space.name:
        raise WrongNameError("The typed name is not the name of this space.")
    # The id goes with the row.
    deleted = space.pk
    close_space(space)
    logger.info("Space %s was deleted by account %s.", deleted, actor.user.pk)


def close_space(space: Space) -> None:
    """Delete the space without asking; for the account's deletion."""
    with inside(space):
        for clear in on_closing:
            clear(space)
        _delete_rows(space)
        space.delete()


def space_tables() -> list[type[models.Model]]:
    """Return every model whose rows belong to a space."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if any(field.attname == "space_id" for field in model._meta.concrete_fields)  # noqa: SLF001
    ]


def _delete_rows(space: Space) -> None:
    # In one statement a table, however many rows: Django's cascade would load them all.
    # Foreign keys are checked at the end, so their order is free.
    with transaction.atomic(), connection.cursor() as cursor:
        for model in space_tables():
            table = connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001
            cursor.execute(f"delete from {table} where space_id = %s", [space.pk])  # noqa: S608
