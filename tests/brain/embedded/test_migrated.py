"""A start asks Django about migrations only when something changed."""

from pathlib import Path

import pytest
from django.apps import apps

from brain.embedded.migrated import _migration_files
from tests.journeys.product import Product


def test_the_migrations_of_every_app_are_looked_at() -> None:
    wanted = {
        file
        for config in apps.get_app_configs()
        for file in (Path(config.path) / "migrations").glob("*.py")
    }

    assert set(_migration_files()) == wanted
    assert len({file.parent for file in wanted}) > 8


@pytest.mark.product
def test_a_started_product_remembers_that_everything_is_applied(product: Product) -> None:
    assert (product.root / "migrated").read_text()
