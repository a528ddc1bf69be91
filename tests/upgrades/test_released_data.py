"""What every release wrote opens with the code of the day, and nothing of it is lost."""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.places import a_place, manage
from tests.upgrades.make_fixture import FIXTURES, LARGEST, PORT
from tests.upgrades.rows import row_counts

RELEASES = sorted(each.name for each in FIXTURES.iterdir() if each.is_dir())
# Django's own notes about the code, which follow the release.
OF_THE_CODE = {"auth_permission", "django_content_type", "django_migrations"}
LOOK_UP = """
import json
from uuid import UUID
from oauth2_provider.models import RefreshToken
from mcp_gateway.oauth.bearer import authenticate, digest
from tests.upgrades.story import ACCESS_TOKEN, API_KEY, REFRESH_TOKEN
callers = [authenticate(each, UUID("{space}")) for each in (API_KEY, ACCESS_TOKEN)]
refresh = RefreshToken.objects.get(token_checksum=digest(REFRESH_TOKEN))
print(json.dumps({{
    "who": [caller.actor.client_name for caller in callers],
    "may": [sorted(caller.scopes) for caller in callers],
    "renews": refresh.access_token.application.name,
}}))
"""


@dataclass(frozen=True, slots=True)
class Restored:
    """The data of a release in a place of today."""

    kept: Path
    place: Path

    @property
    def exports(self) -> dict[str, dict[str, Any]]:
        """Return the exports that the release wrote, by space."""
        files = self.kept.glob("????????-*.json")
        return {each.stem: json.loads(each.read_text()) for each in files}

    def run(self, *command: str) -> str:
        done = manage(self.place, *command, port=PORT)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module", params=RELEASES)
def restored(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Restored]:
    kept = FIXTURES / str(request.param)
    backup = tmp_path_factory.mktemp("upgrade") / "brain.dump"
    backup.write_bytes(lzma.decompress((kept / "brain.dump.xz").read_bytes()))
    with a_place() as place:
        found = Restored(kept, place)
        found.run("restore", str(backup))
        yield found


def comparable(export: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in export.items() if name != "exported_at"}


def holds_all(there: object, *, of: object) -> bool:
    """Say whether all that was written is still there; a later release may write more."""
    if isinstance(of, dict):
        return isinstance(there, dict) and all(
            name in there and holds_all(there[name], of=value) for name, value in of.items()
        )
    if isinstance(of, list):
        return (
            isinstance(there, list)
            and len(there) == len(of)
            and all(holds_all(each, of=value) for each, value in zip(there, of, strict=True))
        )
    return there == of


def test_there_is_a_release_to_try() -> None:
    assert RELEASES
    for release in RELEASES:
        assert sum(each.stat().st_size for each in (FIXTURES / release).iterdir()) < LARGEST


def test_every_row_is_still_there(restored: Restored) -> None:
    wrote = json.loads((restored.kept / "rows.json").read_text())

    found = row_counts(restored.place)

    missing = {
        table: (count, found.get(table))
        for table, count in wrote.items()
        if table not in OF_THE_CODE and found.get(table) != count
    }
    assert missing == {}
    assert sum(wrote.values()) > 100


def test_every_memory_version_and_question_is_exported_as_the_release_did(
    restored: Restored,
) -> None:
    for space, wrote in restored.exports.items():
        now = json.loads(restored.run("export_space", space))

        assert holds_all(comparable(now), of=comparable(wrote)), space
        assert len(now["memories"]) == len(wrote["memories"]) > 0


def test_the_fixture_has_something_of_everything(restored: Restored) -> None:
    used = max(restored.exports.values(), key=lambda export: len(export["memories"]))
    memories = used["memories"]

    assert {each["state"] for each in memories} == {"active", "held", "superseded", "forgotten"}
    assert len({each["kind"] for each in memories}) == 5
    assert any(each["erased_at"] for each in memories)
    assert any(each["sources"] for each in memories)
    assert max(each["version"] for each in memories) > 2
    assert {each["state"] for each in used["reviews"]} == {"open", "snoozed", "resolved"}
    assert used["links"]


def test_keys_and_tokens_open_what_they_opened(restored: Restored) -> None:
    space = max(restored.exports, key=lambda each: len(restored.exports[each]["memories"]))

    looked_up = LOOK_UP.format(space=space)
    found = json.loads(restored.run("shell", "-v", "0", "--no-imports", "-c", looked_up))

    assert found == {
        "who": ["Nightly", "Goose"],
        "may": [["auth:read"], ["auth:read", "auth:write"]],
        "renews": "Goose",
    }


def test_nothing_is_left_to_be_done(restored: Restored) -> None:
    said = restored.run("doctor", "--upgrade")

    assert "nothing is to be done: the tables are those of this release" in said
    assert restored.run("migrate", "--check") == ""
