"""Nothing on a page hides, whatever lies in the rows; and nothing hidden is written."""

import pytest
from django.db import connection, models
from django.test import Client

from brain.lib.sanitising.unseen import with_hidden_shown, without_hidden
from mcp_gateway.models import Application
from memories.models import Memory, MemoryVersion
from memories.services.saving import Draft, save_memory
from spaces.isolation import inside
from spaces.services.closing import space_tables
from tests.factories import agent_of, make_space
from tests.mcp_gateway.oauth.flow import browser_of
from tests.security.test_hardening import ROUTES
from tests.security.victims import Victim, id_for, make_victim

# An override that turns the text around, a terminal's colour, a message in tags, a bell.
HIDDEN = "\u202e\x1b[31m\U000e0041\x07\u2066"
VISIBLE = "U+202E"
# What rules and other tables refer to, and what has no room for more.
KEPT = {"kind", "state", "author", "verb", "door", "question", "resolution", "operation", "stage"}


def disguise(victim: Victim) -> int:
    """Put hidden characters into every text of the space, past all services; return how many."""
    changed = 0
    with inside(victim.space), connection.cursor() as cursor:
        for model in space_tables():
            for field in _texts(model):
                table, column = model._meta.db_table, field.column
                limit = f"left({column} || %s, {field.max_length})" if field.max_length else ""
                cursor.execute(
                    f"update {table} set {column} = {limit or f'{column} || %s'} "
                    f"where {column} <> ''",
                    [HIDDEN],
                )
                changed += cursor.rowcount
    return changed


def _texts(model: type[models.Model]) -> list[models.Field[str, str]]:
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField)
        and not field.choices
        and not field.primary_key
        and field.name not in KEPT
        and not field.name.endswith(("_key", "sha256", "_code"))
        and field.name not in {"caller", "task_key", "reason"}
    ]


@pytest.fixture
def victim(db: None) -> Victim:
    victim = make_victim()
    assert disguise(victim) > 20
    victim.space.name += HIDDEN
    victim.space.description = HIDDEN
    victim.space.save()
    Application.objects.update(name=f"Goose{HIDDEN}")
    victim.user.name += HIDDEN
    victim.user.save()
    return victim


def test_no_page_shows_text_with_something_hidden_in_it(
    victim: Victim, subtests: pytest.Subtests
) -> None:
    browser = browser_of(victim.user)
    shown = 0
    for route in ROUTES:
        with subtests.test(route):
            answer = browser.get(_filled(route, victim))
            if answer.streaming:
                # To its end, or the file behind a download stays open.
                assert list(answer)
                continue
            if not answer.get("Content-Type", "").startswith("text/html"):
                continue
            text = answer.content.decode()
            assert without_hidden(text)[1] == 0
            shown += VISIBLE in text
    assert shown > 10


def _filled(route: str, victim: Victim) -> str:
    parts = []
    for part in route.split("/"):
        name = part.strip("<>").rpartition(":")[2]
        parts.append(id_for(name, victim) if part.startswith("<") else part)
    return "/".join(parts)


def test_the_list_says_which_character_it_was(victim: Victim) -> None:
    page = browser_of(victim.user).get(f"/spaces/{victim.space.pk}/memories/")

    assert page.status_code == 200
    assert VISIBLE in page.content.decode()


def test_what_is_written_has_nothing_hidden_in_any_field(db: None) -> None:
    space = make_space()
    draft = Draft(
        f"The key lies{HIDDEN} in the second drawer.",
        "decision",
        "House.Key",
        source=f"Ana{HIDDEN}",
        rationale=f"She said{HIDDEN} so",
    )

    saved = save_memory(space=space, actor=agent_of(space), draft=draft)

    with inside(space):
        rows = [
            *Memory.objects.filter(pk=saved.memory.pk).values(),
            *MemoryVersion.objects.of(saved.memory).values(),
        ]
    assert len(rows) == 2
    assert without_hidden(str([list(row.values()) for row in rows]))[1] == 0
    assert "\\u202e" not in repr(rows)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u202eb", "aU+202Eb"),
        ("a\x07b", "aU+0007b"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("नमस्ते 👩\u200d🚀", "नमस्ते 👩\u200d🚀"),
    ],
    ids=["plain", "override", "bell", "lines", "scripts-and-emoji"],
)
def test_a_hidden_character_is_shown_as_its_code(text: str, shown: str) -> None:
    assert with_hidden_shown(text) == shown


def test_a_refusal_page_hides_nothing_either(client: Client, db: None) -> None:
    page = client.get("/sign-in/", {"next": f"/{HIDDEN}"})

    assert without_hidden(page.content.decode())[1] == 0
