"""`manage.py create_space`."""

import json

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from spaces.models import Space
from tests.factories import make_space, make_user

pytestmark = pytest.mark.django_db


def test_it_makes_account_and_space(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_space", "Ana@Example.org", "Robots", "--language", "pt")

    space = Space.objects.get()
    assert (space.owner.email, space.name, space.language) == ("ana@example.org", "Robots", "pt")
    said = capsys.readouterr()
    assert str(space.pk) in said.out
    assert space.mcp_url in said.out
    assert said.err == ""


def test_an_account_that_is_there_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    ana = make_user("ana@example.org")

    call_command("create_space", "ana@example.org", "Robots")

    assert Space.objects.get().owner == ana


def test_json_is_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_space", "ana@example.org", "Robots", "--json")

    space = Space.objects.get()
    said = capsys.readouterr()
    assert json.loads(said.out) == {"id": str(space.pk), "url": space.mcp_url}
    assert said.out.count("\n") == 1
    assert said.err == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody", "Robots"], "not an e-mail address"),
        (["ana@example.org", " "], "needs a name"),
        (["ana@example.org", "Robots", "--language", "tlh"], "language is not known"),
        (["ana@example.org", "x" * 100], "limit is 80"),
    ],
)
def test_a_refusal_is_one_sentence_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence) as refusal:
        call_command("create_space", *arguments, "--json")

    assert refusal.value.returncode == 1
    assert "\n" not in str(refusal.value)
    assert capsys.readouterr().out == ""
    assert not Space.objects.exists()
    assert not User.objects.exists()


def test_the_limit_of_spaces_holds_here_too() -> None:
    owner = make_user()
    for _ in range(5):
        make_space(owner=owner)

    with pytest.raises(CommandError, match="up to 5 spaces"):
        call_command("create_space", owner.email, "Sixth")
