"""The operators' page about background work: what runs when, how it ended, and once more."""

from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from brain.jobs.models import JobRun
from brain.jobs.repeating import run_again
from brain.jobs.schedule import schedule
from brain.jobs.waiting import queued_messages, waiting_memories
from brain.lib.errors import DomainError
from brain.lib.read_only_admin import ReadOnlyAdmin


@admin.register(JobRun)
class JobRunAdmin(ReadOnlyAdmin[JobRun]):
    list_display = [
        "job", "state", "attempts", "started_at", "seconds", "error_class", "error_line",
        "of_space", "repeated_at",
    ]  # fmt: skip
    list_filter = ["state", "name"]
    search_fields = ["task_id", "space", "name"]
    search_help_text = _("The id of a space, the id of a run, or the name of a job.")
    ordering = ["-started_at"]
    list_per_page = 50
    show_full_result_count = False
    actions = ["repeat"]
    readonly_fields = [
        "name", "task_id", "space", "arguments", "state", "attempts", "started_at", "seconds",
        "error_class", "error_line", "error_place", "repeated_at",
    ]  # fmt: skip

    @override
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the schedule above the runs; what waits is counted when it is asked for."""
        wants_count = "waiting" in request.GET
        if wants_count:
            # The list takes every parameter that it does not know for a filter.
            given = request.GET.copy()
            given.pop("waiting")
            request.GET = given  # type: ignore[assignment]
        context = {
            "schedule": schedule(),
            "queued": queued_messages(),
            "waiting": waiting_memories() if wants_count else None,
        }
        return super().changelist_view(request, context | (extra_context or {}))

    @admin.display(description=_("job"), ordering="name")
    def job(self, run: JobRun) -> str:
        """Return the name of the job without the module that it lies in."""
        return run.name.rpartition(".")[2]

    @admin.display(description=_("space"), ordering="space")
    def of_space(self, run: JobRun) -> str:
        """Return the beginning of the space's id; the page of the run has all of it."""
        return str(run.space)[:8] if run.space else ""

    @admin.action(description=_("Run again"), permissions=["repeat"])
    def repeat(self, request: HttpRequest, queryset: QuerySet[JobRun]) -> None:
        """Queue the jobs of these runs once more; every job may run twice."""
        try:
            repeated = run_again(queryset)
        except DomainError as error:
            self.message_user(request, error.sentence, messages.ERROR)
            return
        if repeated.queued:
            said = ngettext(
                "%(number)d job was queued again.", "%(number)d jobs were queued again.",
                repeated.queued,
            )  # fmt: skip
            self.message_user(request, said % {"number": repeated.queued}, messages.SUCCESS)
        if repeated.left:
            said = gettext("%(number)d could not be repeated: no such job, or not called with ids.")
            self.message_user(request, said % {"number": repeated.left}, messages.WARNING)

    def has_repeat_permission(self, request: HttpRequest) -> bool:
        """Whoever may change runs may repeat one; nobody changes a run itself."""
        user = request.user
        return not isinstance(user, AnonymousUser) and user.has_perm("brain.change_jobrun")
