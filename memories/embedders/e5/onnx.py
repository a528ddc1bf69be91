"""Write an ONNX model as bytes: the few messages of onnx.proto3 that a transformer needs."""

import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

# Versions of the file format and of the two sets of operators.
IR_VERSION = 9
OPSET = 17
MICROSOFT = "com.microsoft"
MICROSOFT_OPSET = 1
# TensorProto.DataType.
FLOAT = 1
_TYPES = {"float32": FLOAT, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
# AttributeProto.AttributeType.
_FLOAT_ATTRIBUTE, _INT_ATTRIBUTE = 1, 2
Constant = NDArray[np.float32] | NDArray[np.int8]


class Graph:
    """A graph under construction; values are named as they are made."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._made = 0

    def input(self, name: str, *, shape: Sequence[int | str]) -> str:
        self._inputs.append(_value(name, shape))
        return name

    def output(self, name: str, *, shape: Sequence[int | str]) -> None:
        self._outputs.append(_value(name, shape))

    def constant(self, values: Constant) -> str:
        name = self._new_name("c")
        tensor = b"".join(_number(1, size) for size in values.shape)
        tensor += _number(2, _TYPES[values.dtype.name]) + _text(8, name)
        self._constants.append(tensor + _bytes(9, np.ascontiguousarray(values).tobytes()))
        return name

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        *,
        outputs: int | Sequence[str] = 1,
        domain: str = "",
        **attributes: float,
    ) -> list[str]:
        """Add one operation and return the names of what it makes."""
        if isinstance(outputs, int):
            outputs = [self._new_name("v") for _ in range(outputs)]
        message = b"".join(_text(1, name) for name in inputs)
        message += b"".join(_text(2, name) for name in outputs)
        message += _text(4, operator) + _attributes(attributes) + _text(7, domain)
        self._nodes.append(message)
        return list(outputs)

    def model(self) -> bytes:
        """Return the whole model as a file would hold it."""
        graph = b"".join(
            [
                *(_bytes(1, node) for node in self._nodes),
                _text(2, self._name),
                *(_bytes(5, constant) for constant in self._constants),
                *(_bytes(11, value) for value in self._inputs),
                *(_bytes(12, value) for value in self._outputs),
            ]
        )
        operators = _bytes(8, _text(1, "") + _number(2, OPSET))
        operators += _bytes(8, _text(1, MICROSOFT) + _number(2, MICROSOFT_OPSET))
        return _number(1, IR_VERSION) + _bytes(7, graph) + operators

    def _new_name(self, kind: str) -> str:
        self._made += 1
        return f"{kind}{self._made}"


def _value(name: str, shape: Sequence[int | str]) -> bytes:
    dimensions = b"".join(
        _bytes(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape
    )
    tensor = _number(1, FLOAT) + _bytes(2, dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _attributes(attributes: Mapping[str, float]) -> bytes:
    message = b""
    for name, value in attributes.items():
        if isinstance(value, int):
            field = _number(3, value) + _number(20, _INT_ATTRIBUTE)
        else:
            field = _tag(2, 5) + struct.pack("<f", value) + _number(20, _FLOAT_ATTRIBUTE)
        message += _bytes(5, _text(1, name) + field)
    return message


# Protocol Buffers, "Encoding": a tag names the field and how its value is written.


def _tag(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _number(field: int, value: int) -> bytes:
    return _tag(field, 0) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _tag(field, 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:  # noqa: PLR2004  seven bits a byte
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)
