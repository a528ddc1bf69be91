"""Time the job that compares memories: python -m bench.jobs [--memories N].

A space is filled with statements of two sorts: from templates whose values repeat, as agents
write them, so that many are near each other, repeat or contradict; and of random words. The
vectors are made by the built-in model for pairs. Then the job runs as the worker runs it, in this
process, while another thread saves.
"""

import argparse

from bench.installation import throw_away


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    count = parser.parse_args().memories
    with throw_away():
        from bench.scanning import measure  # noqa: PLC0415  Django is set up now

        measure(count)


if __name__ == "__main__":
    main()
