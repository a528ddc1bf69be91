"""The health of a space at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from memories.models import Question
from memories.queries.concerns import Concern
from memories.queries.finding import Mode
from memories.queries.health import MARKER, Health, health
from memories.queries.review import LABELS, ORDER
from memories.queries.standings import Standing
from memories.queries.wanted import Wanted
from memories.views.addresses import list_url
from spaces.access import readable_space
from spaces.agents import agents
from spaces.models import Space


@dataclass(frozen=True, slots=True)
class Figure:
    """One number; its address shows what it counts."""

    label: str
    count: int
    url: str
    said: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    figures: Sequence[Figure] = field(default_factory=tuple)


@login_required
@require_safe
def health_page(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    found = health(space)
    connected = agents(space)
    context = {
        "space": space,
        "section": "health",
        "health": found,
        "meaning": found.meaning,
        "agents": connected,
        "failing": [agent for agent in connected if agent.fails],
        "groups": [
            Group(gettext("Waiting for your answer"), _questions(space, found)),
            Group(gettext("Worth a look"), _concerns(space, found)),
        ],
    }
    return render(request, "memories/health.html", context)


def _questions(space: Space, found: Health) -> list[Figure]:
    review = reverse("memories:review", args=[space.pk])
    said = {
        Question.REPEATED: gettext("Pairs that seem to say the same twice."),
        Question.DISAGREEMENT: gettext("Pairs of rules that cannot both hold."),
        Question.EXPIRED: gettext("Their date passed; no agent finds them any more."),
        Question.UNSOURCED: gettext("An agent made a rule and does not say where it comes from."),
        Question.CHANGED_BY_AGENT: gettext("An agent changed or forgot what you wrote."),
        Question.RELEARNED: gettext("You forgot it, and an agent saved it again."),
        Question.INSTRUCTION: gettext("What a tool said reads as a command to an agent."),
    }
    return [
        Figure(
            label=str(LABELS[question]),
            count=found.questions.get(question, 0),
            url=f"{review}?queue={question.value}",
            said=said[question],
            is_warning=True,
        )
        for question in ORDER
    ]


def _concerns(space: Space, found: Health) -> list[Figure]:
    said = {
        Concern.NEVER_READ: gettext("No app was given them in the time that the ledger keeps."),
        Concern.STALE: gettext("Nobody said, confirmed or changed them for half a year."),
        Concern.ENDING: gettext("They lapse unless somebody says them again."),
    }
    concerns = [
        Figure(
            label=str(concern.label),
            count=found.concerns.get(concern, 0),
            url=list_url(space, Wanted(only=concern.value)),
            said=said[concern],
        )
        for concern in Concern
    ]
    secrets = Figure(
        label=gettext("Secrets taken out"),
        count=found.redacted,
        url=list_url(space, Wanted(MARKER.strip(), mode=Mode.TEXT, standing=Standing.ANY)),
        said=gettext("A password or key was replaced before the text was stored."),
    )
    return [*concerns, secrets]
