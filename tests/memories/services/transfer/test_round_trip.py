"""A space comes back as it was: every text, version, source, link, question and tombstone."""

import pytest

from accounts.actors import Actor
from memories.models import Activity, Question
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory, erase_memory, erase_version, restore_memory
from memories.services.asking import ask
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.linking import link_similar
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.transfer.files import comparable, exported, imported, verdicts

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(space: Space, person: Actor, agent: Actor) -> Space:
    """Return a space in which everything happened that can happen to a memory."""
    a = make_memory(space, "We deploy on Fridays at noon.", path="Project.Deploy")
    b = make_memory(space, "We deploy on Mondays at noon.", path="Project.Deploy")
    with inside(space):
        ask(Question.DISAGREEMENT, a, other=b, evidence={"reasons": [{"code": "date"}]})
        link_similar(a, {b.pk: 0.75})
    make_memory(space, "We deploy on Fridays at noon!", path="Project.Deploy", source="Bruno")
    revise_memory(
        space=space,
        actor=agent,
        memory_id=b.pk,
        revision=Revision("Deploys are on Mondays, see [[Project.Deploy]]."),
    )
    c = make_memory(
        space, "A secret plan that has to go for good.", actor=person, path="Project.Old"
    )
    erase_memory(space=space, actor=person, memory_id=c.pk)
    d = make_memory(
        space, "The wiki lies at wiki.example.org.", kind="pointer", path="Project.Wiki"
    )
    revise_memory(
        space=space,
        actor=person,
        memory_id=d.pk,
        revision=Revision("The wiki lies at docs.example.org."),
    )
    erase_version(space=space, actor=person, memory_id=d.pk, number=1)
    e = make_memory(space, "Bruno prefers tabs over spaces.", kind="preference", path="Bruno.Style")
    forget_memory(space=space, actor=person, memory_id=e.pk, reason="wrong")
    make_memory(space, "Bruno prefers tabs over spaces.", kind="preference", path="Bruno.Style")
    f = make_memory(space, "The staging server runs Debian 12.", kind="observation", author="tool")
    forget_memory(space=space, actor=agent, memory_id=f.pk)
    restore_memory(space=space, actor=person, memory_id=f.pk)
    confirm_memory(space=space, actor=person, memory_id=a.pk)
    for step in ("Write the parser.", "Test the parser."):
        fields = CheckpointFields(task="Parser", goal="Parse it", next_step=step)
        checkpoint_task(space=space, actor=agent, fields=fields)
    return space


def test_an_export_imported_into_an_empty_space_gives_the_same_export(full: Space) -> None:
    before = exported(full)
    other = make_space()

    transfer = imported(other, before)

    assert transfer.stage == "done"
    assert set(verdicts(transfer).values()) == {"new"}
    assert comparable(exported(other)) == comparable(before)
    assert len(comparable(before)["memories"]) == 9
    assert comparable(before)["links"]
    assert comparable(before)["reviews"]


def test_a_second_import_of_the_same_file_changes_nothing(full: Space) -> None:
    before = exported(full)
    other = make_space()
    imported(other, before)
    with inside(other):
        lines = Activity.objects.filter(space=other).count()

    again = imported(other, before)

    assert set(verdicts(again).values()) == {"here"}
    assert comparable(exported(other)) == comparable(before)
    with inside(other):
        assert Activity.objects.filter(space=other).count() == lines


def test_the_original_space_is_not_touched(full: Space) -> None:
    before = exported(full)

    imported(make_space(), before)

    assert comparable(exported(full)) == comparable(before)
