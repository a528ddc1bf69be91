#!/usr/bin/env python
"""The command line: Django's commands, with the embedded services they need."""

import os
import sys

from brain.embedded.needs import run_command


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
    sys.exit(run_command(sys.argv))


if __name__ == "__main__":
    main()
