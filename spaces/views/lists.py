"""The home page, and the way to a new space."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from spaces.forms import SpaceForm
from spaces.queries import space_cards, why_meaning_is_off
from spaces.services.creating import create_space


@login_required
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    cards, limit = space_cards(request.user), settings.SPACES_PER_ACCOUNT
    context = {
        "cards": cards,
        "limit": limit,
        "has_room": len(cards) < limit,
        "waiting": [card for card in cards if card.contents.waiting],
        "why_off": why_meaning_is_off() if any(card.contents.active for card in cards) else "",
    }
    return render(request, "spaces/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        spoken = {"language": request.user.language[:2]}
        return render(request, "spaces/create.html", {"form": SpaceForm(initial=spoken)})
    form = SpaceForm(request.POST)
    if form.is_valid():
        try:
            space = create_space(actor=request.actor, details=form.details)
        except DomainError as error:
            form.add_error(None, error.sentence)
        else:
            messages.success(request, gettext("The space is there. Now connect an agent to it."))
            return redirect("spaces:connect", space.pk)
    return render(request, "spaces/create.html", {"form": form}, status=422)
