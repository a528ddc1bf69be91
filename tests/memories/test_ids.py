"""An id is unique within its space, and a row refers to memories of its own space only."""

import pytest
from django.db import IntegrityError, connection, transaction

from memories.models import Memory, MemoryVersion
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space

pytestmark = pytest.mark.django_db


def keys(kind: str) -> dict[str, str]:
    """Return the primary or foreign keys on the table of memories, by the table they are in."""
    column = "conrelid" if kind == "p" else "confrelid"
    with connection.cursor() as cursor:
        cursor.execute(
            "select conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) "  # noqa: S608
            f"from pg_constraint where contype = %s and {column} = 'memories_memory'::regclass",
            [kind],
        )
        return dict(cursor.fetchall())


def test_the_key_of_a_memory_begins_with_its_space() -> None:
    assert list(keys("p").values()) == ["PRIMARY KEY (space_id, id)"]


def test_every_reference_to_a_memory_names_the_space_too() -> None:
    references = keys("f")

    assert len(references) >= 6
    wrong = {name for name, said in references.items() if "FOREIGN KEY (space_id, " not in said}
    assert wrong == set()
    assert all("REFERENCES memories_memory(space_id, id)" in said for said in references.values())


def test_a_row_cannot_refer_to_a_memory_of_another_space(space: Space) -> None:
    theirs, mine = make_memory(make_space()), make_memory(space, "Mine is another fact.")

    with pytest.raises(IntegrityError, match="foreign key"):
        _replace(space, mine, theirs)
    with pytest.raises(IntegrityError, match="foreign key"):
        _move_versions(space, mine, theirs)


def test_the_same_id_in_two_spaces_is_two_memories(space: Space) -> None:
    theirs = make_memory(make_space())
    with inside(space):
        Memory.objects.create(
            pk=theirs.pk, space=space, kind="decision", content="Mine.", author="user"
        )
    with inside(theirs.space_id):
        Memory.objects.filter(pk=theirs.pk).update(content="Theirs.")

    with inside(space):
        assert Memory.objects.get(pk=theirs.pk).content == "Mine."


def _replace(space: Space, mine: Memory, theirs: Memory) -> None:
    with transaction.atomic():
        with inside(space):
            Memory.objects.filter(pk=mine.pk).update(superseded_by=theirs.pk)
        _check_constraints()


def _move_versions(space: Space, mine: Memory, theirs: Memory) -> None:
    with transaction.atomic():
        with inside(space):
            MemoryVersion.objects.filter(memory=mine.pk).update(memory=theirs.pk)
        _check_constraints()


def _check_constraints() -> None:
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
