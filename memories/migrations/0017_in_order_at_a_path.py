"""Find the first and the newest memory at a path without sorting all that lie there."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    # An index is built beside the writes of the processes that still run.
    atomic = False

    dependencies = [
        ('memories', '0016_import_by_a_script'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='memory',
            index=models.Index(fields=['space', 'path_key', 'created_at', 'id'], name='memories_along_a_path'),
        ),
        RemoveIndexConcurrently(
            model_name='memory',
            name='memories_at_a_path',
        ),
    ]
