"""Tell spaces how to look into one, and Django what to check before it starts."""

from django.apps import AppConfig
from django.core.checks import register


class MemoriesConfig(AppConfig):
    name = "memories"

    def ready(self) -> None:
        # Models exist only now.
        from accounts.services.exporting import on_exporting  # noqa: PLC0415
        from memories.checks import check_embedder, check_judge  # noqa: PLC0415
        from memories.queries.contents import contents, contents_of_many  # noqa: PLC0415
        from memories.queries.ended import count_ended  # noqa: PLC0415
        from memories.queries.meaning import found_by_meaning, why_off  # noqa: PLC0415
        from memories.services.queueing import ask_for_tidying  # noqa: PLC0415
        from memories.services.transfer.account import parts_of_account  # noqa: PLC0415
        from spaces import queries as spaces_queries  # noqa: PLC0415
        from spaces.queries import (  # noqa: PLC0415
            contents_of,
            found_by_meaning_of,
            why_meaning_is_off_of,
        )
        from spaces.retention import count_ended_of  # noqa: PLC0415
        from spaces.services.creating import on_changing  # noqa: PLC0415

        contents_of.append(contents)
        spaces_queries.contents_of_many.append(contents_of_many)
        found_by_meaning_of.append(found_by_meaning)
        why_meaning_is_off_of.append(why_off)
        count_ended_of.append(count_ended)
        on_changing.append(ask_for_tidying)
        on_exporting.append(parts_of_account)
        register(check_embedder)
        register(check_judge)
