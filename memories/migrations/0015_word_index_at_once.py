"""Keep what was just saved out of the indexes' waiting lists, which every search reads in full.

The waiting list of an index holds the newest rows of all spaces (PostgreSQL documentation, 65.4.4
"GIN Fast Update Technique"): the cost of a search would follow what others save.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0014_judging'),
    ]

    operations = [
        migrations.RunSQL(
            sql="alter index memories_by_word set (fastupdate = off)",
            reverse_sql="alter index memories_by_word reset (fastupdate)",
        ),
        # Only a search that found no word reads it: a short list is cheaper to keep.
        migrations.RunSQL(
            sql="alter index memories_by_letters set (gin_pending_list_limit = 512)",
            reverse_sql="alter index memories_by_letters reset (gin_pending_list_limit)",
        ),
        # Written before the list was turned off, and read by every search until it is cleared.
        migrations.RunSQL(
            sql="select gin_clean_pending_list('memories_by_word')",
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]
