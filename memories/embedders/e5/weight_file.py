"""Read the 4-bit weight file: sizes, vocabulary, tensors. Numbers are little-endian.

The layout, in this order: "E5S1" and a version; seven sizes, the epsilon of the layer
norms and the block length; the vocabulary; the normalisation map; the table of tensors.
"""

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memories.embedders.base import Vectors
from memories.embedders.errors import EmbedderDamagedError

MAGIC = b"E5S1"
BLOCK = 32
# A half-precision scale and thirty-two values of four bits.
BLOCK_BYTES = 2 + BLOCK // 2
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sizes:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    words: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pieces of words, the logarithm of how likely each is, and the special ones."""

    pieces: list[str]
    scores: Sequence[float]
    begin: int
    end: int
    unknown: int
    # From a code point to what is read in its place.
    normal_forms: dict[int, str]


class WeightFile:
    """An open weight file; tensors are views of the mapped file until they are decoded."""

    def __init__(self, path: Path) -> None:
        cursor = _Cursor(np.memmap(path, np.uint8, "r"))
        if cursor.take(4).tobytes() != MAGIC:
            raise EmbedderDamagedError(f"{path.name} is not a weight file of this kind.")
        cursor.numbers("I")
        hidden, layers, heads, feed_forward, words, positions, _ = cursor.numbers("7i")
        (epsilon, _) = struct.unpack("<fi", cursor.take(8).tobytes())
        self.sizes = Sizes(hidden, layers, heads, feed_forward, words, positions, epsilon)
        self.vocabulary = _vocabulary(cursor)
        self._tensors = _tensors(cursor)

    def vector(self, name: str) -> Floats:
        return self._tensors[name].view(np.float32)

    def matrix(self, name: str, *, rows: int) -> Floats:
        return decoded(self._tensors[name].reshape(rows, -1))

    def packed_rows(self, name: str, *, rows: int) -> Bytes:
        """Return the matrix still packed, one row of bytes for each row of numbers."""
        return self._tensors[name].reshape(rows, -1)


def decoded(packed: Bytes) -> Vectors:
    """Return packed rows as numbers: of each block the low four bits first, then the high."""
    blocks = packed.reshape(len(packed), -1, BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16).astype(np.float32)
    nibbles = blocks[:, :, 2:]
    values = np.concatenate([nibbles & 15, nibbles >> 4], axis=2).astype(np.float32) - 8.0
    return (values * scales).reshape(len(packed), -1)


class _Cursor:
    """Take what comes next in the file."""

    def __init__(self, content: Bytes) -> None:
        self.content = content
        self._at = 0

    def take(self, length: int) -> Bytes:
        start, self._at = self._at, self._at + length
        return self.content[start : self._at]

    def numbers(self, form: str) -> tuple[int, ...]:
        return struct.unpack(f"<{form}", self.take(struct.calcsize(f"<{form}")).tobytes())


def _vocabulary(cursor: _Cursor) -> Vocabulary:
    count, begin, end, _, unknown = cursor.numbers("5i")
    (length,) = cursor.numbers("Q")
    bounds = np.frombuffer(cursor.take(4 * (count + 1)).tobytes(), np.uint32).tolist()
    # A quarter of a million float objects would take eight times the memory.
    scores = array("f", cursor.take(4 * count).tobytes())
    text = cursor.take(length).tobytes()
    pieces = [text[start:stop].decode("utf-8", "replace") for start, stop in pairwise(bounds)]
    return Vocabulary(pieces, scores, begin, end, unknown, _normal_forms(cursor))


def _normal_forms(cursor: _Cursor) -> dict[int, str]:
    count, length = cursor.numbers("iI")
    table, at, forms = cursor.take(length).tobytes(), 0, {}
    for _ in range(count):
        code, size = struct.unpack_from("<IB", table, at)
        forms[code] = "".join(map(chr, struct.unpack_from(f"<{size}I", table, at + 5)))
        at += 5 + 4 * size
    return forms


def _tensors(cursor: _Cursor) -> dict[str, Bytes]:
    tensors = {}
    for _ in range(cursor.numbers("i")[0]):
        name = cursor.take(cursor.numbers("H")[0]).tobytes().decode()
        _, _, offset, length = cursor.numbers("BIQQ")
        tensors[name] = cursor.content[offset : offset + length]
    return tensors
