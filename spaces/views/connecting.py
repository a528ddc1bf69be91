"""How to connect an agent to a space, and what those that are connected last did."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from spaces.access import readable_space
from spaces.agents import agents
from spaces.connecting import CLIENTS, client, snippets


@login_required
@require_safe
def connect(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    context = {
        "space": space,
        "section": "connect",
        "clients": CLIENTS,
        "client": client(request.GET.get("app", "")),
        "snippets": snippets(space),
        "is_local": settings.IS_LOCAL,
        "agents": agents(space),
    }
    return render(request, "spaces/connect.html", context)
