"""Somebody with something of everything, whom the attacks are after."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, models
from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken

from accounts.models import BrowserSession, User
from mcp_gateway.models import ApiKey, Application
from memories.models import Question, ReviewItem
from memories.models.transfer import Transfer
from memories.queries.undoing import Work
from memories.rules.checkpoints import CheckpointFields
from memories.services.asking import ask
from memories.services.checkpointing import checkpoint_task
from memories.services.revising import Revision, revise_memory
from memories.services.undoing import undo_work
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import space_tables
from tests.factories import agent_of, make_actor, make_memory, make_space, make_user
from tests.mcp_gateway.clients import key_of
from tests.mcp_gateway.oauth.flow import App, browser_of, connected, registered

# In every text of the victim, so that no answer to anybody else may contain it.
MARK = "Quillfeather"
Ids = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Victim:
    """A person with one space; `ids` has a value for each part of an address."""

    user: User
    space: Space
    ids: Ids
    app: App
    access_token: str
    refresh_token: str
    key: str

    def fingerprint(self) -> dict[str, object]:
        """Return what changes with any row of the space, of the person or of their tokens."""
        with inside(self.space), connection.cursor() as cursor:
            found: dict[str, object] = {}
            for model in space_tables():
                table = connection.ops.quote_name(model._meta.db_table)
                cursor.execute(f"select count(*), sum(hashtextextended(t::text, 0)) from {table} t")
                found[table] = cursor.fetchone()
        found["space"] = Space.objects.filter(pk=self.space.pk).values().first()
        found["person"] = User.objects.filter(pk=self.user.pk).values().first()
        access, refresh = (
            model.objects.filter(user=self.user).order_by("pk")
            for model in (AccessToken, RefreshToken)
        )
        found["tokens"] = [*access.values("pk", "expires"), *refresh.values("pk", "revoked")]
        found["browsers"] = BrowserSession.objects.filter(user=self.user).count()
        return found


def make_victim(*, mark: str = MARK) -> Victim:
    """Make a person, a space, memories, versions, questions, lines, keys, tokens, an undoing."""
    user = make_user(f"{mark.lower()}@example.org", name=f"{mark} the person")
    space = make_space(owner=user, name=f"{mark} space")
    agent, person = agent_of(space, name=f"{mark} app"), make_actor(user)
    memory = make_memory(space, f"{mark} deploys on Fridays at noon.", path=f"{mark}.Deploys")
    change = Revision(content=f"{mark} deploys on Mondays at noon.", reason=f"{mark} said so")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)
    other = make_memory(space, f"{mark} deploys on Sundays at six.", path=f"{mark}.Deploys")
    fields = CheckpointFields(f"{mark} task", f"{mark} goal", f"{mark} next step")
    checkpoint_task(space=space, actor=agent, fields=fields)
    with inside(space):
        ask(Question.DISAGREEMENT, memory, other=other, evidence={"reason": f"{mark} differs"})
        ask(Question.UNSOURCED, memory)
    make_memory(space, f"{mark} app noted this by itself.", actor=agent_of(space, name="Wrong"))
    work = Work("app:wrong", timezone.now() - timedelta(hours=1), "")
    undoing = undo_work(space=space, actor=person, work=work).undoing
    app = registered(client_name=f"{mark} app")
    tokens = connected(app, space)
    key = key_of(space)
    with inside(space):
        transfer = Transfer.objects.create(space=space, user=user, door="dashboard", stage="done")
        ids = {
            "space_id": str(space.pk),
            "memory_id": str(memory.pk),
            "item_id": str(ReviewItem.objects.values_list("pk", flat=True)[0]),
            "undoing_id": str(undoing.pk),
            "transfer_id": str(transfer.pk),
            "key_id": str(ApiKey.objects.values_list("pk", flat=True)[0]),
        }
    ids |= {
        "question_id": ids["item_id"],
        "import_id": ids["transfer_id"],
        "application_id": str(Application.objects.get(client_id=app.client_id).pk),
        "client_id": app.client_id,
        "public_id": str(BrowserSession.objects.filter(user=user)[0].public_id),
        "number": "1",
        "form": "csv",
        "object_id": str(user.pk),
        "content_type_id": "1",
    }
    return Victim(
        user, space, ids, app, str(tokens["access_token"]), str(tokens["refresh_token"]), key
    )


def nowhere(ids: Ids) -> dict[str, str]:
    """Return ids of the same shape that belong to nobody."""
    return {name: _nobodys(name, value) for name, value in ids.items()}


def _nobodys(name: str, value: str) -> str:
    try:
        UUID(value)
    except ValueError:
        return "987654" if name == "application_id" else value
    return str(uuid4())


def id_for(parameter: str, victim: Victim) -> str:
    """Return the victim's value for a part of an address.

    A part that is called after a table of a space (`export_id`) is found by itself.
    """
    if parameter in victim.ids:
        return victim.ids[parameter]
    model = _model_of(parameter)
    assert model is not None, (
        f"An address has the part <{parameter}>, and no attack knows what to put there. "
        "Say it in tests/security/victims.py."
    )
    with inside(victim.space):
        row = model._default_manager.first()
    return str(row.pk) if row else str(uuid4())


def _model_of(parameter: str) -> type[models.Model] | None:
    wanted = parameter.removesuffix("_id").replace("_", "")
    return next((m for m in space_tables() if m._meta.model_name == wanted), None)


_CHANGING = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|\b[A-Za-z0-9]{64}\b|987654"
    r"|(?<=nonce=\")[^\"]+"
)


def comparable(text: str, ids: Ids) -> str:
    """Return an answer without what differs from call to call: ids, form tokens, nonces."""
    for value in ids.values():
        if len(value) > 3:
            text = text.replace(value, "ID")
    return _CHANGING.sub("ID", text)


def browser(user: User) -> Any:
    return browser_of(user)
