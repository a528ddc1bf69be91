"""REST: save, revise, forget, checkpoint."""

import json
from typing import Any

import pytest
from django.test import Client

from mcp_gateway.scopes import READ
from memories.models import Activity, KeptAnswer, Memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.api.conftest import Script
from tests.races import at_once

FACT = {
    "content": "The API answers errors as problem details.",
    "kind": "decision",
    "path": "Project.Api",
    "source": "Design review",
    "rationale": "Every client can read them.",
}


def post(client: Client, space: Space, path: str, body: object = FACT, **headers: str) -> Any:
    return client.post(
        f"/api/v1/spaces/{space.pk}/{path}",
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def patch(client: Client, memory: Memory, body: object, **headers: str) -> Any:
    return client.patch(
        f"/api/v1/spaces/{memory.space_id}/memories/{memory.pk}",
        json.dumps(body),
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def memories_in(space: Space) -> list[Memory]:
    with inside(space):
        return list(Memory.objects.filter(space=space))


def test_a_fact_is_saved_by_the_agent_of_the_key(space: Space, script: Script) -> None:
    answer = post(script(space), space, "memories", x_agent_instance_id="runner-7")

    saved = answer.json()
    assert answer.status_code == 201
    assert saved["outcome"] == "created"
    assert saved["memory"]["content"] == FACT["content"]
    assert saved["memory"]["author"] == "agent"
    assert saved["memory"]["client"] == "Test agent"
    assert memories_in(space)[0].agent_instance == "runner-7"
    assert answer["ETag"] == '"1"'


def test_the_same_fact_again_is_confirmed_with_200(space: Space, script: Script) -> None:
    client = script(space)
    post(client, space, "memories")

    answer = post(client, space, "memories")

    assert answer.status_code == 200
    assert answer.json()["outcome"] == "refreshed"
    assert answer.json()["memory"]["confirmations"] == 2


def test_what_a_person_sends_with_their_session_is_theirs(signed_in: Client, space: Space) -> None:
    answer = post(signed_in, space, "memories")

    assert answer.json()["memory"]["author"] == "user"


def test_an_idempotency_key_sent_twice_writes_once(space: Space, script: Script) -> None:
    client = script(space)

    first = post(client, space, "memories", idempotency_key="a")
    second = post(client, space, "memories", idempotency_key="a")

    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert memories_in(space)[0].confirmations == 1
    with inside(space):
        assert Activity.objects.count() == 1


def test_an_idempotency_key_of_another_request_is_refused(space: Space, script: Script) -> None:
    client = script(space)
    post(client, space, "memories", idempotency_key="a")

    other = FACT | {"content": "Something else that is long enough."}
    answer = post(client, space, "memories", other, idempotency_key="a")

    assert answer.status_code == 422
    assert answer.json()["code"] == "bad_idempotency_key"
    assert len(memories_in(space)) == 1


def test_a_refused_request_keeps_no_key(space: Space, script: Script) -> None:
    client = script(space)
    refused = post(client, space, "memories", FACT | {"content": "short"}, idempotency_key="a")

    answer = post(client, space, "memories", idempotency_key="a")

    assert refused.status_code == 422
    assert answer.status_code == 201


def test_two_keys_may_choose_the_same_idempotency_key(space: Space, script: Script) -> None:
    first = post(script(space), space, "memories", idempotency_key="a")
    second = post(script(space), space, "memories", idempotency_key="a")

    assert (first.status_code, second.status_code) == (201, 200)


@pytest.mark.parametrize("key", ["x" * 256, "tab\there"])
def test_what_cannot_be_an_idempotency_key_is_refused(
    space: Space, script: Script, key: str
) -> None:
    answer = post(script(space), space, "memories", idempotency_key=key)

    assert answer.status_code == 422
    assert memories_in(space) == []


def test_what_is_kept_of_an_answer_has_no_text(space: Space, script: Script) -> None:
    post(script(space), space, "memories", idempotency_key="order-1")

    with inside(space):
        kept = str(KeptAnswer.objects.values().get())

    assert not any(text in kept for text in (*FACT.values(), "order-1") if text != "decision")


@pytest.mark.django_db(transaction=True)
def test_ten_parallel_requests_of_one_key_write_once(script: Script) -> None:
    space = make_space()
    client = script(space)

    answers = at_once(
        lambda: post(client, space, "memories", idempotency_key="a").json()["outcome"], times=10
    )

    assert answers == ["created"] * 10
    assert memories_in(space)[0].confirmations == 1


def test_a_change_keeps_what_is_not_sent(space: Space, script: Script) -> None:
    memory = make_memory(space)

    answer = patch(script(space), memory, {"content": "We deploy on Mondays at noon."})

    assert answer.status_code == 200
    assert answer.json()["memory"]["content"] == "We deploy on Mondays at noon."
    assert answer.json()["memory"]["path"] == memory.path
    assert answer["ETag"] == '"2"'


def test_a_change_of_an_old_version_answers_412_with_the_present_one(
    space: Space, script: Script
) -> None:
    memory, client = make_memory(space), script(space)
    patch(client, memory, {"content": "We deploy on Mondays at noon."}, if_match='"1"')

    answer = patch(client, memory, {"content": "We deploy on Sundays."}, if_match='"1"')

    assert answer.status_code == 412
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["ETag"] == '"2"'
    assert answer.json()["current"]["content"] == "We deploy on Mondays at noon."
    assert memories_in(space)[0].version == 2


@pytest.mark.parametrize("value", ["abc", '"1.5"', '"-1"', '"99999999999"', "1, 2"])
def test_an_if_match_that_names_no_version_is_refused(
    space: Space, script: Script, value: str
) -> None:
    memory = make_memory(space)

    answer = patch(script(space), memory, {"content": "We deploy on Sundays."}, if_match=value)

    assert answer.status_code == 422
    assert memories_in(space)[0].version == 1


def test_a_memory_is_forgotten_once(space: Space, script: Script) -> None:
    memory, client = make_memory(space), script(space)

    answers = [post(client, space, f"memories/{memory.pk}/forget", {}) for _ in range(2)]

    assert [answer.json()["outcome"] for answer in answers] == ["forgotten", "already_forgotten"]


def test_a_checkpoint_replaces_the_earlier_one(space: Space, script: Script) -> None:
    client = script(space)
    task = {"task": "Move the docs", "goal": "One site", "next_step": "Redirects"}

    answers = [post(client, space, "checkpoints", task) for _ in range(2)]

    assert [answer.json()["outcome"] for answer in answers] == ["created", "replaced"]
    assert [answer.status_code for answer in answers] == [201, 201]


def test_a_key_that_may_only_read_writes_nothing(space: Space, script: Script) -> None:
    memory, client = make_memory(space), script(space, READ)
    task = {"task": "Move the docs", "goal": "One site", "next_step": "Redirects"}

    answers = [
        post(client, space, "memories"),
        patch(client, memory, {"content": "We deploy on Sundays."}),
        post(client, space, f"memories/{memory.pk}/forget", {}),
        post(client, space, "checkpoints", task),
    ]

    assert [answer.status_code for answer in answers] == [403] * 4
    assert [each.version for each in memories_in(space)] == [1]


@pytest.mark.parametrize(
    "body",
    [
        '{"content": NaN}',
        '{"content": "a", "content": "b"}',
        "[" * 10_000,
        '{"a":' * 60 + "1" + "}" * 60,
        "not json",
        '"\\ud800"',
        "{}",
        "[]",
        "null",
    ],
    ids=["nan", "twice", "open", "deep", "text", "surrogate", "empty", "list", "null"],
)
def test_what_is_no_memory_is_a_clear_refusal(space: Space, script: Script, body: str) -> None:
    answer = post(script(space), space, "memories", body)

    assert answer.status_code in {400, 422}
    assert answer["Content-Type"] == "application/problem+json"
    assert memories_in(space) == []


def test_an_unknown_field_is_refused_and_not_repeated(space: Space, script: Script) -> None:
    answer = post(script(space), space, "memories", FACT | {"colour": "hunter2 is my word"})

    assert answer.status_code == 422
    assert "hunter2" not in answer.content.decode()


def test_a_secret_is_replaced_and_named(space: Space, script: Script) -> None:
    token = "ghp_" + "a1B2" * 9
    answer = post(
        script(space), space, "memories", FACT | {"content": f"The token of the bot is {token}."}
    )

    assert token not in answer.content.decode()
    assert sum(answer.json()["redacted"].values()) == 1
