"""How to connect an agent to a space."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from spaces.access import readable_space
from spaces.connecting import (
    claude_code_command,
    generic_configuration,
    key_command,
    server_name,
)


@login_required
@require_safe
def connect(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    context = {
        "space": space,
        "section": "connect",
        "server_name": server_name(space),
        "claude_code_command": claude_code_command(space),
        "generic_configuration": generic_configuration(space),
        "key_command": key_command(space),
    }
    return render(request, "spaces/connect.html", context)
