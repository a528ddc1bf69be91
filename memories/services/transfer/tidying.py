"""Find imports that stand still, and remove what is over."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from memories.models import AT_WORK, Stage, Transfer, TransferPart
from memories.services.transfer.queueing import go_on_later
from spaces.isolation import inside
from spaces.models import Space

STILL = timedelta(minutes=2)
LOOKED_AT = timedelta(seconds=20)
TRIES = 5


def tidy_imports(space: Space) -> list[UUID]:
    """Return the imports that somebody must take up again; one that never gets on is stopped."""
    now = timezone.now()
    with inside(space):
        imports = Transfer.objects.filter(space=space)
        imports.filter(moved_at__lt=now - timedelta(days=settings.IMPORT_REPORT_DAYS)).exclude(
            stage__in=AT_WORK
        ).delete()
        still = imports.at_work().filter(moved_at__lt=now - STILL)
        hopeless = still.filter(tries__gte=TRIES)
        TransferPart.objects.filter(space=space, transfer__in=hopeless.values("pk")).delete()
        hopeless.update(
            stage=Stage.FAILED,
            problem="The import was stopped: it failed again and again. Whoever runs the server "
            "finds the reason in the log. What is in stays in.",
            finished_at=now,
        )
        stuck = list(still.values_list("pk", flat=True))
        imports.filter(pk__in=stuck).update(tries=F("tries") + 1, moved_at=now)
    return stuck


def take_up_again(transfer: Transfer) -> None:
    """Ask for a worker when the import that somebody looks at stands still: no need to wait."""
    now = timezone.now()
    if not transfer.is_at_work or transfer.moved_at > now - LOOKED_AT:
        return
    with inside(transfer.space_id):
        still = Transfer.objects.at_work().filter(
            space_id=transfer.space_id, pk=transfer.pk, moved_at=transfer.moved_at
        )
        if still.update(moved_at=now):
            go_on_later(transfer)
