"""REST: export, and import in two steps, of which the second is the person's."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from mcp_gateway.scopes import READ
from memories.models import Memory, Recall, Transfer
from memories.services import recalling
from memories.services.transfer.working import go_on
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.api.conftest import Script
from tests.memories.services.transfer.files import comparable, exported, sent


def address(space: Space, rest: str) -> str:
    return f"/api/v1/spaces/{space.pk}/{rest}"


def hand_in(client: Client, space: Space, file: bytes, *, key: str = "") -> Any:
    return client.post(
        address(space, "imports"),
        {"file": SimpleUploadedFile("export.json", file)},
        headers={"idempotency-key": key} if key else {},
    )


def look_through(space: Space) -> None:
    """Do what the worker does."""
    with inside(space):
        transfer = Transfer.objects.get(space=space)
    while go_on(space, transfer.pk):
        pass


def memories_in(space: Space) -> list[str]:
    with inside(space):
        return list(Memory.objects.filter(space=space).values_list("content", flat=True))


def test_a_script_takes_the_whole_space_along(space: Space, script: Script) -> None:
    make_memory(space)

    answer = script(space, READ).get(address(space, "export"))
    body = sent(answer)

    assert comparable(body) == comparable(exported(space))
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].endswith('.json"')
    assert "events" not in json.loads(body)


def test_the_activity_log_comes_along_when_it_is_asked_for(space: Space, script: Script) -> None:
    make_memory(space)

    body = sent(script(space).get(address(space, "export?events=true")))

    assert len(json.loads(body)["events"]) == 1


@pytest.mark.django_db(transaction=True)
def test_what_a_script_takes_along_is_in_the_ledger(script: Script) -> None:
    space = make_space()
    memory = make_memory(space)

    sent(script(space).get(address(space, "export")))

    assert recalling.flush()
    with inside(space):
        assert [line.memory_id for line in Recall.objects.in_space(space)] == [memory.pk]


def test_a_file_that_a_script_hands_in_waits_for_the_person(
    space: Space, script: Script, file: bytes, signed_in: Client
) -> None:
    client = script(space)

    begun = hand_in(client, space, file)
    place = address(space, f"imports/{begun.json()['id']}")
    look_through(space)
    seen = client.get(place).json()
    refused = client.post(f"{place}/confirm")
    before = memories_in(space)
    agreed = signed_in.post(f"{place}/confirm")
    look_through(space)

    assert begun.status_code == 202
    assert begun.json()["handed_in_by"] == "Test agent"
    assert (seen["stage"], seen["counts"]) == ("ready", {"new": 1})
    assert [item["path"] for item in seen["items"]] == ["Project"]
    assert refused.status_code == 403
    assert before == []
    assert agreed.status_code == 202
    assert client.get(place).json()["stage"] == "done"
    assert memories_in(space) == ["We deploy on Fridays at noon."]


def test_the_page_says_who_handed_the_file_in(
    space: Space, script: Script, file: bytes, signed_in: Client
) -> None:
    begun = hand_in(script(space), space, file).json()
    look_through(space)

    page = signed_in.get(f"/spaces/{space.pk}/memories/transfer/{begun['id']}/")

    assert "“Test agent” handed this file in with an API key." in page.text


def test_the_same_file_under_the_same_idempotency_key_is_one_import(
    space: Space, script: Script, file: bytes
) -> None:
    client = script(space)

    first, second = (hand_in(client, space, file, key="nightly") for _ in range(2))
    other = hand_in(client, space, file + b" ", key="nightly")
    unnamed = hand_in(client, space, file)

    assert first.status_code == second.status_code == 202
    assert first.json()["id"] == second.json()["id"]
    assert other.json()["code"] == "bad_idempotency_key"
    assert unnamed.json()["code"] == "import_open"


def test_a_key_that_may_only_read_hands_nothing_in(
    space: Space, script: Script, file: bytes
) -> None:
    answer = hand_in(script(space, READ), space, file)

    assert answer.status_code == 403
    assert script(space, READ).get(address(space, "imports")).json() == {"items": []}


def test_a_key_takes_back_its_own_file_and_no_other(
    space: Space, script: Script, file: bytes
) -> None:
    mine, another = script(space), script(space)
    place = address(space, f"imports/{hand_in(mine, space, file).json()['id']}")

    refused = another.delete(place)
    removed = mine.delete(place)

    assert refused.status_code == 403
    assert removed.status_code == 204
    assert mine.get(place).status_code == 404


def test_a_key_takes_nothing_back_that_the_person_agreed_to(
    space: Space, script: Script, file: bytes, signed_in: Client
) -> None:
    client = script(space)
    place = address(space, f"imports/{hand_in(client, space, file).json()['id']}")
    look_through(space)
    signed_in.post(f"{place}/confirm")

    assert client.delete(place).status_code == 403
    assert signed_in.delete(place).status_code == 204


def test_a_file_that_is_too_large_or_none_is_a_clear_refusal(
    space: Space, script: Script, settings: Settings
) -> None:
    settings.IMPORT_MAX_MB = 1
    client = script(space)

    large = hand_in(client, space, b" " * (1024 * 1024 + 1))
    empty = hand_in(client, space, b"")
    none = client.post(address(space, "imports"))

    assert [answer.status_code for answer in (large, empty, none)] == [422] * 3
    assert large.json()["code"] == "file_too_large"
    assert client.get(address(space, "imports")).json() == {"items": []}


def test_a_form_that_is_none_is_a_clear_refusal(space: Space, script: Script) -> None:
    answer = script(space).post(
        address(space, "imports"), b"--x\r\nno form", content_type="multipart/form-data"
    )

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_an_import_of_another_space_is_none(space: Space, script: Script, file: bytes) -> None:
    other = make_space()
    theirs = hand_in(script(other), other, file).json()["id"]

    place = address(space, f"imports/{theirs}")
    answers = [script(space).get(place), script(space).delete(place)]

    assert [answer.status_code for answer in answers] == [404, 404]


@pytest.mark.parametrize("path", ["export", "imports"])
def test_a_stranger_hears_that_there_is_no_such_space(signed_in: Client, path: str) -> None:
    theirs = make_space()

    assert signed_in.get(address(theirs, path)).status_code == 404
