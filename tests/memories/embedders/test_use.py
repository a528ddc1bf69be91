"""The second model tells what is about the same thing, also across languages."""

import numpy as np

from memories.embedders.base import Embedder

SAME = [
    ("We deploy on Fridays.", "Deployments happen every Friday."),
    ("O prazo do relatório é dia 10.", "O relatório deve ser entregue até o dia 10."),
    ("The office is closed in August.", "O escritório fica fechado em agosto."),
    (
        "The customer database lives in Frankfurt.",
        "O banco de dados dos clientes fica em Frankfurt.",
    ),
]


def test_two_texts_about_the_same_thing_are_nearer_than_others(use: Embedder) -> None:
    firsts = use.embed_pairs([first for first, _ in SAME])
    seconds = use.embed_pairs([second for _, second in SAME])

    cosines = firsts @ seconds.T

    assert np.argmax(cosines, axis=1).tolist() == [0, 1, 2, 3]
    assert cosines.diagonal().min() > 0.6 > (cosines - np.eye(4)).max()


def test_pairs_are_compared_by_the_vectors_that_search_uses(use: Embedder) -> None:
    texts = [first for first, _ in SAME]

    assert use.pair_key == use.key
    assert np.allclose(use.embed_pairs(texts), use.embed_documents(texts), atol=1e-6)
