"""Pairs of statements that are one change apart, made by the thousand."""

import string

from hypothesis import strategies as st

Pair = tuple[str, str]

SUBJECTS = (
    "The session timeout",
    "The upload limit for attachments",
    "The nightly backup of the shop",
    "O prazo da entrega",
    "O limite de anexos da loja",
    "Der Zeitraum der Sicherung",
)
VERBS = {"The": "is", "O": "é de", "Der": "ist"}
UNITS = ("ms", "seconds", "minutes", "hours", "days", "weeks", "MB", "GB", "kB", "Mb", "km", "%")
QUANTIFIERS = (
    ("All endpoints require a key", "Some endpoints require a key"),
    ("All endpoints require a key", "Most endpoints require a key"),
    ("All endpoints require a key", "Only endpoints require a key"),
    ("Admins may delete projects", "Only admins may delete projects"),
    ("Every user sees the report", "Some user sees the report"),
    ("We always squash commits", "We sometimes squash commits"),
    ("Pages load in at least 2 seconds", "Pages load in at most 2 seconds"),
    ("Todos os pedidos pagam frete", "Alguns pedidos pagam frete"),
    ("Pedidos pagam frete", "Só pedidos pagam frete"),
    ("Sempre pedir aprovação", "Às vezes pedir aprovação"),
    ("O texto tem no mínimo 500 palavras", "O texto tem no máximo 500 palavras"),
)
NEGATED = (
    ("The app supports printing", "The app does not support printing"),
    ("Guests may comment on posts", "Guests may not comment on posts"),
    ("Deploy on Fridays after the tests", "Never deploy on Fridays after the tests"),
    ("The report has a cover page", "The report has no cover page"),
    ("We ship with debug symbols", "We ship without debug symbols"),
    ("Nobody reads the archive", "Somebody reads the archive"),
    ("We use npm for packages", "We no longer use npm for packages"),
    ("A loja abre aos domingos", "A loja não abre aos domingos"),
    ("Publicar às sextas", "Nunca publicar às sextas"),
    ("O relatório tem capa", "O relatório não tem capa"),
    ("Entregar com documentação", "Entregar sem documentação"),
    ("Usamos o Slack para avisos", "Não usamos mais o Slack para avisos"),
    ("Wir benutzen den Server", "Wir benutzen den Server nicht"),
    ("Usamos la base con cuidado", "No usamos la base con cuidado"),
)
OPENINGS = ("", "Decision: ", "We decided: ", "Note that ", "Decisão: ", "- ")
ENDINGS = ("", ".", "!", " .")

numbers = st.integers(min_value=0, max_value=10**9)
versions = st.lists(st.integers(0, 40), min_size=2, max_size=4).map(
    lambda parts: ".".join(map(str, parts))
)
lower = st.text(string.ascii_lowercase, min_size=3, max_size=9)
capitalised = lower.map(str.capitalize)
names = st.one_of(
    capitalised,
    st.sampled_from(
        ["Ana", "Joana", "João", "José", "Łukasz", "Zoë", "Ольга", "Анна", "北京", "東京"]
    ),
    st.builds(lambda first, last: f"{first} {last}", capitalised, capitalised),
)
subjects = st.sampled_from(SUBJECTS)


def said(subject: str, value: str) -> str:
    return f"{subject} {VERBS[subject.split(maxsplit=1)[0]]} {value}"


@st.composite
def dressed(draw: st.DrawFn, pairs: st.SearchStrategy[Pair]) -> Pair:
    """Give each text another opening and ending, as two agents would write them."""
    first, second = draw(pairs)
    return (
        f"{draw(st.sampled_from(OPENINGS))}{first}{draw(st.sampled_from(ENDINGS))}",
        f"{draw(st.sampled_from(OPENINGS))}{second}{draw(st.sampled_from(ENDINGS))}",
    )


@st.composite
def one_digit_apart(draw: st.DrawFn) -> Pair:
    subject, unit = draw(subjects), draw(st.sampled_from(["", " minutes", " MB", " items"]))
    digits = str(draw(numbers))
    at = draw(st.integers(0, len(digits) - 1))
    other = draw(st.sampled_from([digit for digit in string.digits if digit != digits[at]]))
    changed = f"{digits[:at]}{other}{digits[at + 1 :]}"
    return said(subject, f"{digits}{unit}"), said(subject, f"{changed}{unit}")


@st.composite
def one_unit_apart(draw: st.DrawFn) -> Pair:
    subject, number = draw(subjects), draw(numbers)
    one, two = draw(st.lists(st.sampled_from(UNITS), min_size=2, max_size=2, unique=True))
    return said(subject, f"{number} {one}"), said(subject, f"{number} {two}")


@st.composite
def one_version_apart(draw: st.DrawFn) -> Pair:
    one, two = draw(st.lists(versions, min_size=2, max_size=2, unique=True))
    return (
        f"The project runs Python {one} in production",
        f"The project runs Python {two} in production",
    )


@st.composite
def one_name_apart(draw: st.DrawFn) -> Pair:
    one, two = draw(st.lists(names, min_size=2, max_size=2, unique_by=str.casefold))
    form = draw(
        st.sampled_from(
            [
                "The owner of the billing module is {}",
                "{} approves the budget",
                "{} aprova o orçamento",
                "O responsável pelo estoque é {}",
                "We host the shop in {} since the move",
                "Zuständig für das Lager ist {}",
            ]
        )
    )
    return form.format(one), form.format(two)


@st.composite
def one_option_apart(draw: st.DrawFn) -> Pair:
    one, two = draw(st.lists(lower, min_size=2, max_size=2, unique=True))
    form = draw(
        st.sampled_from(
            [
                "Run the tests with --{}",
                "The settings lie in config/{}.yaml",
                "Set `{}` in the staging file",
                "The flag use_{} is set for everybody",
            ]
        )
    )
    return form.format(one), form.format(two)


@st.composite
def one_moment_apart(draw: st.DrawFn) -> Pair:
    form, values = draw(
        st.sampled_from(
            [
                ("The launch is on {}", [f"2026-{month:02}-11" for month in range(1, 13)]),
                ("The launch is on May {}", [str(day) for day in range(1, 32)]),
                ("We meet on {} in the office", ["Monday", "Tuesday", "Friday", "Sunday"]),
                ("Backups run at {}", ["3 am", "3 pm", "03:30", "15:30", "noon", "03:03"]),
                ("O lançamento é em {} de 2026", ["janeiro", "março", "maio", "dezembro"]),
                ("A reunião é na {}", ["segunda-feira", "terça", "quinta", "sexta"]),
            ]
        )
    )
    one, two = draw(st.lists(st.sampled_from(values), min_size=2, max_size=2, unique=True))
    return form.format(one), form.format(two)


apart = dressed(
    st.one_of(
        one_digit_apart(),
        one_unit_apart(),
        one_version_apart(),
        one_name_apart(),
        one_option_apart(),
        one_moment_apart(),
        st.sampled_from(QUANTIFIERS),
        st.sampled_from(NEGATED),
    )
)
