"""What a person chooses about the pages."""

import zoneinfo
from dataclasses import replace

import pytest

from accounts.models import User
from accounts.services.changing import Profile, ProfileError, change_profile, time_zones
from brain.lib.text import TooLongError, UnreadableTextError

CHOSEN = Profile("Ana", "pt-br", "America/Sao_Paulo", "dark", has_shortcuts=False)


def test_choices_are_kept(user: User) -> None:
    change_profile(user=user, profile=replace(CHOSEN, name="  Ana   Souza "))

    kept = User.objects.get(pk=user.pk)
    assert (kept.name, kept.language, kept.time_zone) == (
        "Ana Souza",
        "pt-br",
        "America/Sao_Paulo",
    )
    assert (kept.theme, kept.has_shortcuts) == ("dark", False)
    assert user.name == "Ana Souza"


def test_no_name_is_fine(user: User) -> None:
    change_profile(user=user, profile=replace(CHOSEN, name=" "))

    assert User.objects.get(pk=user.pk).name == ""


@pytest.mark.parametrize(
    "profile",
    [
        replace(CHOSEN, language="tlh"),
        replace(CHOSEN, language=""),
        replace(CHOSEN, time_zone="Mars/Olympus"),
        replace(CHOSEN, time_zone="../../etc/passwd"),
        replace(CHOSEN, time_zone=""),
        replace(CHOSEN, theme="pink"),
    ],
)
def test_what_is_not_offered_is_refused_and_nothing_changes(user: User, profile: Profile) -> None:
    with pytest.raises(ProfileError):
        change_profile(user=user, profile=profile)

    assert User.objects.get(pk=user.pk).language == "en"


def test_a_name_is_readable_and_not_too_long(user: User) -> None:
    with pytest.raises(TooLongError):
        change_profile(user=user, profile=replace(CHOSEN, name="a" * 81))
    with pytest.raises(UnreadableTextError):
        change_profile(user=user, profile=replace(CHOSEN, name="Ana\ud800"))


def test_every_time_zone_on_offer_exists() -> None:
    offered = time_zones()

    assert offered[0] == "UTC"
    assert "America/Sao_Paulo" in offered
    assert all(zoneinfo.ZoneInfo(name) for name in offered)
