"""Run the whole product: data services, migrations, web server, worker and scheduler."""

import sys

from django.core.management.base import BaseCommand

from brain.embedded.product import run_product


class Command(BaseCommand):
    help = (
        "Run everything: the embedded PostgreSQL and Valkey (unless DATABASE_URL and BROKER_URL "
        "name others), migrations, web server, worker and scheduler. Ctrl-C stops it."
    )
    requires_system_checks = ()

    def handle(self, *_args: object, **_options: object) -> None:
        """Run until it is stopped, and pass on the exit code."""
        sys.exit(run_product())
