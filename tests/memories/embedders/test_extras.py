"""The optional packages, played by small modules with the calls that are used of them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from memories.embedders import registry

# sentence-transformers 6.2: `SentenceTransformer.__init__`, `encode_query`, `encode_document`.
SENTENCE_TRANSFORMERS = """
import numpy
class SentenceTransformer:
    def __init__(self, name, *, revision, local_files_only, trust_remote_code):
        assert not trust_remote_code
        if local_files_only and "here" not in name:
            raise OSError("no such model in the cache")
    def encode(self, texts, *, show_progress_bar):
        return numpy.array([[3.0, 4.0] for text in texts])
    def encode_query(self, texts, *, show_progress_bar):
        return numpy.array([[len(text), 0.0] for text in texts])
    def encode_document(self, texts, *, show_progress_bar):
        return numpy.array([[0.0, len(text)] for text in texts])
"""
# fastembed 0.9: `TextEmbedding`.
FASTEMBED = """
import numpy
class TextEmbedding:
    embedding_size = 2
    def __init__(self, name, *, threads, local_files_only):
        if local_files_only and "here" not in name:
            raise ValueError("could not load the model from any source")
    def query_embed(self, texts):
        yield from (numpy.array([len(text), 0.0]) for text in texts)
    def passage_embed(self, texts):
        yield from (numpy.array([0.0, len(text)]) for text in texts)
"""
PACKAGES = {"sentence-transformers": "sentence_transformers", "fastembed": "fastembed"}


@pytest.fixture(params=sorted(PACKAGES))
def kind(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Put a played package where Python finds it first, and forget it afterwards."""
    package = PACKAGES[request.param]
    source = {"fastembed": FASTEMBED, "sentence_transformers": SENTENCE_TRANSFORMERS}[package]
    (tmp_path / f"{package}.py").write_text(source)
    (tmp_path / "fastembed-0.9.1.dist-info").mkdir()
    (tmp_path / "fastembed-0.9.1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: fastembed\nVersion: 0.9.1\n"
    )
    ours = f"memories.embedders.{package}"
    monkeypatch.syspath_prepend(tmp_path)
    for name in (package, ours):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield request.param
    for name in (package, ours):
        sys.modules.pop(name, None)


def test_questions_and_memories_go_to_the_calls_made_for_them(
    kind: str, settings: Settings
) -> None:
    settings.EMBEDDER = f"{kind}:here/small"
    settings.EMBEDDER_QUERY_PREFIX = "q: "
    model = registry.search_embedder()
    assert model is not None

    question, memories = model.embed_query("a"), model.embed_documents(["b", "c"])

    assert model.name == f"{kind}:here/small"
    assert model.dimensions == 2
    assert question.tolist() == [1, 0]
    assert memories.tolist() == [[0, 1], [0, 1]]
    assert question.dtype == memories.dtype == np.float32


def test_a_model_that_is_not_here_is_never_fetched_by_surprise(
    kind: str, settings: Settings
) -> None:
    settings.EMBEDDER = f"{kind}:far/large"

    without = registry.search_embedder(), registry.search_status().why
    settings.EMBEDDER_DOWNLOADS = True
    with_downloads = registry.search_embedder()

    assert without[0] is None
    assert "BRAIN_EMBEDDER_DOWNLOADS" in without[1]
    assert with_downloads is not None


def test_a_wrong_size_stops_the_start_once_the_model_is_loaded(
    kind: str, settings: Settings
) -> None:
    settings.EMBEDDER = f"{kind}:here/small"
    settings.EMBEDDER_DIMENSIONS = 1024

    registry.check_choices()
    with pytest.raises(ImproperlyConfigured, match="have 2 numbers"):
        registry.check_choices(by_loading=True)
