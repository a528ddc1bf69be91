"""`manage.py calibrate_embedder`: the thresholds of a model, ready to be set."""

import io
import re
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from memories.embedders import registry
from memories.embedders.options import thresholds
from memories.embedders.providers import absent
from tests.memories.embedders.endpoint import PlayedEndpoint, status


def calibrated(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("calibrate_embedder", *arguments, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture(autouse=True)
def _nothing_loaded() -> Iterator[None]:
    registry.forget_loaded()
    yield
    registry.forget_loaded()


@pytest.mark.parametrize("name", ["builtin-e5", "builtin-use"])
def test_a_named_model_is_measured_whatever_search_uses(name: str, settings: Settings) -> None:
    if sentence := absent(name):
        pytest.skip(sentence)
    settings.EMBEDDER = "none"

    lines = calibrated(name)

    variable, _, value = lines[-1].partition("=")
    assert lines[0].startswith(f"{name}, revision ")
    assert variable == "BRAIN_EMBEDDER_THRESHOLDS"
    assert None not in {thresholds(value.split(",")).close, thresholds(value.split(",")).review}
    assert lines[-2].startswith(f"{name} has its own thresholds, ")


def test_without_a_name_the_model_of_search_is_measured(settings: Settings) -> None:
    settings.EMBEDDER = "builtin-use"

    lines = calibrated()

    assert lines[0].startswith("builtin-use, revision ")
    assert any(re.match(r"close .* 0\.190 +\d+ of \d+ +\d+ of \d+$", line) for line in lines)


def test_the_line_of_a_model_on_a_server_is_to_be_set_as_it_is(settings: Settings) -> None:
    with PlayedEndpoint() as endpoint:
        settings.EMBEDDER = "http"
        settings.EMBEDDER_URL = endpoint.url
        settings.EMBEDDER_MODEL = "small"
        settings.EMBEDDER_DIMENSIONS = 3

        lines = calibrated()

    assert lines[0].startswith("http:small, ")
    assert lines[-2] == ""
    assert lines[-1].startswith("BRAIN_EMBEDDER_THRESHOLDS=close=")


def test_a_server_that_refuses_ends_in_its_sentence(settings: Settings) -> None:
    with PlayedEndpoint() as endpoint:
        endpoint.answers = [status(404)]
        settings.EMBEDDER_URL = endpoint.url
        settings.EMBEDDER_MODEL = "small"
        settings.EMBEDDER_DIMENSIONS = 3

        with pytest.raises(CommandError, match="no such model"):
            calibrated("http")


def test_a_name_that_means_no_model_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no embedder 'word2vec'"):
        calibrated("word2vec")


def test_where_search_by_meaning_is_off_there_is_nothing_to_measure(settings: Settings) -> None:
    settings.EMBEDDER = "none"

    with pytest.raises(CommandError, match="turned off in the settings"):
        calibrated()
