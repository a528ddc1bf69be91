"""One memory in twenty changes or goes, with all that belongs to it.

Import it only where Django is set up.
"""

from bench.rows import Connection, models

# Half of them get another text, the others are deleted.
SHARE = 0.05
_CHOSEN = """
    create temporary table chosen as
    select space_id, id, number % 2 = 0 as is_gone
    from (select space_id, id, row_number() over (order by hashtext(id::text)) as number,
                 count(*) over () as memories
          from memories_memory) numbered
    where number <= memories * {share}
"""
_NEW_TEXT = """
    update memories_memory m
    set content = content || ' Changed.', version = 2,
        content_sha256 = encode(sha256((content || ' Changed.')::bytea), 'hex'),
        fact_key = encode(sha256(m.id::text::bytea), 'hex'), updated_at = now()
    from chosen where not is_gone and m.space_id = chosen.space_id and m.id = chosen.id
"""
_NEW_VERSION = """
    insert into memories_memoryversion
        (id, space_id, memory_id, number, kind, path, content, content_sha256, source, rationale,
         checkpoint, operation, reason, author, client_key, client_name, agent_instance, created_at)
    select gen_random_uuid(), m.space_id, m.id, 2, kind, path, content, content_sha256, source,
           rationale, checkpoint, 'revised', '', author, client_key, client_name, agent_instance,
           updated_at
    from chosen join memories_memory m using (space_id, id) where not is_gone
"""
_NEW_VECTOR = """
    update memories_memoryvector v
    set content_sha256 = m.content_sha256, embedding = l2_normalize(embedding + noise.vector)
    from chosen join memories_memory m using (space_id, id)
    join {name}_noises noise on noise.number = mod(hashtext(m.id::text) & 2147483647, 2048)
    where not is_gone and v.space_id = m.space_id and v.memory_id = m.id and model_key = %s
"""
# Which column names the memory.
_TABLES = {
    "memories_memoryvector": "memory_id",
    "memories_memoryversion": "memory_id",
    "memories_memorylink": "first_id",
    "memories_activity": "memory_id",
    "memories_recall": "memory_id",
    "memories_memory": "id",
}
TABLES = tuple(_TABLES)


def change(connection: Connection) -> None:
    """Write the changes in as few statements as there are tables."""
    connection.execute(_CHOSEN.format(share=SHARE))
    connection.execute("analyze chosen")
    connection.execute(_NEW_TEXT)
    connection.execute(_NEW_VERSION)
    for number, key in enumerate(models()):
        connection.execute(_NEW_VECTOR.format(name=f"model{number}"), [key])


def delete(connection: Connection) -> None:
    for table, column in _TABLES.items():
        connection.execute(
            f"delete from {table} t using chosen where is_gone "  # noqa: S608  constant text
            f"and t.space_id = chosen.space_id and t.{column} = chosen.id"
        )
