"""The operating system's user that PostgreSQL runs as."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from brain.embedded.errors import EmbeddedError


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """Who the server runs as; `uid` is None when it runs as whoever starts it."""

    name: str
    uid: int | None = None
    gid: int | None = None

    def own(self, path: Path, *, mode: int) -> None:
        """Give `path` to this account, with these permissions."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)
        path.chmod(mode)

    def make_private_folder(self, path: Path) -> None:
        """Make a folder that only this account may enter; refuse one that somebody else made."""
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if path.is_symlink() or found.st_uid not in {os.geteuid(), self._owner()}:
            raise EmbeddedError(f"{path} belongs to somebody else. Remove it and start again.")
        self.own(path, mode=0o700)

    def can_enter(self, folder: Path) -> bool:
        """Tell whether this account may pass through `folder` and everything above it."""
        return all(self._may_pass(each) for each in (folder, *folder.parents))

    def _may_pass(self, folder: Path) -> bool:
        found = folder.stat()
        if found.st_uid == self._owner():
            return bool(found.st_mode & 0o100)
        return bool(found.st_mode & (0o010 if found.st_gid == self.gid else 0o001))

    def _owner(self) -> int:
        return os.geteuid() if self.uid is None else self.uid


def server_account() -> ServerAccount:
    """Choose the account: the one who starts it, or for root an ordinary one of this machine."""
    if os.geteuid() != 0:
        return ServerAccount("this user")
    wanted = os.environ.get("BRAIN_PG_USER")
    for name in [wanted] if wanted else ["postgres", "nobody"]:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        if found.pw_uid != 0:
            return ServerAccount(name, uid=found.pw_uid, gid=found.pw_gid)
    raise EmbeddedError(
        "PostgreSQL doesn't run as root and there is no user to run it as. "
        "Set BRAIN_PG_USER to an ordinary user of this machine."
    )
