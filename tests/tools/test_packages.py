"""What `make check` says of packages: their weaknesses and their licences."""

import json
import subprocess
import sys
from collections.abc import Mapping

import pytest
from packaging.requirements import Requirement

from tools import audit, licences


def said(*packages: Mapping[str, object]) -> str:
    return json.dumps({"dependencies": packages})


GOOD = {"name": "good", "version": "1.0", "vulns": []}
WEAK = {"name": "weak", "version": "0.9", "vulns": [{"id": "CVE-2026-1"}, {"id": "PYSEC-2"}]}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found on PyPI"}


def test_a_weak_package_is_named_with_its_weaknesses() -> None:
    found = audit.read(said(GOOD, WEAK, UNKNOWN))

    assert found == audit.Audit(asked=2, weak=["weak 0.9: CVE-2026-1, PYSEC-2"])


@pytest.mark.parametrize("output", [said(UNKNOWN), said(), "", "not json"])
def test_where_nothing_was_asked_nothing_counts_as_audited(output: str) -> None:
    assert audit.read(output) is None


def test_an_audit_that_takes_too_long_is_skipped_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "SECONDS_FOR_ONE", 0.001)

    assert audit.main() == 0
    assert capsys.readouterr().out == (
        "The audit of packages was skipped: the database of weaknesses answers too slowly.\n"
    )


def test_what_a_package_needs_ships_too_and_tools_do_not() -> None:
    shipped = licences.closure(
        [each for name in licences.FILES for each in licences.pinned(licences.ROOT / name)]
    )

    assert {"django", "asgiref", "psycopg-binary", "psycopg-pool", "oauthlib"} <= shipped
    assert not {"pytest", "ruff", "djlint", "codespell"} & shipped


def test_extras_that_nobody_asked_for_do_not_ship() -> None:
    plain = licences.closure([Requirement("psycopg")])
    asked = licences.closure([Requirement("psycopg[binary]")])

    assert "psycopg-binary" not in plain
    assert "psycopg-binary" in asked


def test_a_licence_that_nobody_allowed_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "piplicenses", "--packages", "djlint"],
        cwd=licences.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "GPL-3.0-or-later" in done.stderr
