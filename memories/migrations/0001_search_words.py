"""Extensions and text search configurations that the word arm of search needs."""

from django.contrib.postgres.operations import (
    BtreeGinExtension,
    TrigramExtension,
    UnaccentExtension,
)
from django.db import migrations


def configuration(name: str, base: str, dictionary: str) -> migrations.RunSQL:
    """Return the operation that makes a configuration without accents over `dictionary`."""
    return migrations.RunSQL(
        sql=[
            f"create text search configuration {name} (copy = {base})",
            f"alter text search configuration {name} "
            f"alter mapping for hword, hword_part, word with unaccent, {dictionary}",
        ],
        reverse_sql=[f"drop text search configuration {name}"],
    )


class Migration(migrations.Migration):
    initial = True
    dependencies = [("spaces", "0001_initial")]
    operations = [
        TrigramExtension(),
        UnaccentExtension(),
        BtreeGinExtension(),
        configuration("brain_en", "pg_catalog.english", "english_stem"),
        configuration("brain_pt", "pg_catalog.portuguese", "portuguese_stem"),
        configuration("brain_exact", "pg_catalog.simple", "simple"),
    ]
