"""The data folder: where everything of an embedded installation lies."""

import contextlib
import hashlib
import json
import os
import secrets
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from brain.embedded.errors import EmbeddedError

# AF_UNIX allows 103 bytes on macOS and 107 on Linux; the longest name inside has 15.
LONGEST_SOCKET_FOLDER = 85
# False in processes that only look, such as the doctor: then missing secrets are made up.
may_write: ContextVar[bool] = ContextVar("may_write", default=True)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The passwords and keys of one installation, made once at random."""

    postgres: str = field(repr=False)
    brain_owner: str = field(repr=False)
    brain_app: str = field(repr=False)
    secret_key: str = field(repr=False)


def default_root() -> Path:
    """Return where data lies unless BRAIN_DATA_DIR says otherwise."""
    if os.geteuid() == 0:
        # PostgreSQL never runs as root, and another user can't look below /root.
        return Path("/var/lib/agents-brain")
    return Path.home() / ".local" / "share" / "agents-brain"


@dataclass(frozen=True, slots=True)
class DataFolder:
    """One data folder; making it or reading its secrets starts nothing."""

    root: Path

    def __post_init__(self) -> None:
        """Keep the absolute path, so that a change of directory changes nothing."""
        object.__setattr__(self, "root", self.root.expanduser().absolute())

    @property
    def pgdata(self) -> Path:
        return self.root / "pgdata"

    @property
    def run(self) -> Path:
        """Return the folder of PostgreSQL's socket, which only its own user may enter."""
        return self._socket_folder("run")

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def valkey_socket(self) -> Path:
        return self._socket_folder("valkey") / "valkey.sock"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets.json"

    def create(self) -> None:
        """Make the folder unless it is there; never touch its parents or what it holds."""
        fresh = not self.root.exists()
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            if fresh and os.geteuid() == 0:
                # The server's user must pass through; only what it owns inside is open to it.
                self.root.chmod(0o711)
        except OSError as error:
            raise EmbeddedError(
                f"The data folder {self.root} can't be made ({error.strerror}). "
                "Set BRAIN_DATA_DIR to a folder that this user may write to."
            ) from error

    def credentials(self) -> Credentials:
        """Return the secrets of this installation; make the folder and them when missing."""
        try:
            if not self.secrets.exists():
                made = self._make_secrets()
                if not may_write.get():
                    return made
            values = json.loads(self.secrets.read_text())
            return Credentials(**{each.name: values[each.name] for each in fields(Credentials)})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EmbeddedError(
                f"{self.secrets} can't be used ({error}). Run as the user who owns the data "
                "folder, or restore the file from a backup; without it the database stays locked."
            ) from error

    def _make_secrets(self) -> Credentials:
        if self.pgdata.exists():
            raise FileNotFoundError("it is missing beside an existing database")
        made = Credentials(**{each.name: secrets.token_urlsafe(32) for each in fields(Credentials)})
        if not may_write.get():
            return made
        self.create()
        draft = self.root / f".secrets.{os.getpid()}.{secrets.token_hex(4)}"
        with open(draft, "x", opener=_private) as file:
            json.dump(asdict(made), file)
        # A link appears whole and never replaces: of two first starts, one set of secrets stays.
        with contextlib.suppress(FileExistsError):
            self.secrets.hardlink_to(draft)
        draft.unlink()
        return made

    def _socket_folder(self, name: str) -> Path:
        inside = self.root / name
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_FOLDER:
            return inside
        # Not gettempdir(): a process with another TMPDIR has to find the same socket.
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:12]
        return Path("/tmp") / f"brain-{digest}-{name}"  # noqa: S108


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
