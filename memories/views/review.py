"""The inbox: what only the person can settle, one question at a time."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from memories.forms import InboxForm
from memories.queries.review import decision, inbox
from memories.views.choices import choices_for, choices_for_many
from spaces.access import readable_space
from spaces.models import Space


@login_required
@require_safe
def inbox_page(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    form = InboxForm(request.GET)
    return shown(request, space, form, item_id=form.id("item"), done=form.id("done"))


def shown(
    request: SignedInRequest,
    space: Space,
    form: InboxForm,
    *,
    item_id: UUID | None = None,
    done: UUID | None = None,
    said: Mapping[str, object] | None = None,
) -> HttpResponse:
    """Present the inbox, or only the part that changes when htmx asks; 422 with a problem."""
    put = inbox(space, queue=form.text("queue"), item_id=item_id)
    context = {
        "space": space,
        "section": "review",
        "inbox": put,
        "choices": choices_for(put.current.item) if put.current else [],
        "many": choices_for_many(put.open),
        "done": decision(space, done) if done else None,
        "has_keys": request.user.has_shortcuts,
        "is_part": bool(request.htmx) and not request.htmx.history_restore_request,
        **(said or {}),
    }
    template = "memories/review.html#inbox" if context["is_part"] else "memories/review.html"
    status = 422 if context.get("problem") and not done else 200
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
