"""Secrets inside of addresses: user and password, tokens, signatures."""

import re

from brain.lib.sanitising.rules import Match, Rule
from brain.lib.sanitising.values import (
    is_identity,
    is_placeholder,
    is_reference,
    is_term,
    is_word,
    looks_random,
)

_SAMPLES = {"user", "username", "usuario", "usuário", "login", "name", "admin"}


def _is_password(match: Match) -> bool:
    user, _, password = match["secret"].partition(":")
    if is_placeholder(password):
        return (
            user.lower() not in {*_SAMPLES, password.lower()}
            and password.isalnum()
            and (password.lower() in {"secret", "test", "foobar"})
        )
    return not is_reference(password, is_quoted=True)


def _is_token(match: Match) -> bool:
    value = match["secret"]
    return not is_placeholder(value) and looks_random(value, least=20)


def _is_signature(match: Match) -> bool:
    return not is_placeholder(match["secret"]) and not is_word(match["secret"])


def _is_parameter(match: Match) -> bool:
    value = match["secret"]
    if is_placeholder(value) or is_reference(value, is_quoted=False) or is_term(value):
        return False
    if match["name"].lower() in {"code", "state", "key", "auth", "t", "s"}:
        return looks_random(value, least=16) and not is_identity(value)
    is_number_enough = match["name"].lower() in {"password", "passwd", "pwd", "senha", "otp"}
    return not is_word(value) and (is_number_enough or not value.isdigit())


RULES = (
    Rule(
        "password_in_url",
        # The password ends at the last @ of the host part, and may have one itself.
        re.compile(r"(?<=://)(?P<secret>[^\s/:@?#\"'<>`]{0,100}:[^\s/?#\"'<>`]{1,200})(?=@)"),
        ("://",),
        hits=(
            "postgresql://shop:<alnum 12>@db.example.org/shop",
            "redis://:<alnum 20>@cache:6379/0",
            "amqp://worker:p@ss<alnum 6>@mq:5672",
            "https://ana:<alnum 10>@intranet.example.org/report",
            "mongodb+srv://app:<token 16>@cluster0.example.net/?retryWrites=true",
        ),
        lookalikes=(
            "postgresql://user:password@localhost/db",
            "https://<user>:<password>@host",
            "postgres://$DB_USER:$DB_PASSWORD@db/shop",
            "https://example.org/a:b@c",
            "git@example.org:team/shop.git",
            "http://localhost:8000/@ana",
            "ssh://git@example.org:22/team/shop",
        ),
        check=_is_password,
    ),
    Rule(
        "token_in_url",
        re.compile(r"(?<=://)(?P<secret>[\w.~-]{20,400})(?=(?::x-oauth-basic)?@)"),
        ("://",),
        hits=("https://<alnum 40>@git.example.org/team/shop",),
        lookalikes=("https://continuous-integration-user@git.example.org/shop",),
        check=_is_token,
    ),
    Rule(
        "signed_url",
        re.compile(
            r"(?i)(?<=[?&;])(?:x-amz-(?:signature|security-token|credential)|x-goog-(?:signature|credential)"
            r"|signature|sig|hmac|policy|key-pair-id|awsaccesskeyid|x-oss-signature|q-signature"
            r"|hdnts|__token__)=(?P<secret>[^\s&\"'<>`#)\]]{8,4000})"
        ),
        (
            "signature=",
            "sig=",
            "token",
            "credential=",
            "hmac=",
            "policy=",
            "key-pair-id=",
            "awsaccesskeyid=",
            "hdnts=",
        ),
        hits=(
            "https://s3.example.org/a.pdf?X-Amz-Expires=60&X-Amz-Signature=<hex 64>",
            "https://blob.example.net/a?sv=2026-01-01&se=2026-12-01&sig=<alnum 40>%3D",
            "https://cdn.example.org/a?Signature=<token 60>&Key-Pair-Id=APKA<upper 16>",
        ),
        lookalikes=(
            "https://example.org/docs?signature=required",
            "https://example.org/?v=<hex 40>",
        ),
        check=_is_signature,
    ),
    Rule(
        "token_in_query",
        re.compile(
            r"(?i)(?<=[?&#])(?P<name>(?:access|refresh|id|auth|api|session|private|security|csrf|user|bot)"
            r"[_-]?(?:token|key)|token|apikey|key|jwt|auth|code|state|secret|client_secret|password|passwd|pwd"
            r"|senha|sessionid|sid|ticket|invite|otp|magic|login_token|reset_token|confirmation_token)="
            r"(?P<secret>[^\s&\"'<>`#)\]]{6,4000})"
        ),
        (
            "token=",
            "key=",
            "jwt=",
            "auth=",
            "code=",
            "state=",
            "secret=",
            "password=",
            "passwd=",
            "pwd=",
            "senha=",
            "sessionid=",
            "sid=",
            "ticket=",
            "invite=",
            "otp=",
            "magic=",
        ),
        hits=(
            "https://api.example.org/v1/items?access_token=<token 40>",
            "https://example.org/login?next=/&token=<hex 32>",
            "https://maps.example.org/js?key=<token 39>",
            "https://example.org/callback#id_token=<token 60>",
            "https://app.example.org/cb?code=<token 43>&state=<token 32>",
        ),
        lookalikes=(
            "https://example.org/?token=YOUR_TOKEN",
            "https://example.org/?key=settings",
            "https://example.org/?sid=827389",
            "https://example.org/?code=404",
            "https://example.org/?key=<hex 40>",
            "https://example.org/?state=open&page=2",
        ),
        check=_is_parameter,
    ),
)
