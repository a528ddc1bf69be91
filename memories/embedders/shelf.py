"""The models of this process: each is loaded once, or fails once, when it is first asked for."""

import threading

from memories.embedders.base import Embedder
from memories.embedders.errors import EmbedderError
from memories.embedders.options import Options
from memories.embedders.providers import load

Loaded = Embedder | EmbedderError


class Shelf:
    """Safe to use from several threads, never across a fork."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin again, also with a lock that nobody holds."""
        self._lock = threading.Lock()
        self._loaded: dict[tuple[str, Options], Loaded] = {}

    def known(self, name: str, options: Options) -> Loaded | None:
        """Return what an earlier `take` brought, without loading anything."""
        return self._loaded.get((name, options))

    def take(self, name: str, options: Options) -> Loaded:
        """Return the model, or why there is none."""
        with self._lock:
            if (name, options) not in self._loaded:
                self._loaded[name, options] = _load(name, options)
            return self._loaded[name, options]


def _load(name: str, options: Options) -> Loaded:
    try:
        return load(name, options)
    except EmbedderError as error:
        return error
