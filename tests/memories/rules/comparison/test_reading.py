"""How texts are read: values, names, negations, subjects."""

from decimal import Decimal

import pytest

from memories.rules.comparison.items import Item, Sort
from memories.rules.comparison.reading import read
from memories.rules.comparison.vocabulary import Language, Role


def items(text: str, sort: Sort) -> list[Item]:
    return [item for item in read(text).items if item.sort is sort]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The session timeout is 30 minutes.", Language.ENGLISH),
        ("O prazo da entrega é de 10 dias.", Language.PORTUGUESE),
        ("Payments below 500 euros need no approval.", Language.ENGLISH),
        ("O servidor fica no escritório.", Language.PORTUGUESE),
        ("Der Server steht im Keller und läuft.", Language.OTHER),
        ("Сервер находится в Берлине.", Language.OTHER),
        ("Redis", Language.ENGLISH),
    ],
)
def test_the_language_is_told_by_its_words(text: str, language: Language) -> None:
    assert read(text).language is language


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The limit is 30 minutes.", "number:30 minute"),
        ("The limit is thirty minutes.", "number:30 minute"),
        ("The limit is 30min.", "number:30 minute"),
        ("The limit is twenty", "number:20"),
        ("The limit is twenty-four hours.", "number:24 hour"),
        ("O prazo é de vinte e quatro horas.", "number:24 hour"),
        ("The limit is 1,000 MB.", "number:1000 megabyte"),
        ("O limite é de 1.000 MB.", "number:1000 megabyte"),
        ("O limite é de 1,5 GB.", "number:1.5 gigabyte"),
        ("The fee is 12.5 %.", "number:12.5 percent"),
        ("A taxa é de 5 por cento.", "number:5 percent"),
        ("Clients make 60 calls per second.", "number:60"),
        ("The budget is $5,000.", "number:5000 dollar"),
        ("The budget is 5k euros.", "number:5000 euro"),
        ("O orçamento é de R$ 1.500.", "number:1500 real"),
        ("A proposta é de 40 mil reais.", "number:40000 real"),
        ("A proposta é de um milhão de reais.", "number:1000000 real"),
        ("Logs are kept for a month.", "number:1 month"),
        ("It answers within two business days.", "number:2 day"),
        ("Two hundred and five users came.", "number:205"),
        ("The power is 5 mW.", "number:5 milliwatt"),
        ("The power is 5 MW.", "number:5 megawatt"),
        ("It runs at -5 degrees.", "number:-5"),
        ("Sent on the 1st of the month.", "number:1"),
        ("Sai no primeiro dia do mês.", "number:1"),
    ],
)
def test_numbers_are_read_with_their_units(text: str, key: str) -> None:
    assert [item.key for item in items(text, Sort.NUMBER)] == [key]


@pytest.mark.parametrize(
    ("text", "sort", "keys"),
    [
        ("The launch is on 2026-05-04.", Sort.DATE, ["date:2026-05-04"]),
        ("The launch is on May 4, 2026.", Sort.DATE, ["date:2026-05-04"]),
        ("The launch is on 4 May 2026.", Sort.DATE, ["date:2026-05-04"]),
        ("The launch is on the 4th of May.", Sort.DATE, ["date:?-05-04"]),
        ("The launch is in May.", Sort.DATE, ["date:?-05-?"]),
        ("May the launch be good.", Sort.DATE, []),
        ("The launch is on 31/05/2026.", Sort.DATE, ["date:2026-05-31"]),
        ("The launch is on 05/31/26.", Sort.DATE, ["date:2026-05-31"]),
        ("The launch is on 04/05/2026.", Sort.DATE, ["date:04/05/2026"]),
        ("O lançamento é em 04/05/2026.", Sort.DATE, ["date:2026-05-04"]),
        ("O lançamento é em 4 de maio de 2026.", Sort.DATE, ["date:2026-05-04"]),
        ("We meet on Tuesdays and Fridays.", Sort.DATE, ["weekday:1", "weekday:4"]),
        ("A reunião é na quinta-feira.", Sort.DATE, ["weekday:3"]),
        ("A reunião é na quinta.", Sort.DATE, ["weekday:3"]),
        ("Esta é minha quinta reunião.", Sort.DATE, []),
        ("Meetings start at 9:30.", Sort.TIME, ["time:570"]),
        ("Meetings start at 3 pm.", Sort.TIME, ["time:900"]),
        ("Meetings start at 3 p.m. sharp.", Sort.TIME, ["time:900"]),
        ("Meetings start at ten in the morning.", Sort.TIME, ["time:600"]),
        ("It runs at 12:30 am.", Sort.TIME, ["time:30"]),
        ("It runs at noon.", Sort.TIME, ["time:720"]),
        ("A reunião é às 15h.", Sort.TIME, ["time:900"]),
        ("A reunião é às três da tarde.", Sort.TIME, ["time:900"]),
        ("A reunião é às 15h30.", Sort.TIME, ["time:930"]),
        ("A reunião é às 9.", Sort.TIME, ["time:540"]),
        ("The score is 9:75.", Sort.TIME, []),
        ("The project uses Python 3.11.", Sort.VERSION, ["version:3.11"]),
        ("The API is at v2.3.0.", Sort.VERSION, ["version:2.3.0"]),
    ],
)
def test_dates_times_and_versions_are_read(text: str, sort: Sort, keys: list[str]) -> None:
    assert [item.key for item in items(text, sort)] == keys


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Run the tests with --parallel.", ["--parallel"]),
        ("The file is config/app.yaml.", ["config/app.yaml"]),
        ("The file is /etc/app/main.conf.", ["/etc/app/main.conf"]),
        ("Set LOG_LEVEL in `a b`.", ["LOG_LEVEL", "a b"]),
        ("See https://example.org/page.", ["https://example.org/page"]),
        ("Call parse_date() and camelCase.", ["parse_date()", "camelCase"]),
        ("The number is 007 and 1,2,3.", ["007", "1,2,3"]),
    ],
)
def test_code_and_odd_numbers_are_compared_as_written(text: str, written: list[str]) -> None:
    assert [item.text for item in items(text, Sort.OPTION)] == written


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The owner is Anna Maria.", ["Anna", "Maria"]),
        ("Anna owns the service.", ["Anna"]),
        ("Cookies are optional.", []),
        ("We use C++ and ES256.", ["C++", "ES256"]),
        ("A Paula cuida do estoque.", ["Paula"]),
        ("Don't use Redis.", ["Redis"]),
    ],
)
def test_names_are_told_by_their_letters(text: str, names: list[str]) -> None:
    assert [item.text for item in items(text, Sort.NAME)] == names


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("We use tabs, never spaces.", ["spaces"]),
        ("The server is in Porto, not in Lisbon.", ["Lisbon"]),
        ("Svelte is gone.", ["Svelte"]),
        (
            "Red blue tall old cold thin cups are gone.",
            ["blue", "tall", "old", "cold", "thin", "cups"],
        ),
        ("Usamos Argon2id em vez de bcrypt.", ["bcrypt"]),
        ("O painel não mostra nomes; mostra números.", ["mostra", "nomes"]),
    ],
)
def test_a_negation_denies_what_follows_it_in_its_clause(text: str, denied: list[str]) -> None:
    assert [item.text for item in read(text).content if item.sign == -1] == denied


def test_what_is_denied_twice_is_neither_said_nor_denied() -> None:
    read_twice = read("No call works without a key.")

    assert [item.sign for item in read_twice.content if item.text == "key"] == [0]


def test_a_range_is_two_bounds() -> None:
    for text in ("between 4 and 8 workers", "from 4 to 8 workers", "4-8 workers"):
        low, high = items(f"We run {text}.", Sort.NUMBER)

        assert low.quantity is not None
        assert high.quantity is not None
        assert (low.quantity.value, low.quantity.bound) == (Decimal(4), Role.AT_LEAST)
        assert (high.quantity.value, high.quantity.bound) == (Decimal(8), Role.AT_MOST)


def test_the_number_of_a_label_tells_which_one_is_meant() -> None:
    (number,) = items("Issue 812 is about the login page.", Sort.NUMBER)

    assert number.is_label
    assert number.is_subject


def test_what_stands_before_the_verb_is_the_subject() -> None:
    reading = read("The session timeout is 30 minutes.")

    assert [item.text for item in reading.content if item.is_subject] == ["session", "timeout"]
    assert reading.roles == frozenset()
