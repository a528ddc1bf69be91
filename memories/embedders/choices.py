"""What this installation wants, read from the settings; the one module here that knows Django."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from memories.embedders.base import Prefixes
from memories.embedders.errors import BadVectorError, WrongChoiceError
from memories.embedders.options import Options, Server, check_numbers, thresholds
from memories.embedders.providers import E5, USE, check_name, check_sizes

AUTO, NONE, SAME = "auto", "none", "same"
Value = TypeVar("Value", bool, int, float, str)


def wanted_for_search() -> str:
    return _setting("EMBEDDER", AUTO)


def wanted_for_pairs() -> str:
    return _setting("DUPLICATES_EMBEDDER", AUTO)


def search_chain() -> tuple[str, ...]:
    """Return the models to try for search, best first."""
    wanted = wanted_for_search()
    return {AUTO: (E5, USE), NONE: ()}.get(wanted, (wanted,))


def pair_chain() -> tuple[str, ...]:
    """Return the models to try for "about the same thing", best first."""
    wanted, search = wanted_for_pairs(), search_chain()
    # Who turned search by meaning off did not ask for another model instead.
    automatic = tuple(dict.fromkeys((USE, *search))) if search else ()
    return {AUTO: automatic, SAME: search, NONE: ()}.get(wanted, (wanted,))


def options() -> Options:
    """Return everything else that can be chosen."""
    return Options(
        threads=_setting("EMBEDDER_THREADS", 1),
        downloads=_setting("EMBEDDER_DOWNLOADS", default=False),
        dimensions=_setting("EMBEDDER_DIMENSIONS", 0),
        limit=_setting("EMBEDDER_LIMIT", 8000),
        revision=_setting("EMBEDDER_REVISION", ""),
        prefixes=_prefixes(),
        thresholds=thresholds(getattr(settings, "EMBEDDER_THRESHOLDS", [])),
        server=_server(),
    )


def check() -> None:
    """Stop with a sentence when a choice is wrong, as far as that shows without loading."""
    with stopping():
        chosen = options()
        check_numbers(chosen)
        names = (*search_chain(), *pair_chain())
        for name in names:
            check_name(name, options=chosen)
        check_sizes(names, options=chosen)


@contextmanager
def stopping() -> Iterator[None]:
    """Turn what only an operator can put right into Django's own complaint about settings."""
    try:
        yield
    except (WrongChoiceError, BadVectorError) as error:
        raise ImproperlyConfigured(str(error)) from None


def _prefixes() -> Prefixes:
    document = _setting("EMBEDDER_DOCUMENT_PREFIX", "")
    return Prefixes(
        document=document,
        query=_setting("EMBEDDER_QUERY_PREFIX", ""),
        # The vectors that search uses then serve for pairs too.
        pair=_setting("EMBEDDER_PAIR_PREFIX", "") or document,
    )


def _server() -> Server:
    return Server(
        url=_setting("EMBEDDER_URL", ""),
        model=_setting("EMBEDDER_MODEL", ""),
        key=_setting("EMBEDDER_KEY", ""),
        batch=_setting("EMBEDDER_BATCH", 32),
        timeout=_setting("EMBEDDER_TIMEOUT", 10.0),
        batch_timeout=_setting("EMBEDDER_BATCH_TIMEOUT", 60.0),
        shorten=_setting("EMBEDDER_SHORTEN", default=False),
        plain_http=_setting("EMBEDDER_PLAIN_HTTP", default=False),
    )


def _setting(name: str, default: Value) -> Value:
    value: Value = getattr(settings, name, default)
    return value
