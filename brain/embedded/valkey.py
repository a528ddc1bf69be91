"""The embedded Valkey: broker, cache and channel layer on a socket that only we may open."""

import socket
import time

from brain.embedded.accounts import ServerAccount
from brain.embedded.binaries import valkey_server
from brain.embedded.children import Child, start_child
from brain.embedded.errors import EmbeddedError
from brain.embedded.folder import DataFolder

START_SECONDS = 30


class EmbeddedValkey:
    """The server of one data folder, a child of the process that starts it."""

    def __init__(self, folder: DataFolder, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.child: Child | None = None

    def start(self) -> Child:
        """Start the server and wait until it has read its file and answers."""
        self.folder.create()
        account = ServerAccount("this user")
        self.folder.logs.mkdir(mode=0o711, exist_ok=True)
        account.make_private_folder(self.folder.valkey)
        account.make_private_folder(self.folder.valkey_socket.parent)
        self._end_left_over()
        log = self.folder.logs / "valkey.log"
        self.child = start_child("valkey", self._command(), cwd=self.folder.valkey, quiet=True)
        deadline = time.monotonic() + START_SECONDS
        while not self.alive():
            if self.child.died() or time.monotonic() > deadline:
                self.stop()
                said = log.read_text(errors="replace")[-1000:] if log.exists() else ""
                raise EmbeddedError(f"Valkey did not start ({log}):\n{said.strip()}")
            time.sleep(0.01)
        return self.child

    def stop(self) -> None:
        """Stop the server; it writes what is queued to its file first."""
        if self.child is not None:
            self.child.stop(patience=10)
            self.child = None

    def alive(self) -> bool:
        """Tell whether the server answers and has finished loading."""
        return self.ask("PING").startswith("+PONG")

    def ask(self, command: str) -> str:
        """Return the answer to one short command as it is sent; "" when nobody answers."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(str(self.folder.valkey_socket))
                client.sendall(f"{command}\r\n".encode())
                return client.recv(4096).decode(errors="replace")
        except OSError:
            return ""

    def _end_left_over(self) -> None:
        # A supervisor that was killed can't stop its server, and not every system does it.
        deadline = time.monotonic() + START_SECONDS
        while self.ask("PING"):
            self.ask("SHUTDOWN")
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"A Valkey from earlier answers on {self.folder.valkey_socket} and doesn't "
                    "stop. End it and start again."
                )
            time.sleep(0.05)
        self.folder.valkey_socket.unlink(missing_ok=True)

    def _command(self) -> list[str]:
        return [
            str(valkey_server()),
            *("--port", "0"),
            *("--unixsocket", str(self.folder.valkey_socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(self.folder.valkey)),
            *("--logfile", str(self.folder.logs / "valkey.log")),
            *("--daemonize", "no"),
            *("--appendonly", "yes" if self.durable else "no"),
            *("--appendfsync", "everysec"),
            *("--save", ""),
            *("--maxmemory", "256mb"),
            # A full broker says so; it never throws away a queued job to make room.
            *("--maxmemory-policy", "noeviction"),
        ]
