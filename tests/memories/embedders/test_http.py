"""An endpoint that behaves, one that is busy, and ones that answer nonsense."""

import logging
import threading
import traceback

import numpy as np
import pytest

from memories.embedders.base import Prefixes, Thresholds
from memories.embedders.errors import (
    BadVectorError,
    EmbedderError,
    EmbedderRefusedError,
    EmbedderUnavailableError,
)
from memories.embedders.http import REST, HttpEmbedder
from memories.embedders.options import Options, Server
from tests.memories.embedders.endpoint import (
    Answer,
    PlayedEndpoint,
    Player,
    Received,
    content,
    status,
    vectors,
)

KEY = "-".join(["sk", "test", "4f2a" * 6])


class Times:
    """A clock that stands still unless somebody waits or a test moves it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def clock(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


def embedder(
    endpoint: PlayedEndpoint,
    *,
    times: Times | None = None,
    server: Server | None = None,
    prefixes: Prefixes | None = None,
) -> HttpEmbedder:
    times = times or Times()
    server = server or Server(endpoint.url, "small", KEY, batch=2, timeout=5, batch_timeout=50)
    options = Options(dimensions=3, server=server, prefixes=prefixes or Prefixes(), limit=50)
    return HttpEmbedder(options, pause=times.pause, clock=times.clock)


def test_texts_go_out_in_batches_and_come_back_at_length_one(endpoint: PlayedEndpoint) -> None:
    rows = embedder(endpoint).embed_documents(["a", "bb", "ccc"])

    assert [received.texts for received in endpoint.received] == [["a", "bb"], ["ccc"]]
    assert np.allclose(
        rows * np.linalg.norm([[1, 1, 1], [2, 1, 1], [3, 1, 1]], axis=1)[:, None],
        [[1, 1, 1], [2, 1, 1], [3, 1, 1]],
    )
    first = endpoint.received[0]
    assert first.path == "/v1/embeddings"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.body == {"model": "small", "input": ["a", "bb"], "encoding_format": "float"}


def test_the_server_shortens_the_vectors_only_on_request(endpoint: PlayedEndpoint) -> None:
    server = Server(endpoint.url, "small", shorten=True)

    embedder(endpoint, server=server).embed_query("a")

    assert endpoint.received[0].body["dimensions"] == 3
    assert "authorization" not in endpoint.received[0].headers


def test_each_purpose_has_its_prefix_and_no_text_passes_the_limit(
    endpoint: PlayedEndpoint,
) -> None:
    model = embedder(endpoint, prefixes=Prefixes(document="d: ", query="q: ", pair="p: "))

    model.embed_documents(["x" * 60])
    model.embed_query("y\ud800")
    model.embed_pairs(["z"])

    sent = [received.texts for received in endpoint.received]
    assert sent == [["d: " + "x" * 50], ["q: y\ufffd"], ["p: z"]]


def test_vectors_are_put_in_the_order_of_the_texts(endpoint: PlayedEndpoint) -> None:
    endpoint.answers = [
        content(
            '{"data": [{"index": 1, "embedding": [0, 1, 0]}, {"index": 0, "embedding": [2, 0, 0]}]}'
        )
    ]

    rows = embedder(endpoint).embed_documents(["a", "b"])

    assert rows.tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(endpoint: PlayedEndpoint, code: int) -> None:
    times = Times()
    endpoint.answers = [status(code), status(code, retry_after="3")]

    model = embedder(endpoint, times=times)
    rows = model.embed_documents(["a"])

    assert rows.shape == (1, 3)
    assert times.pauses == [0.5, 3.0]
    assert model.trouble == ""


def test_a_server_that_stays_busy_is_given_up(endpoint: PlayedEndpoint) -> None:
    times = Times()
    endpoint.answers = [status(503, retry_after="3600")] * 3

    model = embedder(endpoint, times=times)
    with pytest.raises(EmbedderUnavailableError, match="503"):
        model.embed_documents(["a"])

    assert len(endpoint.received) == 3
    assert times.pauses == [5.0, 5.0]
    assert "503" in model.trouble


def test_a_question_never_waits_as_long_as_a_batch(endpoint: PlayedEndpoint) -> None:
    times = Times()
    endpoint.answers = [status(429, retry_after="60")] * 2

    embedder(endpoint, times=times).embed_query("a")

    assert times.pauses == [0.5, 0.5]


def test_after_a_failure_questions_are_not_sent_for_a_while(endpoint: PlayedEndpoint) -> None:
    times = Times()
    model = embedder(endpoint, times=times)
    endpoint.answers = [status(500)] * 3
    with pytest.raises(EmbedderUnavailableError):
        model.embed_query("a")

    with pytest.raises(EmbedderUnavailableError, match="a moment ago"):
        model.embed_query("b")
    sent_at_rest = len(endpoint.received)
    times.now += REST
    answered = model.embed_query("c")

    assert sent_at_rest == 3
    assert answered.shape == (3,)


def test_a_redirect_is_not_followed(endpoint: PlayedEndpoint) -> None:
    endpoint.answers = [status(307, location=f"{endpoint.url}/elsewhere")]

    with pytest.raises(EmbedderRefusedError, match="elsewhere"):
        embedder(endpoint).embed_query("a")

    assert len(endpoint.received) == 1


@pytest.mark.parametrize(
    ("code", "advice"), [(401, "BRAIN_EMBEDDER_KEY"), (404, "no such model"), (400, "its own log")]
)
def test_a_refusal_is_final_and_says_what_to_change(
    endpoint: PlayedEndpoint, code: int, advice: str
) -> None:
    endpoint.answers = [status(code)]

    with pytest.raises(EmbedderRefusedError, match=advice):
        embedder(endpoint).embed_query("a")

    assert len(endpoint.received) == 1


@pytest.mark.parametrize(
    "answer",
    [
        lambda received: vectors(received, dimensions=4),
        content('{"data": [{"index": 0, "embedding": [1, 2]}]}'),
        content('{"data": [{"index": 1, "embedding": [1, 2, 3]}]}'),
        content(
            '{"data": [{"index": 0, "embedding": [1,2,3]}, {"index": 0, "embedding": [1,2,3]}]}'
        ),
        content('{"data": []}'),
        content('{"data": [{"index": 0, "embedding": [0, 0, 0]}]}'),
        content('{"data": [{"index": 0, "embedding": [1e300, 0, 0]}]}'),
        content('{"data": [{"index": 0, "embedding": [NaN, 0, 0]}]}'),
        content('{"data": [{"index": 0, "embedding": null}]}'),
        content("<html>hello</html>"),
        content(""),
        lambda _: Answer(content=b"\xff\xfe\x00"),
    ],
)
def test_an_answer_without_one_good_vector_for_each_text_is_refused(
    endpoint: PlayedEndpoint, answer: Player
) -> None:
    endpoint.answers = [answer]

    with pytest.raises(BadVectorError):
        embedder(endpoint).embed_query("a")


def test_a_server_that_is_too_slow_is_not_asked_twice(endpoint: PlayedEndpoint) -> None:
    def late(received: Received) -> Answer:
        asked_again.wait(5)
        return vectors(received)

    asked_again = threading.Event()
    endpoint.answers = [late]
    server = Server(endpoint.url, "small", timeout=0.05)

    with pytest.raises(EmbedderUnavailableError, match="too slowly"):
        embedder(endpoint, server=server).embed_query("a")

    asked_again.set()
    assert len(endpoint.received) == 1


def test_a_server_that_is_not_there_is_said_to_be_unreachable() -> None:
    with PlayedEndpoint() as gone:
        model = embedder(gone)

    with pytest.raises(EmbedderUnavailableError, match="cannot be reached"):
        model.embed_query("a")


def test_neither_the_key_nor_a_text_shows_in_a_log_or_an_error(
    endpoint: PlayedEndpoint, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.answers = [status(400), content("[]"), status(500), status(500), status(500)]
    model = embedder(endpoint)

    said = []
    # Built here, since a traceback quotes the lines of this file.
    question = "-".join("private")
    for _ in range(3):
        with pytest.raises(EmbedderError) as caught:
            model.embed_query(question)
        said.append("".join(traceback.format_exception(caught.value)))

    written = "\n".join([*said, caplog.text, repr(Options(server=Server(key=KEY)))])
    assert KEY not in written
    assert question not in written
    assert "it says what was sent" not in written


def test_the_same_model_at_another_address_is_another_model(endpoint: PlayedEndpoint) -> None:
    here = embedder(endpoint)
    there = embedder(endpoint, server=Server("https://api.example.org/v1", "small"))

    assert here.name == there.name == "http:small"
    assert here.key != there.key


def test_a_stated_revision_and_thresholds_belong_to_the_model(endpoint: PlayedEndpoint) -> None:
    options = Options(
        dimensions=3,
        revision="2026-11",
        thresholds=Thresholds(close=0.4),
        server=Server(endpoint.url, "small"),
    )

    model = HttpEmbedder(options)

    assert model.revision == "2026-11"
    assert model.thresholds == Thresholds(close=0.4)
