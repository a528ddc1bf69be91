"""A model of which a test writes every turn, and which keeps what it was sent.

Clients cannot tell it from a real one, so what they send is what they would send to theirs.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Protocol

from typing_extensions import override

Json = dict[str, Any]
# How clients prefix the names of a server that the Connect page calls `brain-...`.
OURS = ("mcp__brain", "__mcp__brain")


@dataclass(frozen=True, slots=True)
class Call:
    """A turn that calls one tool of the memory (or, with `own`, one of the client itself)."""

    tool: str
    arguments: Json
    own: bool = False


@dataclass(frozen=True, slots=True)
class Say:
    """A turn that ends the work with a sentence."""

    text: str = "Done."


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as a client offers it to its model."""

    name: str
    description: str
    schema: Json
    namespace: str = ""


class Dialect(Protocol):
    """How a vendor's API puts the same things."""

    def offered(self, request: Json) -> list[Offered]: ...

    def results(self, request: Json) -> list[str]: ...

    def answer(self, turn: Call | Say, *, tool: Offered | None, number: int) -> Json: ...

    def events(self, answer: Json) -> Iterator[Json]: ...


@dataclass
class ScriptedModel:
    """Takes the turns in order; a request that offers no tools is none of the conversation."""

    dialect: Dialect
    turns: Sequence[Call | Say]
    url: str = ""
    requests: list[Json] = field(default_factory=list)
    _taken: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def tools(self) -> dict[str, Offered]:
        """Return the memory's tools as the last request of the conversation offered them."""
        return _memory_tools(self.dialect.offered(self._conversation()[-1]))

    def results(self) -> list[str]:
        """Return what the model was told that its calls returned, in order."""
        return self.dialect.results(self._conversation()[-1])

    def read(self) -> str:
        """Return every text that the conversation sent to the model, without its encoding."""
        return "\n".join(text for request in self._conversation() for text in _texts(request))

    def _conversation(self) -> list[Json]:
        return [request for request in self.requests if self.dialect.offered(request)]

    def reply(self, request: Json) -> Json:
        """Return the answer to one request, and move on to the next turn."""
        with self._lock:
            self.requests.append(request)
            offered = self.dialect.offered(request)
            if not offered:
                return self.dialect.answer(Say("Untitled"), tool=None, number=0)
            turn = self.turns[self._taken] if self._taken < len(self.turns) else Say()
            self._taken += 1
            tool = _wanted(turn, offered) if isinstance(turn, Call) else None
            return self.dialect.answer(turn, tool=tool, number=self._taken)


def _memory_tools(offered: Sequence[Offered]) -> dict[str, Offered]:
    ours = [tool for tool in offered if f"{tool.namespace}__{tool.name}".startswith(OURS)]
    return {tool.name.rpartition("__")[2]: tool for tool in ours}


def _wanted(turn: Call, offered: Sequence[Offered]) -> Offered:
    if turn.own:
        return next(tool for tool in offered if tool.name == turn.tool)
    return _memory_tools(offered)[turn.tool]


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)


@contextmanager
def serving(dialect: Dialect, *turns: Call | Say) -> Iterator[ScriptedModel]:
    """Serve the model on a free port of this machine."""
    model = ScriptedModel(dialect, turns)

    class Handler(_Handler):
        scripted = model

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def _frame(event: Json) -> str:
    named = f"event: {event['type']}\n" if "type" in event else ""
    return f"{named}data: {json.dumps(event)}\n\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    scripted: ClassVar[ScriptedModel]

    def do_GET(self) -> None:
        # The list of models, which some ask for first.
        self._send(json.dumps({"object": "list", "data": [], "has_more": False}))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        request = json.loads(body)
        if self.path.partition("?")[0].endswith("count_tokens"):
            self._send(json.dumps({"input_tokens": 1}))
            return
        try:
            answer = self.scripted.reply(request)
        except (KeyError, StopIteration):
            # Not a turn of this script: say so where the client shows it.
            self._send(json.dumps({"error": {"message": "The tool is not offered."}}), status=400)
            return
        if not (request.get("stream") or ":stream" in self.path):
            self._send(json.dumps(answer))
            return
        frames = map(_frame, self.scripted.dialect.events(answer))
        self._send("".join(frames), kind="text/event-stream")

    def _send(self, text: str, *, status: int = 200, kind: str = "application/json") -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the test tells what is wrong."""
