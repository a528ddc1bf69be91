"""What a worker does first: it sets its bounds, and finds what an earlier one left undone."""

import logging

from celery import current_app
from celery.signals import worker_init, worker_ready
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

# Without this a killed worker's work would wait for the next sweep.
FIRST = ("memories.tasks.embed_missing_everywhere", "memories.tasks.look_through_everywhere")


@worker_init.connect(dispatch_uid="bound-statements")
def bound_statements(**_: object) -> None:
    """Have no statement of this process wait or run for ever: threads know no time limit."""
    connection_created.connect(bound, dispatch_uid="bound-statements")


def bound(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Let PostgreSQL end what takes longer than a job may; the job is then tried again."""
    milliseconds = str(settings.CELERY_TASK_TIME_LIMIT * 1000)
    with connection.cursor() as cursor:
        cursor.execute("select set_config('statement_timeout', %s, false)", [milliseconds])


@worker_ready.connect(dispatch_uid="first-sweep")
def sweep_first(**_: object) -> None:
    """Queue the sweeps; whatever else finds the same work may do it twice."""
    for name in FIRST:
        try:
            current_app.send_task(name)
        except (OperationalError, OSError) as error:
            logger.warning("The first sweep was not queued: %s.", type(error).__name__)
