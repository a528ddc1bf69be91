"""Which judge an operator wants: none, unless an address and a model are named."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class WrongJudgeError(Exception):
    """A setting of the judge cannot work; the sentence says which and why."""


@dataclass(frozen=True, slots=True)
class Options:
    """An OpenAI-compatible chat endpoint; the key never shows in a log or a traceback."""

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    # Pairs of one day (UTC) at most, of all spaces together.
    daily: int = 200
    # Seconds for one answer.
    timeout: float = 20.0
    plain_http: bool = False

    @property
    def is_on(self) -> bool:
        return bool(self.url and self.model)

    @property
    def is_loopback(self) -> bool:
        return urlsplit(self.url).hostname in _LOOPBACK


def check(options: Options) -> None:
    """Refuse what cannot work, or what would send memories in the clear."""
    if not options.url and not options.model:
        return
    if not options.is_on:
        raise WrongJudgeError(
            "The judge needs both BRAIN_JUDGE_URL and BRAIN_JUDGE_MODEL; leave both empty for none."
        )
    scheme = _scheme(options.url)
    if scheme == "http" and not options.is_loopback and not options.plain_http:
        raise WrongJudgeError(
            "BRAIN_JUDGE_URL must start with https:// unless it is this machine: memories would "
            "cross the network in the clear. On a closed network set BRAIN_JUDGE_PLAIN_HTTP=true."
        )
    # A header with anything else is refused by a message that quotes it.
    if not all("!" <= char <= "~" for char in options.key):
        raise WrongJudgeError("BRAIN_JUDGE_KEY holds a character that no key has.")


def _scheme(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_address = parts.port != 0 and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address or parts.scheme not in {"http", "https"} or parts.query or parts.fragment:
        raise WrongJudgeError(
            "BRAIN_JUDGE_URL must look like https://api.example.org/v1 "
            "(the part before /chat/completions)."
        )
    if parts.username or parts.password:
        raise WrongJudgeError("BRAIN_JUDGE_URL must hold no key; use BRAIN_JUDGE_KEY.")
    return parts.scheme
