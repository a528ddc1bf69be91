"""Tell spaces how to look into one."""

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    name = "memories"

    def ready(self) -> None:
        # Models exist only now.
        from memories.queries.contents import contents  # noqa: PLC0415
        from spaces.queries import contents_of  # noqa: PLC0415

        contents_of.append(contents)
