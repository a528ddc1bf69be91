"""What holds now, found by word; what does not hold is found by nothing."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from brain.lib.errors import DomainError
from memories.models import Answer, Memory, Question
from memories.queries.search import MAX_LIMIT, Found, search
from memories.queries.words import MAX_WORDS
from memories.rules.checkpoints import CheckpointFields
from memories.services.asking import ask, settle
from memories.services.checkpointing import checkpoint_task
from memories.services.forgetting import forget_memory
from memories.services.revising import Revision, revise_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def contents(found: Found) -> list[str]:
    return [hit.memory.content for hit in found.hits]


def found_by(space: Space, query: str) -> list[str]:
    return contents(search(space=space, query=query, limit=MAX_LIMIT))


# Words

STEMS = [
    ("We deployed the shop on a Friday.", "deploying shops"),
    ("The customers are invoiced monthly.", "customer invoice"),
    ("Nunca publicamos às sextas-feiras.", "publicar sextas"),
    ("As decisões são da Ana e do Bruno.", "decisões da Ana"),
    ("Preferimos respostas curtas em português.", "prefere resposta curta"),
    ("Os relatórios saem todas as semanas.", "relatório semanal semana"),
]
ACCENTS = [
    ("A configuração da produção está no cofre.", "configuracao da producao"),
    ("A configuracao da producao esta no cofre.", "configuração da produção"),
    ("The café in São Paulo opens at eight.", "sao paulo cafe"),
    ("Der Zürcher Server heißt Übung eins.", "zurcher ubung"),
]
EXACT = [
    ("The engine of the shop is written in C++ only.", "C++"),
    ("The editor of the shop is written in C# only.", "C#"),
    ("Raise max_connections to 200 on the primary.", "max_connections"),
    ("Pin the client to 1.2.10 until the bug is fixed.", "1.2.10"),
    ("Release notes of v2.4.1-rc.3 are in the wiki.", "v2.4.1-rc.3"),
    ("Write to ana.souza@example.org about invoices.", "ana.souza@example.org"),
    ("The proxy reads /etc/nginx/conf.d/shop.conf first.", "/etc/nginx/conf.d/shop.conf"),
    ("The manual is at https://docs.example.org/shop?page=2 now.", "docs.example.org/shop"),
    ("Ticket SHOP-1234 is about the basket.", "SHOP-1234"),
    ("The job calls save_memory() every hour.", "save_memory()"),
    ("Error E0432 comes from the old compiler.", "E0432"),
    ("The service listens on port 54321 inside.", "54321"),
    ("We use Node.js for the build of the site.", "node.js"),
    ("日本語 の 文章 は ここ に あります。", "文章"),
    ("Встреча команды по пятницам в десять.", "пятницам"),
]
TYPOS = [
    ("The database is PostgreSQL eighteen.", "postgresq"),
    ("The database is PostgreSQL eighteen.", "PosgreSQL"),
    ("Kubernetes runs in the Frankfurt region.", "kubernets"),
    ("O relatório é enviado à contabilidade.", "contabildade"),
]


@pytest.mark.parametrize(("content", "query"), STEMS + ACCENTS + EXACT + TYPOS)
def test_a_memory_is_found_by_its_words(space: Space, content: str, query: str) -> None:
    make_memory(space, "Something else entirely happens over there.", path="Other.Place")
    make_memory(space, content, path="Notes")

    assert found_by(space, query)[:1] == [content]


def test_a_memory_is_found_by_a_word_of_its_path(space: Space) -> None:
    make_memory(space, "Sessions live for thirty minutes.", path="Shop.Authentication.Cookies")

    assert found_by(space, "authentication") == ["Sessions live for thirty minutes."]


def test_an_exact_token_comes_before_its_relatives(space: Space) -> None:
    make_memory(space, "The client is pinned to version 1.2.1 for now.")
    make_memory(space, "The client is pinned to version 1.2.10 for now.")

    assert found_by(space, "client version 1.2.10")[0].endswith("1.2.10 for now.")


def test_rare_words_count_more_than_common_ones(space: Space) -> None:
    for number in range(10):
        make_memory(space, f"The deploy of the shop has step number {number}.")
    make_memory(space, "The deploy of the shop needs the oyster card.")

    assert found_by(space, "deploy oyster")[0] == "The deploy of the shop needs the oyster card."


def test_every_hit_says_why_it_matched_and_how_well(space: Space) -> None:
    make_memory(space, "The deploy of the shop is on Friday.")
    make_memory(space, "The deploy of the shop is done by Ana.")

    found = search(space=space, query="deploy friday")

    assert [hit.why for hit in found.hits] == ["words", "words"]
    best, other = (hit.score for hit in found.hits)
    assert 0 < other < best <= 1
    assert found.is_close


def test_when_little_of_the_question_is_there_nothing_is_close(space: Space) -> None:
    make_memory(space, "The shop sells oysters on Friday.")

    found = search(space=space, query="which compiler flags does the shop engine need on arm")

    assert contents(found) == ["The shop sells oysters on Friday."]
    assert not found.is_close


def test_when_no_word_is_there_nothing_is_found(space: Space) -> None:
    make_memory(space, "The shop sells oysters on Friday.")

    found = search(space=space, query="quantum chromodynamics")

    assert not found.hits
    assert not found.is_close


def test_a_question_of_small_words_alone_is_still_a_question(space: Space) -> None:
    make_memory(space, "To be or not to be is what we ask.")

    assert found_by(space, "to be or not to be")


def test_two_rules_that_disagree_among_the_hits_are_named(space: Space) -> None:
    one = make_memory(space, "The session timeout of the shop is 30 minutes.")
    two = make_memory(space, "The session timeout of the shop is 60 minutes.")
    make_memory(space, "The session timeout page is in the wiki.")

    found = search(space=space, query="session timeout")

    assert [set(pair) for pair in found.disagreements] == [{one.pk, two.pk}]


# Any text is a query

NASTY = [
    "'",
    "''' \\' \\\\",
    '"',
    "&|!():*<->",
    "a & b | !c <-> d:*",
    "%s %(x)s %%",
    "{} {0} $1 ?",
    "'; drop table memories_memory; --",
    "-",
    "--",
    "C++ && C#",
    "foo:bar -baz OR \"quux",
    "()",
    "\\",
    "🙂",
    "....",
    "a" * 2000,
    " ".join(f"word{number}" for number in range(250)),
    "tab\there\nand\r\nthere",
    "NUL\x00and\x07bell and \ud800 half",
    "\u202eright to left\u202c",
    "<script>alert(1)</script>",
    "http://[::1]:8000/%00",
    "ﷺ" * 100,
]  # fmt: skip


@pytest.mark.parametrize("query", NASTY)
def test_no_operator_or_quote_breaks_the_search(space: Space, query: str) -> None:
    make_memory(space, "We deploy on Fridays at noon.")

    search(space=space, query=query)


@given(st.text(max_size=300))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_query(space: Space, query: str) -> None:
    found = search(space=space, query=query)

    assert not found.hits


@given(st.text(alphabet="'\"\\&|!():*<>-%_$?{}[] aà0.@/+#", max_size=40))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_mixture_of_operators_is_a_query(space: Space, query: str) -> None:
    search(space=space, query=query)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=12, max_size=200))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_content_can_be_saved_and_asked_for(space: Space, content: str) -> None:
    try:
        make_memory(space, content)
    except DomainError:
        return

    search(space=space, query=content)


def test_a_long_question_counts_its_first_words(space: Space) -> None:
    make_memory(space, "The word at the front is oyster and nothing else.")
    rest = " ".join(f"w{number}" for number in range(MAX_WORDS * 2))

    assert found_by(space, f"oyster {rest}")


def test_a_query_that_is_too_long_is_refused(space: Space) -> None:
    with pytest.raises(DomainError) as refusal:
        search(space=space, query="x" * 2001)

    assert refusal.value.code == "too_long"


# Only what holds


def gone_memories(space: Space, agent: Actor, person: Actor) -> Sequence[Memory]:
    """Make one of everything that does not hold, all about oysters."""
    with time_machine.travel(TODAY, tick=False):
        expired = make_memory(space, "Oysters are sold out this week.", kind="observation")
    by_agent = make_memory(space, "Oysters come from the north.", path="Oysters.Origin")
    forget_memory(space=space, actor=agent, memory_id=by_agent.pk)
    by_person = make_memory(space, "Oysters are sold on Friday.", path="Oysters.Sale")
    forget_memory(space=space, actor=person, memory_id=by_person.pk)
    held = make_memory(space, "Oysters are sold on Friday.", path="Oysters.Sale")
    fields = CheckpointFields(task="Oysters", goal="Count the oysters", next_step="Buy oysters")
    replaced = checkpoint_task(space=space, actor=agent, fields=fields).memory
    last = checkpoint_task(space=space, actor=agent, fields=fields).memory
    forget_memory(space=space, actor=agent, memory_id=last.pk)
    return [expired, by_agent, by_person, held, replaced, last]


@pytest.mark.parametrize("query", ["oysters", "oyster friday", "oysteers", "ostras oysters"])
def test_what_is_expired_forgotten_replaced_or_waiting_is_never_found(
    space: Space, agent: Actor, person: Actor, query: str
) -> None:
    gone_memories(space, agent, person)
    live = make_memory(space, "Oysters are kept on ice at the back.")

    found = search(space=space, query=query, limit=MAX_LIMIT)

    assert [hit.memory.pk for hit in found.hits] == [live.pk]
    assert found.more == 0


def test_no_id_brings_back_what_does_not_hold(space: Space, agent: Actor, person: Actor) -> None:
    for memory in gone_memories(space, agent, person):
        found = search(space=space, query=str(memory.pk))

        assert not found.hits
        assert found.gone is not None
        assert found.gone.pk == memory.pk


def test_paths_of_what_does_not_hold_are_not_listed(
    space: Space, agent: Actor, person: Actor
) -> None:
    gone_memories(space, agent, person)

    assert not search(space=space).paths


def test_a_date_is_decided_when_somebody_asks(space: Space) -> None:
    with time_machine.travel(TODAY, tick=False):
        make_memory(space, "Oysters are sold out this week.", kind="observation")

        assert found_by(space, "oysters")

    with time_machine.travel(TODAY + timedelta(days=30), tick=False):
        assert not found_by(space, "oysters")


def test_a_replaced_text_is_never_found_again(space: Space, agent: Actor) -> None:
    memory = make_memory(space, "Oysters are sold on Friday.")
    change = Revision(content="Mussels are sold on Friday.")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    assert not found_by(space, "oysters")
    assert found_by(space, "mussels") == ["Mussels are sold on Friday."]


def test_a_restored_memory_is_found_again(space: Space, agent: Actor, person: Actor) -> None:
    memory = make_memory(space, "Oysters are sold on Friday.")
    change = Revision(content="Mussels are sold on Friday.", path="Elsewhere")
    revise_memory(space=space, actor=agent, memory_id=memory.pk, revision=change)

    change = Revision(content="Oysters are sold on Friday.", path="Sale")
    revise_memory(space=space, actor=person, memory_id=memory.pk, revision=change)

    assert found_by(space, "oysters")
    assert [path.path for path in search(space=space).paths] == ["Sale"]


def test_another_space_is_never_seen(space: Space) -> None:
    other = make_space()
    elsewhere = make_memory(other, "Oysters are sold on Friday.", path="Oysters")

    for query in ("oysters", "oysteers", "", str(elsewhere.pk)):
        found = search(space=space, query=query)
        assert not found.hits
        assert not found.paths
        assert found.gone is None


def test_frequencies_of_another_space_change_no_score(space: Space) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    make_memory(space, "The shop is closed on Friday.")
    before = search(space=space, query="oysters friday").hits
    other = make_space()
    for number in range(10):
        make_memory(other, f"Oysters of sort number {number} are sold.")

    after = search(space=space, query="oysters friday").hits

    assert [hit.score for hit in after] == [hit.score for hit in before]


def test_being_found_changes_nothing_of_a_memory(space: Space) -> None:
    memory = make_memory(space, "Oysters are sold on Friday.")

    hit = search(space=space, query="oysters").hits[0]

    for name in ("updated_at", "confirmed_at", "confirmations", "version", "expires_at"):
        assert getattr(hit.memory, name) == getattr(memory, name)


# Filters come before the ranking


def test_a_filter_leaves_room_for_what_it_lets_through(space: Space) -> None:
    for number in range(30):
        make_memory(space, f"Oysters oysters oysters of sort {number}.", path="Noise")
    make_memory(space, "Somewhere in a long sentence there are oysters.", path="Shop.Sale")
    make_memory(space, "Oysters were seen on the table today.", path="Noise", kind="observation")

    by_path = search(space=space, query="oysters", path_filter="shop", limit=1)
    by_kind = search(space=space, query="oysters", kinds=["observation"], limit=1)

    assert contents(by_path) == ["Somewhere in a long sentence there are oysters."]
    assert contents(by_kind) == ["Oysters were seen on the table today."]
    assert (by_path.more, by_kind.more) == (0, 0)


@pytest.mark.parametrize(
    ("path_filter", "expected"),
    [
        ("Shop", ["Shop", "Shop.Auth", "Shop.Auth.Keys"]),
        ("SHOP / auth", ["Shop.Auth", "Shop.Auth.Keys"]),
        ("Shop.Auth.Keys", ["Shop.Auth.Keys"]),
        ("Shop.Au", []),
        ("Shop_Auth", []),
        ("Sh_p", []),
    ],
)
def test_a_path_means_itself_and_everything_below(
    space: Space, path_filter: str, expected: list[str]
) -> None:
    for number, path in enumerate(("Shop", "Shop.Auth", "Shop.Auth.Keys", "Shopping", "ShopXAuth")):
        make_memory(space, f"Oysters of sort number {number}.", path=path)

    found = search(space=space, query="oysters", path_filter=path_filter, limit=MAX_LIMIT)
    listed = search(space=space, path_filter=path_filter)

    assert sorted(hit.memory.path for hit in found.hits) == expected
    assert sorted(path.path for path in listed.paths) == expected


def test_what_was_left_out_is_counted(space: Space) -> None:
    for number in range(8):
        make_memory(space, f"Oysters of sort number {number}.")

    found = search(space=space, query="oysters", limit=5)

    assert (len(found.hits), found.more) == (5, 3)


@pytest.mark.parametrize("limit", [0, -1, 21, 1000])
def test_a_limit_out_of_range_is_refused(space: Space, limit: int) -> None:
    with pytest.raises(DomainError) as refusal:
        search(space=space, query="oysters", limit=limit)

    assert refusal.value.code == "bad_limit"


@pytest.mark.parametrize("kinds", [["rumour"], ["decision", "rumour"], [""]])
def test_an_unknown_kind_is_refused(space: Space, kinds: list[str]) -> None:
    with pytest.raises(DomainError) as refusal:
        search(space=space, query="oysters", kinds=kinds)

    assert refusal.value.code == "unknown_kind"


def test_a_path_that_is_none_is_refused(space: Space) -> None:
    with pytest.raises(DomainError) as refusal:
        search(space=space, query="oysters", path_filter="A..B")

    assert refusal.value.code == "bad_path"


# An id, and nothing at all


@pytest.mark.parametrize("spelling", [str, lambda pk: pk.hex, lambda pk: f" {pk} ".upper()])
def test_an_id_brings_that_memory(space: Space, spelling: type[str]) -> None:
    memory = make_memory(space)

    hit = search(space=space, query=spelling(memory.pk)).hits[0]

    assert (hit.memory.pk, hit.why, hit.score) == (memory.pk, "id", 1.0)


def test_an_id_that_a_memory_mentions_is_found_as_a_word(space: Space) -> None:
    mentioned = uuid4()
    make_memory(space, f"The tenant of the shop is {mentioned} in production.")

    assert found_by(space, str(mentioned))


def test_nothing_asked_lists_the_paths_in_use_with_counts(space: Space) -> None:
    for number in range(3):
        make_memory(space, f"Oysters of sort number {number}.", path="Shop.Sale")
    make_memory(space, "Sessions live for thirty minutes.", path="Shop.Auth")
    make_memory(space, "Sessions are seen in the log.", path="shop.auth", kind="observation")

    everything = search(space=space, query="  \u200b ")
    observations = search(space=space, kinds=["observation"])

    assert [(path.path, path.count) for path in everything.paths] == [
        ("Shop.Sale", 3),
        ("Shop.Auth", 2),
    ]
    assert [(path.path, path.count) for path in observations.paths] == [("Shop.Auth", 1)]


def test_a_search_asks_the_database_as_often_for_two_hits_as_for_twenty(
    space: Space, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    make_memory(space, "Oysters are opened at the table.")
    with django_assert_num_queries(9):
        search(space=space, query="oysters", limit=MAX_LIMIT)
    for number in range(20):
        make_memory(space, f"Oysters of sort number {number}.")

    with django_assert_num_queries(9):
        assert len(search(space=space, query="oysters", limit=MAX_LIMIT).hits) == MAX_LIMIT


def test_the_same_words_of_another_kind_are_not_repeated(space: Space) -> None:
    make_memory(space, "Oysters are sold on Friday.")
    make_memory(space, "Oysters are sold: on Friday!", kind="observation")
    make_memory(space, "Oysters are sold on Monday.")

    found = search(space=space, query="oysters sold")

    assert len(found.hits) == 2
    assert found.more == 0


def test_a_pair_that_the_person_let_stand_is_not_called_a_disagreement_again(space: Space) -> None:
    one = make_memory(space, "Keep backups for 30 days.")
    two = make_memory(space, "Keep backups for 90 days.")
    with inside(space):
        ask(Question.DISAGREEMENT, one, other=two)
    before = search(space=space, query="backups").disagreements

    with inside(space):
        settle(
            Question.DISAGREEMENT, one, actor=make_actor(space.owner), resolution=Answer.KEPT_BOTH
        )
    after = search(space=space, query="backups").disagreements
    revise_memory(
        space=space,
        actor=agent_of(space),
        memory_id=two.pk,
        revision=Revision(content="Keep backups for 60 days."),
    )
    changed = search(space=space, query="backups").disagreements

    assert len(before) == 1
    assert after == []
    assert len(changed) == 1
