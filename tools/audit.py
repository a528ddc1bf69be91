"""Ask whether a package that is installed has a known weakness.

Run by `make check`. Without a network that answers it says so and passes; what the answer is
about stands in pyproject.toml ([tool.audit]): weaknesses that do not concern this product.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS_FOR_ONE, SECONDS_FOR_ALL = 15, 90
SKIPPED = "The audit of packages was skipped: "


@dataclass(frozen=True, slots=True)
class Audit:
    """How many packages were looked up, and `name version: ids` of those with a weakness."""

    asked: int
    weak: Sequence[str]


def main() -> int:
    allowed = ["--ignore-vuln=" + each for each in _ignored()]
    try:
        # One package first: where the database can't be reached, that is known at once.
        if not _audit(["--requirement=/dev/stdin", "--no-deps", "--disable-pip"], SECONDS_FOR_ONE):
            return _skip("the database of weaknesses can't be reached from here.")
        audit = _audit(["--local", *allowed], SECONDS_FOR_ALL)
    except subprocess.TimeoutExpired:
        return _skip("the database of weaknesses answers too slowly.")
    if audit is None:
        return _skip("the database of weaknesses did not answer.")
    for line in audit.weak:
        sys.stderr.write(f"{line}\n")
    sys.stdout.write(f"{audit.asked} packages were audited, {len(audit.weak)} have a weakness.\n")
    return 1 if audit.weak else 0


def _skip(reason: str) -> int:
    sys.stdout.write(f"{SKIPPED}{reason}\n")
    return 0


def _audit(arguments: Sequence[str], seconds: int) -> Audit | None:
    """Run pip-audit; None when it could ask about nothing."""
    done = subprocess.run(  # noqa: S603  our own arguments
        [
            *(sys.executable, "-m", "pip_audit", "--format=json", "--progress-spinner=off"),
            *("--timeout=5", *arguments),
        ],
        input="django==5.2\n",
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    return read(done.stdout)


def read(output: str) -> Audit | None:
    """Return what pip-audit's JSON says; None when it could ask about nothing."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError):
        return None
    asked = [each for each in packages if "skip_reason" not in each]
    weak = [
        f"{each['name']} {each['version']}: {', '.join(found['id'] for found in each['vulns'])}"
        for each in asked
        if each["vulns"]
    ]
    return Audit(len(asked), weak) if asked else None


def _ignored() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    ignored: list[str] = settings["tool"]["audit"]["ignore"]
    return ignored


if __name__ == "__main__":
    sys.exit(main())
