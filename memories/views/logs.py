"""What the pages of logs have in common: filters in the address, and pages that follow."""

from typing import Protocol
from urllib.parse import urlencode

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import render

from accounts.http import SignedInRequest
from spaces.models import Space


class Page(Protocol):
    """A page of a log; `after` names the place where the next one begins, if there is one."""

    @property
    def after(self) -> str: ...


def shown(
    request: SignedInRequest, space: Space, form: Form, page: Page, *, template: str
) -> HttpResponse:
    """Answer with the page, or with the part of it that htmx asks for."""
    asked = {name: form[name].value() for name in form.fields if form[name].value()}
    context = {
        "space": space,
        "section": "activity",
        "form": form,
        "page": page,
        "query": urlencode(asked),
        "has_filters": bool(asked),
        "next_url": f"?{urlencode(asked | {'after': page.after})}" if page.after else "",
    }
    part = ("#lines" if request.GET.get("after") else "#found") if request.htmx else ""
    return render(request, f"{template}{part}", context, status=200 if form.is_valid() else 422)
