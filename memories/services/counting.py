"""Count the common words of large spaces, so that search need not read every memory."""

from django.db import connection
from django.utils import timezone

from memories.models import CommonWords
from memories.queries.sizes import LARGE, space_size
from spaces.isolation import inside
from spaces.models import Space

# A word is common when this many memories hold it.
COMMON = 200
# Counted again when the space has grown or shrunk by this share since.
CHANGED = 0.1
# The vocabulary of a space may have no bound, but what search reads along must have one.
MOST = 5000

_COUNT = """
    select word, ndoc from ts_stat(
        format('select words from memories_memory where space_id = %%L and state = ''active''',
               %s::text)
    )
    where ndoc >= %s order by ndoc desc, word limit %s
"""


def count_words(space: Space) -> bool:
    """Bring the counts of the space up to date; say whether there was anything to count.

    Cheap where nothing has changed much, and may run twice at the same time.
    """
    with inside(space):
        size = space_size(space)
        counted = CommonWords.objects.filter(space=space).values_list("memories", flat=True).first()
        if size < LARGE:
            CommonWords.objects.filter(space=space).delete()
            return False
        if counted is not None and abs(size - counted) < CHANGED * counted:
            return False
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, [str(space.pk), COMMON, MOST])
            counts = dict(cursor.fetchall())
        CommonWords.objects.bulk_create(
            [CommonWords(space=space, counts=counts, memories=size, counted_at=timezone.now())],
            update_conflicts=True,
            unique_fields=["space"],
            update_fields=["counts", "memories", "counted_at"],
        )
    return True
