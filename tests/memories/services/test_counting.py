"""Which words a large space has in most of its memories, and what search makes of it."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.models import CommonWords, Memory
from memories.queries import candidates as module
from memories.queries import sizes
from memories.queries.candidates import candidates, roughly_best
from memories.queries.words import Filters
from memories.rules.ranking import Candidate
from memories.services import counting
from memories.services.counting import count_words
from memories.services.versions import derive
from memories.tasks import look_through
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.closing import delete_space
from tests.factories import make_actor, make_space


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "LARGE", 10)
    monkeypatch.setattr(counting, "COMMON", 5)
    monkeypatch.setattr(sizes, "SMALL", 1_000_000)


def fill(space: Space, *texts: str) -> list[Memory]:
    rows = [
        Memory(space=space, kind="pointer", path="P", content=text, author="agent")
        for text in texts
    ]
    for row in rows:
        derive(row)
    with inside(space):
        Memory.objects.bulk_create(rows)
    return rows


def counted(space: Space) -> CommonWords | None:
    with inside(space):
        return CommonWords.objects.filter(space=space).first()


def found(space: Space, query: str) -> dict[UUID, Candidate]:
    with inside(space):
        answer = candidates(space, query, now=timezone.now(), filters=Filters())
    return {each.memory_id: each for each in answer}


def test_words_of_many_memories_are_counted_in_every_form(space: Space) -> None:
    fill(space, *(f"The deployments of service{number} are green" for number in range(12)))

    assert count_words(space)

    common = counted(space)
    assert common is not None
    assert common.memories == 12
    assert common.counts["deployments"] == common.counts["deploy"] == 12
    assert "service3" not in common.counts


def test_a_small_space_has_nothing_counted(space: Space) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(9)))

    assert not count_words(space)
    assert counted(space) is None


def test_counting_again_does_nothing_until_the_space_has_changed_by_a_tenth(space: Space) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(20)))
    count_words(space)

    assert not count_words(space)
    fill(space, "The deployment of Ana", "The deployment of Bob")
    assert count_words(space)
    common = counted(space)
    assert common is not None
    assert common.counts["deployment"] == 22


def test_a_space_that_shrank_loses_its_counts(space: Space) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(20)))
    count_words(space)
    with inside(space):
        Memory.objects.filter(space=space, content__contains="1").update(state="forgotten")

    assert not count_words(space)
    assert counted(space) is None


def test_what_is_forgotten_is_not_counted(space: Space) -> None:
    rows = fill(space, *(f"The deployment number {number}" for number in range(20)))
    with inside(space):
        Memory.objects.filter(pk__in=[row.pk for row in rows[:4]]).update(state="forgotten")

    count_words(space)

    common = counted(space)
    assert common is not None
    assert common.counts["deployment"] == 16


def test_the_job_that_looks_through_a_space_counts_its_words(space: Space) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(20)))

    look_through(str(space.pk))

    assert counted(space) is not None


def test_the_counts_go_with_their_space(space: Space) -> None:
    other = make_space()
    for each in (space, other):
        fill(each, *(f"The deployment number {number}" for number in range(20)))
        count_words(each)

    gone = space.pk
    delete_space(space=space, actor=make_actor(space.owner), typed_name=space.name)

    assert counted(other) is not None
    with inside(gone):
        assert not CommonWords.objects.exists()


def test_counts_change_no_answer_while_the_common_words_bring_in_few(space: Space) -> None:
    fill(space, *(f"The deployment of part {number} took long" for number in range(30)), "Ana")
    before = found(space, "deployment of part 7 by Ana")

    count_words(space)

    assert found(space, "deployment of part 7 by Ana") == before


def test_rare_words_bring_in_and_common_words_still_weigh(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(30)))
    (with_both, with_rare) = fill(space, "The deployment of the zebra", "A lone striped zebra")
    count_words(space)
    monkeypatch.setattr(module, "BUDGET", 5)

    answer = found(space, "zebra deployment")

    assert set(answer) == {with_both.pk, with_rare.pk}
    assert answer[with_both.pk].bm25 > answer[with_rare.pk].bm25
    assert answer[with_both.pk].coverage == pytest.approx(1)
    assert answer[with_rare.pk].coverage > 0.7


def test_common_words_alone_find_the_memories_that_hold_them_all(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    (both,) = fill(space, "The deployment of the backup")
    fill(space, *(f"The deployment number {number}" for number in range(20)))
    fill(space, *(f"The backup number {number}" for number in range(20)))
    count_words(space)
    monkeypatch.setattr(module, "BUDGET", 15)

    answer = found(space, "backup deployment")

    assert max(answer, key=lambda each: answer[each].bm25) == both.pk


def test_a_word_of_all_memories_is_looked_for_in_the_newest(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = fill(space, *(f"The deployment number {number}" for number in range(40)))
    count_words(space)
    monkeypatch.setattr(module, "BUDGET", 15)

    answer = found(space, "deployment")

    newest = sorted(rows, key=lambda row: (row.updated_at, row.pk), reverse=True)
    assert len(answer) == 15
    assert newest[0].pk in answer
    assert newest[-1].pk not in answer


def test_neighbours_are_found_by_their_rare_words_alone(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(30)))
    (near,) = fill(space, "The deployment of the zebra")
    count_words(space)
    monkeypatch.setattr(module, "SMALL_BUDGET", 5)

    with inside(space):
        best = roughly_best(
            space, "zebra deployment", now=timezone.now(), filters=Filters(), limit=3
        )

    assert best == [near.pk]


def test_a_search_reads_the_counts_of_its_own_space_in_the_same_statement(space: Space) -> None:
    fill(space, *(f"The deployment number {number}" for number in range(20)))
    count_words(space)
    other = make_space()
    fill(other, "The deployment of the zebra")

    with CaptureQueriesContext(connection) as queries:
        answer = found(other, "deployment")

    assert len(answer) == 1
    assert sum("memories_commonwords" in each["sql"] for each in queries.captured_queries) == 1
