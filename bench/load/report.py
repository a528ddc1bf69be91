"""The tables that the benchmark prints."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from bench.load import stacks
from bench.load.accounting import PARTS
from bench.load.agents import Outcome

LEAST_SHARE = 0.02
OURS = ("accounts.", "spaces.", "memories.", "mcp_gateway.", "brain.")


def outcomes(rows: Sequence[tuple[str, int, Outcome]]) -> None:
    """Print how long calls took, by code, number of web processes and tool."""
    print("\n| code | web processes | tool | calls | errors | calls/s | p50 ms | p95 ms | p99 ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, webs, outcome in rows:
        everything = [wait for waits in outcome.waits.values() for wait in waits]
        rate = f"{outcome.calls / outcome.seconds:.1f}"
        print(_line(name, webs, "all", everything, outcome.errors.total(), rate))
        for tool in sorted(outcome.waits):
            errors = sum(n for what, n in outcome.errors.items() if what.startswith(f"{tool}:"))
            print(_line(name, webs, tool, outcome.waits[tool], errors, ""))
    said = Counter(what for _, _, outcome in rows for what in outcome.errors)
    for what, count in said.most_common():
        print(f"- {count} times {what}")


def _line(name: str, webs: int, tool: str, waits: Sequence[float], errors: int, rate: str) -> str:
    cuts = statistics.quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    figures = " | ".join(f"{1000 * cuts[at]:.1f}" for at in (49, 94, 98))
    return f"| {name} | {webs} | {tool} | {len(waits)} | {errors} | {rate} | {figures} |"


def cpu(rows: Sequence[tuple[str, int, int, Mapping[str, float]]]) -> None:
    """Print what one call costs in each part, jobs included, and now as a part of before."""
    print(f"\n| CPU ms a call | web processes | {' | '.join(PARTS)} | all |")
    print(f"|---|---|{'---|' * (len(PARTS) + 1)}")
    costs: dict[tuple[str, int], list[float]] = {}
    for name, webs, calls, spent in rows:
        each = [1000 * spent.get(part, 0) / calls for part in PARTS]
        costs[name, webs] = [*each, sum(each)]
        print(f"| {name} | {webs} | {' | '.join(f'{cost:.2f}' for cost in costs[name, webs])} |")
    for (name, webs), now in costs.items():
        before = costs.get(("before", webs))
        if name == "now" and before:
            ratios = [
                f"{one / two:.2f}" if two else "" for one, two in zip(now, before, strict=True)
            ]
            print(f"| now / before | {webs} | {' | '.join(ratios)} |")


def shares(found: Counter[stacks.Stack], *, calls: int, cpu: float) -> None:
    """Print whose code a web process ran, and in which functions of ours it was."""
    print(
        f"\nWhile it was sampled a call took {1000 * cpu / calls:.1f} ms of the web process's CPU; "
        f"{found.total()} samples of what holds the interpreter's lock."
    )
    print("\n| whose code | share |\n|---|---|")
    for owner, share in stacks.shares(found):
        print(f"| {owner} | {100 * share:.1f} % |")
    print("\n| function and all that it calls | share |\n|---|---|")
    for name, share in stacks.inclusive(found, only=OURS):
        if share >= LEAST_SHARE:
            print(f"| `{name}` | {100 * share:.1f} % |")
