"""Text that looks like another: confusables, hidden and reversed characters, in names and paths."""

import unicodedata

import pytest
from django.urls import reverse

from brain.lib.errors import DomainError
from memories.models import Memory
from memories.rules.paths import path
from spaces.isolation import inside
from spaces.models import Space
from spaces.services.creating import SpaceDetails, create_space
from tests.factories import make_actor, make_memory
from tests.mcp_gateway.oauth.flow import browser_of, register
from tests.tally import Tally

pytestmark = pytest.mark.usefixtures("unlimited")

REVERSED = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x2070))]
HIDDEN = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\u3164",
          "\uffa0", "\u115f", "\u17b4", "\ufe0f", "\U000e0041", "\U000e0100", "\x00", "\x1b", "\x7f", "\x85"]  # fmt: skip
# Each spells "Project" to the eye; none of them is the word.
CONFUSABLE = ["Рroject", "Prоject", "Proјect", "Ρroject", "𝐏roject", "Ｐroject", "Prοject"]


@pytest.mark.parametrize("char", [*REVERSED, *HIDDEN], ids=lambda char: f"U+{ord(char):04X}")
def test_no_path_has_a_character_that_nobody_sees(space: Space, char: str) -> None:
    """Refused, or taken out before it is stored; but never a second path that looks like the first."""
    plain = make_memory(space, path="Project.Auth")
    try:
        disguised = make_memory(space, "Another fact at that path.", path=f"Pro{char}ject.Auth")
    except DomainError:
        return

    assert disguised.path_key == plain.path_key
    assert disguised.path.isprintable()


@pytest.mark.parametrize("word", CONFUSABLE, ids=ascii)
def test_a_letter_that_looks_alike_is_another_path_and_not_found_below_the_first(
    space: Space, word: str
) -> None:
    """Letters of any script are allowed; what matters is that neither passes for the other."""
    make_memory(space, "The real one is here.", path="Project.Auth")
    disguised = make_memory(space, "The disguised one is here.", path=f"{word}.Auth")

    with inside(space):
        below = set(Memory.objects.at_or_below("project").values_list("pk", flat=True))

    is_same = unicodedata.normalize("NFC", word).casefold() == "project"
    assert (disguised.pk in below) == is_same


@pytest.mark.parametrize(
    "raw",
    ["..", "a..b", ".", "/", "//", "a//b", "::", "a:::b", " > ", "a/../b", "../../etc/passwd",
     "a\\b", "a%2fb", "a;b", "a|b", "$(id)", "`id`", "<a>", "a'b", 'a"b', "a=b", "=1+1", "@a", "a#b",
     "a?b", "a*b", "a%b", "a\tb\x0bc", ".".join("a" * 11), "a" * 256, "ß" * 128],
    ids=ascii,
)  # fmt: skip
def test_what_is_no_path_is_refused_in_words_or_becomes_a_plain_one(raw: str) -> None:
    try:
        read = path(raw)
    except DomainError:
        return

    assert all(char.isalnum() or char in "._-" for char in read.text)
    assert ".." not in read.text


@pytest.mark.parametrize("char", REVERSED + HIDDEN[:9], ids=lambda char: f"U+{ord(char):04X}")
def test_no_name_on_a_page_turns_its_neighbours_around(
    space: Space, char: str, tried: Tally
) -> None:
    name = f"Bank{char}gpj.exe"
    made = create_space(actor=make_actor(space.owner), details=SpaceDetails(name))
    answer = register(client_name=name)
    tried.add(2)

    page = browser_of(space.owner).get(reverse("spaces:list")).content.decode()

    assert char not in answer.json()["client_name"]
    if char in REVERSED:
        assert char not in made.name
        assert char not in page


def test_two_spaces_with_names_that_look_the_same_are_told_apart_by_their_address(
    space: Space,
) -> None:
    actor = make_actor(space.owner)
    one = create_space(actor=actor, details=SpaceDetails("Work"))
    two = create_space(actor=actor, details=SpaceDetails("Wоrk"))

    page = browser_of(space.owner).get(reverse("spaces:list")).content.decode()

    assert str(one.pk) in page
    assert str(two.pk) in page
