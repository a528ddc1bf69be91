import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from brain.embedded.cluster import living_processes_in, server_is_running
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres
from tests.cluster import new_folder, remove

USE_IT = """
import sys; from pathlib import Path; from brain.embedded.folder import DataFolder
from brain.embedded.postgres import EmbeddedPostgres; import psycopg
postgres = EmbeddedPostgres(DataFolder(Path(sys.argv[1])), durable=False)
started = postgres.acquire()
with psycopg.connect(**postgres.parameters()) as connection:
    print(started, connection.execute("select current_user").fetchone()[0], flush=True)
sys.stdin.readline()
print(postgres.release())
"""
Run = Callable[..., subprocess.Popen[str]]


def connect(parameters: dict[str, str]) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(make_conninfo("", **parameters), autocommit=True)


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def server_pid(folder: DataFolder) -> int:
    return int((folder.pgdata / "postmaster.pid").read_text().split("\n", 1)[0])


def make_notes(postgres: EmbeddedPostgres) -> None:
    with connect(postgres.parameters("brain_owner")) as connection:
        connection.execute("create table note (body text unique, check (body <> 'bad'))")


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedPostgres]:
    """Return a server for the tests that only use it; its first start is like any other."""
    folder = new_folder()
    made = EmbeddedPostgres(folder, durable=False)
    made.acquire()
    make_notes(made)
    yield made
    remove(folder, made)


def test_the_first_start_makes_what_the_product_needs(server: EmbeddedPostgres) -> None:
    with connect(server.parameters("postgres")) as connection:
        roles = connection.execute(
            "select rolname, rolsuper, rolbypassrls, rolcreatedb, rolcanlogin from pg_roles "
            "where rolname like 'brain%' order by rolname"
        ).fetchall()
        found = connection.execute("select extname from pg_extension").fetchall()
        settings = connection.execute(
            "select current_setting('listen_addresses'), current_setting('server_encoding'), "
            "datlocprovider, datlocale, pg_get_userbyid(datdba), "
            "lower('ÇÃO'), 'Decisões' ilike 'DECISÕES' "
            "from pg_database where datname = current_database()"
        ).fetchone()
    assert roles == [
        ("brain_app", False, False, False, True),
        ("brain_owner", False, False, True, True),
    ]
    assert {name for (name,) in found} >= {"vector", "pg_trgm", "unaccent", "btree_gin"}
    assert settings == ("", "UTF8", "b", "C.UTF-8", "brain_owner", "ção", True)


def test_the_application_uses_the_owners_tables_and_changes_none(
    server: EmbeddedPostgres,
) -> None:
    with connect(server.parameters()) as connection:
        connection.execute("insert into note values ('kept')")
        for forbidden in ("create table mine ()", "drop table note", "truncate note"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)


def test_what_people_wrote_never_reaches_the_servers_log(server: EmbeddedPostgres) -> None:
    with connect(server.parameters()) as connection:
        for _ in range(2):
            connection.execute(
                "insert into note values ('told in confidence') on conflict do nothing"
            )
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("insert into note values ('told in confidence')")
        with pytest.raises(psycopg.errors.SyntaxError):
            connection.execute("told in confidence")

    log = (server.folder.logs / "postgres.log").read_text()
    assert "told in confidence" not in log
    assert "duplicate key" in log


def test_passwords_are_asked_for(server: EmbeddedPostgres) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        connect(server.parameters() | {"password": "guess"})


def test_the_last_user_stops_it_whoever_started_it(
    folder: DataFolder, postgres: EmbeddedPostgres
) -> None:
    other = EmbeddedPostgres(folder, durable=False)

    assert postgres.acquire() is True
    assert other.acquire() is False
    assert postgres.release() is False
    assert other.alive()
    assert other.release() is True
    assert not other.alive()
    assert not server_is_running(folder)


def test_a_second_start_finds_everything_as_it_was(postgres: EmbeddedPostgres) -> None:
    postgres.acquire()
    make_notes(postgres)
    postgres.release()

    cold = postgres.acquire()

    assert cold
    with connect(postgres.parameters()) as connection:
        assert connection.execute("select count(*) from note").fetchone() == (0,)


def test_two_first_starts_at_once_make_one_cluster(folder: DataFolder, run_python: Run) -> None:
    processes = [run_python(USE_IT, folder.root) for _ in range(2)]

    first = sorted(first_line(process) for process in processes)
    last = sorted(process.communicate("\n")[0].strip() for process in processes)

    assert first == ["False brain_app", "True brain_app"]
    assert last == ["False", "True"]
    assert not server_is_running(folder)


def test_a_server_that_outlived_its_user_is_adopted(
    folder: DataFolder, postgres: EmbeddedPostgres, run_python: Run
) -> None:
    user = run_python(USE_IT, folder.root)
    first_line(user)
    user.kill()
    user.wait()

    cold = postgres.acquire()

    assert not cold
    assert postgres.release() is True


def test_acknowledged_rows_survive_the_kill_of_the_server(folder: DataFolder) -> None:
    postgres = EmbeddedPostgres(folder)
    postgres.acquire()
    make_notes(postgres)
    with connect(postgres.parameters()) as connection:
        connection.execute("insert into note values ('acknowledged')")
    os.kill(server_pid(folder), signal.SIGKILL)
    next_user = EmbeddedPostgres(folder)

    cold = next_user.acquire()

    assert cold
    with connect(next_user.parameters()) as connection:
        assert connection.execute("select body from note").fetchall() == [("acknowledged",)]
    assert postgres.release() is False
    assert next_user.release() is True


def test_a_lock_file_with_the_number_of_another_program_does_not_block(
    folder: DataFolder, postgres: EmbeddedPostgres
) -> None:
    postgres.acquire()
    lock = (folder.pgdata / "postmaster.pid").read_text()
    postgres.release()
    stale = folder.pgdata / "postmaster.pid"
    # As after a reboot: the number of the old server belongs to somebody else now.
    stale.write_text(re.sub(r"\A\d+", str(os.getppid()), lock))

    cold = postgres.acquire()

    assert cold
    assert server_pid(folder) != os.getppid()


def test_half_a_cluster_is_made_again(folder: DataFolder, postgres: EmbeddedPostgres) -> None:
    half = folder.root / "pgdata.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")

    postgres.acquire()

    assert postgres.alive()
    assert not half.exists()


def test_a_cluster_of_another_release_is_left_alone(
    folder: DataFolder, postgres: EmbeddedPostgres
) -> None:
    folder.credentials()
    folder.pgdata.mkdir()
    (folder.pgdata / "PG_VERSION").write_text("15\n")

    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 15.*pg_dump"):
        postgres.acquire()

    assert [each.name for each in folder.pgdata.iterdir()] == ["PG_VERSION"]


def test_secrets_of_another_database_are_explained(
    folder: DataFolder, postgres: EmbeddedPostgres
) -> None:
    postgres.acquire()
    postgres.release()
    right = folder.secrets.read_text()
    password = folder.credentials().postgres
    folder.secrets.write_text(right.replace(password, password[::-1]))

    with pytest.raises(EmbeddedError, match=r"doesn't belong to this database"):
        postgres.acquire()

    folder.secrets.write_text(right)


@pytest.fixture
def deep_folder(folder: DataFolder) -> Iterator[DataFolder]:
    made = DataFolder(folder.root / ("x" * 60) / ("y" * 60))
    made.root.parent.mkdir(mode=0o711)
    yield made
    remove(made, EmbeddedPostgres(made, durable=False))


def test_it_runs_in_a_folder_too_deep_for_a_socket(deep_folder: DataFolder) -> None:
    postgres = EmbeddedPostgres(deep_folder, durable=False)

    postgres.acquire()

    with connect(postgres.parameters()) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    assert postgres.release() is True


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as somebody else")
def test_a_folder_below_a_closed_one_is_explained_and_nothing_is_opened(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)

    with pytest.raises(EmbeddedError, match=r"can't reach .*closed.*/var/lib/agents-brain"):
        EmbeddedPostgres(DataFolder(closed / "data")).acquire()

    assert closed.stat().st_mode & 0o777 == 0o700


def test_processes_are_found_by_the_folder_they_work_in(tmp_path: Path) -> None:
    working = subprocess.Popen(["sleep", "60"], cwd=tmp_path)

    found = living_processes_in(tmp_path, default=0)

    working.kill()
    working.wait()
    assert found == {working.pid}
    assert living_processes_in(tmp_path, default=0) == set()
