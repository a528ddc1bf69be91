from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from memories.models import (
    Activity,
    Kind,
    Memory,
    MemoryLink,
    MemoryVersion,
    Question,
    Recall,
    ReviewItem,
    ReviewState,
    State,
    Undoing,
)
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_space, make_user

pytestmark = pytest.mark.django_db


def told(**options: bool) -> list[Space]:
    call_command("demo", "demo@example.org", stdout=StringIO(), **options)
    owner = User.objects.get(email="demo@example.org")
    return list(Space.objects.filter(owner=owner).order_by("language"))


def test_the_demonstration_has_a_believable_history() -> None:
    earlier = make_space(owner=make_user("demo@example.org"), name="Hollow Oak")

    english, portuguese = told(rebuild=True)

    assert english.pk != earlier.pk
    now = timezone.now()
    with inside(english):
        memories = Memory.objects.in_space(english)
        assert memories.count() >= 200
        assert {memory.kind for memory in memories} == set(Kind.values)
        assert {memory.state for memory in memories} == set(State.values)
        assert len({memory.client_name for memory in memories}) == 6
        assert memories.filter(created_at__lt=now - timedelta(days=200)).count() > 20
        assert not memories.filter(created_at__gt=now).exists()
        assert not MemoryVersion.objects.filter(space=english, created_at__gt=now).exists()
        oldest = Activity.objects.in_space(english).last()
        assert oldest
        assert oldest.at < now - timedelta(days=230)
        assert MemoryVersion.objects.filter(space=english, number=3).exists()
        assert MemoryLink.objects.in_space(english).count() > 100
        assert Undoing.objects.in_space(english).count() == 1
        assert Recall.objects.in_space(english).count() > 300
        items = ReviewItem.objects.in_space(english)
        asked = set(items.waiting(now=now).values_list("question", flat=True))
        assert asked >= set(Question.values) - {Question.UNSOURCED}
        assert items.filter(state=ReviewState.RESOLVED).count() > 20
    with inside(portuguese):
        assert Memory.objects.in_space(portuguese).count() > 40


def test_a_space_of_the_same_name_is_not_touched_unasked() -> None:
    owner = make_user("demo@example.org")
    space = make_space(owner=owner, name="Hollow Oak")

    with pytest.raises(CommandError, match="--rebuild"):
        told()

    assert list(Space.objects.filter(owner=owner)) == [space]
