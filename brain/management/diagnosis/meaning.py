"""Search by meaning: is it on, by which model, and why not; without loading any."""

from collections.abc import Iterator

from django.core.exceptions import ImproperlyConfigured

from brain.management.diagnosis.findings import Finding, ok, problem
from memories.embedders.choices import NONE, options, pair_chain, search_chain
from memories.embedders.providers import HTTP
from memories.embedders.registry import EmbedderStatus, check_choices, search_status

CHECK = "search by meaning"


def meaning() -> Iterator[Finding]:
    """Look at the choice of a model and at the packages that it needs."""
    try:
        check_choices()
    except ImproperlyConfigured as error:
        yield problem(CHECK, str(error), remedy="correct the setting (docs/operating.md)")
    else:
        yield _model(search_status())


def _model(status: EmbedderStatus) -> Finding:
    if status.wanted == NONE:
        return ok(CHECK, "turned off (BRAIN_EMBEDDER=none)")
    if status.active is None:
        return problem(
            CHECK,
            f"off: {status.why}",
            remedy="install the package, or choose another BRAIN_EMBEDDER (none turns it off)",
        )
    # A model of the chain that is missing where it can't be had is no fault.
    parts = [f"on, by {status.active}", status.why, _where_texts_go()]
    return ok(CHECK, "; ".join(part for part in parts if part))


def _where_texts_go() -> str:
    server = options().server
    is_away = HTTP in {*search_chain(), *pair_chain()} and not server.is_loopback
    return f"memories are sent to {server.url}" if is_away else ""
