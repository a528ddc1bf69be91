"""Whether this process lives, and whether it can serve, for load balancers.

Answered before everything else: a balancer asks by address, with whatever Host header it likes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from psycopg_pool import PoolTimeout
from redis import Redis, RedisError

from brain.jobs.models import JobRun
from memories.embedders.registry import search_status

# The scheduler queues something every five minutes.
SILENT_AFTER = timedelta(minutes=15)
Status = Literal["ready", "degraded", "not_ready"]


@dataclass(frozen=True, slots=True)
class Readiness:
    """How each part is; without the database nothing can be served, without others less."""

    parts: Mapping[str, str]

    @property
    def status(self) -> Status:
        if self.parts["database"] != "ok":
            return "not_ready"
        is_whole = self.parts["broker"] == self.parts["worker"] == "ok"
        return "ready" if is_whole and self.parts["meaning"] != "broken" else "degraded"


def readiness() -> Readiness:
    """Look at the database, the broker, the worker's last sign of life and the models."""
    database = _database()
    return Readiness(
        {
            "database": database,
            "broker": _broker(),
            "worker": _worker() if database == "ok" else "unknown",
            "meaning": _meaning(),
        }
    )


class HealthMiddleware:
    """Serve `/healthz` (this process lives) and `/readyz` (503 when it cannot serve)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            return JsonResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})
        if request.path == "/readyz":
            found = readiness()
            return JsonResponse(
                {"status": found.status, **found.parts},
                status=503 if found.status == "not_ready" else 200,
                headers={"Cache-Control": "no-store"},
            )
        return self.get_response(request)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
    except (DatabaseError, PoolTimeout):
        return "down"
    return "ok"


def _broker() -> str:
    try:
        with Redis.from_url(settings.CACHES["default"]["LOCATION"], socket_timeout=2) as client:
            client.ping()
    except (RedisError, OSError):
        return "down"
    return "ok"


def _worker() -> str:
    newest = JobRun.objects.order_by("-started_at").values_list("started_at", flat=True).first()
    if newest is None:
        return "unknown"
    return "ok" if newest > timezone.now() - SILENT_AFTER else "silent"


def _meaning() -> str:
    status = search_status()
    if status.active:
        return "on"
    return "off" if settings.EMBEDDER == "none" else "broken"
