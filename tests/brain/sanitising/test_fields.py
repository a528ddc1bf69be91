"""Single fields and JSON: what comes back, what is refused."""

from collections import Counter

import pytest

from brain.lib.errors import DomainError
from brain.lib.sanitising import (
    SecretRefusedError,
    Tree,
    clean_line,
    clean_text,
    clean_tree,
    sanitize_write,
)
from tests.brain.sanitising.made_up import made_up

KEY = made_up("ghp_<alnum 36>")


def clean(text: str) -> str:
    return sanitize_write(text).text


def test_a_text_comes_back_with_its_types() -> None:
    cleaned = clean_text(f"The bot has {KEY}", limit=100, what="The text")

    assert (cleaned.text, cleaned.types) == (
        "The bot has [redacted: github_token]",
        Counter(github_token=1),
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * 41, "too_long"),
        ("a\ud800b", "unreadable_text"),
        ("-----BEGIN " + "PRIVATE KEY-----", "secret_refused"),
    ],
)
def test_what_can_not_be_kept_is_refused_in_words(text: str, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        clean_text(text, limit=40, what="The text")

    assert refusal.value.code == code
    assert refusal.value.hint


@pytest.mark.parametrize("text", ["", "   ", "\u202e\u2066", "\x00", "\u200b"])
def test_what_nobody_can_see_is_nothing(text: str) -> None:
    assert clean_text(text, limit=20, what="The text").text == ""
    assert clean_line(text, limit=20, what="The name") == ""


def test_a_name_is_one_line() -> None:
    assert clean_line("  The \n bot\x07\t of Ana ", limit=20, what="The name") == "The bot of Ana"


def test_json_is_walked_to_its_leaves() -> None:
    tree: Tree = {"a": [f"has {KEY}", 1, None, True], KEY: {"b": "plain"}}

    assert clean_tree(tree, clean) == {
        "a": ["has [redacted: github_token]", 1, None, True],
        "[redacted: github_token]": {"b": "plain"},
    }


def test_a_value_in_json_is_read_beside_its_key() -> None:
    tree: Tree = {"password": "abacaxi", "user": "abacaxi", "api_key": made_up("<alnum 24>")}

    assert clean_tree(tree, clean) == {
        "password": "[redacted: password]",
        "user": "abacaxi",
        "api_key": "[redacted: secret_value]",
    }


def test_a_private_key_in_json_is_refused() -> None:
    with pytest.raises(SecretRefusedError):
        clean_tree({"pem": ["-----BEGIN " + "PRIVATE KEY-----"]}, clean)
