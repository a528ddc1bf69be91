"""Which paths the map draws as one when there are too many memories to draw each."""

from collections import Counter
from collections.abc import Mapping

from memories.rules.paths import MAX_SEGMENTS

# What is left over when even the shortest paths are too many.
REST = "*"


def clusters(counts: Mapping[str, int], *, limit: int) -> dict[str, str]:
    """Return the cluster of each path: a path above it or itself, as long as there are few.

    `counts` has the number of memories at each path. The deepest cut with no more than `limit`
    clusters is taken; when even the first segments are more, the smallest are put into REST.
    """
    chosen = {key: head(key, depth=1) for key in counts}
    for depth in range(2, MAX_SEGMENTS + 1):
        deeper = {key: head(key, depth=depth) for key in counts}
        if len(set(deeper.values())) > limit:
            break
        chosen = deeper
    sizes: Counter[str] = Counter()
    for key, cluster in chosen.items():
        sizes[cluster] += counts[key]
    if len(sizes) <= limit:
        return chosen
    kept = {cluster for cluster, _ in sizes.most_common(limit - 1)}
    return {key: cluster if cluster in kept else REST for key, cluster in chosen.items()}


def head(path: str, *, depth: int) -> str:
    """Return the first `depth` segments of a path."""
    return ".".join(path.split(".")[:depth])
