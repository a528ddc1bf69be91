"""Secrets that never reach a row. Every secret here is made up at run time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.redaction import SecretRefusedError, redact

LETTERS = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"


def jwt() -> str:
    return ".".join(["eyJ" + LETTERS[:17], "eyJ" + LETTERS[:30], LETTERS[:43]])


SECRETS = {
    "jwt": jwt(),
    "aws_access_key_id": "AKIA" + LETTERS[:16].upper(),
    "github_token": "ghp" + "_" + LETTERS[:36],
    "gitlab_token": "glpat" + "-" + LETTERS[:20],
    "slack_token": "xoxb" + "-" + "123456789012-" + LETTERS[:24],
    "stripe_key": "sk" + "_live_" + LETTERS[:24],
    "anthropic_key": "sk" + "-ant-api03-" + LETTERS[:40],
    "openai_key": "sk" + "-proj-" + LETTERS[:40],
    "google_api_key": "AIza" + LETTERS[:35],
    "npm_token": "npm" + "_" + LETTERS[:36],
    "pypi_token": "pypi" + "-" + LETTERS[:60],
    "agents_brain_key": "brain" + "_" + LETTERS[:43],
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_replaced_by_a_marker_that_names_its_type(name: str) -> None:
    redacted = redact(f"The key is {SECRETS[name]} for the shop.")

    assert redacted.text == f"The key is [redacted: {name}] for the shop."
    assert redacted.types == {name: 1}


def test_a_password_in_an_address_goes_and_the_host_stays() -> None:
    address = "postgresql://" + "shop:" + LETTERS[:12] + "@db.example.org/shop"

    redacted = redact(f"The database is {address}")

    assert redacted.text.endswith("postgresql://[redacted: password_in_url]@db.example.org/shop")


def test_a_token_in_a_header_goes() -> None:
    redacted = redact("Send Authorization: Bearer " + LETTERS[:30])

    assert redacted.text == "Send Authorization: Bearer [redacted: bearer_token]"


def test_every_secret_of_a_text_is_counted_by_type() -> None:
    text = f"{SECRETS['jwt']} and {SECRETS['github_token']}, then {SECRETS['github_token']}"

    assert redact(text).types == {"jwt": 1, "github_token": 2}


@pytest.mark.parametrize("name", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_refuses_the_write(name: str) -> None:
    begin = "-----BEGIN " + name + "PRIVATE KEY-----"

    with pytest.raises(SecretRefusedError):
        redact(f"Use this:\n{begin}\nMIIE")


@pytest.mark.parametrize("separator", ["=", ": ", ' = "'])
def test_an_aws_secret_refuses_the_write(separator: str) -> None:
    with pytest.raises(SecretRefusedError):
        redact("aws_secret_access_" + "key" + separator + LETTERS[:40])


@pytest.mark.parametrize(
    "text",
    [
        "We keep the keys in the vault; ask Ana.",
        "The file sk-learn-contrib-imbalanced-learn-docs is obsolete.",
        "Commit 4a99557e4033c3539de2eb65472017cad5f9557f is the release.",
        "Open https://example.org/a:b@c or git@example.org:team/shop.git.",
        "The column is called npm_token and the variable AWS_SECRET_ACCESS_KEY.",
        "-----BEGIN CERTIFICATE-----",
        "Tabs\tand\r\nline ends  stay.  ",
    ],
)
def test_text_without_a_secret_comes_back_byte_for_byte(text: str) -> None:
    redacted = redact(text)

    assert redacted.text == text
    assert not redacted.types


@given(st.text())
def test_what_was_redacted_once_stays_as_it_is(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once
