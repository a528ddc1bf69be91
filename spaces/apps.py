"""Tell accounts what to clear when one is deleted."""

from django.apps import AppConfig


class SpacesConfig(AppConfig):
    name = "spaces"

    def ready(self) -> None:
        # Models exist only now.
        from accounts.services.closing import on_closing  # noqa: PLC0415
        from spaces.services.leaving import close_spaces_of  # noqa: PLC0415

        on_closing.append(close_spaces_of)
