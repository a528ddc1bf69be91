"""A terminal in which real clients run, at home in a folder of their own."""

import io
import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import pexpect

from tests.journeys.person import Person

# Titles and links (OSC) and colours (CSI) that programs write for terminals.
_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()=>].?"
)
# With what comes after it, or half of an address would do while the rest is on its way.
AUTHORISE = r"(https?://127\.0\.0\.1:\d+/authorize\?[^\s\x07\x1b\"'<>]+)[\s\x07\x1b\"'<>]"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that ended, with everything it printed."""

    code: int
    output: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """Runs commands found in `path`, with `home` as home and nothing else of this machine.

    Whatever they would ask of the internet goes to a closed port: a run needs no account, and
    tells nobody of itself.
    """

    home: Path
    path: Sequence[Path]
    settings: Mapping[str, str]

    @property
    def work(self) -> Path:
        """The folder that commands are run in."""
        folder = self.home / "work"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def environment(self) -> dict[str, str]:
        nowhere = dict.fromkeys(
            ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9"
        )
        local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([*map(str, self.path), "/usr/local/bin", "/usr/bin", "/bin"]),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            **nowhere,
            **local,
            **self.settings,
        }

    def run(
        self, *command: str, variables: Mapping[str, str] | None = None, seconds: float = 120
    ) -> Done:
        """Run a command without a terminal; `variables` are for this command only."""
        done = subprocess.run(
            command,
            check=False,
            cwd=self.work,
            env={**self.environment, **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            text=True,
        )
        return Done(done.returncode, plain(done.stdout))

    def sign_in(self, *command: str, person: Person, seconds: float = 90) -> Done:
        """Run a command that sends the person to the browser, and let the person allow it.

        The command gets a real terminal. What the browser is sent back to is asked for as a
        browser would, on the port that the command opened.
        """
        child = self.spawn(*command, seconds=seconds)
        child.logfile_read = printed = io.StringIO()
        try:
            child.expect(AUTHORISE)
            assert isinstance(child.match, re.Match)
            allow(person, child.match[1])
            child.expect(pexpect.EOF)
        except pexpect.ExceptionPexpect as error:
            raise AssertionError(
                f"{command} stopped short:\n{plain(printed.getvalue())}"
            ) from error
        finally:
            child.close(force=True)
        code = child.exitstatus if child.exitstatus is not None else -(child.signalstatus or 0)
        return Done(code, plain(printed.getvalue()))

    def spawn(self, *command: str, seconds: float = 90) -> "pexpect.spawn[str]":
        """Start a command under a terminal, for a dialogue; the caller closes it."""
        environment = self.environment
        child = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=str(self.work),
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=seconds,
            # Wide enough for an address on one line.
            dimensions=(50, 2000),
        )
        # A busy machine needs longer to end one than pexpect waits by itself.
        child.ptyproc.delayafterterminate = 2  # type: ignore[attr-defined]  # not in its stubs
        return child


def allow(person: Person, url: str) -> httpx.Response:
    """Do what a person does with an address that a client opens, up to the client's own page."""
    page = person.open(url)
    if "/sign-in" in str(page.url):
        person.sign_in()
        page = person.open(url)
    if "<form" in page.text and not person.sent_back_to:
        person.submit(page, allow="yes", access=person.access)
    target, person.sent_back_to = person.sent_back_to, ""
    assert target, page.text
    deadline = time.monotonic() + 20
    while True:
        try:
            return httpx.get(target, timeout=30, follow_redirects=True)
        except httpx.ConnectError:
            # Some print the address a moment before they listen.
            assert time.monotonic() < deadline, f"Nobody listens at {target}."
            time.sleep(0.1)


def plain(text: str) -> str:
    """Return what a person would read, without control sequences."""
    return _ESCAPES.sub("", text).replace("\r", "")
