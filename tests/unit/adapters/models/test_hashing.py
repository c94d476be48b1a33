"""The offline embedder."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.adapters.models.embedders import HashingEmbedder


@given(st.lists(st.text(max_size=20), max_size=5))
def test_rows_have_length_one_or_nothing_to_say(texts: list[str]) -> None:
    rows = HashingEmbedder(64).embed(texts)
    assert rows.shape == (len(texts), 64)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert all(abs(n - 1) < 1e-5 or n == 0 for n in lengths)


def test_the_same_text_gets_the_same_vector_in_another_process() -> None:
    code = (
        "from winnow.adapters.models.embedders import HashingEmbedder as H; import sys; "
        "sys.stdout.write(H().embed(['打开客厅 lamp']).tobytes().hex())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
    )
    assert other.stdout == HashingEmbedder().embed(["打开客厅 lamp"]).tobytes().hex()


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("打开客厅台灯", "客厅台灯打开", "关闭主卧窗帘"),
        ("living room lamp", "the lamps of the living room", "kitchen fan speed"),
        ("臺燈", "台灯", "窗帘"),
    ],
)
def test_words_in_common_bring_texts_together(text: str, near: str, far: str) -> None:
    rows = HashingEmbedder().embed([text, near, far])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_the_dimension_is_a_setting() -> None:
    assert HashingEmbedder(32).embed(["灯"]).shape == (1, 32)
