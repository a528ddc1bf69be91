"""No migration stops, or breaks, the processes of the release before (docs/upgrading.md)."""

from collections.abc import Mapping
from functools import cache

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from brain.management.upgrading.effects import Weight
from brain.management.upgrading.known import KNOWN
from brain.management.upgrading.pending import Judged, judged

_FIRST = "Part of the first release: nobody had rows or older processes then."
_PACKAGE = "Came with the first release in a package; a later one is looked at when it is updated."

# What is not safe, and why it may be so all the same. A new line needs a reason of its own: how
# the migration is applied, and what the release notes say of it.
ALLOWED: Mapping[tuple[str, str], str] = {
    ("memories", "0004_review_answers"): _FIRST,
    ("memories", "0006_undoing"): _FIRST,
    ("memories", "0007_vector_index"): _FIRST,
    ("memories", "0008_comparing"): _FIRST,
    ("memories", "0012_ids_within_spaces"): _FIRST,
    ("spaces", "0002_settings"): _FIRST,
}
PACKAGES = {
    "admin",
    "auth",
    "contenttypes",
    "sessions",
    "oauth2_provider",
    "otp_static",
    "otp_totp",
}
# The last migration of each package whose earlier ones came with the first release.
PACKAGES_UP_TO = {
    "admin": "0003_logentry_add_action_flag_choices",
    "auth": "0012_alter_user_first_name_max_length",
    "contenttypes": "0002_remove_content_type_name",
    "oauth2_provider": "0022_refreshtoken_token_family_index",
    "otp_static": "0003_add_timestamps",
    "otp_totp": "0003_add_timestamps",
    "sessions": "0001_initial",
}


@cache
def all_judged() -> Mapping[tuple[str, str], Judged]:
    """Judge every migration, in the order in which a new database gets them."""
    graph = MigrationLoader(None).graph
    keys = dict.fromkeys(
        key for leaf in sorted(graph.leaf_nodes()) for key in graph.forwards_plan(leaf)
    )
    found: dict[tuple[str, str], Judged] = {}
    state = ProjectState()
    for key in keys:
        # One at a time: a table of an earlier one has rows by the time of the next.
        (found[key],) = judged([graph.nodes[key]], state=state)
    return found


def refused(judged_one: Judged) -> bool:
    return any(not effect.is_safe for effect in judged_one.effects)


def test_every_migration_of_ours_is_safe_or_has_a_reason() -> None:
    ours = {key: each for key, each in all_judged().items() if key[0] not in PACKAGES}

    assert len(ours) > 20
    unsafe = {key: each.effects for key, each in ours.items() if refused(each)}
    assert {key: found for key, found in unsafe.items() if key not in ALLOWED} == {}


def test_no_reason_is_left_that_nothing_needs() -> None:
    needed = {key for key, each in all_judged().items() if refused(each)}

    assert set(ALLOWED) <= needed
    assert all(len(reason) > 20 for reason in ALLOWED.values())


def test_what_sql_does_is_said_in_words_wherever_no_rule_tells() -> None:
    silent = [
        key
        for key, each in all_judged().items()
        if key[0] not in PACKAGES and each.weight == Weight.UNKNOWN
    ]

    assert silent == []
    assert set(KNOWN) <= set(all_judged())


@pytest.mark.parametrize("app", sorted(PACKAGES))
def test_migrations_of_packages_are_those_of_the_first_release_or_safe(app: str) -> None:
    names = [name for each, name in all_judged() if each == app]

    later = names[names.index(PACKAGES_UP_TO[app]) + 1 :]

    assert [name for name in later if refused(all_judged()[app, name])] == []


def test_every_installed_app_is_judged() -> None:
    apps = {app for app, _name in all_judged()}

    assert apps == PACKAGES | {"accounts", "brain", "mcp_gateway", "memories", "spaces"}
