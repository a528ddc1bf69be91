"""What describes a space, and its end."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from spaces.access import owned_space
from spaces.forms import DeleteSpaceForm, SettingsForm
from spaces.models import Space
from spaces.queries import found_by_meaning
from spaces.retention import would_erase
from spaces.services.closing import delete_space
from spaces.services.creating import WouldEraseError, change_space


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    if request.method != "POST":
        return _page(request, space)
    form = SettingsForm(request.POST)
    if form.is_valid():
        try:
            change_space(space=space, details=form.details, is_sure=form.cleaned_data["is_sure"])
        except WouldEraseError as error:
            form.asks_twice = error.sentence
        except DomainError as error:
            form.add_error(None, error.sentence)
            # The page names the space as it is, not as it was meant to be.
            space.refresh_from_db()
        else:
            messages.success(request, gettext("Saved."))
            return redirect("spaces:settings", space.pk)
    return _page(request, space, form=form, status=422)


@login_required
@require_POST
def delete(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    form = DeleteSpaceForm(request.POST)
    if form.is_valid():
        try:
            delete_space(space=space, actor=request.actor, typed_name=form.cleaned_data["name"])
        except DomainError as error:
            form.add_error("name", error.sentence)
        else:
            messages.success(request, gettext("The space and everything in it is deleted."))
            return redirect("spaces:list")
    return _page(request, space, delete_form=form, status=422)


def _page(
    request: SignedInRequest,
    space: Space,
    *,
    form: SettingsForm | None = None,
    delete_form: DeleteSpaceForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "space": space,
        "section": "settings",
        "form": form or SettingsForm.of(space),
        "ended": would_erase(space, space.retention_days),
        "delete_form": delete_form or DeleteSpaceForm(),
        "meaning": found_by_meaning(space),
    }
    return render(request, "spaces/settings.html", context, status=status)
