"""The transformer of multilingual-e5-small as an ONNX graph with 8-bit linear layers."""

from dataclasses import dataclass

import numpy as np

from memories.embedders.e5.onnx import FLOAT, MICROSOFT, Graph
from memories.embedders.e5.weight_file import Floats, WeightFile

INPUT, OUTPUT = "embedded", "hidden"
# Seven bits: without VNNI, two products of u8 and s8 are added in 16 bits, and 2 x 255 x 127
# would overflow where 2 x 255 x 63 does not. The same vectors on every processor.
LARGEST_WEIGHT = 63


@dataclass(frozen=True, slots=True)
class _Quantised:
    """Activations in 8 bits, with the scale and the zero of the whole run."""

    values: str
    scale: str
    zero: str


def network(weights: WeightFile) -> bytes:
    """Return the model: from the sums of word, position and type rows to the last hidden rows."""
    builder = _Builder(weights)
    rows = builder.graph.input(INPUT, shape=[1, "length", weights.sizes.hidden])
    state = builder.norm(rows, "emb.ln")
    for layer in range(weights.sizes.layers):
        is_last = layer == weights.sizes.layers - 1
        attended = builder.attention(state, f"l{layer}")
        state = builder.feed_forward(attended, f"l{layer}", output=OUTPUT if is_last else "")
    builder.graph.output(OUTPUT, shape=[1, "length", weights.sizes.hidden])
    return builder.graph.model()


class _Builder:
    def __init__(self, weights: WeightFile) -> None:
        self.graph = Graph("multilingual-e5-small")
        self._weights = weights
        self._sizes = weights.sizes

    def norm(self, rows: str, name: str) -> str:
        inputs = [rows, self._vector(f"{name}.w"), self._vector(f"{name}.b")]
        return self.graph.node("LayerNormalization", inputs, epsilon=self._sizes.epsilon)[0]

    def attention(self, state: str, layer: str) -> str:
        hidden = self._sizes.hidden
        shared = self._quantised(state)
        parts = [self._linear(shared, f"{layer}.{part}", outputs=hidden) for part in "qkv"]
        (context,) = self.graph.node(
            "MultiHeadAttention", parts, domain=MICROSOFT, num_heads=self._sizes.heads
        )
        mixed = self._linear(self._quantised(context), f"{layer}.ao", outputs=hidden)
        return self._added_and_normed(state, mixed, f"{layer}.aln")

    def feed_forward(self, state: str, layer: str, *, output: str = "") -> str:
        wide = self._linear(self._quantised(state), f"{layer}.fi", outputs=self._sizes.feed_forward)
        (active,) = self.graph.node("Gelu", [wide], domain=MICROSOFT)
        last = f"{layer}.fo"  # codespell:ignore fo
        narrow = self._linear(self._quantised(active), last, outputs=self._sizes.hidden)
        return self._added_and_normed(state, narrow, f"{layer}.oln", output=output)

    def _added_and_normed(self, state: str, change: str, name: str, *, output: str = "") -> str:
        return self.graph.node(
            "SkipLayerNormalization",
            [state, change, self._vector(f"{name}.w"), self._vector(f"{name}.b")],
            outputs=[output] if output else 1,
            domain=MICROSOFT,
            epsilon=self._sizes.epsilon,
        )[0]

    def _quantised(self, rows: str) -> _Quantised:
        return _Quantised(*self.graph.node("DynamicQuantizeLinear", [rows], outputs=3))

    def _linear(self, rows: _Quantised, name: str, *, outputs: int) -> str:
        matrix, scales = _in_eight_bits(self._weights.matrix(f"{name}.w", rows=outputs).T)
        product = self._node("MatMulInteger", rows.values, self.graph.constant(matrix), rows.zero)
        (exact,) = self.graph.node("Cast", [product], to=FLOAT)
        scale = self._node("Mul", rows.scale, self.graph.constant(scales))
        return self._node("Add", self._node("Mul", exact, scale), self._vector(f"{name}.b"))

    def _vector(self, name: str) -> str:
        return self.graph.constant(self._weights.vector(name))

    def _node(self, operator: str, *inputs: str) -> str:
        return self.graph.node(operator, inputs)[0]


def _in_eight_bits(matrix: Floats) -> tuple[np.typing.NDArray[np.int8], Floats]:
    """Return whole numbers and, for each column, the scale that gives the values back."""
    scales = (np.maximum(np.abs(matrix).max(axis=0), 1e-9) / LARGEST_WEIGHT).astype(np.float32)
    whole = np.clip(np.rint(matrix / scales), -LARGEST_WEIGHT, LARGEST_WEIGHT)
    return whole.astype(np.int8), scales
