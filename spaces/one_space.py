"""A list in Django admin of rows that exist only inside their space."""

import contextlib
from typing import Generic, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from typing_extensions import override

from brain.lib.read_only_admin import ReadOnlyAdmin
from spaces.isolation import inside

M = TypeVar("M", bound=Model)


class OneSpaceAdmin(ReadOnlyAdmin[M], Generic[M]):
    """The search names the space; without one there is nothing to be seen."""

    search_fields = ["space__id"]
    search_help_text = "The id of a space, as in its MCP address."
    list_display_links = None
    list_per_page = 50

    @override
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Render the list inside the space, where its rows can be seen."""
        with contextlib.ExitStack() as stack:
            if space_id := space_id_in(request.GET.get("q", "")):
                stack.enter_context(inside(space_id))
            response = super().changelist_view(request, extra_context)
            return response.render() if isinstance(response, TemplateResponse) else response

    @override
    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """Find the space's rows; anything but an id finds none."""
        space_id = space_id_in(search_term)
        return (queryset.filter(space_id=space_id) if space_id else queryset.none()), False


def space_id_in(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None
