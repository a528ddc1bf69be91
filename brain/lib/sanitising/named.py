"""Values that are called a password, a secret, a key or a token."""

import re

from brain.lib.sanitising.passwords import is_key, is_password, is_said_password
from brain.lib.sanitising.rules import Match, Rule, span
from brain.lib.sanitising.values import is_identity, is_word

_SPOKEN = (
    r"pass(?:word|wd|phrase|code|wort)|senha|palavra-passe|contrase(?:ñ|n)a|mot de passe|kennwort"
    r"|(?:access|door|gate) code|c[óo]digo de acesso|(?<![a-z])(?-i:PIN)(?![a-z])"
)
_SHORT = r"(?<![a-z])(?:pass|pwd|psw|pw)(?![a-z])"
_PASSWORD = rf"{_SPOKEN}|{_SHORT}"
_KEY = (
    r"(?:api|access|secret|private|auth|sign(?:ing)?|encryption|master|service|account|shared|licen[cs]e"
    r"|client|consumer|webhook|deploy|storage|subscription|app|admin)[ _-]?key"
    r"|(?<![a-z])secret|token|credential|sessionid|session[_-]?id|connect\.sid|segredo"
    r"|chave (?:de api|da api|de acesso|secreta|privada)"
)
# "password_file", "tokenizer", "API_KEY_HEADER": beside these stands no secret.
_ABOUT = re.compile(
    r"""(?i).*(?:file|path|url|uri|name|(?<![a-z])id|ids|length|len|size|policy|policies|field|type|hint
    |reset|min|max|required|expir\w*|ttl|count|limit|budget|header|env|vars?|variable|izers?|ized|store
    |manager|at|validators?|rotation|scopes?|endpoint|format|prefix|regex|pattern|usage|algorithm
    |provider|strategy|version|hash|hasher|hashing|less|class|days|hours|minutes|seconds|age|rules?
    |label|title|column|param|parameter|generator|entropy|strength|check|input|form|page|service
    |sha256|digest|fingerprint|checksum|s3|ref|arn)""".replace("\n", "").replace(" ", "")
)
QUOTED = r"\\?[\"'`“](?P<quoted>[^\r\n\"'`”]{1,300}?)\\?[\"'`”]"
# A comma or semicolon is part of the value unless the next setting or word follows.
BARE = r"\\?[\"'`]?(?P<bare>(?:[^\s\"'`<>,;&|]|[,;&|](?!\s|$|[\w .-]{1,40}=)){1,300}+)"
_ASSIGNED = (
    r"(?P<suffix>[\w-]{0,40})[\"'`*)\]\\]{0,3}[ \t]{0,5}(?::[ \t]?\w{2,12}[ \t]?(?==))?"
    r"(?P<sign>=>|:=|={1,3}|:|->|→|(?<=[ \t])\|(?=[ \t])"
    r"|(?:(?<=word)|(?<=token))>(?=[^<\s]{1,300}</))[ \t]{0,5}(?:[*_]{1,2}[ \t]{0,3})?"
)
_SAID = (
    r"(?P<words>(?:[ \t]+[^\s:=.,;]{1,25}){0,6}?)"
    r"(?:[ \t]+(?:is|was|are|now|é|eh|era|foi|será|es|ist|to|para|as)"
    r"(?:[ \t]+(?:now|changed|set|reset|updated|trocada|alterada|mudada|definida|redefinida)"
    r"[ \t]+(?:to|as|para|como))?[ \t]*:?[ \t]+|[)]?[ \t]*:[ \t]+)"
)
_BESIDE = r"[)]?[ \t]{1,3}"


def _is_about(match: Match) -> bool:
    return _ABOUT.fullmatch(match["suffix"] or "") is not None


def parts(match: Match) -> tuple[str, bool, bool]:
    """Return the value, whether it is quoted, and whether nothing follows in its line."""
    start, end = span(match)
    rest = match.string[end : end + 3].lstrip(".,;:)]}? \t*_|\"'`")
    return match.string[start:end], match["quoted"] is not None, rest[:1] in {"", "\n", "\r"}


def _is_password(match: Match) -> bool:
    value, is_quoted, is_last = parts(match)
    is_assigned = "=" in match["sign"]
    name = match["name"].lower()
    if len(name) <= len("pass") and match["suffix"].strip("_0123456789"):
        return False
    if name == "pass" and value.isdigit() and not (is_quoted or is_assigned):
        return False
    return (
        not _is_about(match)
        and (name != "pin" or value.isdigit())
        and is_password(value, is_quoted=is_quoted, is_assigned=is_assigned, is_last=is_last)
    )


def _is_key(match: Match) -> bool:
    value, is_quoted, _ = parts(match)
    name = match["name"].lower()
    is_vague = name in {"token", "credential", "secret", "access key"}
    if _is_about(match) or (is_vague and is_identity(value) and not value.isalnum()):
        return False
    return is_key(value, is_quoted=is_quoted, least=12 if is_vague else 8)


def _is_said_password(match: Match) -> bool:
    value, is_quoted, is_last = parts(match)
    if is_word(value) and match["words"].strip() in _OF_WHOM:
        # "The password is swordfish." and nothing between.
        is_last = is_last or match.string[span(match)[1] :][:1] in {".", "!"}
    elif is_word(value):
        is_last = False
    return is_said_password(value, is_quoted=is_quoted, is_last=is_last)


def _is_password_beside(match: Match) -> bool:
    """Read "the password hunter2" and "PIN 4821", where only its looks say what the word is."""
    value, is_quoted, _ = parts(match)
    is_code = value.isdigit() and match["name"].lower().endswith(("code", "pin", "acesso"))
    return (is_code or is_quoted or _is_mixed(value)) and is_said_password(
        value, is_quoted=is_quoted, is_last=True
    )


def _is_key_beside(match: Match) -> bool:
    value, is_quoted, _ = parts(match)
    return not is_identity(value) and is_key(value, is_quoted=is_quoted, least=16)


def _is_mixed(value: str) -> bool:
    shortest = 6
    return (
        len(value) >= shortest
        and any(char.isdigit() for char in value)
        and any(char.isalpha() for char in value)
    )


def _is_said_key(match: Match) -> bool:
    value, is_quoted, _ = parts(match)
    if is_identity(value) and (match["words"] or not value.isalnum()):
        # "The token since commit 4a99…": with words between, the digest is of something else.
        return False
    return is_key(value, is_quoted=is_quoted, least=16)


_OF_WHOM = {
    "", "do admin", "do root", "for admin", "for root", "for the admin", "of root", "of the admin",
}  # fmt: skip


def _is_bare_key(match: Match) -> bool:
    value, is_quoted, _ = parts(match)
    kinds = {"d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()}
    is_drawn = len(kinds) == len("dul") and is_key(value, is_quoted=is_quoted, least=24)
    return is_drawn and not is_identity(value) and not _is_about(match)


_PASSWORD_HINTS = (
    "pass",
    "senha",
    "contrase",
    "kennwort",
    "code",
    "código",
    "pin",
    "pwd",
    "psw",
    "pw",
)
_KEY_HINTS = ("key", "secret", "token", "credential", "session", "connect.sid", "segredo", "chave")

RULES = (
    Rule(
        "password",
        re.compile(rf"(?i)(?<!redacted: )(?P<name>{_PASSWORD}){_ASSIGNED}(?:{QUOTED}|{BARE})"),
        _PASSWORD_HINTS,
        hits=(
            "password=<alnum 10>",
            "DB_PASSWORD='<alnum 8>!'",
            "senha: <alnum 8>",
            "PGPASSWORD=abacaxi",
            'config.password = "<alnum 12>"',
            "Server=db;User Id=sa;Password=<alnum 9>;Encrypt=true",
            '{"passwd": "<alnum 9>"}',
            "**Password:** <alnum 9>",
            "SMTP_PASS: <alnum 9>",
            "senha: 4821",
            "<password><alnum 9></password>",
            "| password | <alnum 9> |",
        ),
        lookalikes=(
            "password=",
            "password: required",
            "password=$DB_PASSWORD",
            "password = os.environ['DB_PASSWORD']",
            "password: str",
            "DB_PASSWORD=<your password>",
            "password: must have 12 characters",
            "senha: obrigatória",
            "password_file=/run/secrets/db",
            "PASSWORD_HASHERS: argon2",
            "password: ********",
            "bypass=true, compass: north",
            "Passwords: never in chat.",
            "password = get_password()",
            "password_reset_url: https://example.org/reset",
            "password_min_length=12",
            "pass_height = height",
            "password_encryption = scram-sha-256",
            "api|token|secret|password|signature",
            "pass the options to settings.DATABASES",
            'password = "Password used to generate key"',
            "password1 = self.cleaned_data.get(password1_field_name)",
        ),
        check=_is_password,
    ),
    Rule(
        "secret_value",
        re.compile(rf"(?i)(?<!redacted: )(?P<name>{_KEY}){_ASSIGNED}(?:{QUOTED}|{BARE})"),
        _KEY_HINTS,
        hits=(
            "api_key=<alnum 24>",
            "API_KEY: <hex 32>",
            'client_secret: "<token 32>"',
            "X-Api-Key: <alnum 32>",
            "SECRET_KEY = '<alnum 50>'",
            "access_token=<token 40>",
            "sessionid=<lower 32>",
            "chave de api: <alnum 24>",
            "//registry.example.org/:_authToken=<alnum 36>",
            "aws_session_token=<base64 120>",
        ),
        lookalikes=(
            "api_key=YOUR_API_KEY",
            "max_tokens: 4096",
            "token: OAuth2",
            "api_key: ${API_KEY}",
            "secret_name: shop/production/db",
            "token = get_token(request)",
            "The key is <hex 40>.",
            "token_id: <hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
            "idempotency token: <hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",
            "secrets: in the vault",
            "client_key = models.CharField(max_length=64)",
            "credentials = base64.b64encode(value.encode()).decode()",
            "integrity token: sha256-<base64 43>=",
        ),
        check=_is_key,
    ),
    Rule(
        "password",
        re.compile(rf"(?i)(?P<name>{_SPOKEN}){_SAID}(?:{QUOTED}|{BARE})"),
        _PASSWORD_HINTS,
        hits=(
            "the password is <alnum 10>",
            "The password for the admin is <alnum 8>!.",
            "a senha do admin é <alnum 8>",
            "A senha do wifi da casa é 48213377.",
            "We changed the password to <alnum 9> today",
            "The password was changed to <alnum 9>.",
            "The door code is 482913",
            'the password of the router is "abacaxi"',
            "minha senha: <alnum 8>",
        ),
        lookalikes=(
            "the password is stored in the vault",
            "The password is case-sensitive.",
            "a senha é trocada a cada 90 dias",
            "The password must be 12 characters long.",
            "the password is hashed with argon2id",
            "The password is base64-encoded.",
            "the password is in 1Password",
            "the password is ADMIN_PASSWORD",
            "A senha do admin é guardada no cofre.",
            "Passwords are rotated to keep them short-lived.",
            "with password authentication disabled",
            "the password is 12 characters long",
        ),
        check=_is_said_password,
    ),
    Rule(
        "secret_value",
        re.compile(rf"(?i)(?P<name>{_KEY})s?{_SAID}(?:{QUOTED}|{BARE})"),
        _KEY_HINTS,
        hits=(
            "the API key is <alnum 24>",
            "O token do robô é <alnum 32>",
            "the API key is <hex 32>",
            "The client secret of the app is <token 32>.",
        ),
        lookalikes=(
            "the API key is kept in the vault",
            "the token is a JWT signed with RS256",
            "the token since commit: <hex 40>",
            "the access key is rotated every 90 days",
            "The token is valid until 2026-12-01T10:00:00Z",
        ),
        check=_is_said_key,
    ),
    Rule(
        "password",
        re.compile(rf"(?i)(?<!redacted: )(?P<name>{_SPOKEN}){_BESIDE}(?:{QUOTED}|{BARE})"),
        _PASSWORD_HINTS,
        hits=("Log in as ana with password <alnum 9>", "senha <alnum 9>", "PIN 4821"),
        lookalikes=(
            "password varchar(255) not null",
            "password base64 SHA-256 OAuth2",
            "a senha de 2024 expirou",
            "access code 12 of 40",
            "PIN code",
        ),
        check=_is_password_beside,
    ),
    Rule(
        "secret_value",
        re.compile(rf"(?i)(?<!redacted: )(?P<name>{_KEY}){_BESIDE}(?:{QUOTED}|{BARE})"),
        _KEY_HINTS,
        hits=("api key <alnum 32>", "use the token <alnum 24>"),
        lookalikes=("token <hex 40>", "api key rotation-2026-01", "secret manager/shop/production"),
        check=_is_key_beside,
    ),
    Rule(
        "secret_value",
        # A key of nothing in particular: only what could be nothing else.
        re.compile(
            r"(?i)(?<!redacted: )(?<![a-z])(?<!public[ _-])(?P<name>key|chave|_auth)"
            rf"(?:{_ASSIGNED}|[ \t]+(?:is|é)[ \t]+)(?:{QUOTED}|{BARE})"
        ),
        ("key", "chave", "_auth"),
        hits=("key=<alnum 40>", "a chave é <alnum 32>", "_auth=<alnum 30>"),
        lookalikes=(
            "key = user:1234:profile",
            "The key is composite: space_id",
            "PUBLIC_KEY=<alnum 40>",
            "cache key: <hex 64>",
        ),
        check=_is_bare_key,
    ),
)
