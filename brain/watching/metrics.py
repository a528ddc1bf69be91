"""What Prometheus scrapes: the counters of this one process."""

import hmac
import time
from collections.abc import Callable

from django.conf import settings
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, generate_latest

from brain.jobs.models import JobRun, JobState
from brain.lib.counters import REQUEST_SECONDS, REQUESTS

JOBS = Gauge("brain_job_runs", "Runs of jobs that are still remembered", ["state"])
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class MetricsMiddleware:
    """Count every request by the view that answers it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        view = (match.view_name or match.route) if match else "none"
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(method, view, response.status_code).inc()
        REQUEST_SECONDS.labels(view).observe(time.perf_counter() - began)
        return response


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a scraper that knows the token; for everybody else there is no such page."""
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    wanted = settings.METRICS_TOKEN
    if not wanted or not hmac.compare_digest(sent.encode(), wanted.encode()):
        raise Http404
    counted = dict(JobRun.objects.values_list("state").annotate(count=Count("pk")))
    for state in JobState.values:
        JOBS.labels(state).set(counted.get(state, 0))
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
