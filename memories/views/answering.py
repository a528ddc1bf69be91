"""Answer questions of the review, one or many, and take answers back."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from accounts.http import SignedInRequest
from brain.lib.errors import DomainError, NotFoundError
from memories.forms import AnswerForm
from memories.services.resolutions.cases import Reply
from memories.services.resolutions.undoing import undo_answer
from memories.services.reviewing import Done, answer_many, give_answer, undo_decision
from memories.views.review import shown
from spaces.access import writable_space
from spaces.models import Space


@login_required
@require_POST
def answer(request: SignedInRequest, space_id: UUID, item_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    form = AnswerForm(request.POST)
    reply = Reply(space, request.actor, item_id, seen=form.text("seen"))
    try:
        give_answer(reply, form.text("answer"), wording=form.wording)
    except NotFoundError:
        raise
    except DomainError as error:
        said = {"problem": error.sentence, "typed": form.wording}
        return shown(request, space, form, item_id=item_id, said=said)
    return _next(request, space, form, item_id=form.id("next"), done=reply.decision_id)


@login_required
@require_POST
def answer_selected(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = writable_space(space_id, request.actor)
    form = AnswerForm(request.POST)
    if not form.selected:
        return shown(request, space, form, said={"problem": gettext("Nothing was selected.")})
    done = answer_many(
        space=space, actor=request.actor, item_ids=form.selected, answer=form.text("answer")
    )
    problem = _refused(done)
    if not done.count:
        return shown(request, space, form, said={"problem": problem})
    return _next(request, space, form, done=done.decision_id, problem=problem)


@login_required
@require_POST
def undo(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    """Take back one answer, or all that were given in one go."""
    space = writable_space(space_id, request.actor)
    form = AnswerForm(request.POST)
    problem = ""
    try:
        if decision_id := form.id("decision"):
            problem = _refused(
                undo_decision(space=space, actor=request.actor, decision_id=decision_id)
            )
        elif item_id := form.id("item"):
            undo_answer(space=space, actor=request.actor, item_id=item_id)
        else:
            problem = gettext("Nothing was selected.")
    except NotFoundError:
        raise
    except DomainError as error:
        problem = error.sentence
    if problem:
        return shown(request, space, form, item_id=form.id("item"), said={"problem": problem})
    return _next(request, space, form, item_id=form.id("item"))


def _next(
    request: SignedInRequest,
    space: Space,
    form: AnswerForm,
    *,
    item_id: UUID | None = None,
    done: UUID | None = None,
    problem: str = "",
) -> HttpResponse:
    """Go on with the next question; say what was done, and offer to take it back."""
    is_undone = done is None
    if request.htmx:
        said = {"problem": problem, "is_undone": is_undone}
        return shown(request, space, form, item_id=item_id, done=done, said=said)
    if problem:
        messages.error(request, problem)
    if is_undone:
        messages.success(request, gettext("Undone. It waits for your answer again."))
    asked = {"queue": form.text("queue"), "item": item_id, "done": done}
    query = urlencode({name: str(value) for name, value in asked.items() if value})
    return redirect(f"{reverse('memories:review', args=[space.pk])}?{query}")


def _refused(done: Done) -> str:
    if not done.refusals:
        return ""
    number = len(done.refusals)
    said = ngettext(
        "%(number)d of them could not be done: %(why)s",
        "%(number)d of them could not be done, the first because: %(why)s",
        number,
    )
    return said % {"number": number, "why": done.refusals[0].sentence}
