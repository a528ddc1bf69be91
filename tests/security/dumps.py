"""Every text in the database, as a dump would show it."""

from django.db import connection

from spaces.isolation import inside
from spaces.models import Space

_COLUMNS = """
    select c.table_name, c.column_name
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type not in ('boolean', 'integer', 'bigint', 'double precision', 'uuid',
                              'timestamp with time zone', 'date')
"""


def dump(space: Space) -> str:
    """Return all columns that can hold text, of the rows of `space` and of those of no space."""
    texts: list[str] = []
    with inside(space), connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        for table, column in cursor.fetchall():
            name, quoted = connection.ops.quote_name(table), connection.ops.quote_name(column)
            cursor.execute(f"select {quoted}::text from {name} where {quoted} is not null")
            texts += [row[0] for row in cursor.fetchall()]
    return "\n".join(texts)
