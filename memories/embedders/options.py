"""What an operator can choose, as plain values; `registry` reads them from the settings."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from urllib.parse import SplitResult, urlsplit

from memories.embedders.base import Prefixes, Thresholds
from memories.embedders.errors import WrongChoiceError

# The longest vector that an HNSW index over halfvec takes (pgvector, "HNSW").
MOST_DIMENSIONS = 4000
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible endpoint; the key never shows in a log or a traceback."""

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    # Texts in one request.
    batch: int = 32
    # Seconds for a question, which a person or an agent waits for, and for a batch.
    timeout: float = 10.0
    batch_timeout: float = 60.0
    # Ask the server to shorten its vectors to the wanted size (OpenAI's `dimensions`).
    shorten: bool = False
    plain_http: bool = False

    @property
    def is_loopback(self) -> bool:
        return urlsplit(self.url).hostname in _LOOPBACK


@dataclass(frozen=True, slots=True)
class Options:
    """Everything but the names of the models; of it the built-in models use `threads` at most."""

    threads: int = 1
    downloads: bool = False
    dimensions: int = 0
    limit: int = 8000
    revision: str = ""
    prefixes: Prefixes = field(default_factory=Prefixes)
    thresholds: Thresholds = field(default_factory=Thresholds)
    server: Server = field(default_factory=Server)


def check_numbers(options: Options) -> None:
    """Refuse numbers that no model can work with."""
    if not 0 <= options.dimensions <= MOST_DIMENSIONS:
        raise WrongChoiceError(
            f"BRAIN_EMBEDDER_DIMENSIONS must be from 1 to {MOST_DIMENSIONS}, "
            "or empty for the size that the model has."
        )
    least = min(options.threads, options.limit, options.server.batch)
    if least < 1 or min(options.server.timeout, options.server.batch_timeout) <= 0:
        raise WrongChoiceError(
            "The numbers of the embedder (threads, limit, batch, timeouts) must be above zero."
        )


def check_server(options: Options) -> None:
    """Refuse an endpoint that cannot work, or that would send memories in the clear."""
    server = options.server
    parts = _address(server.url)
    if parts.username or parts.password:
        raise WrongChoiceError("BRAIN_EMBEDDER_URL must hold no key; use BRAIN_EMBEDDER_KEY.")
    if parts.scheme == "http" and not server.is_loopback and not server.plain_http:
        raise WrongChoiceError(
            "BRAIN_EMBEDDER_URL must start with https:// unless it is this machine: memories "
            "would cross the network in the clear. On a closed network set "
            "BRAIN_EMBEDDER_PLAIN_HTTP=true."
        )
    if not server.model or not options.dimensions:
        raise WrongChoiceError(
            "BRAIN_EMBEDDER=http needs BRAIN_EMBEDDER_MODEL and BRAIN_EMBEDDER_DIMENSIONS, "
            "the name of the model and the size of its vectors."
        )
    # A header with anything else is refused by a message that quotes it.
    if not all("!" <= char <= "~" for char in server.key):
        raise WrongChoiceError("BRAIN_EMBEDDER_KEY holds a character that no key has.")


def thresholds(parts: Sequence[str]) -> Thresholds:
    """Read `close=0.83` and the like, as `manage.py calibrate_embedder` prints them."""
    known = {field.name for field in fields(Thresholds)}
    values: dict[str, float] = {}
    for part in parts:
        name, _, number = part.partition("=")
        if name not in known or not _is_cosine(number):
            raise WrongChoiceError(
                "BRAIN_EMBEDDER_THRESHOLDS must look like close=0.83,review=0.93; "
                f"the names are {', '.join(sorted(known))}."
            )
        values[name] = float(number)
    return Thresholds(**values)


def _is_cosine(number: str) -> bool:
    try:
        return -1 <= float(number) <= 1
    except ValueError:
        return False


def _address(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        # Reading the port is what refuses one that is no number.
        is_address = parts.port != 0 and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or parts.scheme not in {"http", "https"} or parts.query or parts.fragment:
        raise WrongChoiceError(
            "BRAIN_EMBEDDER_URL must look like https://api.example.org/v1 "
            "(the part before /embeddings)."
        )
    return parts
