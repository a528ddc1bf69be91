"""Where a memory lies: a path is shown as it was first written in its space."""

from django.db import connection

from memories.rules.paths import Path
from spaces.models import Space

# Asked by every save: putting it together from a QuerySet takes longer than answering it.
_FIRST = """
    select path from memories_memory where space_id = %s and path_key = %s
    order by created_at, id limit 1
"""


def first_spelling(space: Space, path: Path) -> str:
    """Return `path` as it was first written in the space; call it inside the space."""
    with connection.cursor() as cursor:
        cursor.execute(_FIRST, [space.pk, path.key])
        first = cursor.fetchone()
    return str(first[0]) if first else path.text
