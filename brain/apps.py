"""The project as an app: background work and what operators see of it."""

from django.apps import AppConfig
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class BrainConfig(AppConfig):
    name = "brain"
    verbose_name = _("Background work")

    def ready(self) -> None:
        # Models, which these import, are not ready before this point.
        from brain.jobs import recording, starting  # noqa: F401, PLC0415
        from brain.jobs.forgetting import forget_runs  # noqa: PLC0415
        from brain.lib import errors  # noqa: PLC0415
        from spaces.services.closing import on_closing  # noqa: PLC0415

        on_closing.append(forget_runs)
        errors.translated = gettext
