"""What operators see of spaces: whose they are and how many memories, never what is remembered."""

import logging
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from accounts.models import User
from brain.lib.read_only_admin import ReadOnlyAdmin
from spaces.access import may_operator_read
from spaces.models import Space
from spaces.queries import Contents, counts
from spaces.services.closing import close_space

logger = logging.getLogger(__name__)

_STATES = ("active", "expired", "held", "superseded", "forgotten")


class _Counted(ChangeList):
    """A page of spaces with their figures, all of them looked up at once."""

    @override
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        spaces = list(self.result_list)
        found = counts([space.pk for space in spaces])
        for space in spaces:
            space.contents = found.get(space.pk, Contents())
        self.result_list = spaces


@admin.register(Space)
class SpaceAdmin(ReadOnlyAdmin[Space]):
    list_display = [
        "id", "name", "owner", "language", *_STATES, "waiting", "last_change", "created_at",
    ]  # fmt: skip
    list_select_related = ["owner"]
    list_per_page = 25
    search_fields = ["id", "name", "owner__email"]
    search_help_text = _("The id or name of a space, or the address of its owner.")
    ordering = ["-created_at"]
    show_full_result_count = False
    fields = readonly_fields = (
        "id", "name", "owner", "language", "auto_redact_pii", "keeps_queries", "retention_days",
        "created_at", *_STATES, "waiting", "last_change", "more",
    )  # fmt: skip

    @override
    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _Counted

    @override
    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Space | None:
        """Return the space with its figures, and with who looks at it."""
        space = super().get_object(request, object_id, from_field)
        if space is not None:
            space.contents = counts([space.pk]).get(space.pk, Contents())  # type: ignore[attr-defined]
            is_reader = isinstance(request.user, User) and may_operator_read(space, request.user)
            space.is_readable = is_reader  # type: ignore[attr-defined]
        return space

    @admin.display(description=_("active"))
    def active(self, space: Space) -> int:
        return _contents(space).active

    @admin.display(description=_("expired"))
    def expired(self, space: Space) -> int:
        return _contents(space).expired

    @admin.display(description=_("waiting for the person"))
    def held(self, space: Space) -> int:
        return _contents(space).by_state.get("held", 0)

    @admin.display(description=_("superseded"))
    def superseded(self, space: Space) -> int:
        return _contents(space).by_state.get("superseded", 0)

    @admin.display(description=_("forgotten"))
    def forgotten(self, space: Space) -> int:
        return _contents(space).by_state.get("forgotten", 0)

    @admin.display(description=_("open questions"))
    def waiting(self, space: Space) -> int:
        return _contents(space).waiting

    @admin.display(description=_("last change"))
    def last_change(self, space: Space) -> object:
        return _contents(space).last_activity_at

    @admin.display(description=_("more"))
    def more(self, space: Space) -> SafeString | str:
        """Lead to the lists of this space; to its memories only whoever may read them."""
        places = [
            (gettext("API keys"), "admin:mcp_gateway_apikey_changelist"),
            (gettext("Connections"), "admin:mcp_gateway_connection_changelist"),
        ]
        if vars(space).get("is_readable"):
            places.append((gettext("Memories"), "admin:memories_memory_changelist"))
        query = urlencode({"q": str(space.pk)})
        links = [(f"{_address(name)}?{query}", label) for label, name in places if _address(name)]
        return format_html_join(" · ", '<a href="{}">{}</a>', links) or format_html("-")

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Space | None = None) -> bool:
        """Only a superuser deletes what somebody remembers."""
        return isinstance(request.user, User) and request.user.is_superuser

    @override
    def delete_model(self, request: HttpRequest, obj: Space) -> None:
        """Delete the space with all that is in it, as its owner could."""
        space_id = obj.pk
        close_space(obj)
        logger.warning("Space %s was deleted by operator %s.", space_id, request.user.pk)

    @override
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Space]) -> None:
        for space in queryset:
            self.delete_model(request, space)


def _contents(space: Space) -> Contents:
    found: Contents = vars(space)["contents"]
    return found


def _address(name: str) -> str:
    # An app above this one registers its list; without it there is none to lead to.
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
