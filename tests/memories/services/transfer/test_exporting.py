"""One moment, one order, one format."""

import json
import threading

import jsonschema
import pytest
from django.conf import settings
from django.db import connection

from memories.models import Author, Kind, Operation, Question, Reason, State
from memories.models.transfer import ItemVerdict
from memories.rules import transfer
from memories.rules.transfer_verdicts import Verdict
from memories.services.transfer.exporting import as_of_now, write_space
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.transfer.files import exported, read
from tests.memories.services.transfer.test_round_trip import full

__all__ = ["full"]
SCHEMA = settings.BASE_DIR / "docs/export-format.schema.json"


def test_the_schema_beside_the_documentation_is_the_one_of_the_code() -> None:
    assert json.loads(SCHEMA.read_text()) == transfer.ExportFile.model_json_schema(), (
        "Write it anew: python -m tests.memories.services.transfer.schema"
    )


@pytest.mark.django_db
def test_an_export_fits_the_schema(full: Space) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))

    validator.validate(read(exported(full, has_events=True)))


@pytest.mark.django_db
def test_two_exports_of_one_space_differ_in_their_date_only(full: Space) -> None:
    one, two = (exported(full).splitlines() for _ in range(2))

    assert [line for line in one if not line.startswith(b'"exported_at"')] == [
        line for line in two if not line.startswith(b'"exported_at"')
    ]


@pytest.mark.django_db
def test_each_record_has_a_line_of_its_own(full: Space) -> None:
    lines = exported(full).decode().splitlines()

    records = [json.loads(line.rstrip(",")) for line in lines if line.startswith('{"id"')]
    assert len(records) == len(read(exported(full))["memories"]) + len(
        read(exported(full))["reviews"]
    )


@pytest.mark.django_db
def test_dates_are_in_utc(full: Space) -> None:
    memory = read(exported(full))["memories"][0]

    assert memory["created_at"].endswith("Z")
    assert memory["versions"][0]["created_at"].endswith("Z")


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (transfer.Kind, Kind),
        (transfer.Author, Author),
        (transfer.MemoryRecord.model_fields["state"].annotation, State),
        (transfer.Version.model_fields["operation"].annotation, Operation),
        (transfer.LinkRecord.model_fields["reason"].annotation, Reason),
        (transfer.ReviewRecord.model_fields["question"].annotation, Question),
    ],
    ids=["kind", "author", "state", "operation", "reason", "question"],
)
def test_the_format_knows_every_value_that_a_row_may_have(said: type, known: type[Kind]) -> None:
    assert set(said.__args__) == set(known.values)  # type: ignore[attr-defined]


def test_every_verdict_has_a_name_for_people() -> None:
    assert {each.value for each in Verdict} == set(ItemVerdict.values)


@pytest.mark.django_db(transaction=True)
def test_an_export_is_of_one_moment_however_long_it_takes() -> None:
    space = make_space()
    make_memory(space, "The first of two facts.")

    class Slow:
        """A place to write to that lets somebody else save after the first line."""

        def __init__(self) -> None:
            self.text = b""

        def write(self, piece: bytes) -> int:
            if not self.text:
                other = threading.Thread(target=_save_another, args=[space])
                other.start()
                other.join()
            self.text += piece
            return len(piece)

    out = Slow()
    write_space(space, out)  # type: ignore[arg-type]

    assert len(read(out.text)["memories"]) == 1
    assert len(read(exported(space))["memories"]) == 2


@pytest.mark.django_db(transaction=True)
def test_an_export_can_change_nothing() -> None:
    space = make_space()
    make_memory(space)

    with as_of_now(), inside(space), connection.cursor() as cursor:
        cursor.execute("show transaction_read_only")
        assert cursor.fetchone() == ("on",)


def _save_another(space: Space) -> None:
    make_memory(space, "The second of two facts.")
    connection.close()
