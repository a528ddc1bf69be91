"""E-mail addresses in the one spelling under which an account is kept."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.addresses import LONGEST_ADDRESS, EmailAddressError, canonical_address


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("ana@example.org", "ana@example.org"),
        ("  Ana.Souza+brain@Example.ORG\n", "ana.souza+brain@example.org"),
        ("ana@localhost", "ana@localhost"),
        ("ana@bücher.example", "ana@xn--bcher-kva.example"),
        ("ana@XN--BCHER-KVA.example", "ana@xn--bcher-kva.example"),
        ("ana＠example。org", "ana@example.org"),  # noqa: RUF001
    ],
)
def test_spellings_of_one_mailbox_become_one(typed: str, kept: str) -> None:
    assert canonical_address(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "ana",
        "ana@",
        "@example.org",
        "ana@@example.org",
        "ana@example",
        "ana@exa mple.org",
        "ana@-example.org",
        "ana@example.org\nBcc: all@example.org",
        "ana@example.org\r\nSubject: hello",
        "ana\x00@example.org",
        "ana@exam\x00ple.org",
        '"ana b"@example.org',
        '"ana\\"@example.org',
        "Ana <ana@example.org>",
        "ana@example.org, bob@example.org",
        "mıke@example.org",  # noqa: RUF001
        "mİke@example.org",
        "aſa@münchen",  # noqa: RUF001
        "josé@example.org",
        f"{'a' * 250}@example.org",
        f"ana@{'a' * 64}.org",
        "a" * 100_000,
    ],
)
def test_what_no_mail_can_reach_is_refused(typed: str) -> None:
    with pytest.raises(EmailAddressError):
        canonical_address(typed)


@given(st.text(max_size=300) | st.emails() | st.from_regex(r"[^@]{1,20}@[^@]{1,20}\.[^@]{2,5}"))
def test_any_text_is_refused_or_becomes_an_address_that_stays_as_it_is(typed: str) -> None:
    with contextlib.suppress(EmailAddressError):
        kept = canonical_address(typed)

        assert kept.isascii()
        assert kept == kept.lower()
        assert not any(char.isspace() or not char.isprintable() for char in kept)
        assert kept.count("@") == 1
        assert len(kept) <= LONGEST_ADDRESS
        assert canonical_address(kept) == kept
