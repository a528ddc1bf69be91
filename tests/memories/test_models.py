"""What rows say of themselves, and what the admin does not say of them."""

from django.apps import apps
from django.contrib import admin

from accounts.actors import Actor
from memories.models import Activity, Memory, MemorySource, MemoryVersion, ReviewItem
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory


def test_no_row_names_itself_by_what_it_says(space: Space, agent: Actor, person: Actor) -> None:
    memory = make_memory(space, "Ana's plan is to sell the shop.", actor=person)
    make_memory(space, "Ana's plan is to sell the shop.", source="Bruno")
    change = Revision(content="Ana's plan is to keep the shop.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    with inside(space):
        rows = [
            memory,
            MemoryVersion.objects.first(),
            Activity.objects.first(),
            MemorySource.objects.get(),
            ReviewItem.objects.get(),
        ]

    for row in rows:
        assert str(memory.pk) in str(row)
        assert "shop" not in str(row)


def test_of_memories_only_the_guarded_list_is_in_the_admin() -> None:
    registered = set(admin.site._registry)

    # What it shows to whom is in tests/spaces/test_admin.py.
    assert registered & set(apps.get_app_config("memories").get_models()) == {Memory}
