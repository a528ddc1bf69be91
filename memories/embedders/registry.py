"""The models in use: loaded when first needed, one of each in a process.

`EMBEDDER` is for search, `DUPLICATES_EMBEDDER` for "about the same thing". Each is "auto"
(the first of a chain that loads), "none", or the name of one model.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memories.embedders import choices
from memories.embedders.base import Embedder, Vector
from memories.embedders.errors import BadVectorError, EmbedderError, WrongChoiceError
from memories.embedders.prepared import QUERY_LIMIT
from memories.embedders.providers import absent
from memories.embedders.shelf import Loaded, Shelf

QUERIES_REMEMBERED = 256
_shelf = Shelf()


@dataclass(frozen=True, slots=True)
class EmbedderStatus:
    """What is so in this process at this moment."""

    wanted: str
    # None: there is no model, and search goes by words alone.
    active: str | None
    # Why a model that was wanted is not active, or does not answer; empty when all is well.
    why: str
    # False: nothing asked for the model yet, so only its packages were looked for.
    is_loaded: bool


def search_embedder() -> Embedder | None:
    """Return the model that search uses, loading it when need be."""
    return _first(choices.search_chain())


def pair_embedder() -> Embedder | None:
    """Return the model that tells whether two texts are about the same thing."""
    return _first(choices.pair_chain())


def search_status() -> EmbedderStatus:
    """Say which model search uses; never loads one."""
    return _status(choices.wanted_for_search(), choices.search_chain())


def pair_status() -> EmbedderStatus:
    """Say which model finds duplicates; never loads one."""
    return _status(choices.wanted_for_pairs(), choices.pair_chain())


def query_vector(text: str) -> Vector | None:
    """Return the vector of a question, or None when there is no model; repeats cost nothing.

    Raises EmbedderError when the model does not answer.
    """
    embedder = search_embedder()
    return None if embedder is None else _remembered(embedder, text[:QUERY_LIMIT])


def pair_vector(text: str) -> Vector | None:
    """Return the vector that says what a text is about, for comparing it with other texts.

    None when there is no model for it; raises EmbedderError when the model does not answer.
    """
    embedder = pair_embedder()
    return None if embedder is None else _remembered_pair(embedder, text[:QUERY_LIMIT])


def check_choices(*, by_loading: bool = False) -> None:
    """Stop with a sentence when a setting is wrong; some sizes show only `by_loading`.

    That a server or a package is not there is no wrong setting: the status says it.
    """
    choices.check()
    if by_loading:
        for name in {*choices.search_chain(), *choices.pair_chain()}:
            with choices.stopping():
                _try_out(_shelf.take(name, choices.options()))


def forget_loaded() -> None:
    """Drop the models of this process; the next use loads them again."""
    _shelf.clear()
    _remembered.cache_clear()
    _remembered_pair.cache_clear()


@lru_cache(maxsize=QUERIES_REMEMBERED)
def _remembered(embedder: Embedder, text: str) -> Vector:
    vector = embedder.embed_query(text)
    # Every later caller gets the same array.
    vector.setflags(write=False)
    return vector


@lru_cache(maxsize=QUERIES_REMEMBERED)
def _remembered_pair(embedder: Embedder, text: str) -> Vector:
    vector: Vector = embedder.embed_pairs([text])[0]
    vector.setflags(write=False)
    return vector


def _first(chain: Sequence[str]) -> Embedder | None:
    for name in chain:
        loaded = _shelf.take(name, choices.options())
        if not isinstance(loaded, EmbedderError):
            return loaded
    return None


def _status(wanted: str, chain: Sequence[str]) -> EmbedderStatus:
    reasons: list[str] = []
    for name in chain:
        known = _shelf.known(name, choices.options())
        if isinstance(known, EmbedderError):
            reasons.append(str(known))
        elif known is not None:
            reasons += [known.trouble] if known.trouble else []
            return EmbedderStatus(wanted, known.name, " ".join(reasons), is_loaded=True)
        elif sentence := absent(name):
            reasons.append(sentence)
        else:
            return EmbedderStatus(wanted, name, " ".join(reasons), is_loaded=False)
    why = " ".join(reasons) or "It is turned off in the settings."
    return EmbedderStatus(wanted, None, why, is_loaded=False)


def _try_out(loaded: Loaded) -> None:
    """Raise what a changed setting would put right, and nothing else."""
    if isinstance(loaded, WrongChoiceError):
        raise loaded
    if not isinstance(loaded, EmbedderError):
        try:
            loaded.embed_query("size")
        except BadVectorError:
            raise
        except EmbedderError:
            return


# A child has neither the parent's threads nor anybody to open its locks.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_loaded)
