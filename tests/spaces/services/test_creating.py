"""Making, renaming and describing spaces."""

from functools import partial
from uuid import UUID

import pytest
from django.db import IntegrityError
from pytest_django import Settings

from accounts.actors import Actor
from accounts.addresses import EmailAddressError
from accounts.models import User
from brain.lib.errors import DomainError, NotFoundError
from brain.lib.text import TooLongError, UnreadableTextError
from spaces.models import Space
from spaces.services.creating import (
    SpaceDetails,
    SpaceLimitError,
    SpaceNameError,
    change_space,
    create_space,
    create_space_for,
)
from tests.factories import make_actor, make_space, make_user
from tests.races import at_once


def test_a_space_is_made_with_what_was_said_of_it(actor: Actor) -> None:
    details = SpaceDetails("  My   website ", "Only decisions.", "pt")

    space = create_space(actor=actor, details=details)

    kept = Space.objects.get(pk=space.pk)
    assert (kept.name, kept.description, kept.language) == ("My website", "Only decisions.", "pt")
    assert kept.owner == actor.user
    assert str(kept) == "My website"


def test_its_id_is_random_and_part_of_its_address(space: Space, settings: Settings) -> None:
    assert isinstance(space.pk, UUID)
    assert space.pk.version == 4
    assert space.mcp_url == f"{settings.PUBLIC_URL}/mcp/{space.pk}"


@pytest.mark.parametrize(
    ("details", "error"),
    [
        (SpaceDetails(""), SpaceNameError),
        (SpaceDetails(" \t "), SpaceNameError),
        (SpaceDetails("\u200b\u2060"), SpaceNameError),
        (SpaceDetails("a" * 81), TooLongError),
        (SpaceDetails("a\ud800b"), UnreadableTextError),
        (SpaceDetails("Fine", "x" * 1001), TooLongError),
        (SpaceDetails("Fine", "x\ud800"), UnreadableTextError),
        (SpaceDetails("Fine", language="tlh"), SpaceNameError),
    ],
)
def test_what_can_not_be_shown_is_refused(
    actor: Actor, details: SpaceDetails, error: type[DomainError]
) -> None:
    with pytest.raises(error):
        create_space(actor=actor, details=details)

    assert not Space.objects.exists()


def test_a_name_is_taken_once_per_account_whatever_its_case(actor: Actor) -> None:
    create_space(actor=actor, details=SpaceDetails("Website"))

    with pytest.raises(SpaceNameError, match="already"):
        create_space(actor=actor, details=SpaceDetails("WEBSITE"))

    assert create_space(actor=make_actor(), details=SpaceDetails("Website")).name == "Website"


def test_an_account_has_up_to_five_spaces(user: User) -> None:
    for _ in range(5):
        make_space(owner=user)

    with pytest.raises(SpaceLimitError, match="up to 5 spaces"):
        make_space(owner=user)

    assert Space.objects.of(user).count() == 5


def test_an_account_that_is_gone_gets_no_space(user: User) -> None:
    actor = Actor(User.objects.get(pk=user.pk), "dashboard")
    user.delete()

    with pytest.raises(NotFoundError):
        create_space(actor=actor, details=SpaceDetails("Late"))


def test_a_space_is_renamed_and_keeps_its_address(space: Space) -> None:
    before = space.mcp_url

    change_space(space=space, details=SpaceDetails("Renamed", "What it is.", "pt"))

    kept = Space.objects.get(pk=space.pk)
    assert (kept.name, kept.description, kept.language) == ("Renamed", "What it is.", "pt")
    assert kept.mcp_url == before


def test_a_space_may_change_the_case_of_its_own_name(space: Space) -> None:
    change_space(space=space, details=SpaceDetails(space.name.upper()))

    assert Space.objects.get().name == space.name.upper()


def test_a_space_is_not_renamed_to_the_name_of_another(space: Space, user: User) -> None:
    make_space(owner=user, name="Taken")

    with pytest.raises(SpaceNameError):
        change_space(space=space, details=SpaceDetails("taken"))

    assert Space.objects.get(pk=space.pk).name != "taken"


def test_the_command_makes_account_and_space_together_or_neither(db: None) -> None:
    space = create_space_for("Ana@Example.org", details=SpaceDetails("Robots"))
    assert space.owner.email == "ana@example.org"
    assert not space.owner.has_usable_password()

    assert create_space_for("ana@example.org", details=SpaceDetails("More")).owner == space.owner
    with pytest.raises(SpaceNameError):
        create_space_for("new@example.org", details=SpaceDetails(""))
    with pytest.raises(EmailAddressError):
        create_space_for("nobody", details=SpaceDetails("Fine"))

    assert User.objects.count() == 1


def test_the_database_wants_a_name(user: User) -> None:
    with pytest.raises(IntegrityError, match="space_has_a_name"):
        Space.objects.create(owner=user, name="")


@pytest.mark.django_db(transaction=True)
def test_twenty_spaces_made_at_once_are_five() -> None:
    user = make_user()

    answers = at_once(partial(make_space, owner=user), times=20)

    assert sum(isinstance(answer, Space) for answer in answers) == 5
    assert sum(isinstance(answer, SpaceLimitError) for answer in answers) == 15
    assert Space.objects.of(user).count() == 5


@pytest.mark.django_db(transaction=True)
def test_the_same_name_said_at_once_is_taken_once() -> None:
    user = make_user()

    answers = at_once(partial(make_space, owner=user, name="Website"), times=4)

    assert sum(isinstance(answer, Space) for answer in answers) == 1
    assert sum(isinstance(answer, SpaceNameError) for answer in answers) == 3
