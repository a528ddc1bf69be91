"""One memory with its history."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.http import SignedInRequest
from memories.forms import CompareForm, ForgetForm, ValidityForm
from memories.queries.detail import memory_detail
from spaces.access import readable_space
from spaces.models import Space


@login_required
@require_safe
@vary_on_headers("HX-Request", "HX-Target")
def memory(request: SignedInRequest, space_id: UUID, memory_id: UUID) -> HttpResponse:
    space = readable_space(space_id, request.actor)
    return memory_page(request, space, memory_id)


def memory_page(
    request: SignedInRequest,
    space: Space,
    memory_id: UUID,
    *,
    forget_form: ForgetForm | None = None,
    validity_form: ValidityForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Present the memory; also the answer when something that was asked of it is refused."""
    compared = CompareForm(request.GET)
    detail = memory_detail(
        space, memory_id, before=compared.number("from"), after=compared.number("to")
    )
    context = {
        "space": space,
        "section": "memories",
        "detail": detail,
        "memory": detail.memory,
        "forget_form": forget_form or ForgetForm(),
        "validity_form": validity_form or ValidityForm.of(detail.memory),
    }
    is_part = request.htmx and request.method == "GET" and not request.htmx.boosted
    part = "#difference" if is_part and request.htmx.target == "difference" else ""
    return render(request, f"memories/detail.html{part}", context, status=status)
