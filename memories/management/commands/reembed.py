"""Bring the vectors of one space or of all of them up to the active models, with progress."""

from argparse import ArgumentParser
from collections.abc import Iterable
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from brain.management.owner import as_owner
from memories.embedders.errors import EmbedderError
from memories.embedders.registry import search_embedder, search_status
from memories.queries.meaning import progress
from memories.services.embedding import embed_missing, forget_vectors, vectorisers
from memories.services.vector_index import ensure_index
from spaces.models import Space


class Command(BaseCommand):
    help = (
        "Write the vectors that memories lack under the active models. The worker does the same "
        "by itself; this shows the progress and waits for the end."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("space", nargs="?", help="the id of a space; all of them without it")
        parser.add_argument("--status", action="store_true", help="only say how far they are")
        parser.add_argument("--fresh", action="store_true", help="make all vectors anew")
        parser.add_argument(
            "--clear", action="store_true", help="then delete the vectors of other models"
        )
        parser.add_argument("--index", action="store_true", help="build the index for large spaces")

    def handle(self, *_args: object, **options: object) -> None:
        embedder = search_embedder()
        if embedder is None:
            raise CommandError(f"Search by meaning is off. {search_status().why}")
        spaces = list(_spaces(options["space"]))
        for space in spaces:
            if not options["status"]:
                self._bring_up(space, is_fresh=bool(options["fresh"]))
            if options["clear"] and not options["status"]:
                forget_vectors(space, besides=[each.key for each in vectorisers()])
            done = progress(space)
            self.stdout.write(f"{space.pk}  {done.done} of {done.total}  {done.model}")
        if options["index"]:
            with as_owner(connection), connection.cursor() as cursor:
                built = ensure_index(cursor, embedder)
            self.stdout.write("The index was built." if built else "The index is there.")

    def _bring_up(self, space: Space, *, is_fresh: bool) -> None:
        if is_fresh:
            forget_vectors(space)
        for vectoriser in vectorisers():
            written = 0
            while True:
                try:
                    batch = embed_missing(space, vectoriser)
                except EmbedderError as error:
                    raise CommandError(str(error)) from error
                written += batch.written
                if batch.written:
                    self.stderr.write(f"{space.pk}  {vectoriser.key}: {written}")
                if not batch.has_more:
                    break


def _spaces(wanted: object) -> Iterable[Space]:
    if wanted is None:
        return Space.objects.order_by("created_at")
    try:
        found = list(Space.objects.filter(pk=UUID(str(wanted))))
    except ValueError:
        found = []
    if not found:
        raise CommandError("There is no such space. Check the id.")
    return found
