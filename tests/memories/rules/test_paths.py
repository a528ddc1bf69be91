"""How paths are written, shown and compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.rules.paths import MAX_LENGTH, PathError, path

WRITTEN = [
    ("Project.Auth.Strategy", "Project.Auth.Strategy"),
    ("Project/Auth/Strategy", "Project.Auth.Strategy"),
    ("Project::Auth::Strategy", "Project.Auth.Strategy"),
    ("Project > Auth > Strategy", "Project.Auth.Strategy"),
    ("  Project / Auth . Strategy  ", "Project.Auth.Strategy"),
    ("/Project/Auth/", "Project.Auth"),
    ("My Project.Code style", "My-Project.Code-style"),
    ("snake_case.kebab-case.v2", "snake_case.kebab-case.v2"),
    ("Projeto.Decisão.Ação", "Projeto.Decisão.Ação"),
    ("Projeto.Decisa\u0303o", "Projeto.Decisão"),
    ("項目.設計.決定", "項目.設計.決定"),
    ("परियोजना.निर्णय", "परियोजना.निर्णय"),
    ("١٢٣.مشروع", "١٢٣.مشروع"),
    (".".join("abcdefghij"), ".".join("abcdefghij")),
    ("a" * 255, "a" * 255),
]
REFUSED = [
    "",
    "   ",
    "/",
    ".",
    "A..B",
    ".A",
    "A.",
    "A//B",
    "A>B",
    "A:B",
    "A.B!",
    "A.B\u200bC",
    "A.B@C",
    "A.½",
    "A.²",
    "A.🙂",
    "../../etc/passwd",
    ".".join("abcdefghijk"),
    "a" * 256,
    # Longer than the limit in the form in which paths are compared.
    "ß" * 200,
]


@pytest.mark.parametrize(("raw", "shown"), WRITTEN)
def test_a_path_may_be_written_in_several_ways(raw: str, shown: str) -> None:
    assert path(raw).text == shown


@pytest.mark.parametrize("raw", REFUSED)
def test_what_is_no_path_is_refused(raw: str) -> None:
    with pytest.raises(PathError) as refusal:
        path(raw)

    assert "Project.Auth.Strategy" in refusal.value.hint


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Project.Auth", "project.auth"),
        ("Project.Auth", "PROJECT/AUTH"),
        ("Straße.Nord", "STRASSE.NORD"),
        ("Decisão.Ação", "DECISÃO.AÇÃO"),
    ],
)
def test_paths_are_compared_without_regard_to_case(first: str, second: str) -> None:
    assert path(first).key == path(second).key


@pytest.mark.parametrize(
    ("first", "second"), [("Project.Auth", "Project-Auth"), ("Acao.Um", "Ação.Um"), ("A.B", "AB")]
)
def test_other_letters_are_another_path(first: str, second: str) -> None:
    assert path(first).key != path(second).key


@given(st.text(max_size=400))
def test_any_text_is_a_path_that_stays_as_it_is_shown_or_is_refused(raw: str) -> None:
    try:
        read = path(raw)
    except PathError:
        return

    assert path(read.text) == read
    assert max(len(read.text), len(read.key)) <= MAX_LENGTH
    assert all(read.text.split("."))
