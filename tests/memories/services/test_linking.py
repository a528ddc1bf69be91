from accounts.actors import Actor
from memories.models import Memory, MemoryLink, Reason
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import erase_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.linking import link_similar, relink
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space


def links_of(memory: Memory) -> set[tuple[str, Memory, Memory]]:
    with inside(memory.space_id):
        links = MemoryLink.objects.of(memory).select_related("first", "second")
        return {(link.reason, link.first, link.second) for link in links}


def test_a_memory_is_linked_to_the_newest_two_at_its_path(space: Space) -> None:
    old, second, third = (make_memory(space, f"We need {n} oysters now.") for n in range(3))
    elsewhere = make_memory(space, "Something else entirely.", path="Other")

    newest = make_memory(space, "We need many oysters now.", path="project")

    assert links_of(newest) == {("same_path", newest, third), ("same_path", newest, second)}
    assert links_of(elsewhere) == set()
    assert (Reason.SAME_PATH, third, old) in links_of(old)


def test_what_a_text_names_is_linked(space: Space) -> None:
    by_id = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    by_path = make_memory(space, "Tokens last for one hour.", path="Project.Auth")
    stranger = make_memory(make_space(), "Theirs and not ours.")

    memory = make_memory(
        space,
        f"See {by_id.pk}, [[project/auth]] and {stranger.pk}.",
        path="Notes",
        rationale=f"because of {by_id.pk}",
    )

    assert links_of(memory) == {("mentions", memory, by_id), ("mentions", memory, by_path)}


def test_another_path_and_text_bring_other_links(space: Space) -> None:
    one = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    other = make_memory(space, "Tokens last for one hour.", path="Auth")
    memory = make_memory(space, f"Compare this with {one.pk}.", path="Deploy")
    revision = Revision(content=f"Compare this with {other.pk}.", path="Elsewhere")

    revise_memory(space=space, actor=agent_of(space), memory_id=memory.pk, revision=revision)

    assert links_of(memory) == {("mentions", memory, other)}


def test_a_replaced_checkpoint_points_to_the_newer_one(space: Space, actor: Actor) -> None:
    agent = agent_of(space)
    fields = CheckpointFields(task="Ship", goal="Release", next_step="Write")
    earlier = checkpoint_task(space=space, actor=agent, fields=fields).memory

    newer = checkpoint_task(space=space, actor=agent, fields=fields).memory

    assert ("replaced_by", earlier, newer) in links_of(newer)


def test_erasing_takes_the_links_that_came_from_the_text(space: Space) -> None:
    one = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    memory = make_memory(space, f"Compare this with {one.pk}.", path="Deploy")

    erase_memory(space=space, actor=make_actor(space.owner), memory_id=memory.pk)

    assert links_of(memory) == set()


def test_linking_again_changes_nothing(space: Space) -> None:
    one = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")
    memory = make_memory(space, f"Compare this with {one.pk}.", path="Deploy")
    before = links_of(memory)

    with inside(space):
        relink(memory)

    assert links_of(memory) == before


def test_nobody_outside_the_space_sees_its_links(space: Space) -> None:
    make_memory(space, "We deploy on Fridays at noon.")
    make_memory(space, "We deploy on Mondays at noon.")

    with inside(make_space()):
        assert not MemoryLink.objects.exists()
    assert not MemoryLink.objects.exists()


def test_links_for_meaning_are_replaced_as_a_whole(space: Space) -> None:
    one, other = make_memory(space, "Ship on Fridays."), make_memory(space, "Ship on Mondays.")
    memory = make_memory(space, "We deploy on Fridays at noon.", path="Deploy")

    with inside(space):
        link_similar(memory, {one.pk: 0.9, memory.pk: 1.0})
        link_similar(memory, {other.pk: 0.8})

    assert links_of(memory) == {("similar", memory, other)}
