"""Background doors: each finds its space, calls one service, and may run twice."""

from uuid import UUID

from celery import shared_task
from django.db import OperationalError

from memories.embedders.errors import EmbedderUnavailableError
from memories.embedders.registry import pair_status, search_status
from spaces.models import Space

# Batches of one run; what is left after it goes to the end of the queue, behind other spaces.
BATCHES = 20
_RETRIED = (EmbedderUnavailableError, OperationalError)


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
    """Ask the person what there is to ask about a space: repeats, disagreements, what lapsed."""
    from memories.services.comparing import compare_recent  # noqa: PLC0415
    from memories.services.noticing import (  # noqa: PLC0415
        notice_expired,
        notice_instructions,
        notice_unsourced,
        withdraw_moot,
    )

    space = Space.objects.filter(pk=UUID(space_id)).first()
    if space is None:
        return
    for notice in (notice_expired, notice_unsourced, notice_instructions, withdraw_moot):
        notice(space)
    for _ in range(BATCHES):
        if not compare_recent(space).has_more:
            return
    look_through.delay(space_id)


@shared_task(autoretry_for=_RETRIED, retry_backoff=True, max_retries=3)
def look_through_everywhere() -> None:
    """Go through every space; a space with nothing new costs a few index reads."""
    for space_id in Space.objects.values_list("pk", flat=True).iterator():
        look_through.delay(str(space_id))
