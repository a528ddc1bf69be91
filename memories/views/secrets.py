"""What older memories still hold, and the press that redacts it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.http import SignedInRequest
from memories.services.scanning import find_secrets, redact_all, secrets_in_details
from spaces.access import owned_space


@login_required
@require_safe
def secrets(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    """Look through the space when it is asked to: that takes a while in a large one."""
    space = owned_space(space_id, request.actor)
    has_looked = "look" in request.GET
    context = {
        "space": space,
        "section": "settings",
        "has_looked": has_looked,
        "findings": find_secrets(space) if has_looked else [],
        "in_details": secrets_in_details(space) if has_looked else {},
    }
    return render(request, "memories/secrets.html", context)


@login_required
@require_POST
def redact(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    cleared = redact_all(space=space, actor=request.actor)
    if cleared.redacted:
        told = ngettext(
            "Redacted in %(count)d memory. Change these secrets: they were stored.",
            "Redacted in %(count)d memories. Change these secrets: they were stored.",
            cleared.redacted,
        )
        messages.success(request, told % {"count": cleared.redacted})
    if cleared.left:
        messages.warning(
            request, gettext("Some memories say the same once redacted: erase one of each two.")
        )
    response: HttpResponse = redirect("memories:secrets", space.pk)
    response["Location"] += "?look=yes"
    return response
