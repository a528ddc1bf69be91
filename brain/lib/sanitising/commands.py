"""Passwords in commands, queries and notes, where no word stands right before them."""

import re

from brain.lib.sanitising.named import BARE, QUOTED, parts
from brain.lib.sanitising.passwords import is_said_password
from brain.lib.sanitising.rules import Match, Rule


def _is_password(match: Match) -> bool:
    value, is_quoted, _ = parts(match)
    return not value.isdigit() and is_said_password(value, is_quoted=is_quoted, is_last=True)


def _is_noted(match: Match) -> bool:
    """Read "login: ana / gato2024": the other word may be anything, so its looks decide."""
    value, is_quoted, _ = parts(match)
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    shortest = 6
    return (
        has_both
        and len(value) >= shortest
        and is_said_password(value, is_quoted=is_quoted, is_last=True)
    )


RULES = (
    Rule(
        "password",
        re.compile(
            r"(?<![\w-])(?:--?(?:[a-z]{1,20}-){0,4}"
            r"(?:password|passwd|pass|passphrase|token|secret|api-key)[ \t]+"
            r"|(?:-u|--user|--proxy-user)[ \t=]+[\"']?[^\s:\"']{1,60}:|sshpass[ \t]+-p[ \t]*"
            r"|mysql[^\r\n]{0,60}?[ \t]-p|docker login[^\r\n]{0,60}?[ \t]-p[ \t]+"
            r"|redis-cli[^\r\n]{0,60}?[ \t]-a[ \t]+|requirepass[ \t]+"
            r"|(?i:user[ ][^\r\n]{1,60}?identified by)[ \t]+(?=[\"'])"
            r"|(?:login|machine)[ \t]+\S{1,60}[ \t]+password[ \t]+"
            r"|[\"']?auth[\"']?[ ]?[=:][ ]?\([\"'][^\"'\r\n]{1,60}[\"'],[ ]?)"
            rf"(?:{QUOTED}|{BARE})"
        ),
        (
            "--",
            "-u",
            "-pass",
            "sshpass",
            "mysql",
            "docker login",
            "redis-cli",
            "requirepass",
            "identified by",
            "password",
            "auth",
        ),
        hits=(
            "psql-tool --password <alnum 10> shop",
            "curl -u ana:<alnum 10> https://example.org",
            "sshpass -p <alnum 10> ssh host",
            "mysql -u root -p<alnum 10> shop",
            "docker login -u ana -p <alnum 10> registry.example.org",
            "redis-cli -h cache -a <alnum 10> ping",
            "requirepass <alnum 10>",
            "CREATE USER ana IDENTIFIED BY '<alnum 10>'",
            "machine example.org login ana password <alnum 10>",
            "requests.get(url, auth=('ana', '<alnum 10>'))",
        ),
        lookalikes=(
            "docker login --password-stdin",
            "psql --password shop",
            "curl -u user:password https://example.org",
            "docker run -u 1000:1000 image",
            "mysql -u root -p shop",
            "requests.get(url, auth=(user, password))",
            "a record is identified by its id",
        ),
        check=_is_password,
    ),
    Rule(
        "password",
        re.compile(
            r"(?i)(?<![a-z])(?:login|cred(?:ential)?s|credenciais|acesso|usu[aá]rio|user)"
            rf"[ \t]*:[ \t]+[\w.@+-]{{1,60}}[ \t]+[/|][ \t]+(?:{QUOTED}|{BARE})"
        ),
        ("login", "cred", "acesso", "usu", "user"),
        hits=(
            "login: ana@example.org / <alnum 9>",
            "credenciais: ana / <alnum 9>",
            "User: ana | <alnum 9>",
        ),
        lookalikes=(
            "login: Google / GitHub",
            "user: ana / rui",
            "login: email / OAuth2",
            "user stories / 2026-Q1",
        ),
        check=_is_noted,
    ),
)
