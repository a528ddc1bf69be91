"""The search model finds what is meant, from the pinned weights only."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memories.embedders.base import Embedder
from memories.embedders.e5 import pinned
from memories.embedders.errors import EmbedderDamagedError, EmbedderMissingError

MEMORIES = [
    "We release every second Thursday, after the tests are green.",
    "The customer database lives in Frankfurt.",
    "Maria prefers written updates over meetings.",
    "Invoices are sent on the first working day of the month.",
    "The login page must work without JavaScript.",
    "O servidor de testes é reiniciado toda madrugada.",
    "A Ana é alérgica a amendoim.",
    "O contrato com a gráfica termina em dezembro.",
    "Os relatórios ficam na pasta compartilhada do financeiro.",
    "Nunca enviar mensagens aos clientes nos fins de semana.",
]
QUESTIONS = [
    ("When do we ship a new version?", 0),
    ("Where is the data of our clients stored?", 1),
    ("How does Maria like to be informed?", 2),
    ("On which day do bills go out?", 3),
    ("May signing in depend on scripts?", 4),
    ("Quando a máquina de homologação é religada?", 5),
    ("Que comida devemos evitar servir para a Ana?", 6),
    ("Até quando vale o acordo com quem imprime?", 7),
    ("Onde encontro os documentos do setor de finanças?", 8),
    ("Posso escrever para um cliente no sábado?", 9),
    # In the other language.
    ("When does the contract with the printing company end?", 7),
]


def test_the_memory_that_answers_is_among_the_nearest_two(e5: Embedder) -> None:
    rows = e5.embed_documents(MEMORIES)

    ranks = [
        list(np.argsort(-(rows @ e5.embed_query(question)))).index(answer)
        for question, answer in QUESTIONS
    ]

    assert max(ranks) <= 1
    assert ranks.count(0) >= len(ranks) - 2


def test_an_answer_is_close_and_an_unrelated_memory_is_not(e5: Embedder) -> None:
    rows = e5.embed_documents(MEMORIES)
    close = e5.thresholds.close
    assert close is not None

    answered = rows @ e5.embed_query("Where does the customer database live?")
    unanswered = rows @ e5.embed_query("How do I bake sourdough bread?")

    assert answered.max() > close > unanswered.max()


def test_all_of_a_long_memory_counts_and_the_first_window_of_a_long_question(
    e5: Embedder,
) -> None:
    # A piece for each character: about 700, where a window holds 510.
    long = "日" * 350 + " 語 月 火" * 100

    first, second = e5.embed_documents([long + "水", long + "木"])

    assert not np.array_equal(first, second)
    assert np.array_equal(e5.embed_query(long + "水"), e5.embed_query(long + "木"))


def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    changed = tmp_path / pinned.FILE
    changed.write_bytes(b"E5S1 and other weights")

    with pytest.raises(EmbedderDamagedError, match="not the pinned one"):
        pinned.checked(changed, sha256=pinned.SHA256)


def test_a_package_without_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderMissingError, match=pinned.FILE):
        pinned.checked(tmp_path / pinned.FILE, sha256=pinned.SHA256)


def test_no_code_of_the_package_that_holds_the_weights_is_run(e5: Embedder) -> None:
    assert e5.embed_query("loaded").any()
    assert not [name for name in sys.modules if name.split(".")[0] == pinned.PACKAGE]


def test_a_model_that_onnxruntime_cannot_run_is_refused(e5: Embedder) -> None:
    engine = importlib.import_module("memories.embedders.e5.engine")

    with pytest.raises(EmbedderDamagedError, match="onnxruntime"):
        engine._session(b"no model", threads=1)


AFTER_FORK = """
import os
from django.conf import settings
settings.configure(EMBEDDER="builtin-e5")
from memories.embedders import registry
before = registry.query_vector("the same question")
child = os.fork()
if child == 0:
    fresh = not registry.search_status().is_loaded
    same = (registry.query_vector("the same question") == before).all()
    os._exit(0 if fresh and same else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_worker_loads_a_model_of_its_own(e5: Embedder) -> None:
    done = subprocess.run([sys.executable, "-c", AFTER_FORK], timeout=60, check=False)

    assert done.returncode == 0
