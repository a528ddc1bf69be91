"""REST: list, read, search."""

from uuid import uuid4

import pytest
from django.test import Client

from memories.models import Question
from memories.rules.checkpoints import CheckpointFields
from memories.services.asking import ask
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space
from tests.memories.api.conftest import Script

READABLE = [
    "memories",
    "memories/{memory}",
    "memories/{memory}/versions",
    "search?query=deploy",
    "paths",
    "checkpoints",
    "review",
    "activity",
]


def get(client: Client, space: Space, path: str) -> dict[str, object]:
    answer = client.get(f"/api/v1/spaces/{space.pk}/{path}")
    assert answer.status_code == 200, answer.content
    body: dict[str, object] = answer.json()
    return body


def test_memories_are_listed_in_pages_without_gap_or_repeat(space: Space, script: Script) -> None:
    client = script(space)
    made = [str(make_memory(space, f"The build number {n} passed.").pk) for n in range(7)]

    seen: list[str] = []
    after = ""
    for _ in range(3):
        page = client.get(f"/api/v1/spaces/{space.pk}/memories?limit=3&after={after}").json()
        seen += [memory["id"] for memory in page["items"]]
        after = page["after"]

    assert seen == sorted(made)
    assert after == ""


def test_the_list_is_filtered_by_state_kind_author_and_path(space: Space, script: Script) -> None:
    client = script(space)
    gone = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploy")
    forget_memory(space=space, actor=agent_of(space), memory_id=gone.pk)
    kept = make_memory(space, "Ana prefers tabs over spaces.", kind="preference", path="Style")

    def listed(query: str) -> list[str]:
        answer = client.get(f"/api/v1/spaces/{space.pk}/memories?{query}")
        return [memory["id"] for memory in answer.json()["items"]]

    assert listed("state=forgotten") == [str(gone.pk)]
    assert listed("state=active") == listed("kind=preference") == [str(kept.pk)]
    assert listed("path=project") == [str(gone.pk)]
    assert listed("author=user") == []


def test_a_memory_is_read_with_its_version_as_etag(space: Space, script: Script) -> None:
    memory = make_memory(space)

    answer = script(space).get(f"/api/v1/spaces/{space.pk}/memories/{memory.pk}")

    assert answer.json()["content"] == memory.content
    assert answer["ETag"] == '"1"'


def test_a_memory_is_read_with_all_its_sources_links_and_questions(
    space: Space, script: Script
) -> None:
    memory = make_memory(space, path="Project.Deploys")
    make_memory(space, path="Project.Deploys", source="The release calendar")
    near = make_memory(space, "The calendar is on the wall.", path="Project.Deploys")
    with inside(space):
        ask(Question.INSTRUCTION, memory)

    read = get(script(space), space, f"memories/{memory.pk}")

    assert read["source"] == "Ana"
    assert read["sha256"] == memory.content_sha256
    assert [(each["text"], each["client"]) for each in read["more_sources"]] == [  # type: ignore[attr-defined]
        ("The release calendar", "Claude Code")
    ]
    link = {"memory": str(near.pk), "state": "active", "reason": "same_path"}
    assert read["links"] == [link]
    assert len(read["questions"]) == 1  # type: ignore[arg-type]


def test_a_checkpoint_is_read_with_its_fields(space: Space, script: Script) -> None:
    fields = CheckpointFields("Move the docs", "One site", "Redirect old links")
    kept = checkpoint_task(space=space, actor=agent_of(space), fields=fields).memory

    read = get(script(space), space, f"memories/{kept.pk}")

    assert read["checkpoint"]["next_step"] == "Redirect old links"  # type: ignore[index]


def test_versions_say_what_was(space: Space, script: Script) -> None:
    memory = make_memory(space)

    answer = script(space).get(f"/api/v1/spaces/{space.pk}/memories/{memory.pk}/versions")

    assert [(each["number"], each["content"]) for each in answer.json()] == [(1, memory.content)]


def test_search_finds_by_word(space: Space, script: Script) -> None:
    memory = make_memory(space)

    found = script(space).get(f"/api/v1/spaces/{space.pk}/search?query=deploy").json()

    assert [hit["memory"]["id"] for hit in found["results"]] == [str(memory.pk)]
    assert 0 <= found["results"][0]["score"] <= 1


@pytest.mark.parametrize("path", READABLE)
def test_a_stranger_hears_the_same_as_for_a_space_that_never_was(
    signed_in: Client, path: str
) -> None:
    theirs = make_space()
    memory = make_memory(theirs)
    path = path.format(memory=memory.pk)

    answers = [signed_in.get(f"/api/v1/spaces/{each}/{path}") for each in (theirs.pk, uuid4())]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize("path", READABLE)
def test_a_key_of_another_space_is_refused(user: object, script: Script, path: str) -> None:
    space = make_space()
    other = make_space(owner=space.owner)
    path = path.format(memory=make_memory(other).pk)

    answer = script(space).get(f"/api/v1/spaces/{other.pk}/{path}")

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("path", READABLE)
def test_who_is_signed_out_reads_nothing(client: Client, space: Space, path: str) -> None:
    path = path.format(memory=make_memory(space).pk)

    assert client.get(f"/api/v1/spaces/{space.pk}/{path}").status_code == 401


def test_a_memory_of_another_space_is_none(space: Space, script: Script) -> None:
    other = make_memory(make_space())

    answer = script(space).get(f"/api/v1/spaces/{space.pk}/memories/{other.pk}")

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path", ["memories?after=x", "memories?limit=0", "memories?state=gone", "search?query="]
)
def test_a_bad_parameter_is_a_clear_refusal(space: Space, script: Script, path: str) -> None:
    answer = script(space).get(f"/api/v1/spaces/{space.pk}/{path}")

    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
