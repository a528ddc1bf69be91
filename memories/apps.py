"""Tell spaces how to look into one, and Django what to check before it starts."""

from django.apps import AppConfig
from django.core.checks import register


class MemoriesConfig(AppConfig):
    name = "memories"

    def ready(self) -> None:
        # Models exist only now.
        from memories.checks import check_embedder  # noqa: PLC0415
        from memories.queries.contents import contents  # noqa: PLC0415
        from memories.queries.meaning import found_by_meaning  # noqa: PLC0415
        from spaces.queries import contents_of, found_by_meaning_of  # noqa: PLC0415

        contents_of.append(contents)
        found_by_meaning_of.append(found_by_meaning)
        register(check_embedder)
