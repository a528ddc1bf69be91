"""Send texts to an OpenAI-compatible server: patient, once to the right place, and silent.

Nothing that was sent or answered reaches a log or an error: neither texts nor the key.
"""

import time
from collections.abc import Callable, Mapping

import httpx2

from memories.embedders.errors import EmbedderRefusedError, EmbedderUnavailableError
from memories.embedders.options import Server

# Seconds before the second and the third try, unless the server asks for more.
PAUSES = (0.5, 1.0)
# No pause is longer than this share of the time that the caller has.
LONGEST_PAUSE = 0.1
_TOO_MANY = 429
_ADVICE = {
    401: "it does not accept BRAIN_EMBEDDER_KEY",
    403: "BRAIN_EMBEDDER_KEY may not use this model",
    404: "it knows no such model or address",
    413: "a text is too long for it; lower BRAIN_EMBEDDER_LIMIT or BRAIN_EMBEDDER_BATCH",
}


class Endpoint:
    """Connections to one server; safe to use from several threads, never across a fork."""

    def __init__(self, server: Server, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._url = f"{server.url.rstrip('/')}/embeddings"
        self._pause = pause
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {server.key}"} if server.key else {},
            follow_redirects=False,
            # A proxy of the environment is for other machines.
            trust_env=not server.is_loopback,
        )

    def post(self, body: Mapping[str, object], *, timeout: float) -> bytes:
        """Return the answer to `body`, after up to two more tries when the server is busy."""
        answer = self._try(body, timeout)
        for pause in PAUSES:
            if answer is not None and not _is_passing(answer):
                break
            wanted = max(pause, _retry_after(answer))
            self._pause(min(wanted, timeout * LONGEST_PAUSE))
            answer = self._try(body, timeout)
        return _content(answer)

    def _try(self, body: Mapping[str, object], timeout: float) -> httpx2.Response | None:
        """Return the answer, or None when there was no connection."""
        try:
            return self._client.post(self._url, json=body, timeout=timeout)
        except httpx2.TimeoutException:
            # Who waited this long has no time for another try.
            raise EmbedderUnavailableError("The embedding server answers too slowly.") from None
        except httpx2.RequestError:
            return None


def _is_passing(answer: httpx2.Response) -> bool:
    return answer.status_code == _TOO_MANY or answer.is_server_error


def _retry_after(answer: httpx2.Response | None) -> float:
    """Return the seconds that the server asks for (RFC 9110, 10.2.3), 0 for none or a date."""
    wanted = answer.headers.get("retry-after", "") if answer is not None else ""
    return float(wanted) if wanted.isdecimal() else 0.0


def _content(answer: httpx2.Response | None) -> bytes:
    if answer is None:
        raise EmbedderUnavailableError("The embedding server cannot be reached.")
    status = answer.status_code
    if _is_passing(answer):
        raise EmbedderUnavailableError(f"The embedding server is busy or broken ({status}).")
    if answer.is_redirect:
        raise EmbedderRefusedError(
            f"The embedding server sends elsewhere ({status}), which is not followed: "
            "correct BRAIN_EMBEDDER_URL."
        )
    if not answer.is_success:
        advice = _ADVICE.get(status, "see its own log")
        raise EmbedderRefusedError(f"The embedding server refused the texts ({status}): {advice}.")
    return answer.content
