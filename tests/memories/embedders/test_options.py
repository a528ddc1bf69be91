"""Choices that cannot work are refused with a sentence before anything is loaded."""

from dataclasses import replace

import pytest

from memories.embedders.base import Thresholds
from memories.embedders.errors import WrongChoiceError
from memories.embedders.options import (
    Options,
    Server,
    check_numbers,
    check_server,
    thresholds,
)

GOOD = Options(dimensions=1024, server=Server("https://api.example.org/v1", "small"))


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org/v1",
        "https://api.example.org:8443",
        "http://127.0.0.1:11434/v1",
        "http://localhost:8080/v1/",
        "http://[::1]:80/v1",
    ],
)
def test_an_endpoint_is_reached_over_tls_or_on_this_machine(url: str) -> None:
    check_server(replace(GOOD, server=replace(GOOD.server, url=url)))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "must look like"),
        ("api.example.org/v1", "must look like"),
        ("ftp://api.example.org/v1", "must look like"),
        ("https:///v1", "must look like"),
        ("https://api.example.org/v1?key=1", "must look like"),
        ("https://api.example.org:port/v1", "must look like"),
        ("https://api.example.org:99999/v1", "must look like"),
        ("https://[::1/v1", "must look like"),
        ("https://someone@api.example.org/v1", "must hold no key"),
        ("http://api.example.org/v1", "in the clear"),
        ("http://127.0.0.1.example.org/v1", "in the clear"),
    ],
)
def test_another_address_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(WrongChoiceError, match=sentence):
        check_server(replace(GOOD, server=replace(GOOD.server, url=url)))


def test_plain_http_to_another_machine_is_a_choice_of_its_own() -> None:
    server = Server("http://ollama:11434/v1", "small", plain_http=True)

    check_server(replace(GOOD, server=server))


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "é"])
def test_a_key_that_no_header_can_carry_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(WrongChoiceError) as caught:
        check_server(replace(GOOD, server=replace(GOOD.server, key=key)))

    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "options", [replace(GOOD, dimensions=0), replace(GOOD, server=replace(GOOD.server, model=""))]
)
def test_an_endpoint_needs_a_model_and_a_size(options: Options) -> None:
    with pytest.raises(WrongChoiceError, match="BRAIN_EMBEDDER_DIMENSIONS"):
        check_server(options)


@pytest.mark.parametrize(
    "options",
    [
        Options(dimensions=-1),
        Options(dimensions=4001),
        Options(threads=0),
        Options(limit=0),
        Options(server=Server(batch=0)),
        Options(server=Server(timeout=0)),
    ],
)
def test_impossible_numbers_are_refused(options: Options) -> None:
    with pytest.raises(WrongChoiceError):
        check_numbers(options)


def test_thresholds_are_read_as_they_are_printed() -> None:
    assert thresholds([]) == Thresholds()
    assert thresholds(["close=0.4", "review=.8"]) == Thresholds(close=0.4, review=0.8)


@pytest.mark.parametrize(
    "part", ["close", "close=", "close=near", "close=nan", "close=2", "far=0.1"]
)
def test_a_threshold_that_is_none_is_refused(part: str) -> None:
    with pytest.raises(WrongChoiceError, match="close_across_languages"):
        thresholds([part])
