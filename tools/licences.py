"""List the licences of what the product runs with; fail for one that nobody has allowed.

Run by `make check`. The list of allowed ones is in pyproject.toml ([tool.pip-licenses]).
"""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# What `make run` installs; tools for checking ship with nobody's copy.
FILES = ("requirements.txt", "requirements-meaning.txt")


def main() -> int:
    shipped = sorted(closure([each for name in FILES for each in pinned(ROOT / name)]))
    command = [
        *(sys.executable, "-m", "piplicenses", "--order=license", "--format=plain-vertical"),
        *("--packages", *shipped),
    ]
    done = subprocess.run(  # noqa: S603  our own arguments
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.stderr.write(
            f"{done.stderr.strip()}\nAllow the licence in [tool.pip-licenses] of pyproject.toml, "
            "if people may be given it with the product, or take another package.\n"
        )
        return 1
    sys.stdout.write(f"{len(shipped)} packages that ship have licences that are allowed.\n")
    return 0


def pinned(path: Path) -> list[Requirement]:
    """Return the requirements of a file that hold on this machine."""
    found = []
    for line in path.read_text().splitlines():
        text = line.partition(" #")[0].strip()
        if not text or text.startswith(("#", "-")):
            continue
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate():
            found.append(requirement)
    return found


def closure(roots: list[Requirement]) -> set[str]:
    """Return the names of the packages and of all that they need, as far as they are installed."""
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = list(roots)
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        key = (name, ",".join(sorted(requirement.extras)))
        if key in seen:
            continue
        seen.add(key)
        try:
            needed = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        found.add(name)
        waiting += [each for text in needed if (each := _wanted(text, requirement))]
    return found


def _wanted(text: str, by: Requirement) -> Requirement | None:
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return None
    if requirement.marker is None:
        return requirement
    environment = {key: str(value) for key, value in default_environment().items()}
    extras = by.extras or {""}
    holds = any(requirement.marker.evaluate(environment | {"extra": extra}) for extra in extras)
    return requirement if holds else None


if __name__ == "__main__":
    sys.exit(main())
