"""Fill many spaces, and measure what the size costs: python -m bench.growth.

One space has a tenth of all memories, one in a hundred a hundredth, the rest follows Zipf's law.
The texts are made up, with the frequencies of a natural language. The vectors for search are real
ones of 1,000 such texts, each used again with noise of its own; those of the second model are
random. Times are of a machine with whatever else is running on it, so CPU stands beside them.
"""

import argparse
import os
from pathlib import Path

from bench.installation import throw_away


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--spaces", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where it all lies")  # noqa: S108
    parser.add_argument(
        "--patience", type=int, default=900, help="seconds that one step on the vectors may take"
    )
    chosen = parser.parse_args()
    # The largest space holds as many as the product's limit, and some are saved into it.
    os.environ["BRAIN_MEMORIES_PER_SPACE"] = str(chosen.memories)
    with throw_away(under=chosen.folder) as root:
        from bench.growth.whole import measure  # noqa: PLC0415  Django is set up now

        measure(root, chosen.memories, spaces=chosen.spaces, at_most=chosen.patience)


if __name__ == "__main__":
    main()
