"""Write a memory as the person, and change one."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError
from memories.forms import EditForm, MemoryForm
from memories.models import Memory
from memories.queries.detail import memory_detail
from memories.queries.places import paths_in_use
from memories.rules.differences import differences
from memories.services.revising import revise_memory
from memories.services.saving import Saved, save_memory
from spaces.access import writable_space
from spaces.models import Space


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def write(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    if request.method != "POST":
        return _page(request, space, MemoryForm(initial={"path": request.GET.get("path", "")}))
    form = MemoryForm(request.POST)
    if form.is_valid():
        try:
            saved = save_memory(space=space, actor=request.actor, draft=form.draft)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _said(saved))
            _tell_redacted(request, saved.redacted)
            _tell_disagreement(request, saved)
            return redirect(saved.memory)
    return _page(request, space, form, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    memory = memory_detail(space, memory_id).memory
    if request.method != "POST":
        return _page(request, space, EditForm.of(memory), memory=memory)
    form = EditForm(request.POST)
    if form.is_valid():
        try:
            revised = revise_memory(
                space=space,
                actor=request.actor,
                memory_id=memory_id,
                revision=form.revision(memory),
            )
        except DomainError as error:
            form.refuse(error)
        else:
            if revised.outcome == "conflict":
                return _conflict(request, space, revised.memory)
            is_new = revised.outcome == "revised"
            messages.success(request, gettext("Saved.") if is_new else gettext("Nothing changed."))
            _tell_redacted(request, revised.redacted)
            return redirect(memory)
    return _page(request, space, form, memory=memory, status=422)


def _page(
    request: SignedInRequest,
    space: Space,
    form: MemoryForm,
    *,
    memory: Memory | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "space": space,
        "section": "memories",
        "form": form,
        "memory": memory,
        "paths": paths_in_use(space),
    }
    return render(request, "memories/form.html", context, status=status)


def _conflict(request: SignedInRequest, space: Space, memory: Memory) -> HttpResponse:
    """Show both texts; what is sent from here is based on the present one."""
    data = request.POST.copy()
    data["expected_version"] = str(memory.version)
    present, yours = differences(memory.content, data.get("content", "").replace("\r\n", "\n"))
    context = {
        "present": present,
        "yours": yours,
        "space": space,
        "section": "memories",
        "form": EditForm(data),
        "memory": memory,
        "paths": paths_in_use(space),
    }
    return render(request, "memories/conflict.html", context, status=409)


def _said(saved: Saved) -> str:
    if saved.outcome == "refreshed":
        return gettext("This was remembered already; your confirmation is added.")
    return gettext("Remembered.")


def _tell_redacted(request: SignedInRequest, redacted: dict[str, int]) -> None:
    if redacted:
        types = ", ".join(sorted(redacted))
        text = gettext("What looked like a secret was taken out before storing: %(types)s.")
        messages.warning(request, text % {"types": types})


def _tell_disagreement(request: SignedInRequest, saved: Saved) -> None:
    if saved.near.disagrees_with:
        paths = ", ".join(sorted({memory.path for memory in saved.near.disagrees_with}))
        text = gettext("It seems to disagree with what is remembered at %(paths)s. Both stay.")
        messages.warning(request, text % {"paths": paths})
