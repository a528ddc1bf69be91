"""The index over the vectors of the built-in model, and earlier statistics for new spaces.

Large spaces find their nearest vectors through it (memories/queries/candidates.py). Other
models get an index of their own by `manage.py reembed --index`.
"""

from django.db import migrations

# The key of builtin-e5 (memories/embedders/e5/embedder.py); a test compares the two.
KEY = "builtin-e5@1571fc982750.1/384/3e86dcf1"


class Migration(migrations.Migration):
    dependencies = [("memories", "0006_undoing")]
    operations = [
        migrations.RunSQL(
            sql="create index nearest_of_builtin_e5 on memories_memoryvector "
            "using hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) "
            f"with (m = 16, ef_construction = 64) where model_key = '{KEY}'",
            reverse_sql="drop index nearest_of_builtin_e5",
        ),
        *(
            migrations.RunSQL(
                sql=f"alter table {table} set (autovacuum_analyze_scale_factor = 0.02)",
                reverse_sql=f"alter table {table} reset (autovacuum_analyze_scale_factor)",
            )
            for table in ("memories_memory", "memories_memoryvector")
        ),
    ]
