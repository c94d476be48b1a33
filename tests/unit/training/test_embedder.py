"""How the table of the static embedder is trained."""

from __future__ import annotations

import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from tests.tables import write_table
from training.embedder import corpus, learn, sources, teacher
from training.embedder.groups import Group, read_groups

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.language.normalize import fold, is_han

PAIRS = [(f"lamp number {n} of room", f"第{n}盏灯在房间里") for n in ("one", "two", "three", "four")]


def made(pairs: list[tuple[str, str]]) -> tuple[corpus.Corpus, int]:
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vocabulary, _ = corpus.choose(texts)
    number = {piece: n for n, piece in enumerate(vocabulary)}
    return corpus.build({"tatoeba": pairs}, [], number, texts, np.random.default_rng(0)), len(vocabulary)


def test_pieces_of_a_single_text_are_not_learned() -> None:
    vocabulary, counts = corpus.choose(["the red lamp", "the blue lamp", "红灯亮", "红灯灭"])
    assert {"the", "lamp", "红", "灯", "红灯"} <= set(vocabulary)
    assert not {"red", "blue lamp", "亮", "灯灭"} & set(vocabulary)
    assert set(counts) == {2}


def test_the_rows_of_a_text_are_found_again() -> None:
    built, _ = made(PAIRS)
    flat, begins = built.gather(np.array([2, 0]))
    first = built.flat[built.starts[2] : built.starts[3]]
    assert (flat[: begins[1]] == first).all()
    assert (flat[begins[1] :] == built.flat[: built.starts[1]]).all()


def test_the_slopes_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(3)
    asked, answers = (rng.normal(0, 0.1, size=(5, 4)) for _ in range(2))
    same = np.zeros((5, 5), bool)
    same[0, 3] = True
    _, (slope, back) = learn._contrast(asked.copy(), answers.copy(), same)
    step = np.zeros_like(asked)
    step[1, 2] = 1e-6
    higher, lower = (learn._contrast(asked + sign * step, answers, same)[0] for sign in (1, -1))
    assert slope[1, 2] == pytest.approx((higher - lower) / 2e-6, rel=1e-3)
    higher, lower = (learn._contrast(asked, answers + sign * step, same)[0] for sign in (1, -1))
    assert back[1, 2] == pytest.approx((higher - lower) / 2e-6, rel=1e-3)


def test_learning_brings_the_halves_of_pairs_together_and_is_the_same_each_time() -> None:
    def trained() -> tuple[float, float, np.ndarray]:
        built, known = made(PAIRS * 20)
        rows = np.random.default_rng(0).normal(size=(known + corpus.BUCKETS, 16)).astype(np.float32)
        table = learn.Table(rows)
        losses = list(learn.learn(table, built, [built.pairs["tatoeba"][:4]] * 150, None))
        return losses[0], losses[-1], table.rows

    first, last, rows = trained()
    assert last < first / 2
    assert (rows == trained()[2]).all()


def test_a_teacher_draws_a_text_to_its_vector() -> None:
    colours, numbers = (
        ("red", "blue", "green", "dim", "old", "new"),
        ("one", "two", "six", "ten", "all", "no"),
    )
    built, known = made([(f"{a} {b}", f"灯{a}{b}") for a in colours for b in numbers])
    rng = np.random.default_rng(5)
    meaning = {word: rng.normal(size=16) for word in (*colours, *numbers)}
    english = range(0, len(built.texts), 2)
    vectors = np.array([sum(meaning[word] for word in built.texts[n].split()) for n in english], np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    guide = learn.Teacher(
        vectors, np.array([n // 2 if n % 2 == 0 else -1 for n in range(len(built.texts))]), 1.0
    )
    table = learn.Table(rng.normal(size=(known + corpus.BUCKETS, 16)).astype(np.float32))
    flat, begins = built.gather(np.array(english))

    def near() -> float:
        texts = np.add.reduceat(table.rows[flat], begins, axis=0)
        return float(((texts * vectors).sum(axis=1) / np.linalg.norm(texts, axis=1)).mean())

    before = near()
    losses = list(learn.learn(table, built, [built.pairs["tatoeba"]] * 200, guide))
    assert losses[-1] < losses[0]
    assert near() > before + 0.2


def test_frequent_pieces_begin_with_less_weight() -> None:
    lengths = np.linalg.norm(learn.start_rows(np.array([1000, 10]), 64, np.random.default_rng(0)), axis=1)
    assert lengths[0] < lengths[1] / 5


def test_no_text_of_the_measurements_is_learned(tmp_path: Path) -> None:
    measured = sources.evaluation_texts()
    assert len(measured) > 900
    archive = tmp_path / "pairs.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        for source in sources.SOURCES:
            for file in source.files:
                content = "Lights  OUT!\t把灯关掉\nwater the lamp\t给灯浇水\nbroken line\n".encode()
                about = tarfile.TarInfo(f"pairs.{file}.tsv")
                about.size = len(content)
                tar.addfile(about, BytesIO(content))
    read = sources.read_pairs(archive, measured)
    assert read["tatoeba"] == [("water the lamp", "给灯浇水")]


def test_the_teacher_is_asked_short_english_texts_once() -> None:
    pairs = {file: [("a lamp", "一盏灯"), ("a lamp", "word " * 40)] for file in teacher.TAUGHT} | {
        "wn_gloss": [("a lamp", "gives light")]
    }
    assert teacher.sentences(pairs, [Group(("亮",), ("bright",))]) == ["a lamp", "gives light", "bright"]
    assert teacher.spellings(["Lamps lamps lamp"], ["lamp", "灯"]) == {"lamp": "lamps"}


def test_a_chinese_way_learns_from_all_english_ways_of_its_group() -> None:
    groups = [Group(("亮",), ("bright", "light")), Group(("只有中文", "没有英文"), ())]
    vectors = np.eye(3, dtype=np.float32)
    centres, of = teacher.centres(groups, {"bright": 0, "light": 2}, vectors)
    assert of == {"亮": 3}
    assert centres == pytest.approx(np.array([[0.5**0.5, 0, 0.5**0.5]]))


def test_a_round_takes_two_ways_of_each_group() -> None:
    groups = [np.array([3, 5, 8]), np.array([1, 2])]
    pairs = learn._round(groups, np.random.default_rng(1))
    assert [
        set(pair) <= set(group) and len(set(pair)) == 2
        for pair, group in zip(pairs.tolist(), groups, strict=True)
    ] == [True, True]
    assert learn._round([], np.random.default_rng(1)).shape == (0, 2)


def test_groups_are_written_with_care() -> None:
    """Each way stands in the column of its language, and each group has several ways in both."""
    groups = read_groups(())
    assert len(groups) > 8000
    assert all(len(group.zh) > 1 and len(group.en) > 1 for group in groups)
    assert not [way for group in groups for way in group.zh if not any(map(is_han, way))]
    assert not [way for group in groups for way in group.en if any(map(is_han, way))]


def test_no_way_of_the_measurements_is_among_the_groups() -> None:
    measured = sources.evaluation_texts()
    assert not [way for group in read_groups(measured) for way in group.texts if fold(way) in measured]


def test_eight_bits_keep_the_directions(tmp_path: Path) -> None:
    rows = np.random.default_rng(2).normal(size=(6, 8))
    embedder = StaticEmbedder(write_table(tmp_path, ["灯", "光"], rows.tolist(), buckets=4))
    wanted = rows[0] + rows[1]
    assert embedder.embed(["灯,光"])[0] @ wanted / np.linalg.norm(wanted) > 0.999
