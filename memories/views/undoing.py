"""Undo an app's work: choose, see the difference, do it; and undo that."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError, NotFoundError
from memories.filters import UndoForm
from memories.queries.activity import apps_of
from memories.queries.undoing import Plan, Step, planned_undoing
from memories.rules.differences import Piece, differences
from memories.services.undoing import Undone, undo_undoing, undo_work
from spaces.access import readable_space, writable_space
from spaces.models import Space


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    if request.method == "POST":
        return _carry_out(request, writable_space(space_id, request.actor))
    space = readable_space(space_id, request.actor)
    today = timezone.localtime().replace(hour=0, minute=0)
    first = {"app": request.GET.get("app", ""), "since": today}
    form = UndoForm(request.GET if "since" in request.GET else None, initial=first)
    return _page(request, space, form)


@login_required
@require_POST
def take_back(request: SignedInRequest, space_id: UUID, undoing_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    try:
        undone = undo_undoing(space=space, actor=request.actor, undoing_id=undoing_id)
    except NotFoundError:
        raise
    except DomainError as error:
        messages.error(request, error.sentence)
    else:
        messages.success(request, _said(undone))
    return redirect("memories:activity", space.pk)


def _carry_out(request: SignedInRequest, space: Space) -> HttpResponse:
    form = UndoForm(request.POST)
    form.offer(apps_of(space))
    work = form.work
    if work is None:
        return _page(request, space, form, status=422)
    seen = request.POST.get("seen", "")
    try:
        undone = undo_work(space=space, actor=request.actor, work=work, seen=seen)
    except DomainError as error:
        form.add_error(None, error.sentence)
        return _page(request, space, form, status=422)
    messages.success(request, _said(undone))
    return redirect("memories:activity", space.pk)


def _page(
    request: SignedInRequest, space: Space, form: UndoForm, *, status: int = 200
) -> HttpResponse:
    """Show the choice and, once an app is chosen, what would happen."""
    apps = apps_of(space)
    form.offer(apps)
    work = form.work
    plan = planned_undoing(space, work) if work else Plan()
    context = {
        "space": space,
        "section": "activity",
        "form": form,
        "apps": apps,
        "plan": plan,
        "steps": [{"step": step, "pieces": _pieces(step)} for step in plan.steps],
        "work": work,
    }
    return render(request, "memories/undo.html", context, status=status)


def _pieces(step: Step) -> tuple[list[Piece], list[Piece]]:
    """Return the words of the text as it is and as it would be, with what differs."""
    if step.version is None:
        return [], []
    return differences(step.memory.content, step.version.content)


def _said(undone: Undone) -> str:
    number, kept = undone.undoing.memories, len(undone.left_alone)
    done = ngettext(
        "%(number)s memory is as it was before.",
        "%(number)s memories are as they were before.",
        number,
    ) % {"number": number}
    if not kept:
        return done
    left = ngettext("%(number)s was left alone.", "%(number)s were left alone.", kept) % {
        "number": kept
    }
    return f"{done} {left}"
