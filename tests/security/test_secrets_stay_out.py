"""No secret of the tried kinds in any table, log, answer or message, whichever way it came."""

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from accounts.actors import Actor
from accounts.services.changing import Profile, change_profile
from brain.lib.sanitising import SecretRefusedError
from brain.lib.sanitising.sanitize import SECRETS
from brain.log_filter import SecretFilter
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from spaces.models import Space
from spaces.services.creating import SpaceDetails, change_space
from tests.brain.sanitising.made_up import drawn_for, made_up
from tests.factories import agent_of, make_actor, make_space
from tests.mcp_gateway.clients import connected, text_of
from tests.mcp_gateway.oauth.flow import register
from tests.security.dumps import dump

REPLACED = {
    f"{rule.name} {place}": rule.hits[0] for place, rule in enumerate(SECRETS) if not rule.refusal
}
REFUSED = {
    f"{rule.name} {place}": rule.hits[0] for place, rule in enumerate(SECRETS) if rule.refusal
}
EXAMPLES = REPLACED | REFUSED


def value_of(example: str) -> str:
    """Return the longest run of letters and digits of the secret that the example makes."""
    values = list(filter(None, drawn_for(example))) or [made_up(example)]
    return max(re.split(r"[^A-Za-z0-9]", " ".join(values)), key=len)


def assert_absent(texts: str, names: dict[str, str]) -> None:
    lower = texts.lower()
    for name, example in names.items():
        value = value_of(example).lower()
        assert len(value) >= 4
        assert value not in lower, name


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Return everything that any logger writes, through the filter of the handlers."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(SecretFilter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


def test_no_service_stores_a_secret(space: Space, log: io.StringIO) -> None:
    agent, person = agent_of(space), make_actor(space.owner)
    for example in REPLACED.values():
        text = made_up(example)
        draft = Draft(f"Note: {text}", "decision", "Notes", f"From: {text}", f"Why: {text}")
        saved = save_memory(space=space, actor=agent, draft=draft).memory
        again = Draft(f"Note: {text}", "decision", "Notes", f"Also: {text}", "Why")
        save_memory(space=space, actor=agent, draft=again)
        change = Revision(content=f"New: {text}", source=text, rationale=text, reason=text)
        revise_memory(space=space, actor=person, memory_id=saved.pk, revision=change)
        revise_memory(
            space=space, actor=agent, memory_id=saved.pk, revision=Revision(content=f"Yet: {text}")
        )
        confirm_memory(space=space, actor=person, memory_id=saved.pk)
        forget_memory(space=space, actor=agent, memory_id=saved.pk, reason=text)
        fields = CheckpointFields(f"Task {text}"[:200], text, text, text, text, text, text)
        checkpoint_task(space=space, actor=agent, fields=fields)

    assert_absent(dump(space), REPLACED)
    assert_absent(log.getvalue(), REPLACED)


@pytest.mark.parametrize("name", REFUSED)
def test_a_key_that_is_refused_leaves_no_trace(space: Space, log: io.StringIO, name: str) -> None:
    text = made_up(REFUSED[name])
    agent = agent_of(space)

    with pytest.raises(SecretRefusedError) as refusal:
        save_memory(space=space, actor=agent, draft=Draft(text, "observation", "Notes"))
    fields = CheckpointFields("Task", "Goal", text)
    with pytest.raises(SecretRefusedError):
        checkpoint_task(space=space, actor=agent, fields=fields)

    assert_absent(dump(space) + log.getvalue() + refusal.value.sentence, {name: REFUSED[name]})


def test_no_name_or_label_holds_a_secret(space: Space, client: Client) -> None:
    key = made_up("ghp_<alnum 36>")
    person = Actor(space.owner, "dashboard")
    profile = Profile(f"Ana {key}", "en", "UTC", "system", has_shortcuts=True)

    change_space(space=space, details=SpaceDetails(f"Bot {key}", f"The bot has {key}"))
    change_profile(user=space.owner, profile=profile)
    create_api_key(space=space, actor=person, details=KeyDetails(["auth:read"], f"Bot {key}"))
    register(client_name=f"Bot {key}")
    client.post(
        reverse("accounts:sign-in"), {"email": "x@example.org"}, headers={"user-agent": key}
    )

    texts = dump(space)
    assert "Bot [redacted: github_token]" in texts
    assert key[4:] not in texts


def test_a_marker_that_makes_a_name_too_long_is_refused_in_words(space: Space) -> None:
    name = " ".join(["x" * 20, made_up("password=<alnum 4>"), made_up("senha=<alnum 4>")] * 2)[:80]

    with pytest.raises(Exception, match=r"The name has \d+ characters; the limit is 80"):
        change_space(space=space, details=SpaceDetails(name))


def test_pages_about_nothing_do_not_repeat_the_address(client: Client) -> None:
    key = made_up("ghp_<alnum 36>")

    response = client.get(f"/nothing/{key}?token={key}")

    assert response.status_code == 404
    assert key not in response.content.decode()


@pytest.fixture
def reached(transactional_db: None) -> Space:
    """Return a space that threads of the endpoint can see."""
    return make_space()


async def test_no_tool_stores_answers_or_logs_a_secret(reached: Space, log: io.StringIO) -> None:
    key = made_up("ghp_<alnum 36>")
    answers: list[str] = []
    async with connected(reached, x_agent_instance_id=key) as client:
        for name, example in EXAMPLES.items():
            text = made_up(example)
            sent = {"content": f"Note: {text}", "kind": "observation", "path": "Notes"}
            saved = await client.call_tool("save", sent | {"source": text, "rationale": text})
            assert saved.is_error == (name in REFUSED)
            answers.append(saved.model_dump_json())
            if saved.structured_content:
                change = {"id": saved.structured_content["id"], "content": f"New: {text}"}
                revised = await client.call_tool("revise", change | {"reason": text})
                gone = {"id": change["id"], "reason": text}
                forgotten = await client.call_tool("forget", gone)
                answers += [revised.model_dump_json(), forgotten.model_dump_json()]
            state = {"task": f"Work on {name}", "goal": text, "next_step": text, "done": text}
            answers.append((await client.call_tool("checkpoint", state)).model_dump_json())
        for sent in ({"content": "A fact of ours.", "kind": key, "path": "a"}, {key: key}):
            refused = await client.call_tool("save", sent)
            assert refused.is_error
            answers.append(text_of(refused))
        found = await client.call_tool("resume", {})
        answers.append(json.dumps(found.structured_content))

    assert_absent(await sync_to_async(dump)(reached), EXAMPLES)
    assert_absent("\n".join(answers), EXAMPLES)
    assert_absent(log.getvalue(), EXAMPLES)
    assert key[4:] not in "\n".join(answers)
