"""What a file may do to a space, and what it may not."""

import io
import json
import zlib
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from accounts.actors import Actor
from brain.lib.errors import DomainError, NotAllowedError, NotFoundError
from memories.models import Activity, Memory, MemoryVersion, Transfer, TransferPart, Verb
from memories.rules.facts import sha256
from memories.services.affirming import erase_memory
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from memories.services.transfer.sealing import unsealed
from memories.services.transfer.storing import (
    ImportOpenError,
    TooLargeError,
    confirm_import,
    drop_import,
    start_import,
)
from memories.services.transfer.working import go_on
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import close_space, space_tables
from tests.brain.sanitising.made_up import made_up
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.memories.services.transfer.files import (
    checked,
    comparable,
    exported,
    imported,
    read,
    reloaded,
    verdicts,
    written,
)

pytestmark = pytest.mark.django_db
FACT = "We deploy on Fridays at noon."


def file_of(*texts: str, **fields: Any) -> dict[str, Any]:
    """Return the export of a space that remembers these texts."""
    space = make_space()
    for text in texts or (FACT,):
        make_memory(space, text, **fields)
    return read(exported(space))


def with_text(file: dict[str, Any], text: str) -> dict[str, Any]:
    """Put a text into the one memory of the file, as somebody who knows the format would."""
    memory = file["memories"][0]
    for place in (memory, memory["versions"][0]):
        place |= {"content": text, "content_sha256": sha256(text)}
    return file


def test_looking_through_changes_nothing(space: Space) -> None:
    transfer = checked(space, written(file_of()))

    assert transfer.stage == "ready"
    assert list(verdicts(transfer).values()) == ["new"]
    with inside(space):
        assert not Memory.objects.filter(space=space).exists()
        assert not Activity.objects.filter(space=space).exists()


def test_every_memory_that_comes_in_has_one_line_of_the_person(space: Space) -> None:
    transfer = imported(space, written(file_of(FACT, "Bruno likes tabs over spaces.")))

    with inside(space):
        lines = list(Activity.objects.filter(space=space))
    assert [line.verb for line in lines] == [Verb.IMPORTED, Verb.IMPORTED]
    assert {line.user for line in lines} == {space.owner}
    assert not any(line.is_agent for line in lines)
    assert transfer.finished_at is not None


def test_the_file_goes_when_it_is_in(space: Space) -> None:
    imported(space, written(file_of()))

    with inside(space):
        assert not TransferPart.objects.filter(space=space).exists()


def test_ids_stay_even_where_another_space_of_the_server_has_them(space: Space) -> None:
    file = file_of()
    memory_id = UUID(file["memories"][0]["id"])
    theirs = make_space()
    imported(theirs, written(file))
    with inside(theirs):
        Memory.objects.filter(pk=memory_id).update(rationale="theirs")

    transfer = imported(space, written(file))

    assert verdicts(transfer) == {str(memory_id): "new"}
    with inside(space):
        assert Memory.objects.get(pk=memory_id).rationale == "She said so"
    with inside(theirs):
        assert Memory.objects.get(pk=memory_id).rationale == "theirs"


def test_what_the_person_forgot_here_stays_forgotten(space: Space, person: Actor) -> None:
    memory = make_memory(space, FACT)
    file = exported(space)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    transfer = imported(space, file)

    assert verdicts(transfer) == {str(memory.pk): "forgotten"}
    with inside(space):
        assert Memory.objects.get(pk=memory.pk).state == "forgotten"


def test_what_was_erased_here_does_not_come_back(space: Space, person: Actor) -> None:
    memory = make_memory(space, FACT)
    file = exported(space)
    erase_memory(space=space, actor=person, memory_id=memory.pk)

    transfer = imported(space, file)

    assert verdicts(transfer) == {str(memory.pk): "forgotten"}
    assert FACT not in exported(space).decode()


def test_a_fact_that_the_person_forgot_does_not_come_back_under_another_id(
    space: Space, person: Actor
) -> None:
    memory = make_memory(space, FACT)
    forget_memory(space=space, actor=person, memory_id=memory.pk)

    transfer = imported(space, written(file_of(FACT.upper(), kind="observation")))

    assert list(verdicts(transfer).values()) == ["forgotten"]
    with inside(space):
        assert not Memory.objects.active().filter(space=space).exists()


def test_a_fact_that_is_here_under_another_id_is_not_doubled(space: Space) -> None:
    make_memory(space, FACT)

    transfer = imported(space, written(file_of(FACT)))

    assert list(verdicts(transfer).values()) == ["here"]
    with inside(space):
        assert Memory.objects.filter(space=space).count() == 1


def test_a_newer_text_here_is_never_overwritten(space: Space, agent: Actor) -> None:
    memory = make_memory(space, FACT)
    file = read(exported(space))
    newer = Revision("We deploy on Mondays at noon.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=newer)
    before = comparable(exported(space))

    kept = imported(space, written(file))
    other = with_text(file, "We deploy on Sundays at noon.")
    apart = imported(space, written(other))

    assert verdicts(kept) == {str(memory.pk): "kept"}
    assert verdicts(apart) == {str(memory.pk): "apart"}
    assert comparable(exported(space)) == before


def test_later_versions_of_the_file_are_added(space: Space) -> None:
    copy = make_space()
    memory = make_memory(space, FACT)
    imported(copy, exported(space))
    later = Revision("We deploy on Mondays at noon.", reason="moved")
    revise_memory(space=space, actor=agent_of(space), memory_id=memory.pk, revision=later)

    transfer = imported(copy, exported(space))

    assert verdicts(transfer) == {str(memory.pk): "updated"}
    with inside(copy):
        versions = MemoryVersion.objects.filter(space=copy, memory=memory.pk).order_by("number")
        assert [each.content for each in versions] == [FACT, "We deploy on Mondays at noon."]
        assert Memory.objects.get(pk=memory.pk).content == "We deploy on Mondays at noon."


def test_secrets_are_replaced_everywhere_and_counted(space: Space) -> None:
    token = made_up("ghp_<alnum 36>")
    file = with_text(file_of(), f"The bot pushes with {token} to the mirror.")
    file["memories"][0]["source"] = file["memories"][0]["versions"][0]["reason"] = token

    transfer = imported(space, written(file))

    assert transfer.stage == "done"
    assert sum(transfer.redacted.values()) == 4
    assert token not in exported(space, has_events=True).decode()
    with inside(space):
        memory = Memory.objects.get(space=space)
        assert "[redacted: " in memory.content
        assert memory.content_sha256 == sha256(memory.content)
    assert set(verdicts(imported(space, written(file))).values()) == {"here"}


def test_a_file_that_waits_can_not_be_read_in_the_database(space: Space) -> None:
    token = made_up("ghp_<alnum 36>")
    file = written(with_text(file_of(), f"The bot pushes with {token} to the mirror."))

    transfer = checked(space, file)

    with inside(space):
        parts = [bytes(each.data) for each in TransferPart.objects.filter(space=space)]
        items = str(list(transfer.items.values()))
    assert parts
    assert token not in items
    for part in parts:
        assert token.encode() not in part
        with pytest.raises(zlib.error):
            zlib.decompress(part)
    assert b"".join(map(unsealed, parts)) == file


def test_a_file_sealed_with_another_key_is_asked_for_again(
    space: Space, settings: Settings
) -> None:
    transfer = start_import(
        space=space, actor=make_actor(space.owner), file=io.BytesIO(written(file_of()))
    )
    settings.SECRET_KEY = "another one, long enough to be one"

    while go_on(space, transfer.pk):
        pass

    failed = reloaded(transfer)
    assert failed.stage == "failed"
    assert "Hand it in again." in failed.problem


def test_a_private_key_is_refused_and_the_rest_comes_in(space: Space) -> None:
    file = file_of(FACT, "Bruno likes tabs over spaces.")
    key = made_up("-----BEGIN PRIVATE KEY-----<alnum 64>-----END PRIVATE KEY-----")
    with_text(file, f"The key is {key} and nothing else.")

    transfer = imported(space, written(file))

    assert sorted(verdicts(transfer).values()) == ["new", "refused"]
    with inside(space):
        assert Memory.objects.filter(space=space).count() == 1
        assert key not in str(list(transfer.items.values()))


def test_characters_that_no_text_may_have_are_taken_out(space: Space) -> None:
    file = file_of() | {"origin": "https://x\x00y\u202e"}
    file["memories"][0]["source"] = "An\x00a\u202e"

    imported(space, written(file))

    with inside(space):
        assert Memory.objects.get(space=space).source == "Ana"


TAMPERED = {
    "another text": {"content": "We deploy on Sundays at noon."},
    "an unknown kind": {"kind": "poem"},
    "an unknown field": {"token": "x"},
    "a rule that a tool said": {"author": "tool"},
    "a date of tomorrow": {"confirmed_at": "2999-01-01T00:00:00Z"},
    "a date without a zone": {"confirmed_at": "2026-11-01T00:00:00"},
    "changed before it was made": {"updated_at": "2001-01-01T00:00:00Z"},
    "no versions": {"versions": []},
    "a version too many": {"version": 2},
    "replaced by itself": {"superseded_by": "self"},
    "an id that is none": {"id": "../../etc"},
    "a path that is none": {"path": "a..b"},
    "a text of another type": {"content": 5},
    "erased with its text": {"erased_at": "2026-11-01T00:00:00Z"},
    "a number that is too large": {"confirmations": 2**40},
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_record_that_breaks_a_rule_is_refused_with_its_place_and_the_reason(
    space: Space, what: str
) -> None:
    file = file_of()
    memory = file["memories"][0]
    memory |= TAMPERED[what]
    if memory["superseded_by"] == "self":
        memory["superseded_by"] = memory["id"]

    transfer = imported(space, written(file))

    with inside(space):
        item = transfer.items.get(space=space)
        assert not Memory.objects.filter(space=space).exists()
    assert (item.number, item.verdict) == (1, "refused")
    assert item.reason
    assert "etc" not in item.reason


def test_a_memory_that_is_twice_in_the_file_comes_in_once(space: Space) -> None:
    file = file_of()
    file["memories"] *= 2

    transfer = imported(space, written(file))

    with inside(space):
        found = list(transfer.items.order_by("number").values_list("verdict", flat=True))
        assert Memory.objects.filter(space=space).count() == 1
    assert found == ["new", "refused"]


def test_links_and_questions_about_nothing_are_left_out(space: Space) -> None:
    file = file_of(FACT, "Bruno likes tabs over spaces.")
    assert file["links"]
    file["links"].append(file["links"][0] | {"second": "0190c0de-0000-7000-8000-000000000000"})
    file["links"].append({"first": 1})

    transfer = imported(space, written(file))

    assert transfer.left_out == 2
    assert len(read(exported(space))["links"]) == len(file["links"]) - 2


def test_what_comes_in_is_linked_to_what_was_here(space: Space) -> None:
    here = make_memory(space, "The release train leaves on Tuesdays.", path="Project")

    imported(space, written(file_of(FACT, path="Project")))

    links = read(exported(space))["links"]
    assert str(here.pk) in {link["second"] for link in links}


@pytest.mark.parametrize(
    "file",
    [b"no json", b'{"format":"agents-brain/2","memories":[]}', b'{"format":"agents-brain/1"}'],
)
def test_a_file_that_cannot_be_read_ends_the_import_with_a_sentence(
    space: Space, file: bytes
) -> None:
    transfer = checked(space, file)

    assert transfer.stage == "failed"
    assert transfer.problem.endswith(".")
    with inside(space):
        assert not TransferPart.objects.filter(space=space).exists()


def test_a_file_that_is_too_large_or_empty_is_refused_and_leaves_nothing(
    space: Space, person: Actor, settings: Settings
) -> None:
    settings.IMPORT_MAX_MB = 1

    with pytest.raises(TooLargeError, match="1 MB"):
        start_import(space=space, actor=person, file=io.BytesIO(b" " * (1024 * 1024 + 1)))
    with pytest.raises(DomainError, match="empty"):
        start_import(space=space, actor=person, file=io.BytesIO())
    with inside(space):
        assert not Transfer.objects.filter(space=space).exists()
        assert not TransferPart.objects.filter(space=space).exists()


def test_there_is_one_import_at_a_time(space: Space, person: Actor) -> None:
    first = checked(space, written(file_of()))

    with pytest.raises(ImportOpenError):
        checked(space, written(file_of()))
    drop_import(space=space, actor=person, transfer_id=first.pk)

    assert checked(space, written(file_of())).stage == "ready"


def test_a_full_space_takes_what_it_has_room_for_and_names_the_rest(
    space: Space, settings: Settings
) -> None:
    file = file_of(*(f"Fact number {number} of many." for number in range(4)))
    settings.MEMORIES_PER_SPACE = 2

    transfer = imported(space, written(file))

    assert sorted(verdicts(transfer).values()) == ["new", "new", "refused", "refused"]
    with inside(space):
        assert Memory.objects.filter(space=space).count() == 2
        assert "the most it may" in transfer.items.filter(verdict="refused")[0].reason


def test_only_the_person_of_the_space_imports(space: Space, agent: Actor) -> None:
    transfer = checked(space, written(file_of()))
    other = make_space()

    with pytest.raises(NotAllowedError):
        confirm_import(space=space, actor=agent, transfer_id=transfer.pk)
    with pytest.raises(NotAllowedError):
        drop_import(space=space, actor=agent, transfer_id=transfer.pk)
    with pytest.raises(NotFoundError):
        confirm_import(space=other, actor=make_actor(other.owner), transfer_id=transfer.pk)
    assert reloaded(transfer).stage == "ready"


def test_an_app_of_another_server_is_no_app_of_this_one(space: Space) -> None:
    file = file_of() | {"origin": "https://elsewhere.example.org"}

    imported(space, written(file))

    with inside(space):
        memory = Memory.objects.get(space=space)
    assert memory.client_key.startswith("from:")
    assert memory.client_name == "Claude Code"


def test_what_came_in_lives_on_like_any_other(space: Space, person: Actor, agent: Actor) -> None:
    imported(space, written(file_of(FACT)))
    with inside(space):
        memory = Memory.objects.get(space=space)

    again = save_memory(
        space=space, actor=agent, draft=Draft(FACT, "decision", "Project", "Ana", "so")
    )
    changed = revise_memory(
        space=space, actor=person, memory_id=memory.pk, revision=Revision("We never deploy.")
    )

    assert (again.outcome, again.memory.pk) == ("refreshed", memory.pk)
    assert changed.memory.version == 2


def test_the_import_goes_with_the_space(space: Space) -> None:
    transfer = checked(space, written(file_of()))
    names = {model.__name__ for model in space_tables()}

    close_space(space)

    assert {"Transfer", "TransferItem", "TransferPart"} <= names
    with inside(transfer.space_id):
        assert not Transfer.objects.exists()
        assert not TransferPart.objects.exists()


def test_an_export_has_no_keys_and_nothing_of_other_spaces(space: Space) -> None:
    make_memory(make_space(owner=space.owner), "Another space says this.")
    make_memory(space, FACT)

    file = exported(space, has_events=True)

    assert b"Another space" not in file
    assert set(read(file)) == {
        "format", "exported_at", "origin", "space", "memories", "links", "reviews", "events",
    }  # fmt: skip
    assert json.loads(file)["events"][0]["verb"] == "saved"
