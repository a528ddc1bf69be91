"""What operators see of memories: nothing, but for the owner, or where a setting opens them.

Operators run the service; what people and agents remember is not theirs to read. Whoever reads
with the setting leaves a line in the ledger of the space, which its owner sees.
"""

import logging

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from accounts.actors import Actor
from accounts.models import User
from memories.models import Memory, Way
from memories.services.recalling import Received, write_reads
from spaces.access import may_operator_read
from spaces.models import Space
from spaces.one_space import OneSpaceAdmin, space_id_in

logger = logging.getLogger(__name__)


@admin.register(Memory)
class MemoryAdmin(OneSpaceAdmin[Memory]):
    list_display = ["standing", "kind", "path", "text", "author", "client_name", "updated_at"]
    list_per_page = 25
    ordering = ["-updated_at"]
    show_full_result_count = False

    @override
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Say why nothing is listed, where that is so."""
        space = _asked_for(request)
        if space is not None and not _may_read(space, request):
            said = gettext("What is remembered here belongs to the owner of the space.")
            self.message_user(request, said, messages.WARNING)
        return super().changelist_view(request, extra_context)

    @override
    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        """Find memories only for whoever may read them."""
        found, has_doubles = super().get_search_results(request, queryset, search_term)
        space = _asked_for(request)
        is_open = space is not None and _may_read(space, request)
        return (found if is_open else found.none()), has_doubles

    @override
    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        listed = super().get_changelist_instance(request)
        space = _asked_for(request)
        if space is not None and listed.result_list:
            _leave_a_trace(space, request, listed.result_list)
        return listed

    @admin.display(description=_("state"))
    def standing(self, memory: Memory) -> str:
        return memory.standing(now=timezone.now())

    @admin.display(description=_("content"))
    def text(self, memory: Memory) -> str:
        return Truncator(memory.content).chars(300)


def _asked_for(request: HttpRequest) -> Space | None:
    space_id = space_id_in(request.GET.get("q", ""))
    return Space.objects.filter(pk=space_id).first() if space_id else None


def _may_read(space: Space, request: HttpRequest) -> bool:
    return isinstance(request.user, User) and may_operator_read(space, request.user)


def _leave_a_trace(space: Space, request: HttpRequest, memories: QuerySet[Memory]) -> None:
    user = request.user
    if not isinstance(user, User) or user.pk == space.owner_id:
        return
    reader = Actor(user, "dashboard", client_key="operator", client_name=f"Operator {user.email}")
    received = Received([memory.pk for memory in memories], Way.LISTED)
    write_reads(space=space, actor=reader, received=received, at=timezone.now())
    logger.warning("Operator %s read memories of space %s.", user.pk, space.pk)
