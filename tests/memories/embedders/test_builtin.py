"""What both models that work without a network do with any text."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.embedders.base import Embedder, Vectors

SIZES = {"builtin-e5": 384, "builtin-use": 512}
TEXTS = [
    "The deployment runs on Fridays at noon.",
    "Prefiro reuniões curtas, de manhã.",
    "",
    " ",
    "\x00\x01",
    "\ud800 alone",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "שלום עולם \u202e مرحبا",
    "日本語のテキスト" * 5,
    "rm -rf / && C++ <b>[x]</b>",
    "word " * 600,
]


def _are_unit(rows: Vectors) -> bool:
    return bool(np.isfinite(rows).all() and np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4))


def test_vectors_have_the_stated_size_and_length_one(builtin: Embedder) -> None:
    for rows in (builtin.embed_documents(TEXTS), builtin.embed_pairs(TEXTS)):
        assert rows.shape == (len(TEXTS), SIZES[builtin.name])
        assert rows.dtype == np.float32
        assert _are_unit(rows)
    assert builtin.embed_query("When?").shape == (builtin.dimensions,)
    assert builtin.embed_documents([]).shape == (0, builtin.dimensions)


def test_neighbours_make_no_difference(builtin: Embedder) -> None:
    together = builtin.embed_documents(TEXTS)
    alone = np.concatenate([builtin.embed_documents([text]) for text in TEXTS])

    assert np.abs(together - alone).max() < 1e-6


def test_the_same_text_always_has_the_same_vector(e5: Embedder) -> None:
    first, backwards = e5.embed_documents(TEXTS), e5.embed_documents(TEXTS[::-1])

    assert np.array_equal(first, backwards[::-1])


def test_threads_do_not_disturb_each_other(builtin: Embedder) -> None:
    alone = [builtin.embed_query(text) for text in TEXTS]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(builtin.embed_query, TEXTS * 2))

    assert np.abs(np.stack(together) - np.stack(alone * 2)).max() < 1e-6


def test_what_lies_behind_the_limit_is_not_read(builtin: Embedder) -> None:
    text = "conversation " * (builtin.limit // 13 + 1)

    rows = builtin.embed_documents([text, text + "and a password at the end"])

    assert np.array_equal(rows[0], rows[1])


def test_of_a_pasted_log_only_the_beginning_is_read_as_a_question(builtin: Embedder) -> None:
    log = "reading line after line " * 500

    question = builtin.embed_query(log + "and the end")

    assert np.array_equal(question, builtin.embed_query(log))


# Few examples: each is a run of the whole model.
@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=300))
@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
def test_any_text_has_a_vector(builtin: Embedder, text: str) -> None:
    rows = np.vstack(
        [builtin.embed_documents([text]), builtin.embed_query(text), builtin.embed_pairs([text])]
    )

    assert _are_unit(rows)


@pytest.mark.parametrize("text", ["\ufdfa" * 200, "a" * 20_000, "㍿" * 3000])
def test_a_text_of_any_length_has_a_vector(builtin: Embedder, text: str) -> None:
    assert _are_unit(builtin.embed_documents([text]))
