"""CPU seconds of each part of a deployment, as the kernel accounts for its processes."""

from collections import Counter
from contextlib import closing, suppress

import psutil
import psycopg

from tests.faults.deployment import Deployment

PARTS = ("web", "database for web", "worker", "database for worker", "database's own", "broker")


def spent(deployment: Deployment) -> Counter[str]:
    """Return what each part has spent since its start, so that two of them can be subtracted."""
    parts: Counter[str] = Counter()
    for name, child in deployment.children.items():
        parts[_part_of(name)] += _seconds(psutil.Process(child.process.pid))  # type: ignore[assignment]
    parts += _database(deployment)
    return parts


def _database(deployment: Deployment) -> Counter[str]:
    """Tell the processes of PostgreSQL apart by the name that each connection gave itself."""
    parameters = deployment.postgres.parameters("postgres")
    with closing(psycopg.connect(**parameters)) as connection:  # type: ignore[arg-type]
        rows = connection.execute("select pid, application_name from pg_stat_activity").fetchall()
    names: dict[int, str] = dict(rows)
    postmaster = psutil.Process(deployment.database_process())
    times = postmaster.cpu_times()
    # What connections that are closed had spent is noted in their parent.
    own = times.user + times.system + times.children_user + times.children_system
    parts: Counter[str] = Counter({"database's own": own})
    for process in postmaster.children():
        owner = _part_of(names.get(process.pid) or "")
        part = f"database for {owner}" if owner in {"web", "worker"} else "database's own"
        # PostgreSQL's helpers come and go.
        with suppress(psutil.NoSuchProcess):
            parts[part] += _seconds(process)  # type: ignore[assignment]
    return parts


def _part_of(name: str) -> str:
    return name.rstrip("0123456789")


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
