"""How a text is cut into passages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from winnow.language.sentences import split_sentences
from winnow.retrieve.documents import chunking
from winnow.retrieve.documents.chunking import (
    MAX_BLOCK_CHARS,
    headings,
    passage_size,
    text_blocks,
    text_chunks,
)

ENGLISH = (
    "Dr. Ida Moor keeps bees behind the mill. She sold 3.5 kg of honey in May! Was it any good? It was. "
)
CHINESE = "王工昨天修好了水泵，花了三百五十元。他说：“明年再检查一次！”大家都很满意。"
LETTER = "# Garden\n\nWhat we grow.\n\n## Beds\n\n{beds}\n\n## Trees\n\n### Apple\n\nPruned in March.\n"


@pytest.fixture(autouse=True, params=["semantic-text-splitter", "plain"])
def splitter(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What cuts: the library, and what stands for it where it is not installed."""
    if request.param == "plain":
        monkeypatch.setattr(chunking, "find_spec", lambda name: None)
    chunking._splitter.cache_clear()
    yield
    chunking._splitter.cache_clear()


@pytest.mark.parametrize("text", [ENGLISH * 60, CHINESE * 60, (ENGLISH + "\n\n" + CHINESE) * 30])
def test_sentences_stay_whole_and_nothing_is_lost(text: str) -> None:
    cut = list(text_chunks(text, markdown=True))
    assert len(cut) > 3
    assert "".join("".join(p.text for p in cut).split()) == "".join(text.split())
    begun = {span.start for span in split_sentences(text)}
    assert {piece.start for piece in cut} <= begun


@pytest.mark.parametrize("text", [ENGLISH * 60, CHINESE * 60])
def test_passages_are_of_a_size_that_is_read_at_once(text: str) -> None:
    least, most = passage_size(text)
    sizes = [len(piece.text) for piece in text_chunks(text, markdown=False)]
    assert all(least / 4 <= size <= 1.5 * most for size in sizes)
    assert min(sizes[:-1]) >= least / 2


def test_chinese_takes_more_tokens_so_its_passages_are_shorter() -> None:
    assert passage_size(CHINESE)[1] < passage_size(ENGLISH)[1] / 2


def test_a_sentence_without_an_end_is_cut_between_words() -> None:
    words = ["我们", "公园", "散步", "回家", "水泵", "锅炉"]
    text = "".join(words[n % 6] for n in range(900))
    starts = {piece.start for piece in text_chunks(text, markdown=False)}
    assert len(starts) > 3
    assert all(start % 2 == 0 for start in starts)


def test_each_passage_knows_what_it_stands_under() -> None:
    cut = list(text_chunks(LETTER.format(beds=ENGLISH * 20), markdown=True))
    assert cut[0].headings == ("Garden",)
    assert {p.headings for p in cut if "bees" in p.text} == {("Garden", "Beds")}
    assert cut[-1].headings[0] == "Garden"
    assert "Pruned in March." in cut[-1].text


def test_a_heading_never_stands_alone() -> None:
    text = LETTER.format(beds=ENGLISH * 40)
    assert all(not piece.text.splitlines()[-1].startswith("#") for piece in text_chunks(text, markdown=True))


def test_what_looks_like_a_heading_in_code_is_none() -> None:
    text = "# One\n\n```sh\n# no heading\n```\n\nTwo\n===\n\nThree\n---\n"
    assert [(level, name) for _, _, level, name in headings(text)] == [(1, "One"), (1, "Two"), (2, "Three")]


def test_where_a_table_goes_on_its_head_is_repeated() -> None:
    rows = "".join(f"| bed {n} | {n * 3} carrots |\n" for n in range(300))
    text = f"# Beds\n\n| bed | planted |\n|---|---|\n{rows}\nAfter the table."
    cut = list(text_chunks(text, markdown=True))
    assert len(cut) > 3
    assert all("| bed | planted |" in piece.text for piece in cut if "carrots" in piece.text)
    assert sum(piece.text.count("carrots") for piece in cut) == 300


def test_places_are_those_in_the_text() -> None:
    text = "\n\n  " + LETTER.format(beds=CHINESE * 30)
    for piece in text_chunks(text, markdown=True):
        assert text[piece.start :].startswith(piece.text)


@pytest.mark.parametrize("text", ["", " \n\n ", "# Only a heading", "\n" * 50_000])
def test_little_text_makes_few_passages(text: str) -> None:
    assert len(list(text_chunks(text, markdown=True))) <= 1


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "## a\n" * 20_000, "| a " * 20_000, "啊" * 40_000, ">" * 9_000]
)
def test_what_nobody_would_write_is_cut_all_the_same(text: str) -> None:
    cut = list(text_chunks(text, markdown=True))
    assert sum(len(piece.text) for piece in cut) >= len(text) - len(cut) * 10
    assert max(len(piece.text) for piece in cut) < MAX_BLOCK_CHARS


def test_blocks_tile_the_text_and_end_where_something_ends() -> None:
    text = (ENGLISH + "\n\n") * 400
    parts = list(text_blocks(text))
    assert "".join(part for _, part in parts) == text
    assert all(len(part) <= MAX_BLOCK_CHARS for _, part in parts)
    assert all(part.endswith("\n\n") for _, part in parts[:-1])
