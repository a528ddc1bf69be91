"""A data folder with something of everything, told through the product of the day.

Runs inside a process of the product (`manage.py shell`). Nothing in it is a secret: keys and
tokens are plain words, so that a test can look them up again.
"""

from datetime import UTC, datetime, timedelta

import numpy as np
from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken

from accounts.actors import Actor
from accounts.models import User
from brain.jobs.models import JobRun
from mcp_gateway.models import ApiKey, Application, Connection
from mcp_gateway.oauth.bearer import KEY_PREFIX, digest
from mcp_gateway.oauth.resources import resource_of
from mcp_gateway.services.api_keys import KeyDetails, create_api_key
from memories.models import Memory, MemoryVector, Question, ReviewItem, Transfer, Way
from memories.queries.undoing import Work
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import (
    confirm_memory,
    erase_memory,
    erase_version,
    restore_version,
)
from memories.services.asking import ask
from memories.services.checkpointing import checkpoint_task
from memories.services.counting import count_words
from memories.services.forgetting import forget_memory
from memories.services.once import Sent, Written, write_once
from memories.services.recalling import Received, write_reads
from memories.services.resolutions.cases import Reply
from memories.services.reviewing import give_answer
from memories.services.revising import Revision, revise_memory
from memories.services.undoing import undo_work
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.creating import SpaceDetails, create_space
from tests.factories import agent_of, make_memory

API_KEY = KEY_PREFIX + "words of a fixture"
ACCESS_TOKEN, REFRESH_TOKEN = "access words of a fixture", "refresh words of a fixture"
LONG_HENCE = datetime(2200, 1, 1, tzinfo=UTC)


def tell() -> None:
    """Write two spaces of one person: one that is much used, and one in Portuguese."""
    ana = User.objects.create_user("ana@example.org", name="Ana", time_zone="America/Sao_Paulo")
    person = Actor(ana, "dashboard")
    work = create_space(actor=person, details=SpaceDetails("Work", "What the team decided."))
    casa = create_space(
        actor=person,
        details=SpaceDetails(
            "Casa", language="pt", auto_redact_pii=True, keeps_queries=False, retention_days=3000
        ),
    )
    _much_used(work, person)
    make_memory(casa, "A reforma da cozinha começa em março.", path="Casa.Cozinha", actor=person)
    _agents(work, person)
    JobRun.objects.create(task_id="fixture", name="memories.tasks.embed_missing", state="done")


def _much_used(space: Space, person: Actor) -> None:
    agent = agent_of(space)
    deploys = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys")
    for content, reason in (
        ("We deploy on Mondays at noon.", "The team moved it"),
        ("We deploy on Tuesdays at noon.", "Mondays are for planning"),
    ):
        change = Revision(content=content, reason=reason)
        revise_memory(space=space, actor=agent, memory_id=deploys.pk, revision=change)
    erase_version(space=space, actor=person, memory_id=deploys.pk, number=2)
    restore_version(space=space, actor=person, memory_id=deploys.pk, number=1)
    make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploys", source="Calendar")
    tabs = make_memory(
        space, "Ana prefers tabs over spaces.", kind="preference", path="Style", actor=person
    )
    confirm_memory(space=space, actor=person, memory_id=tabs.pk)
    make_memory(space, "The build takes 9 minutes.", kind="observation", path="Project.Build")
    make_memory(space, "See [[Project.Deploys]] for the calendar.", kind="pointer", path="Wiki")
    for step in ("Write the plan", "Carry the plan out"):
        fields = CheckpointFields("Move the docs", "One site", step, constraints="No downtime")
        checkpoint_task(space=space, actor=agent, fields=fields)
    _ended(space, person)
    _questions(space, person, deploys)
    _undone(space, person)
    _beside(space, person, deploys)


def _ended(space: Space, person: Actor) -> None:
    """Forgotten by an agent, by the person and learned again, and erased."""
    old = make_memory(space, "The wiki lives on the old server.", path="Wiki.Old")
    forget_memory(space=space, actor=agent_of(space), memory_id=old.pk, reason="It was moved")
    mine = make_memory(space, "Ana's desk is beside the window.", path="Office.Desk")
    forget_memory(space=space, actor=person, memory_id=mine.pk)
    make_memory(space, "Ana's desk is beside the window.", path="Office.Desk")
    gone = make_memory(space, "This was said by mistake.", path="Mistake")
    erase_memory(space=space, actor=person, memory_id=gone.pk)


def _questions(space: Space, person: Actor, memory: Memory) -> None:
    """Open, put off and settled."""
    other = make_memory(space, "Deploys happen on Sundays at six.", path="Project.Deploys")
    rule = make_memory(space, "Always answer in English.", path="Style.Language")
    with inside(space):
        ask(Question.DISAGREEMENT, memory, other=other, evidence={"reason": "name"})
        for question in (Question.INSTRUCTION, Question.UNSOURCED):
            ask(question, rule)
        about = {item.question: item.pk for item in ReviewItem.objects.filter(memory=rule)}
    give_answer(Reply(space, person, about[Question.INSTRUCTION]), "kept")
    give_answer(Reply(space, person, about[Question.UNSOURCED]), "later")


def _undone(space: Space, person: Actor) -> None:
    wrong = agent_of(space, name="Wrong")
    make_memory(space, "The office is on the moon.", actor=wrong, path="Office")
    since = timezone.now() - timedelta(hours=1)
    undo_work(space=space, actor=person, work=Work("app:wrong", since, ""))


def _beside(space: Space, person: Actor, memory: Memory) -> None:
    """What goes with memories: a vector, reads, a kept answer, an import, counts of words."""
    reader, received = agent_of(space), Received([memory.pk], Way.SEARCHED, query="deploys")
    write_reads(space=space, actor=reader, received=received, at=timezone.now())
    sent = Sent(reader, "fixture", "save")
    written = Written("created", str(memory.pk), 1)
    write_once(sent, space=space, kind=Written, run=lambda: written)
    count_words(space)
    with inside(space):
        memory.refresh_from_db()
        MemoryVector.objects.create(
            space=space,
            memory=memory,
            model_key="fixture/8/0",
            content_sha256=memory.content_sha256,
            embedding=np.ones(8, np.float32),
        )
        Transfer.objects.create(space=space, user=person.user, door="dashboard", stage="done")


def _agents(space: Space, person: Actor) -> None:
    made = create_api_key(space=space, actor=person, details=KeyDetails(["auth:read"], "Nightly"))
    with inside(space):
        ApiKey.objects.filter(pk=made.key.pk).update(key_hash=digest(API_KEY))
        Connection.objects.create(
            space=space, client_key=made.key.client_key, client_name=made.key.label
        )
    app = Application.objects.create(
        name="Goose",
        client_id="fixture-app",
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        redirect_uris="http://localhost:7777/callback",
        client_secret="",
        hash_client_secret=False,
    )
    granted = {"user": person.user, "application": app, "resource": [resource_of(space.pk)]}
    access = AccessToken.objects.create(
        token=ACCESS_TOKEN, expires=LONG_HENCE, scope="auth:read auth:write", **granted
    )
    RefreshToken.objects.create(token=REFRESH_TOKEN, access_token=access, **granted)
