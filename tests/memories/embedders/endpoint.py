"""An OpenAI-compatible endpoint on this machine that answers as a test wants."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    headers: dict[str, str]
    body: dict[str, object]

    @property
    def texts(self) -> list[str]:
        texts = self.body["input"]
        assert isinstance(texts, list)
        return texts


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    content: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


Player = Callable[[Received], Answer]


def vectors(received: Received, *, dimensions: int = 3) -> Answer:
    """Answer with vectors that begin with the length of each text."""
    rows = [[float(len(text)), *[1.0] * (dimensions - 1)] for text in received.texts]
    items = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
    return Answer(content=json.dumps({"data": items}).encode())


def status(code: int, **headers: str) -> Player:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Answer(code, b"it says what was sent", named)


def content(text: str) -> Player:
    return lambda _: Answer(content=text.encode())


class PlayedEndpoint:
    """Play the given answers one after the other, then vectors for ever."""

    def __init__(self) -> None:
        self.answers: list[Player] = []
        self.received: list[Received] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._door())
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _door(self) -> type[BaseHTTPRequestHandler]:
        played = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                received = Received(
                    self.path, {k.lower(): v for k, v in self.headers.items()}, body
                )
                played.received.append(received)
                player = played.answers.pop(0) if played.answers else vectors
                answer = player(received)
                self.send_response(answer.status)
                self.send_header("content-length", str(len(answer.content)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, *arguments: object) -> None:
                """Keep the test's output for its own words."""

        return Door
