"""Personal data, for spaces that ask for it: only what has a form that can be checked."""

import re
from collections.abc import Callable

from stdnum import iban, luhn
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.us import ssn

from brain.lib.sanitising.rules import Match, Rule

# Nothing before and after that would make it a part of a longer number or name.
_START, _END = r"(?<![\w.,+/=#-])", r"(?![\w/=]|[.,-]\d)"


def _valid(*tests: Callable[[str], bool]) -> Callable[[Match], bool]:
    return lambda match: any(test(match[0]) for test in tests)


def _is_card(match: Match) -> bool:
    groups = re.split(r"\D", match[0])
    shortest_group = 4
    digits = "".join(groups)
    return (
        min(map(len, groups)) >= shortest_group and len(set(digits)) > 1 and luhn.is_valid(digits)
    )


def _is_cpf(match: Match) -> bool:
    # Eleven times the same digit has the right check digits, and is nobody's.
    return len(set(re.sub(r"\D", "", match[0]))) > 1 and cpf.is_valid(match[0])


def _is_phone(match: Match) -> bool:
    # ITU-T E.164: up to 15 digits; shorter than 8 is an extension or a price.
    digits = re.sub(r"\D", "", match["secret"])
    return 8 <= len(digits) <= 15 and len(set(digits)) > 1  # noqa: PLR2004


def _is_person(match: Match) -> bool:
    return match["local"].lower() not in {"git", "hg", "noreply", "no-reply"}


RULES = (
    Rule(
        "email",
        re.compile(
            r"(?<![\w.+%/:-])(?P<local>[\w.+%-]{1,64})@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])"
        ),
        ("@",),
        hits=("ana@example.org", "Mail ana.souza+shop@mail.example.com.br today"),
        lookalikes=("git@example.org:team/shop.git", "@ana", "pkg@1.2.3", "a @ b.example"),
        check=_is_person,
    ),
    Rule(
        "iban",
        re.compile(
            rf"{_START}[A-Z]{{2}}[0-9]{{2}}(?:[ ]?[A-Z0-9]{{4}}){{2,7}}"
            rf"(?:[ ]?[A-Z0-9]{{1,4}})?{_END}"
        ),
        tuple("0123456789"),
        hits=("DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"),
        lookalikes=("DE89 3704 0044 0532 0130 03", "AB12CDEF34567890"),
        check=_valid(iban.is_valid),
    ),
    Rule(
        "cpf",
        re.compile(rf"{_START}(?:[0-9]{{3}}\.[0-9]{{3}}\.[0-9]{{3}}-[0-9]{{2}}|[0-9]{{11}}){_END}"),
        tuple("0123456789"),
        hits=("529.982.247-25", "52998224725"),
        lookalikes=("529.982.247-26", "111.111.111-11", "12345678901"),
        check=_is_cpf,
    ),
    Rule(
        "cnpj",
        re.compile(
            rf"{_START}[0-9A-Z]{{2}}\.?[0-9A-Z]{{3}}\.?[0-9A-Z]{{3}}/?[0-9A-Z]{{4}}-?[0-9]{{2}}{_END}"
        ),
        tuple("0123456789"),
        hits=("11.222.333/0001-81", "11222333000181", "12.ABC.345/01DE-35"),
        lookalikes=("11.222.333/0001-82", "20261130123456"),
        check=_valid(cnpj.is_valid),
    ),
    Rule(
        "card_number",
        re.compile(rf"{_START}(?:[46]|5[0-9]|2[2-7]|3[04-9])(?:[ -]?[0-9]){{11,18}}{_END}"),
        tuple("23456"),
        hits=("4111 1111 1111 1111", "5555555555554444", "3782-822463-10005"),
        lookalikes=("4111 1111 1111 1112", "1700000000000", "4000.0000.0000.0002"),
        check=_is_card,
    ),
    Rule(
        "national_id",
        re.compile(
            rf"{_START}(?:[0-9]{{3}}-[0-9]{{2}}-[0-9]{{4}}|[12][0-9]{{2}}[01][0-9](?:[0-9AB]{{2}})[0-9]{{8}}"
            r"|[12] [0-9]{2} [0-9]{2} [0-9AB]{2} [0-9]{3} [0-9]{3} [0-9]{2}"
            r"|[A-Z]{6}[0-9]{2}[A-EHLMPR-T][0-9]{2}[A-Z][0-9]{3}[A-Z]|[0-9]{8}-?[A-Z]|[XYZ][0-9]{7}-?[A-Z]"
            rf"|[0-9]{{1,2}}\.[0-9]{{3}}\.[0-9]{{3}}-[0-9K]){_END}"
        ),
        tuple("0123456789"),
        hits=(
            "536-90-4399",
            "2 95 10 99 126 111 93",
            "RCCMNL83S18D969H",
            "54362315K",
            "12.531.909-2",
        ),
        lookalikes=("000-12-3456", "54362315A", "RCCMNL83S18D969A", "2026-11-30", "12.531.909-3"),
        check=_valid(
            ssn.is_valid,
            nir.is_valid,
            codicefiscale.is_valid,
            dni.is_valid,
            nie.is_valid,
            rut.is_valid,
        ),
    ),
    Rule(
        "phone",
        re.compile(
            r"(?<![\w.,+/=#-])(?:(?=\+)"
            r"|(?i:(?:tel|phone|mobile|whats ?app|celular|fone|zap)[a-z]{0,6}[.:]?[ \t]{1,3}"
            r"(?:is[ ]|é[ ])?)"
            r"|(?=\([0-9]{2,3}\)|[0-9]{2} 9[0-9]{4}-|[0-9]{3}-[0-9]{3}-))"
            r"(?P<secret>\+?\(?[0-9]{1,4}\)?(?:[ .-]?\(?[0-9]{1,5}\)?){1,6})(?![\w/=]|[.,-][0-9])"
        ),
        tuple("0123456789"),
        hits=(
            "+55 11 91234-5678",
            "+1 (415) 555-2671",
            "+442079460958",
            "(11) 91234-5678",
            "11 91234-5678",
            "415-555-2671",
            "Telefone: 3333-4444",
        ),
        lookalikes=(
            "2026-11-30",
            "10.0.0.1",
            "555-2671",
            "+5",
            "1700000000",
            "3.14159265",
            "12 345 678",
        ),
        check=_is_phone,
    ),
)
