"""REST: questions of the review."""

import json
from typing import Any

from django.test import Client

from memories.models import Question
from memories.services.asking import ask
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory
from tests.memories.api.conftest import Script


def asked(space: Space) -> str:
    memory = make_memory(space)
    with inside(space):
        ask(Question.INSTRUCTION, memory)
    return str(memory.pk)


def questions(client: Client, space: Space, query: str = "") -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/spaces/{space.pk}/review{query}")
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def send(client: Client, space: Space, item: str, what: str, **body: str) -> Any:
    return client.post(
        f"/api/v1/spaces/{space.pk}/review/{item}/{what}",
        json.dumps(body),
        content_type="application/json",
    )


def test_what_waits_is_listed(space: Space, script: Script) -> None:
    memory = asked(space)
    client = script(space)

    found = questions(client, space)

    assert [(each["question"], each["memory"]) for each in found] == [("instruction", memory)]
    assert questions(client, space, "?question=expired") == []


def test_the_person_settles_and_undoes(signed_in: Client, space: Space) -> None:
    asked(space)
    item = questions(signed_in, space)[0]

    settled = send(signed_in, space, item["id"], "answer", answer="kept", seen=item["seen"])
    undone = send(signed_in, space, item["id"], "undo")

    assert settled.json()["state"] == "resolved"
    assert undone.json()["state"] == "open"


def test_a_key_settles_nothing(space: Space, script: Script) -> None:
    asked(space)
    client = script(space)
    item = questions(client, space)[0]

    answer = send(client, space, item["id"], "answer", answer="kept")

    assert answer.status_code == 403
    assert questions(client, space) == [item]


def test_an_answer_that_is_none_is_refused(signed_in: Client, space: Space) -> None:
    asked(space)
    item = questions(signed_in, space)[0]

    answer = send(signed_in, space, item["id"], "answer", answer="perhaps")

    assert answer.status_code == 422
    assert answer.json()["code"] == "not_an_answer"
