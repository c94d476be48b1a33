"""The embedder that knows some meaning."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tables import write_table

from winnow.adapters.models import embedders as static
from winnow.adapters.models.embedders import (
    TABLE_FILES,
    TABLE_FOLDER,
    StaticEmbedder,
    table_rows,
    text_pieces,
)
from winnow.app.wiring import engine as wiring
from winnow.errors import TableError


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("昏暗", "黑暗", "音乐"),
        ("bright", "light", "volume"),
        ("下雨", "rain", "kitchen"),
        ("refrigerator", "冰箱", "窗帘"),
        ("the weather is cold", "天气很冷", "电影很长"),
    ],
)
def test_meaning_brings_texts_together_without_a_word_in_common(text: str, near: str, far: str) -> None:
    rows = StaticEmbedder().embed([text, near, far])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


def test_a_text_is_made_of_stems_characters_and_neighbours() -> None:
    words, others = text_pieces("打开灯, Lamps turned on")
    assert words == ["lamp", "turn", "on"]
    assert others == ["lamp turn", "turn on", "打", "开", "灯", "打开", "开灯", "打开灯"]


def test_an_unknown_word_is_read_by_its_parts_and_an_unknown_character_not_at_all() -> None:
    vocabulary = {"lamp": 0, "灯": 1}
    assert table_rows("lamp 灯光", vocabulary, 4) == [0, 1]
    assert {row >= 2 for row in table_rows("lampz", vocabulary, 4)} == {True}
    assert table_rows("光", vocabulary, 4) == []


def test_the_vector_is_the_sum_of_its_rows(tmp_path: Path) -> None:
    folder = write_table(tmp_path, ["灯", "台"], [[3, 0], [0, 4], [1, 1]], buckets=1)
    assert StaticEmbedder(folder).embed(["台灯"])[0] == pytest.approx([0.6, 0.8], abs=0.01)


def test_the_same_text_gets_the_same_vector_in_another_process() -> None:
    code = (
        "from winnow.adapters.models.embedders import StaticEmbedder\nimport sys\n"
        "sys.stdout.write(StaticEmbedder().embed(['打开 lampz']).tobytes().hex())"
    )
    environment = {"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)}
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert other.stdout == StaticEmbedder().embed(["打开 lampz"]).tobytes().hex()


@pytest.mark.parametrize("missing", TABLE_FILES)
def test_a_table_without_one_of_its_files_is_an_error_that_says_what_to_do(
    tmp_path: Path, missing: str
) -> None:
    (write_table(tmp_path, ["灯"]) / missing).unlink()
    with pytest.raises(TableError, match=r"No usable table") as raised:
        StaticEmbedder(tmp_path)
    assert raised.value.folder == tmp_path
    assert "train-embedder" in raised.value.hint


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (TABLE_FILES[0], "{}"),
        (TABLE_FILES[0], "no json"),
        (TABLE_FILES[1], "灯\n光\n台"),
        (TABLE_FILES[2], "junk"),
    ],
)
def test_a_damaged_table_is_an_error(tmp_path: Path, file: str, content: str) -> None:
    (write_table(tmp_path, ["灯"]) / file).write_text(content, "utf-8")
    with pytest.raises(TableError):
        StaticEmbedder(tmp_path)


def test_without_the_table_spelling_is_compared_and_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static.StaticEmbedder.__init__, "__defaults__", (tmp_path,))
    embedder, why = wiring.open_offline_embedder()
    assert embedder.name == "hashing-ngram"
    assert str(tmp_path) in why


def test_the_package_brings_the_table() -> None:
    embedder, why = wiring.open_offline_embedder()
    assert (embedder.name, why) == ("static-zh-en", "")


def test_the_table_is_small_and_its_card_says_what_it_is() -> None:
    assert sum((TABLE_FOLDER / name).stat().st_size for name in TABLE_FILES) <= 10_000_000
    about = json.loads((TABLE_FOLDER / TABLE_FILES[0]).read_text("utf-8"))
    assert about["dimension"] == StaticEmbedder().dimension
    assert len(about["version"]) == 12
