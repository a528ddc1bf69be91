"""What an account's archive has of its spaces: each as an export, and who read what in it."""

import json
from collections.abc import Iterable
from functools import partial
from typing import IO

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.text import slugify

from accounts.models import User
from accounts.services.exporting import Part
from memories.models import Recall
from memories.services.transfer.exporting import BATCH, as_of_now, write_space
from spaces.isolation import inside
from spaces.models import Space


def parts_of_account(user: User) -> Iterable[Part]:
    for space in Space.objects.of(user):
        # Two names may have the same letters; two ids never do.
        name = f"spaces/{slugify(space.name) or 'space'}-{space.pk.hex[:8]}"
        yield Part(f"{name}.json", partial(write_space, space, has_events=True))
        yield Part(f"{name}.reads.json", partial(_write_reads, space))


def _write_reads(space: Space, out: IO[bytes]) -> None:
    fields = (
        "memory_id", "way", "query", "client_key", "client_name", "agent_instance", "at", "times",
    )  # fmt: skip
    out.write(b"[")
    with as_of_now(), inside(space):
        reads = Recall.objects.in_space(space).order_by("at", "pk").values(*fields)
        for number, read in enumerate(reads.iterator(BATCH)):
            text = json.dumps(read, cls=DjangoJSONEncoder, ensure_ascii=False)
            out.write(f"{',' if number else ''}\n{text}".encode())
    out.write(b"\n]\n")
