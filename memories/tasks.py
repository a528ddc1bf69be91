"""Background doors: each finds its space, calls one service, and may run twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from celery import shared_task
from django.db import IntegrityError, InterfaceError, OperationalError

from memories.embedders.errors import EmbedderUnavailableError
from memories.embedders.registry import pair_status, search_status
from memories.judges.choices import judge_options
from spaces.models import Space

# Batches of one run; what is left after it goes to the end of the queue, behind other spaces.
BATCHES = 20
_RETRIED = (EmbedderUnavailableError, InterfaceError, OperationalError)


@contextmanager
def _unless_deleted(space_id: str) -> Iterator[None]:
    """Stop without a complaint when the space goes while its job runs."""
    try:
        yield
    except IntegrityError:
        if Space.objects.filter(pk=UUID(space_id)).exists():
            raise


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, retry_backoff_max=600, max_retries=8)
def embed_missing_in(space_id: str) -> None:
    """Write the vectors that the space lacks; a space that was deleted meanwhile has none."""
    from memories.services.embedding import embed_missing, vectorisers  # noqa: PLC0415

    for vectoriser in vectorisers():
        space = Space.objects.filter(pk=UUID(space_id)).first()
        if space is None:
            return
        for _ in range(BATCHES):
            if not embed_missing(space, vectoriser).has_more:
                break
        else:
            embed_missing_in.delay(space_id)
    look_through.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def embed_missing_everywhere() -> None:
    """Find what lost messages and another choice of model left behind; loads no model itself."""
    from memories.services.embedding import seems_to_lack_vectors  # noqa: PLC0415

    statuses = (search_status(), pair_status())
    names = list(dict.fromkeys(status.active for status in statuses if status.active))
    for space in Space.objects.iterator() if names else ():
        if seems_to_lack_vectors(space, names):
            embed_missing_in.delay(str(space.pk))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def embed_anew_everywhere() -> None:
    """Find what a new revision of a model left behind: for that it has to be loaded."""
    from memories.services.embedding import lacks_vectors, vectorisers  # noqa: PLC0415

    wanted = vectorisers() if Space.objects.exists() else []
    for space in Space.objects.iterator() if wanted else ():
        if any(lacks_vectors(space, vectoriser) for vectoriser in wanted):
            embed_missing_in.delay(str(space.pk))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=5)
def look_through(space_id: str) -> None:
    """Compare what is new or changed in a space: links, repeats, disagreements, commands."""
    from memories.services.comparing import compare_recent  # noqa: PLC0415
    from memories.services.counting import count_words  # noqa: PLC0415

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    with _unless_deleted(space_id):
        count_words(space)
        for _ in range(BATCHES):
            if not compare_recent(space).has_more:
                break
        else:
            look_through.delay(space_id)
    if judge_options().is_on:
        judge_in.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def judge_in(space_id: str) -> None:
    """Put to the judge what the rules leave open; what it does not answer waits for the sweep."""
    from memories.services.judging import judge_recent  # noqa: PLC0415

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    with _unless_deleted(space_id):
        if judge_recent(space).has_more:
            judge_in.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def compare_missing_everywhere() -> None:
    """Find what was left uncompared because somebody held it, or because its message was lost."""
    from memories.services.comparing import waits_for_comparison  # noqa: PLC0415

    for space in Space.objects.iterator():
        if waits_for_comparison(space):
            look_through.delay(str(space.pk))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=5)
def notice_in(space_id: str) -> None:
    """Ask what time brings about: what lapsed, what has no source, what answered itself."""
    from memories.services.noticing import (  # noqa: PLC0415
        notice_expired,
        notice_instructions,
        notice_unsourced,
        withdraw_moot,
    )

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    with _unless_deleted(space_id):
        for notice in (notice_expired, notice_unsourced, notice_instructions, withdraw_moot):
            notice(space)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def look_through_everywhere() -> None:
    """Go through every space; a space with nothing new costs a few index reads."""
    for space_id in Space.objects.values_list("pk", flat=True).iterator():
        notice_in.delay(str(space_id))
        look_through.delay(str(space_id))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=5)
def tidy_reads(space_id: str) -> None:
    """Roll up and clear the ledger of reads of one space."""
    from memories.services.tidying import clear_queries, purge_reads, roll_up_reads  # noqa: PLC0415

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    for step in (clear_queries, purge_reads, roll_up_reads):
        for _ in range(BATCHES):
            if not step(space):
                break
        else:
            tidy_reads.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def tidy_reads_everywhere() -> None:
    """Go through every space; one whose ledger is tidy costs three index reads."""
    for space_id in Space.objects.values_list("pk", flat=True).iterator():
        tidy_reads.delay(str(space_id))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=5)
def apply_retention_in(space_id: str) -> None:
    """Erase what ended longer ago than the person wants to keep it."""
    from memories.services.retention import apply_retention  # noqa: PLC0415

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    with _unless_deleted(space_id):
        for _ in range(BATCHES):
            if not apply_retention(space).has_more:
                return
        apply_retention_in.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def apply_retention_everywhere() -> None:
    """Go through the spaces whose owners chose a retention; most have none."""
    chosen = Space.objects.exclude(retention_days=None)
    for space_id in chosen.values_list("pk", flat=True).iterator():
        apply_retention_in.delay(str(space_id))


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=5)
def go_on_with_import(space_id: str, transfer_id: str) -> None:
    """Carry an import on for a while; what is left goes to the end of the queue."""
    from memories.services.transfer.working import go_on  # noqa: PLC0415

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    with _unless_deleted(space_id):
        if go_on(space, UUID(transfer_id)):
            go_on_with_import.delay(space_id, transfer_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def tidy_imports_everywhere() -> None:
    """Take up imports whose worker was lost, and remove those that are long over."""
    from memories.services.transfer.tidying import tidy_imports  # noqa: PLC0415

    for space in Space.objects.iterator():
        for transfer_id in tidy_imports(space):
            go_on_with_import.delay(str(space.pk), str(transfer_id))
