"""What the REST API takes."""

from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from memories.api import examples
from memories.api.examples import shown
from memories.models import Answer
from memories.services.reviewing import LATER, MERGED_SECOND

SettableKind = Literal["decision", "preference", "observation", "pointer"]
# The answer merged_second keeps the newer text of the two; later puts the question off.
ANSWERS = ", ".join([*Answer.values, MERGED_SECOND, LATER])


class Body(Schema):
    """A request: what is not known is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


class SaveIn(Body):
    model_config = shown(examples.SAVE, is_closed=True)

    content: str = Field(description="One self-contained statement, 12 to 4000 characters.")
    kind: SettableKind
    path: str = Field(description="Dotted place such as Project.Auth.Strategy.")
    source: str = Field("", description="Who said it or where it was read.")
    rationale: str = Field("", description="Why.")
    author: Literal["agent", "tool"] = Field(
        "agent", description="Of a key; what a person sends with a session is theirs."
    )
    expires_at: str = Field("", description="Observations only: ISO date when it lapses.")


class ReviseIn(Body):
    model_config = shown(examples.REVISE, is_closed=True)

    content: str | None = None
    kind: SettableKind | None = None
    path: str | None = None
    source: str | None = None
    rationale: str | None = None
    expires_at: str | None = None
    reason: str = Field("", description="Why it is changed, for the history.")


class ForgetIn(Body):
    model_config = shown(examples.FORGET, is_closed=True)

    reason: str = ""


class CheckpointIn(Body):
    model_config = shown(examples.CHECKPOINT, is_closed=True)

    task: str
    goal: str
    next_step: str
    done: str = ""
    blockers: str = ""
    constraints: str = ""
    sources: str = ""


class AnswerIn(Body):
    """The person's answer to a question; `seen` names the versions that they had before them."""

    model_config = shown(examples.ANSWER, is_closed=True)

    answer: str = Field(description=f"What the person decides: {ANSWERS}.")
    seen: str = Field("", description="The seen of the question; else the texts may have changed.")
    content: str = Field("", description="For the answer rewritten: the new text.")
    source: str = Field("", description="For the answer sourced.")
    rationale: str = Field("", description="For the answer sourced.")
