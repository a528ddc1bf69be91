"""Measure a mixed load: `make bench-load`, or python -m bench.load --help.

Agents call search, save, revise and resume through HTTP and MCP with OAuth tokens, a bounded
number at a time, in many spaces. With `--before COMMIT` the code of that commit runs beside the
present one, each on data services of its own, and both answer the same calls in turn, so that
their figures can be divided. CPU is the kernel's account of each process.
"""

import argparse
import io
import itertools
import json
import subprocess
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.growth.texts import Texts
from bench.load import report, stacks
from bench.load.accounting import spent
from bench.load.agents import MIX, Agents, Outcome
from bench.load.flame import picture
from tests.cluster import forget_environment
from tests.faults.deployment import CODE, Deployment, Plan, deployed
from tools.multi.proofs import database, queued

FILLING = Path(__file__).with_name("filling.py")
SETTLES_WITHIN = 120
# More than a process remembers the vectors of.
QUESTIONS = 5000
# Older code takes the variable that Celery's command line sets for somebody's mistake.
_SETTINGS_FIRST = (
    "import brain.settings, sys; from celery.__main__ import main; sys.argv[0] = 'celery'; main()"
)


@dataclass
class Side:
    """A version of the code, deployed and filled, with what was measured on it."""

    name: str
    deployment: Deployment
    agents: Agents
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    cpu: dict[int, Counter[str]] = field(default_factory=dict)

    def block(self, webs: int, *, calls: int, clients: int) -> None:
        """Make calls to so many of its web servers, and wait for the jobs that they cause."""
        before = spent(self.deployment)
        outcome = self.agents.call(self.deployment.ports[:webs], calls=calls, clients=clients)
        settle(self.deployment)
        after = spent(self.deployment)
        self.outcomes.setdefault(webs, Outcome()).add(outcome)
        self.cpu.setdefault(webs, Counter()).update(
            {part: after[part] - before[part] for part in after}
        )


def main() -> None:
    chosen = _arguments()
    forget_environment()
    with ExitStack() as stack:
        sides = [stack.enter_context(_side("now", CODE, chosen))]
        if chosen.before:
            old = stack.enter_context(_code_of(chosen.before))
            sides.append(stack.enter_context(_side("before", old, chosen)))
        for _, webs, side in itertools.product(range(chosen.blocks), chosen.webs, sides):
            side.block(webs, calls=chosen.calls, clients=chosen.clients)
        report.outcomes(
            [(side.name, webs, side.outcomes[webs]) for webs in chosen.webs for side in sides]
        )
        report.cpu(
            [(side.name, webs, side.outcomes[webs].calls, side.cpu[webs])
             for webs in chosen.webs for side in sides]
        )  # fmt: skip
        if chosen.sampled:
            _sample(sides[0], calls=chosen.sampled, clients=chosen.clients, file=chosen.flame)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--spaces", type=int, default=200)
    parser.add_argument("--memories", type=int, default=100, help="in each space at the start")
    parser.add_argument("--calls", type=int, default=400, help="in one block")
    parser.add_argument("--blocks", type=int, default=3, help="for each number of web processes")
    parser.add_argument("--clients", type=int, default=8, help="calls at the same time")
    parser.add_argument("--webs", type=int, nargs="*", default=[1, 2], choices=[1, 2])
    parser.add_argument("--mix", type=_mix, default=MIX, help="such as search=70,save=30")
    parser.add_argument("--before", default="", help="a commit to compare with")
    parser.add_argument("--sampled", type=int, default=1500, help="calls whose stacks are sampled")
    parser.add_argument("--flame", type=Path, help="where the flame graph is written")
    return parser.parse_args()


def _mix(text: str) -> dict[str, int]:
    pairs = (part.partition("=") for part in text.split(","))
    mix = {tool: int(weight) for tool, _, weight in pairs}
    if not mix or not set(mix) <= set(MIX):
        raise argparse.ArgumentTypeError(f"name some of {', '.join(MIX)}")
    return mix


@contextmanager
def _side(name: str, code: Path, chosen: argparse.Namespace) -> Iterator[Side]:
    plan = Plan(
        workers=1,
        has_scheduler=True,
        code=code,
        worker=("-c", _SETTINGS_FIRST),
        variables={"BRAIN_EMBEDDER": "auto", "PYTHONPATH": str(code)},
    )
    with deployed(plan) as deployment:
        texts = Texts()
        rest = iter(texts)
        spaces = _filled(
            deployment,
            [list(itertools.islice(rest, chosen.memories)) for _ in range(chosen.spaces)],
        )
        agents = Agents(spaces, rest, questions=texts.questions(QUESTIONS), mix=chosen.mix)
        agents.prepare(deployment.ports)
        settle(deployment)
        yield Side(name, deployment, agents)


def _filled(deployment: Deployment, texts: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    file = deployment.root / "texts.json"
    file.write_text(json.dumps(texts))
    printed = deployment.python(str(FILLING), str(deployment.root), str(file))
    return [(space_id, token) for space_id, token in json.loads(printed)]


@contextmanager
def _code_of(commit: str) -> Iterator[Path]:
    """Unpack the code of a commit into a folder of its own, without touching this one."""
    with tempfile.TemporaryDirectory(prefix="brain-before-") as folder:
        command = ["git", "archive", commit]
        archive = subprocess.run(command, cwd=CODE, capture_output=True, check=True).stdout  # noqa: S603
        with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
            packed.extractall(folder, filter="data")
        yield Path(folder)


def settle(deployment: Deployment) -> None:
    """Wait until the jobs of what was saved are done, so that they count where they belong."""
    running = "select count(*) from brain_jobrun where state in ('running', 'retrying')"
    deadline = time.monotonic() + SETTLES_WITHIN
    with closing(database(deployment)) as connection:
        while time.monotonic() < deadline:
            row = connection.execute(running).fetchone()
            if row == (0,) and queued(deployment) == 0:
                return
            time.sleep(0.2)


def _sample(side: Side, *, calls: int, clients: int, file: Path | None) -> None:
    web = side.deployment.children["web0"].process.pid
    raw, before = side.deployment.root / "stacks", spent(side.deployment)
    with stacks.sampled(web, raw, code=side.deployment.plan.code) as found:
        side.agents.call(side.deployment.ports[:1], calls=calls, clients=clients)
    after = spent(side.deployment)
    report.shares(found, calls=calls, cpu=after["web"] - before["web"])
    if file:
        title = f"One web process under a mixed load ({calls} calls, {found.total()} samples)"
        file.write_text(picture(found, title=title))
        print(f"\nWritten: {file.name}, {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
