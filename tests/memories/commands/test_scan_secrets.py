"""`manage.py scan_secrets`: ids, types and counts, never a value."""

import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from memories.models import Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.brain.sanitising.made_up import made_up
from tests.factories import make_memory, make_space

KEY = made_up("ghp_<alnum 36>")


def scanned(*arguments: str) -> str:
    out = io.StringIO()
    call_command("scan_secrets", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def old(space: Space) -> Memory:
    memory = make_memory(space)
    with inside(space):
        Memory.objects.update(content=f"The bot has {KEY}")
    return memory


def test_it_names_what_it_finds_and_changes_nothing(space: Space, old: Memory) -> None:
    text = scanned()

    assert f"space {space.pk} memory {old.pk}: found github_token (1)" in text
    assert "1 memories hold secrets." in text
    assert KEY not in text
    with inside(space):
        assert KEY in Memory.objects.get().content


def test_it_redacts_when_it_is_told_to(space: Space, old: Memory) -> None:
    text = scanned(str(space.pk), "--redact")

    assert f"memory {old.pk}: redacted github_token (1)" in text
    assert scanned() == "No secrets were found.\n"


def test_a_script_reads_json(space: Space, old: Memory) -> None:
    line = json.loads(scanned("--json"))

    assert line == {
        "space": str(space.pk),
        "memory": str(old.pk),
        "types": {"github_token": 1},
        "redacted": False,
    }


def test_one_space_is_looked_through_alone(old: Memory) -> None:
    assert scanned(str(make_space().pk)) == "No secrets were found.\n"


def test_an_unknown_space_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="no such space"):
        scanned(str(uuid4()))


def test_what_can_not_be_redacted_is_named_and_left(space: Space, old: Memory) -> None:
    make_memory(space, f"The bot has {KEY}")

    text = scanned("--redact")

    assert "Another memory already states the redacted text." in text
    assert "1 memories hold secrets." in text


def test_a_secret_in_the_name_of_a_space_is_named(space: Space) -> None:
    Space.objects.update(name=f"Bot {KEY}")

    assert f"space {space.pk}: its name or description holds github_token (1)" in scanned()
