"""Refusals: plain for programs, in the reader's language for people."""

import pytest
from django.utils import translation

from brain.lib.errors import DomainError
from brain.lib.text import TooLongError, readable
from memories.rules.paths import PathError, path


def test_a_refusal_names_its_values() -> None:
    error = DomainError("%(what)s has %(count)d parts.", what="The path", count=11)

    assert error.message == str(error) == "The path has 11 parts."


def test_a_sentence_without_values_may_have_a_percent_sign() -> None:
    assert DomainError("It is 100 % full.").sentence == "It is 100 % full."


def test_a_person_reads_what_is_named_in_their_language_too() -> None:
    with pytest.raises(TooLongError) as refused:
        readable("long", limit=3, what="The source")

    with translation.override("pt-br"):
        assert refused.value.sentence.startswith("A fonte tem 4 caracteres; o limite é 3.")
    assert refused.value.message == "The source has 4 characters; the limit is 3."


def test_what_a_path_may_not_have_is_said_in_both_languages() -> None:
    with pytest.raises(PathError) as refused:
        path("A.B?")

    with translation.override("pt-br"):
        assert "U+003F" in refused.value.sentence
        assert refused.value.sentence.startswith("O caminho contém")
    assert refused.value.message.startswith("The path contains U+003F;")
