"""How much memory the embedded PostgreSQL may take to build an index.

An index for vectors that does not fit into it is built row by row on disk, several times slower
(docs/benchmarks.md, "Growth").
"""

import os
import shutil
from pathlib import Path

MEGABYTE = 2**20
# PostgreSQL's own default; the vectors of a million memories fit into the other.
LEAST, MOST = 64, 2048
_LIMIT, _SHARED = Path("/sys/fs/cgroup/memory.max"), Path("/dev/shm")  # noqa: S108


def building_memory() -> int:
    """Return the megabytes for this machine, or for this container."""
    return fitting(_memory(), shared=_shared())


def fitting(memory: int, *, shared: int) -> int:
    """Return the megabytes for so many bytes of memory, and of memory that processes can share.

    An eighth, since the server and the models need the rest; half of what can be shared, which
    the workers of a build take at once and which is little in many containers.
    """
    return max(LEAST, min(MOST, memory // 8 // MEGABYTE, shared // 2 // MEGABYTE))


def _memory() -> int:
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_LIMIT.read_text()))
    except (OSError, ValueError):
        # No container, or one without a limit ("max").
        return machine


def _shared() -> int:
    return shutil.disk_usage(_SHARED).free if _SHARED.is_dir() else MOST * MEGABYTE * 2
