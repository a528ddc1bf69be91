"""Packed weights, and the tokenizer, on examples small enough to check by hand."""

from pathlib import Path

import numpy as np
import pytest

from memories.embedders.e5.tokenizer import Tokenizer
from memories.embedders.e5.weight_file import Vocabulary, WeightFile, decoded
from memories.embedders.errors import EmbedderDamagedError

PIECES = ["<unk>", "<s>", "</s>", "▁", "▁de", "ploy", "▁deploy", "s", "a"]
SCORES = [0.0, 0.0, 0.0, -3.0, -4.0, -5.0, -6.0, -2.0, -2.5]
VOCABULARY = Vocabulary(PIECES, SCORES, begin=1, end=2, unknown=0, normal_forms={ord("—"): " "})


def test_a_block_is_a_scale_then_the_low_and_the_high_halves_of_its_bytes() -> None:
    scale = np.array([0.5], np.float16).tobytes()
    packed = np.frombuffer(scale + bytes([0x1F] * 16), np.uint8)[np.newaxis]

    values = decoded(packed)

    assert values.tolist() == [[3.5] * 16 + [-3.5] * 16]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.bin"
    file.write_bytes(b"GGUF" + bytes(100))

    with pytest.raises(EmbedderDamagedError):
        WeightFile(file)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("deploys", ["▁deploy", "s"]),
        ("  deploy\n\tas ", ["▁deploy", "▁", "a", "s"]),
        ("de—s", ["▁de", "▁", "s"]),
        ("dez", ["▁de", "<unk>"]),
        # The compatibility form of one ligature or wide letter.
        ("\uff44e", ["▁de"]),
    ],
)
def test_a_text_is_cut_into_its_likeliest_pieces(text: str, pieces: list[str]) -> None:
    found = Tokenizer(VOCABULARY).pieces(text, limit=100)

    assert [PIECES[number] for number in found] == pieces


def test_a_character_that_unfolds_into_many_does_not_pass_the_limit() -> None:
    found = Tokenizer(VOCABULARY).pieces("\ufdfa" * 200, limit=50)

    assert len(found) <= 100
