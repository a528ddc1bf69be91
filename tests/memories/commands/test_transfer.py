"""Export and import from the command line."""

import io
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from memories.models import Memory, Transfer
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.transfer.files import comparable, exported

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path, space: Space) -> Path:
    """Return the export of a space with two memories."""
    make_memory(space, "We deploy on Fridays at noon.")
    make_memory(space, "Bruno likes tabs over spaces.", kind="preference")
    path = tmp_path / "export.json"
    call_command("export_space", str(space.pk), output=str(path), stderr=io.StringIO())
    return path


def ran(*arguments: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


def test_a_file_is_written_for_its_owner_only(file: Path, space: Space) -> None:
    assert comparable(file.read_bytes()) == comparable(exported(space))
    assert file.stat().st_mode & 0o077 == 0
    assert list(file.parent.iterdir()) == [file]


def test_a_dry_run_says_what_it_would_do_and_does_nothing(file: Path) -> None:
    other = make_space()

    said = ran("import_space", str(other.pk), str(file), dry_run=True)

    assert "2  New" in said
    with inside(other):
        assert not Memory.objects.filter(space=other).exists()
        assert not Transfer.objects.filter(space=other).exists()


def test_an_import_brings_it_in_and_says_so_as_json(file: Path, space: Space) -> None:
    other = make_space()

    said = json.loads(ran("import_space", str(other.pk), str(file), json=True))
    again = json.loads(ran("import_space", str(other.pk), str(file), json=True))

    assert (said["stage"], said["new"]) == ("done", 2)
    assert (again["stage"], again["here"]) == ("done", 2)
    assert comparable(exported(other)) == comparable(exported(space))


def test_what_is_refused_is_named(file: Path) -> None:
    found = json.loads(file.read_text())
    found["memories"][0]["content"] = "Somebody changed this by hand."
    file.write_text(json.dumps(found))

    said = ran("import_space", str(make_space().pk), str(file), dry_run=True)

    assert "1  Refused" in said
    assert "memory 1 (Project): content_sha256" in said


def test_a_file_that_is_no_export_is_an_error_and_leaves_nothing(
    tmp_path: Path, space: Space
) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")

    with pytest.raises(CommandError, match="one JSON object"):
        ran("import_space", str(space.pk), str(path))
    with inside(space):
        assert not Transfer.objects.filter(space=space).exists()


@pytest.mark.parametrize("name", ["nothing", "00000000-0000-4000-8000-000000000000"])
def test_a_space_or_file_that_is_not_there_is_an_error(
    tmp_path: Path, space: Space, name: str
) -> None:
    with pytest.raises(CommandError, match="no such space"):
        ran("export_space", name)
    with pytest.raises(CommandError, match="no such space"):
        ran("import_space", name, str(tmp_path / "x.json"))
    with pytest.raises(CommandError, match="can't be read"):
        ran("import_space", str(space.pk), str(tmp_path / "x.json"))
    with pytest.raises(CommandError, match="can't be written"):
        ran("export_space", str(space.pk), output=str(tmp_path / str(uuid4()) / "x.json"))
