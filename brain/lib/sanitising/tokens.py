"""Tokens and headers that no single service owns."""

import base64
import re

from brain.lib.sanitising.rules import Match, Rule
from brain.lib.sanitising.values import is_identity, is_placeholder, is_reference, looks_random


def _is_token(match: Match) -> bool:
    value = match["secret"]
    return not (is_placeholder(value) or is_reference(value, is_quoted=False) or value.isalpha())


def _is_drawn(match: Match) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and not is_identity(value) and looks_random(value, least=20)


def _is_pair(match: Match) -> bool:
    """Tell whether base64 hides `user:password` (RFC 7617)."""
    try:
        pair = base64.b64decode(match["secret"], validate=True).decode()
    except ValueError:
        return False
    return ":" in pair and pair.isprintable()


def _is_cookie(match: Match) -> bool:
    pairs = [pair.partition("=")[2].strip() for pair in match["secret"].split(";")]
    return any(looks_random(value, least=16) and not is_placeholder(value) for value in pairs)


def _is_recovery_phrase(match: Match) -> bool:
    words = re.findall(r"[a-z]+", match["secret"])
    # Word lists for wallets have no word shorter than three letters (BIP 39).
    shortest = 3
    return len(words) in {12, 15, 18, 21, 24} and min(map(len, words)) >= shortest


RULES = (
    Rule(
        "jwt",
        re.compile(
            r"(?<![\w-])eyJ[\w-]{8,}+\.(?:eyJ[\w-]{8,}+\.[\w-]*+|[\w-]*+(?:\.[\w-]{8,}+){3})"
        ),
        ("eyj",),
        hits=(
            "eyJ<alnum 30>.eyJ<alnum 80>.<token 43>",
            "eyJ<alnum 30>.<token 60>.<token 16>.<token 80>.<token 22>",
        ),
        lookalikes=(
            "A JWT begins with eyJ.",
            "eyJhbGciOiJIUzI1NiJ9 is its first part",
            "eyJ.eyJ.x",
        ),
        check=lambda _: True,
    ),
    Rule(
        "authorization_header",
        re.compile(
            r"(?i)(?<![a-z_])authorization[\"'`]?[ \t]{0,5}[:=][ \t]{0,5}[\"'`]?"
            r"(?:(?:bearer|basic|token|digest|api-?key|bot|key|oauth|negotiate|ntlm)[ \t]{1,5})?"
            r"(?P<secret>[\w.~+/=:%-]{8,4000})"
        ),
        ("authorization",),
        hits=(
            "Authorization: Bearer <token 40>",
            "authorization: Basic <base64 24>==",
            "curl -H 'Authorization: Token <hex 40>' https://a.example",
            '{"Authorization": "Bearer <token 30>"}',
            "Authorization: <alnum 32>",
        ),
        lookalikes=(
            "Authorization: Bearer <token>",
            "Authorization: Bearer $TOKEN",
            "Authorization: required for every call",
            "skip_authorization = models.BooleanField",
            "Send an Authorization header.",
            "authorization: handled by middleware",
        ),
        check=_is_token,
    ),
    Rule(
        "authorization_header",
        re.compile(
            r"(?i)(?<![a-z])basic[ \t]{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/=])"
        ),
        ("basic",),
        hits=("It sends Basic YW5h<upper 0>OmdhdG8yMDI0",),
        lookalikes=("Basic authentication", "basic understanding of computers", "BASIC PROGRAMS"),
        check=_is_pair,
    ),
    Rule(
        "bearer_token",
        re.compile(r"(?i)(?<![a-z])bearer[ \t:]{1,5}[\"'`]?(?P<secret>[\w.~+/=-]{20,4000})"),
        ("bearer",),
        hits=("Call it with Bearer <token 40>", "bearer: <alnum 32>"),
        lookalikes=(
            "Bearer authentication-and-authorisation",
            "bearer of <hex 40>",
            "Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
        ),
        check=_is_drawn,
    ),
    Rule(
        "cookie",
        re.compile(
            r"(?i)(?<![a-z])(?:set-)?cookie[\"']?[ \t]{0,5}:[ \t]{0,5}[\"']?"
            r"(?P<secret>[\w.-]{1,60}=[^\r\n\"'`]{8,4000})"
        ),
        ("cookie",),
        hits=(
            "Cookie: session=<alnum 40>; theme=dark",
            "Set-Cookie: sid=<token 40>; Path=/; HttpOnly",
        ),
        lookalikes=(
            "Set-Cookie: theme=dark; Path=/; HttpOnly; SameSite=Lax",
            "Cookie: session=<session id>",
            "cookie: required",
        ),
        check=_is_cookie,
    ),
    Rule(
        "password_hash",
        re.compile(
            r"\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=[0-9]{2}\$[\w=,]{5,40}"
            r"\$[A-Za-z0-9+/]{10,100}\$[A-Za-z0-9+/]{20,130}"
            r"|\$[156y]\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9$]{1,40}\$[./A-Za-z0-9]{22,90}"
            r"|pbkdf2_sha(?:256|1)\$[0-9]{2,8}\$[A-Za-z0-9]{8,40}\$[A-Za-z0-9+/]{27,44}={0,2}"
        ),
        ("$2", "$argon2", "$1$", "$5$", "$6$", "$y$", "pbkdf2_sha"),
        hits=(
            "$2b$12$<alnum 53>",
            "$argon2id$v=19$m=65536,t=3,p=4$<base64 22>$<base64 43>",
            "$6$<alnum 16>$<alnum 86>",
            "pbkdf2_sha256$600000$<alnum 22>$<base64 43>=",
        ),
        lookalikes=("$2b$12$ is the prefix of bcrypt.", "It costs $5 or $6$."),
        check=lambda _: True,
    ),
    Rule(
        "recovery_phrase",
        re.compile(
            r"(?i:(?:seed|recovery|mnemonic|backup|wallet)[ -](?:phrase|words?|seed)|mnemonic"
            r"|frase de recupera[çc][ãa]o)[^a-z\r\n]{1,10}(?:(?:is|é|are)[ :]{1,3})?"
            r"(?P<secret>[a-z]{3,8}(?:[ ,]{1,3}[a-z]{3,8}){11,23})(?![a-z])"
        ),
        ("phrase", "mnemonic", "seed", "frase", "words"),
        hits=(
            "Seed phrase: abandon able about above absent absorb absurd abuse access act add air",
        ),
        lookalikes=(
            "Recovery phrase: twelve words, written on paper and kept in the safe at home.",
        ),
        check=_is_recovery_phrase,
    ),
)
