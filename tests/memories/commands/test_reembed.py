"""`manage.py reembed`: vectors of the active models, with what it did on every line."""

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from brain.management.owner import as_owner
from memories.embedders import registry
from memories.embedders.providers import absent
from memories.models import MemoryVector
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.embedders.endpoint import PlayedEndpoint, status
from tests.memories.meaning import vectors

NOBODYS = "9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001"

OLD = "old@1/3/x"


@pytest.fixture(autouse=True)
def _model(settings: Settings) -> Iterator[None]:
    """Use the quickest of the built-in models for everything."""
    if sentence := absent("builtin-use"):
        pytest.skip(sentence)
    settings.EMBEDDER = "builtin-use"
    yield
    registry.forget_loaded()


def run(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("reembed", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue().splitlines()


def models(space: Space) -> list[str]:
    with inside(space):
        keys = MemoryVector.objects.filter(space=space).values_list("model_key", flat=True)
        return sorted(key.partition("@")[0] for key in keys)


def add_old_vector(space: Space) -> None:
    memory = make_memory(space, "The office has moved to Porto.")
    with inside(space):
        MemoryVector.objects.create(
            space=space,
            memory=memory,
            model_key=OLD,
            content_sha256=memory.content_sha256,
            embedding=[1.0, 0.0, 0.0],
        )


def test_the_status_says_how_far_every_space_is_and_writes_nothing(space: Space) -> None:
    make_memory(space)
    other = make_space(owner=space.owner)

    lines = run("--status")

    assert lines == [f"{space.pk}  0 of 1  builtin-use", f"{other.pk}  0 of 0  builtin-use"]
    assert vectors(space) == 0


def test_it_writes_what_is_missing_in_every_space(space: Space) -> None:
    other = make_space(owner=space.owner)
    for each in (space, other):
        make_memory(each)
        make_memory(each, "The office has moved to Porto.")

    lines = run()

    assert lines == [f"{space.pk}  2 of 2  builtin-use", f"{other.pk}  2 of 2  builtin-use"]
    assert (vectors(space), vectors(other)) == (2, 2)


def test_both_models_write_their_vectors(space: Space, settings: Settings) -> None:
    if sentence := absent("builtin-e5"):
        pytest.skip(sentence)
    settings.EMBEDDER = "auto"
    make_memory(space)

    lines = run()

    assert lines == [f"{space.pk}  1 of 1  builtin-e5"]
    assert models(space) == ["builtin-e5", "builtin-use"]


def test_the_progress_goes_to_the_terminal_and_not_to_the_answer(space: Space) -> None:
    make_memory(space)
    out, progress = io.StringIO(), io.StringIO()

    call_command("reembed", stdout=out, stderr=progress)

    assert f"{space.pk}  builtin-use@" in progress.getvalue()
    assert progress.getvalue().endswith(": 1\n")
    assert out.getvalue() == f"{space.pk}  1 of 1  builtin-use\n"


def test_one_space_is_brought_up_alone(space: Space) -> None:
    other = make_space(owner=space.owner)
    for each in (space, other):
        make_memory(each)

    lines = run(str(space.pk))

    assert lines == [f"{space.pk}  1 of 1  builtin-use"]
    assert (vectors(space), vectors(other)) == (1, 0)


@pytest.mark.parametrize("wanted", [NOBODYS, "nonsense"])
def test_an_id_of_no_space_is_refused(db: None, wanted: str) -> None:
    with pytest.raises(CommandError, match="no such space"):
        run(wanted)


def test_fresh_makes_every_vector_anew(space: Space) -> None:
    make_memory(space)
    run()
    with inside(space):
        before = MemoryVector.objects.get(space=space)

    run("--fresh")

    with inside(space):
        after = MemoryVector.objects.get(space=space)
    assert after.pk != before.pk
    assert after.model_key == before.model_key


def test_asking_for_the_status_deletes_nothing(space: Space) -> None:
    add_old_vector(space)
    run()

    run("--status", "--fresh", "--clear")

    assert models(space) == ["builtin-use", "old"]


def test_vectors_of_an_earlier_model_stay_until_they_are_cleared(space: Space) -> None:
    add_old_vector(space)

    run()
    kept = models(space)
    lines = run("--clear")

    assert kept == ["builtin-use", "old"]
    assert models(space) == ["builtin-use"]
    assert lines == [f"{space.pk}  1 of 1  builtin-use"]


def test_without_a_model_it_says_why(space: Space, settings: Settings) -> None:
    settings.EMBEDDER = "none"

    with pytest.raises(CommandError, match="It is turned off in the settings"):
        run()


def test_a_server_that_refuses_ends_in_its_sentence_and_writes_nothing(
    space: Space, settings: Settings
) -> None:
    make_memory(space)
    with PlayedEndpoint() as endpoint:
        endpoint.answers = [status(404)]
        settings.EMBEDDER = settings.DUPLICATES_EMBEDDER = "http"
        settings.EMBEDDER_URL = endpoint.url
        settings.EMBEDDER_MODEL = "small"
        settings.EMBEDDER_DIMENSIONS = 3

        with pytest.raises(CommandError, match="no such model"):
            run()

    assert vectors(space) == 0


@pytest.mark.django_db(transaction=True)
def test_the_index_is_built_by_the_owner_and_found_again() -> None:
    space = make_space()
    make_memory(space)

    try:
        built, found = run("--index"), run("--index")
        owners = _indexes_of_builtin_use()
    finally:
        with as_owner(connection), connection.cursor() as cursor:
            for name, _ in _indexes_of_builtin_use():
                cursor.execute(f"drop index {name}")

    assert built == [f"{space.pk}  1 of 1  builtin-use", "The index was built."]
    assert found[-1] == "The index is there."
    assert [owner for _, owner in owners] == ["brain_owner"]
    assert _indexes_of_builtin_use() == []


@pytest.mark.django_db(transaction=True)
def test_the_index_of_the_default_model_comes_with_the_migrations(settings: Settings) -> None:
    if sentence := absent("builtin-e5"):
        pytest.skip(sentence)
    settings.EMBEDDER = "builtin-e5"

    assert run("--status", "--index") == ["The index is there."]


def _indexes_of_builtin_use() -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "select indexname, pg_get_userbyid(relowner) from pg_indexes "
            "join pg_class on relname = indexname "
            "where indexdef like '%%hnsw%%' and indexdef like '%%builtin-use%%'"
        )
        return [(str(name), str(owner)) for name, owner in cursor.fetchall()]
