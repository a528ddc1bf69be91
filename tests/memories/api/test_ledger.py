"""What a program reads over REST with a key is in the ledger; what the person reads is not."""

import pytest
from django.test import Client

from memories.models import Memory, Recall
from memories.services import recalling
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.api.conftest import Script

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def space(transactional_db: None) -> Space:
    return make_space()


@pytest.fixture
def memory(space: Space) -> Memory:
    return make_memory(space, "We deploy on Fridays at noon.")


def ledger(space: Space) -> list[Recall]:
    assert recalling.flush()
    with inside(space):
        return list(Recall.objects.in_space(space))


@pytest.mark.parametrize(
    ("path", "way", "query"),
    [
        ("memories", "listed", ""),
        ("memories/{memory}", "looked_up", ""),
        ("memories/{memory}/versions", "looked_up", ""),
        ("search?query=deploy", "searched", "deploy"),
    ],
)
def test_what_a_key_reads_is_noted(
    space: Space, memory: Memory, script: Script, path: str, way: str, query: str
) -> None:
    script(space).get(f"/api/v1/spaces/{space.pk}/{path.format(memory=memory.pk)}")

    (line,) = ledger(space)
    assert (line.memory_id, line.way, line.query) == (memory.pk, way, query)
    assert line.client_key.startswith("key:")


def test_what_the_person_reads_is_nobodys_business(
    space: Space, memory: Memory, client: Client
) -> None:
    client.force_login(space.owner)

    client.get(memory.get_absolute_url())
    answer = client.get(f"/api/v1/spaces/{space.pk}/memories/{memory.pk}")

    assert answer.status_code == 200
    assert ledger(space) == []
