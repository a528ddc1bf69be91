"""Pages about agents that are connected: apps of a person, keys of a space."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from mcp_gateway.forms import ApiKeyForm
from mcp_gateway.queries import agent_of_app, connected_apps, keys_of
from mcp_gateway.services.api_keys import create_api_key, revoke_api_key
from mcp_gateway.services.connections import disconnect_app
from spaces.access import owned_space
from spaces.models import Space


@login_required
@require_GET
def apps(request: SignedInRequest) -> HttpResponse:
    """Show every app that the person let into a space."""
    spaces = list(Space.objects.of(request.user))
    apps = connected_apps(request.user, spaces=spaces)
    by_space = [
        (space, [agent_of_app(app) for app in apps if app.space == space]) for space in spaces
    ]
    context = {"apps": apps, "by_space": by_space, "spaces": spaces}
    return render(request, "mcp_gateway/apps.html", context)


@login_required
@require_POST
def disconnect(request: SignedInRequest, space_id: UUID, application_id: int) -> HttpResponse:
    """Take an app's access to one space away."""
    space = owned_space(space_id, request.actor)
    if disconnect_app(space=space, application_id=application_id):
        messages.success(request, _("The app is disconnected from %s.") % space.name)
    return redirect("mcp_gateway:apps")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def keys(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    """List the keys of a space and make new ones; a new one is shown in this answer only."""
    space = owned_space(space_id, request.actor)
    form = ApiKeyForm(request.POST if request.method == "POST" else None)
    created = None
    if form.is_valid():
        try:
            created = create_api_key(space=space, actor=request.actor, details=form.details())
        except DomainError as error:
            form.add_error(None, error.sentence)
        else:
            form = ApiKeyForm()
    status = 201 if created else 422 if form.errors else 200
    context = {"space": space, "section": "settings", "form": form, "created": created}
    context["keys"] = keys_of(space)
    return render(request, "mcp_gateway/keys.html", context, status=status)


@login_required
@require_POST
def revoke_key(request: SignedInRequest, space_id: UUID, key_id: UUID) -> HttpResponse:
    """Close a key."""
    space = owned_space(space_id, request.actor)
    revoke_api_key(space=space, key_id=key_id)
    messages.success(request, _("The key is revoked."))
    return redirect("mcp_gateway:keys", space.pk)
