"""Take a space along as a file, and bring a file in: first what it would do, then the doing."""

import tempfile
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.http import SignedInRequest
from brain.bodies import takes_up_to
from brain.lib.downloads import as_download
from brain.lib.errors import DomainError
from memories.queries.transfers import Shown, current_import, shown_import
from memories.services.transfer.exporting import write_space
from memories.services.transfer.storing import confirm_import, drop_import, start_import
from memories.services.transfer.tidying import take_up_again
from spaces.access import owned_space
from spaces.models import Space


@login_required
@require_safe
def transfer(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    return _page(request, space)


@login_required
@require_GET
def export(request: SignedInRequest, space_id: UUID) -> StreamingHttpResponse:
    """Send the space as it is now. It is written first: a slow line holds no transaction open."""
    space = owned_space(space_id, request.actor)
    out = tempfile.TemporaryFile()  # noqa: SIM115  closed when it is sent
    write_space(space, out, has_events="events" in request.GET)
    name = f"{slugify(space.name) or 'space'}-{timezone.localdate().isoformat()}.json"
    return as_download(request, out, name=name, kind="application/json")


@takes_up_to(lambda: (settings.IMPORT_MAX_MB << 20) + settings.MAX_BODY_BYTES)
@login_required
@require_POST
def start(request: SignedInRequest, space_id: UUID) -> HttpResponse:
    """Take the file and have it looked through."""
    space = owned_space(space_id, request.actor)
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return _page(request, space, problem=gettext("Choose a file first."))
    try:
        begun = start_import(space=space, actor=request.actor, file=file, name=file.name or "")
    except DomainError as error:
        return _page(request, space, problem=error.sentence)
    return redirect("memories:import", space.pk, begun.pk)


@login_required
@require_safe
def progress(request: SignedInRequest, space_id: UUID, transfer_id: UUID) -> HttpResponse:
    """Show what the file would do, or how far it is; htmx asks for this part again and again."""
    space = owned_space(space_id, request.actor)
    asked = request.GET.get("after", "")
    shown = shown_import(
        space,
        transfer_id,
        verdict=request.GET.get("what", ""),
        after=int(asked) if asked.isdecimal() and len(asked) < 10 else 0,  # noqa: PLR2004
    )
    if shown is None:
        raise Http404
    take_up_again(shown.transfer)
    context = _context(space, shown)
    part = "#items" if "after" in request.GET else "#state"
    return render(request, f"memories/import.html{part if request.htmx else ''}", context)


@login_required
@require_POST
def confirm(request: SignedInRequest, space_id: UUID, transfer_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    confirm_import(space=space, actor=request.actor, transfer_id=transfer_id)
    return redirect("memories:import", space.pk, transfer_id)


@login_required
@require_POST
def remove(request: SignedInRequest, space_id: UUID, transfer_id: UUID) -> HttpResponse:
    space = owned_space(space_id, request.actor)
    drop_import(space=space, actor=request.actor, transfer_id=transfer_id)
    messages.success(request, gettext("The file and the report about it are removed."))
    return redirect("memories:transfer", space.pk)


def _page(request: SignedInRequest, space: Space, *, problem: str = "") -> HttpResponse:
    context = {
        "space": space,
        "section": "settings",
        "current": current_import(space),
        "problem": problem,
        "limit": settings.IMPORT_MAX_MB,
    }
    return render(request, "memories/transfer.html", context, status=422 if problem else 200)


def _context(space: Space, shown: Shown) -> dict[str, object]:
    next_url = f"?what={shown.verdict}&after={shown.after}" if shown.after else ""
    return {
        "space": space,
        "section": "settings",
        "shown": shown,
        "transfer": shown.transfer,
        "next_url": next_url,
    }
