"""What the person decides about a memory: confirm, forget, restore, erase."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError, NotFoundError
from memories.forms import EraseForm, ForgetForm, ValidityForm
from memories.queries.detail import memory_detail, memory_version
from memories.services.affirming import (
    confirm_memory,
    erase_memory,
    erase_version,
    restore_memory,
    restore_version,
)
from memories.services.forgetting import forget_memory
from memories.services.revising import revise_memory
from memories.views.detail import memory_page
from spaces.access import writable_space
from spaces.models import Space


@login_required
@require_POST
def confirm(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    return _answer(
        request,
        space,
        memory_id,
        lambda: confirm_memory(space=space, actor=request.actor, memory_id=memory_id),
        done=gettext("Confirmed."),
    )


@login_required
@require_POST
def reschedule(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    """Change how long the memory holds, and nothing else of it."""
    space = writable_space(space_id, request.actor)
    form = ValidityForm(request.POST)
    if form.is_valid():
        try:
            revise_memory(
                space=space, actor=request.actor, memory_id=memory_id, revision=form.revision
            )
        except NotFoundError:
            raise
        except DomainError as error:
            form.add_error("expires_at", error.sentence)
        else:
            messages.success(request, gettext("The date is changed; the text is as it was."))
            return redirect("memories:detail", space.pk, memory_id)
    return memory_page(request, space, memory_id, validity_form=form, status=422)


@login_required
@require_POST
def forget(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    form = ForgetForm(request.POST)
    if not form.is_valid():
        return memory_page(request, space, memory_id, forget_form=form, status=422)
    reason = form.cleaned_data["reason"]
    return _answer(
        request,
        space,
        memory_id,
        lambda: forget_memory(space=space, actor=request.actor, memory_id=memory_id, reason=reason),
        done=gettext("Forgotten. No agent finds it any more; it stays here as history."),
    )


@login_required
@require_POST
def restore(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    return _answer(
        request,
        space,
        memory_id,
        lambda: restore_memory(space=space, actor=request.actor, memory_id=memory_id),
        done=gettext("Restored. It holds again."),
    )


@login_required
@require_POST
def restore_earlier(
    request: SignedInRequest, space_id: UUID, memory_id: UUID, number: int
) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    return _answer(
        request,
        space,
        memory_id,
        lambda: restore_version(
            space=space, actor=request.actor, memory_id=memory_id, number=number
        ),
        done=gettext("Restored as a new version."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    memory = memory_detail(space, memory_id).memory
    form = EraseForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"space": space, "section": "memories", "memory": memory, "form": form}
        return render(request, "memories/erase.html", context, status=_status(form))
    return _answer(
        request,
        space,
        memory_id,
        lambda: erase_memory(space=space, actor=request.actor, memory_id=memory_id),
        done=gettext("Erased for good."),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase_earlier(
    request: SignedInRequest, space_id: UUID, memory_id: UUID, number: int
) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    version = memory_version(space, memory_id, number=number)
    form = EraseForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {
            "space": space,
            "section": "memories",
            "memory": version.memory,
            "version": version,
            "form": form,
        }
        return render(request, "memories/erase.html", context, status=_status(form))
    return _answer(
        request,
        space,
        memory_id,
        lambda: erase_version(space=space, actor=request.actor, memory_id=memory_id, number=number),
        done=gettext("The text of this version is erased for good."),
    )


def _status(form: EraseForm) -> int:
    return 422 if form.is_bound else 200


def _answer(
    request: SignedInRequest,
    space: Space,
    memory_id: UUID,
    decide: Callable[[], object],
    *,
    done: str,
) -> HttpResponse:
    """Carry the decision out and go back to the memory; a refusal stands on its page."""
    try:
        decide()
    except NotFoundError:
        raise
    except DomainError as error:
        messages.error(request, error.sentence)
        return memory_page(request, space, memory_id, status=422)
    messages.success(request, done)
    return redirect("memories:detail", space.pk, memory_id)
