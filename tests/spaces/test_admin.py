"""What operators see of spaces, and what they do not."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User
from memories.models import Memory, Recall
from memories.services.forgetting import forget_memory
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import agent_of, make_memory, make_space, make_user
from tests.operators import operator_browser, verified_browser

SPACES, MEMORIES = "/admin/spaces/space/", "/admin/memories/memory/"
SECRETIVE = "We deploy on Fridays at noon."


@pytest.fixture
def operator(db: None) -> Client:
    return operator_browser("root@example.org")


def staff_with(*permissions: str) -> Client:
    staff = make_user(is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return verified_browser(staff)


def figures(page: str, name: str) -> list[str]:
    """Return what the list says in the column of each row."""
    return [
        part.split(">", 1)[1].split("<")[0] for part in page.split(f'<td class="field-{name}"')[1:]
    ]


def test_operators_see_how_many_memories_a_space_has_and_in_which_state(
    operator: Client, space: Space
) -> None:
    make_memory(space)
    gone = make_memory(space, "Ana prefers tabs over spaces.", kind="preference", path="Style")
    forget_memory(space=space, actor=agent_of(space), memory_id=gone.pk)
    make_space()

    page = operator.get(SPACES).text

    assert sorted(figures(page, "active")) == ["0", "1"]
    assert sorted(figures(page, "forgotten")) == ["0", "1"]
    assert SECRETIVE not in page


def test_a_page_of_spaces_costs_as_much_as_one_space(operator: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert operator.get(SPACES).status_code == 200
        return len(captured)

    make_memory(make_space())
    one = queries()
    for _ in range(20):
        make_memory(make_space())

    assert queries() == one


def test_the_page_of_a_space_shows_its_figures_and_leads_to_no_memory(
    operator: Client, space: Space
) -> None:
    make_memory(space)

    page = operator.get(f"{SPACES}{space.pk}/change/")

    assert page.status_code == 200
    assert space.name in page.text
    assert f"apikey/?q={space.pk}" in page.text
    assert f"{MEMORIES}?" not in page.text
    assert SECRETIVE not in page.text


def test_spaces_are_neither_made_nor_changed_here(operator: Client, space: Space) -> None:
    answer = operator.post(f"{SPACES}{space.pk}/change/", {"name": "Mine now"})

    space.refresh_from_db()
    assert operator.get(f"{SPACES}add/").status_code == 403
    assert answer.status_code == 403
    assert space.name != "Mine now"


def test_a_superuser_deletes_a_space_with_all_that_is_in_it(operator: Client, space: Space) -> None:
    make_memory(space)

    operator.post(f"{SPACES}{space.pk}/delete/", {"post": "yes"})

    assert not Space.objects.filter(pk=space.pk).exists()
    with inside(space.pk):
        assert not Memory.objects.exists()


def test_staff_see_what_their_permissions_say_and_delete_nothing(space: Space) -> None:
    make_memory(space)
    with_rights = staff_with("view_space", "delete_space")

    listed = with_rights.get(SPACES)
    deleted = with_rights.post(f"{SPACES}{space.pk}/delete/", {"post": "yes"})

    assert figures(listed.text, "active") == ["1"]
    assert deleted.status_code == 403
    assert staff_with().get(SPACES).status_code == 403


def test_a_superuser_reads_no_memory_of_somebody_else(operator: Client, space: Space) -> None:
    memory = make_memory(space)

    page = operator.get(MEMORIES, {"q": str(space.pk)})

    assert page.status_code == 200
    assert SECRETIVE not in page.text
    assert str(memory.pk) not in page.text
    assert "belongs to the owner of the space" in page.text
    assert operator.get(f"{MEMORIES}{memory.pk}/change/").status_code == 302


def test_the_owner_of_a_space_who_operates_reads_it(db: None) -> None:
    owner = User.objects.create_superuser("owner@example.org")
    space, other = make_space(owner=owner), make_space()
    make_memory(space)
    make_memory(other, "Somebody else deploys on Mondays.")
    browser = verified_browser(owner)

    mine = browser.get(MEMORIES, {"q": str(space.pk)}).text
    theirs = browser.get(MEMORIES, {"q": str(other.pk)}).text

    assert SECRETIVE in mine
    assert "Mondays" not in theirs
    with inside(space):
        assert not Recall.objects.exists()


def test_a_setting_opens_memories_to_superusers_and_the_ledger_says_who_read(
    operator: Client, space: Space, settings: Settings
) -> None:
    settings.OPERATORS_READ_MEMORIES = True
    memory = make_memory(space)

    page = operator.get(MEMORIES, {"q": str(space.pk)})

    assert SECRETIVE in page.text
    with inside(space):
        line = Recall.objects.get()
    assert line.memory_id == memory.pk
    assert line.client_name == "Operator root@example.org"


def test_the_setting_opens_nothing_to_staff(space: Space, settings: Settings) -> None:
    settings.OPERATORS_READ_MEMORIES = True
    make_memory(space)

    page = staff_with("view_space", "view_memory").get(MEMORIES, {"q": str(space.pk)})

    assert page.status_code == 200
    assert SECRETIVE not in page.text


@pytest.mark.parametrize("address", [SPACES, MEMORIES])
def test_a_person_who_is_no_operator_stays_out(signed_in: Client, address: str) -> None:
    assert signed_in.get(address, follow=True).status_code == 403
