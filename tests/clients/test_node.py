"""How clients get here: once, whole or not at all. Needs no npm itself."""

import json
from pathlib import Path

import pytest

from tests.clients import node, results

INSTALLS = 'mkdir -p "$3/node_modules/.bin"; echo "$@" >> "$0.log"'


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which commands are found; clients go beside it."""
    folder = tmp_path / "commands"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(node, "ROOT", tmp_path / "clients")
    return folder


def npm(commands: Path, script: str) -> None:
    (commands / "npm").write_text(f"#!/bin/sh\n{script}\n")
    (commands / "npm").chmod(0o755)


def test_a_package_is_asked_for_once_and_by_its_version(commands: Path) -> None:
    npm(commands, INSTALLS)

    first = node.install("@some/client", "1.2.3", "beside@4.5.6")
    second = node.install("@some/client", "1.2.3", "beside@4.5.6")

    (asked,) = (commands / "npm.log").read_text().splitlines()
    assert first == second
    assert first.is_dir()
    assert asked.endswith("@some/client@1.2.3 beside@4.5.6")


def test_another_version_lies_beside_the_first(commands: Path) -> None:
    npm(commands, INSTALLS)

    assert node.install("client", "1.0.0") != node.install("client", "1.0.1")


def test_an_installation_that_fails_leaves_nothing_that_looks_whole(commands: Path) -> None:
    npm(commands, 'mkdir -p "$3/node_modules/.bin"; exit 1')

    with pytest.raises(pytest.fail.Exception, match=r"npm could not install client@1\.0\.0"):
        node.install("client", "1.0.0")

    assert list(node.ROOT.iterdir()) == []


def test_without_npm_a_sentence_says_what_to_do(
    commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(commands))

    with pytest.raises(pytest.fail.Exception, match="apt install npm"):
        node.install("client", "1.0.0")


def test_columns_of_one_version_add_up_and_another_version_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "FILE", tmp_path / "clients" / "results.json")

    results.record("One", "1.0", sign_in=results.YES)
    results.record("One", "1.0", call=results.YES)
    results.record("Two", "1.0", sign_in="It has no browser.")
    results.record("Two", "1.1", call=results.YES)

    assert json.loads(results.FILE.read_text()) == {
        "One": {"version": "1.0", "sign_in": "yes", "call": "yes"},
        "Two": {"version": "1.1", "call": "yes"},
    }
