"""The index through which large spaces find their nearest vectors: one for each model."""

import hashlib

from django.db.backends.utils import CursorWrapper
from psycopg import sql

from memories.embedders.base import Embedder

# pgvector's defaults for the graph: links of a vector, and how many are looked at to place one.
LINKS, EFFORT = 16, 64


def ensure_index(cursor: CursorWrapper, embedder: Embedder) -> bool:
    """Build the index of this model unless there is one; say whether it was built.

    Needs the tables' owner and no open transaction: reading and writing go on meanwhile.
    """
    cursor.execute(
        "select c.relname, i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid "
        "where i.indrelid = 'memories_memoryvector'::regclass "
        "and pg_get_indexdef(i.indexrelid) like '%%hnsw%%' "
        "and position(%s in pg_get_indexdef(i.indexrelid)) > 0",
        [embedder.key],
    )
    for found, is_valid in cursor.fetchall():
        if is_valid:
            return False
        # Left by a build that was interrupted: it is kept up to date but never read.
        drop = sql.SQL("drop index concurrently {}").format(sql.Identifier(found))
        cursor.execute(drop.as_string())
    name = f"nearest_{hashlib.sha256(embedder.key.encode()).hexdigest()[:12]}"
    statement = sql.SQL(
        "create index concurrently {name} on memories_memoryvector using hnsw "
        "((embedding::halfvec({dimensions})) halfvec_cosine_ops) "
        "with (m = {links}, ef_construction = {effort}) where model_key = {key}"
    ).format(
        name=sql.Identifier(name),
        dimensions=sql.Literal(embedder.dimensions),
        links=sql.Literal(LINKS),
        effort=sql.Literal(EFFORT),
        key=sql.Literal(embedder.key),
    )
    cursor.execute(statement.as_string())
    return True
