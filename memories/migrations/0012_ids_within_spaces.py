"""Ids of memories and questions are unique within their space, not across spaces.

So a space can be brought into another one with its ids, whatever other spaces hold, and a row can
refer to a memory of its own space only. A table of a space that refers to memories with a foreign
key of the database needs both columns in it; Django's own would name the id alone.
"""

from django.db import migrations

_REKEY = """
do $$
declare
    reference record;
    found jsonb := (
        select coalesce(jsonb_agg(jsonb_build_object(
            'name', con.conname, 'place', con.conrelid::regclass, 'field', col.attname
        )), '[]')
        from pg_constraint con
        join pg_attribute col on col.attrelid = con.conrelid and col.attnum = con.conkey[{position}]
        where con.contype = 'f' and con.confrelid = 'memories_memory'::regclass
    );
begin
    for reference in select * from jsonb_to_recordset(found) as r(name text, place text) loop
        execute format('alter table %s drop constraint %I', reference.place, reference.name);
    end loop;
    alter table memories_memory drop constraint memories_memory_pkey;
    alter table memories_memory add constraint memories_memory_pkey primary key ({key});
    for reference in
        select * from jsonb_to_recordset(found) as r(name text, place text, field text)
    loop
        execute format(
            'alter table %s add constraint %I foreign key ({fields}) '
            'references memories_memory ({key}) deferrable initially deferred',
            reference.place, reference.name, reference.field
        );
    end loop;
    alter table memories_reviewitem drop constraint memories_reviewitem_pkey;
    alter table memories_reviewitem add constraint memories_reviewitem_pkey primary key ({key});
end
$$
"""


def rekey(*, key: str, fields: str, position: int) -> str:
    return _REKEY.format(key=key, fields=fields, position=position)


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0011_transfers'),
    ]

    operations = [
        migrations.RunSQL(
            sql=rekey(key="space_id, id", fields="space_id, %I", position=1),
            reverse_sql=rekey(key="id", fields="%I", position=2),
        ),
    ]
