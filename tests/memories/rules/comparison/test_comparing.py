"""How two statements stand to each other, and the reasons that are given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.rules.comparison.comparing import compare
from memories.rules.comparison.verdicts import Aspect, Reason, Relation, Statement, Verdict


def verdict(first: str, second: str, *, cosine: float | None = None) -> Verdict:
    return compare(Statement(first), Statement(second), cosine=cosine)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (
            "The session timeout is 30 minutes.",
            "The session timeout is 45 minutes.",
            Reason(Aspect.NUMBER, "30 minutes", "45 minutes"),
        ),
        (
            "The upload limit is 10 MB.",
            "The upload limit is 10 GB.",
            Reason(Aspect.UNIT, "10 MB", "10 GB"),
        ),
        (
            "The monthly budget is $5,000.",
            "The monthly budget is €5,000.",
            Reason(Aspect.UNIT, "$ 5,000", "€ 5,000"),
        ),
        (
            "A request may take at most 5 seconds.",
            "A request may take at least 5 seconds.",
            Reason(Aspect.BOUND, "at most 5 seconds", "at least 5 seconds"),
        ),
        (
            "The launch is on May 4.",
            "The launch is on May 14.",
            Reason(Aspect.DATE, "May 4", "May 14"),
        ),
        (
            "Meetings start at 9:00.",
            "Meetings start at 9:30.",
            Reason(Aspect.TIME, "9:00", "9:30"),
        ),
        (
            "The project targets Python 3.11.",
            "The project targets Python 3.12.",
            Reason(Aspect.VERSION, "3.11", "3.12"),
        ),
        (
            "The owner of the billing module is Anna.",
            "The owner of the billing module is Peter.",
            Reason(Aspect.NAME, "Anna", "Peter"),
        ),
        (
            "Run the tests with --parallel.",
            "Run the tests with --serial.",
            Reason(Aspect.OPTION, "--parallel", "--serial"),
        ),
        (
            "Guests may comment on posts.",
            "Guests may not comment on posts.",
            Reason(Aspect.NEGATION, "comment", "not comment"),
        ),
        (
            "Telemetry is enabled by default.",
            "Telemetry is disabled by default.",
            Reason(Aspect.OPPOSITE, "enabled", "disabled"),
        ),
        (
            "The flag new_checkout is on.",
            "The flag new_checkout is off.",
            Reason(Aspect.OPPOSITE, "on", "off"),
        ),
        (
            "Clients make 60 calls per second.",
            "Clients make 60 calls per minute.",
            Reason(Aspect.ALTERNATIVE, "second", "minute"),
        ),
        (
            "The logo is blue.",
            "The logo is green.",
            Reason(Aspect.ALTERNATIVE, "blue", "green"),
        ),
        (
            "Only admins may delete projects.",
            "Everybody may delete projects.",
            Reason(Aspect.QUANTIFIER, "Only", "Everybody"),
        ),
        (
            "The mail module runs on Celery.",
            "The mail module was moved to Dramatiq.",
            Reason(Aspect.CHANGE, "", "was moved"),
        ),
        (
            "Pull requests need two approvals.",
            "Pull requests need an approval.",
            Reason(Aspect.NUMBER, "two", "approval"),
        ),
        (
            "Customers are billed in advance.",
            "Customers are billed in tranches.",
            Reason(Aspect.SUBJECT, "Customers", "Customers"),
        ),
        (
            "O prazo da entrega é de 10 dias.",
            "O prazo da entrega é de 15 dias.",
            Reason(Aspect.NUMBER, "10 dias", "15 dias"),
        ),
        (
            "Usamos o Slack para avisos.",
            "Não usamos mais o Slack para avisos; agora é o Teams.",
            Reason(Aspect.NEGATION, "avisos", "not avisos"),
        ),
        (
            "A sessão expira em trinta minutos.",
            "The session expires after 60 minutes.",
            Reason(Aspect.NUMBER, "trinta minutos", "60 minutes"),
        ),
        (
            "Der Server steht in Berlin.",
            "Der Server steht in Wien.",
            Reason(Aspect.NAME, "Berlin", "Wien"),
        ),
    ],
)
def test_what_cannot_both_hold_is_a_conflict_with_its_reason(
    first: str, second: str, reason: Reason
) -> None:
    found = verdict(first, second)

    assert found.relation is Relation.CONFLICT
    assert reason in found.reasons


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The session timeout is 30 minutes.", "The request timeout is 45 minutes."),
        ("Passwords need at least 8 characters.", "Passwords may have at most 64 characters."),
        ("The pool has between 4 and 8 workers.", "The pool has 6 workers."),
        ("Use tabs in Go files.", "Don't use tabs in YAML files."),
        ("The office opens at 8 am.", "The office closes at 6 pm."),
        ("Python 3.11 is supported.", "Python 3.12 is supported."),
        ("Issue 812 is about the login page.", "Issue 813 is about the login page."),
        ("The user speaks German.", "The user speaks French."),
        ("The launch is on May 4.", "The launch party is on May 8."),
        ("The team in Berlin uses Jira.", "The team in Lisbon uses Linear."),
        ("Systems: Linux and macOS.", "Systems: Linux, macOS and Windows."),
        ("In March the total was 30.", "In April the total was 40."),
        ("Payments above 500 euros need approval.", "Payments below 500 euros need no approval."),
        ("The launch is in May.", "The launch is on Friday."),
        ("The launch is in May.", "The launch is on May 4."),
        ("The launch is on 04/05/2026.", "The launch is on 2026-04-05."),
        ("Start with task 12.", "Start with 14 people."),
        ("The client speaks to the API.", "The client speaks to our APIs."),
        ("The search shows the price.", "The price is shown on the label."),
        ("A tarefa 120 trata do login.", "A tarefa 121 trata do login."),
        ("The API requires a key in all calls.", "No call works without a key."),
        ("Anna owns the payments service.", "Anna is on leave until Monday."),
        ("", ""),
        ("...", "!!!"),
    ],
)
def test_other_subjects_and_what_can_both_hold_do_not_conflict(first: str, second: str) -> None:
    for cosine in (None, 0.5, 0.9):
        assert verdict(first, second, cosine=cosine).relation is not Relation.CONFLICT


def test_builds_that_differ_in_their_number_are_no_disagreement() -> None:
    builds = [Statement(f"build {number} passed", "observation") for number in range(4100, 4150)]

    relations = {compare(builds[0], build, cosine=0.97).relation for build in builds[1:]}

    assert relations == {Relation.RELATED}


@pytest.mark.parametrize("kind", ["decision", "preference", "observation", "pointer"])
def test_a_mention_of_a_person_neither_repeats_nor_contradicts(kind: str) -> None:
    known = "Carol leads the design team and lives in Lisbon."
    mentions = [
        "Carol joined the call about the budget.",
        "The report was sent to Carol.",
        "Carol asked for the numbers of March.",
        "Daniel and Carol wrote the proposal.",
    ]

    for mention in mentions:
        found = compare(Statement(known, kind), Statement(mention, kind), cosine=0.55)
        assert found.relation in {Relation.RELATED, Relation.UNRELATED}


@pytest.mark.parametrize(
    ("first", "second", "cosine"),
    [
        ("Stripe processes the payments.", "Payments are processed by Stripe.", None),
        ("The timeout is 60 minutes.", "The timeout is 1 hour.", None),
        ("New endpoints need a test.", "Every new endpoint needs a test.", 0.9),
        ("The user dislikes phone calls.", "The user does not like phone calls.", 0.86),
        ("The user prefers short answers.", "O usuário prefere respostas curtas.", 0.8),
        ("Hotfixes skip the staging environment.", "For hotfixes we skip staging.", 0.8),
        ("Os testes rodam com pytest.", "The tests run with pytest.", 0.6),
    ],
)
def test_the_same_in_other_words_is_the_same_but_not_certain(
    first: str, second: str, cosine: float | None
) -> None:
    found = verdict(first, second, cosine=cosine)

    assert found.relation is Relation.SAME
    assert not found.is_certain


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Alice reports to Bob.", "Bob reports to Alice."),
        ("Prefer composition over inheritance.", "Prefer inheritance over composition."),
        ("Copy the data from the shop.", "Copy the data to the shop."),
        ("Use C++ for the engine.", "Use C for the engine."),
        ("The cell is a + b.", "The cell is a > b."),
        ("Ask carla about it.", "Ask carlo about it."),
        ("The agent must ask.", "The agent should ask."),
        ("The border is blue.", "The border is turquoise."),
        ("The cache is Redis.", "The session cache is Redis."),
        ("Wir nutzen den Server.", "Wir nutzen den alten Server."),
    ],
)
def test_a_small_change_of_what_is_said_is_not_the_same(first: str, second: str) -> None:
    for cosine in (None, 0.95):
        assert verdict(first, second, cosine=cosine).relation is not Relation.SAME


def test_the_closest_sentences_of_long_texts_are_compared() -> None:
    first = "We agreed on a few things. Deploy on Fridays. Use tabs. The fee is 5 %. Call Anna."
    second = "The fee is 7 %."

    found = verdict(first, second)

    assert found.relation is Relation.CONFLICT
    assert Reason(Aspect.NUMBER, "5 %", "7 %") in found.reasons


def test_numbers_of_different_sentences_are_not_compared() -> None:
    first = "The fee is 5 %. The timeout is 30 minutes. Deploys take 12 minutes. Use tabs."
    second = "The build takes 20 minutes. The discount is 7 %. Backups run at night. Write tests."

    assert verdict(first, second).relation is not Relation.CONFLICT


def test_a_far_meaning_is_no_conflict_and_a_near_one_is_related() -> None:
    first, second = "The session timeout is 30 minutes.", "The session timeout is 45 minutes."

    assert verdict(first, second, cosine=0.1).relation is not Relation.CONFLICT
    assert verdict("The office is closed.", "Nobody works today.", cosine=0.6).relation is (
        Relation.RELATED
    )
    assert verdict("The office is closed.", "Use tabs.", cosine=0.1).relation is Relation.UNRELATED


def test_what_is_shared_and_the_meaning_are_reasons_too() -> None:
    found = verdict("The session timeout is 30 minutes.", "The session cookie is sid.", cosine=0.4)

    assert Reason(Aspect.SHARED, "session", "session") in found.reasons
    assert Reason(Aspect.SUBJECT, "session", "session") in found.reasons
    assert Reason(Aspect.MEANING, "0.40", "0.40") in found.reasons


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from([None, 0.0, 0.7, 1.0]))
def test_any_two_texts_are_compared_alike_in_both_directions(
    first: str, second: str, cosine: float | None
) -> None:
    forth = verdict(first, second, cosine=cosine)
    back = verdict(second, first, cosine=cosine)

    assert forth.relation is back.relation
    assert forth.is_certain is back.is_certain


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_every_text_is_certainly_the_same_as_itself(text: str) -> None:
    assert verdict(text, text).is_certain


HOSTILE = [
    *("a ", "1 ", "A. ", "not ", "1 MB ", "-", "café ", "x1 y2. ", "/a", "a.b.c ", "```"),
    *("\u0e01", "from 1 to ", "between 1 and ", "one hundred and ", "May 4, ", "'s ", "a_", "1."),
    *("segunda e ", "never 5 minutes. ", "http://", "a@", "--", "v1", "R$ ", "não mais ", "\n"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_longest_hostile_texts_are_compared_all_the_same(piece: str) -> None:
    text = (piece * 4000)[:3999]

    assert verdict(f"{text}x", f"{text}y", cosine=0.8).relation in Relation
