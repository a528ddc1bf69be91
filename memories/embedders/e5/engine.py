"""Run the network: one text at a time, long texts in windows."""

from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

from memories.embedders.base import Vector
from memories.embedders.e5.network import INPUT, OUTPUT, network
from memories.embedders.e5.tokenizer import Tokenizer
from memories.embedders.e5.weight_file import Floats, WeightFile, decoded
from memories.embedders.errors import EmbedderDamagedError, EmbedderError

_FAILURES = (
    runtime.Fail,
    runtime.InvalidArgument,
    runtime.InvalidGraph,
    runtime.InvalidProtobuf,
    runtime.NotImplemented,
    runtime.RuntimeException,
)


class Engine:
    """The loaded model; safe to use from several threads, never across a fork."""

    def __init__(self, path: Path, *, threads: int) -> None:
        weights = WeightFile(path)
        sizes = weights.sizes
        self.dimensions = sizes.hidden
        self._words = weights.packed_rows("emb.word", rows=sizes.words)
        # The type of a text is always the first one, so its row is part of every position.
        self._places: Floats = (
            weights.vector("emb.pos").reshape(-1, sizes.hidden)
            + weights.vector("emb.type")[: sizes.hidden]
        )
        self._begin, self._end = weights.vocabulary.begin, weights.vocabulary.end
        self._tokenizer = Tokenizer(weights.vocabulary)
        self._session = _session(network(weights), threads=threads)

    def encode(self, text: str, *, limit: int, windows: int | None = None) -> Vector:
        """Return the sum of the hidden rows of all pieces of `text`; its length means nothing.

        `limit` bounds the characters that are read, `windows` the runs of the model.

        The 8-bit scale of an activation is taken over a whole run, so a text that shared a
        run with others would get a vector that depends on them.
        """
        pieces = self._tokenizer.pieces(text, limit=limit)
        window = len(self._places) - 2
        starts = range(0, max(len(pieces), 1), window)[:windows]
        sums = [self._run(pieces[start : start + window]) for start in starts]
        total: Vector = np.sum(sums, axis=0, dtype=np.float32)
        return total

    def _run(self, pieces: list[int]) -> Vector:
        framed = [self._begin, *pieces, self._end]
        rows = decoded(self._words[framed]) + self._places[: len(framed)]
        try:
            (hidden,) = self._session.run([OUTPUT], {INPUT: rows[np.newaxis]})
        except _FAILURES as error:
            raise EmbedderError("onnxruntime failed on a text.") from error
        total: Vector = hidden[0].sum(axis=0)
        return total


def _session(model: bytes, *, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    # Threads that spin while they wait take the processor from everybody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _FAILURES as error:
        raise EmbedderDamagedError(
            "The model cannot be run by the installed version of onnxruntime."
        ) from error
