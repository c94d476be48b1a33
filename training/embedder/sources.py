"""What the embedder learns from.

Pairs of texts that mean the same, each source with its licence and where it is public.
"""

from __future__ import annotations

import tarfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import meaning, nearness

from winnow.language.normalise import fold


@dataclass(frozen=True, slots=True)
class Source:
    """Files ``pairs.<file>.tsv``, two texts a line, and how often an epoch goes through them."""

    files: tuple[str, ...]
    what: str
    licence: str
    where: str
    turns: float = 1.0


SOURCES = (
    Source(("wn_zh_en",), "Chinese Open Wordnet, translated words", "WordNet licence and alike", "github.com/omwn/omw-data", 1.5),
    Source(("wn_zh_zh",), "Chinese Open Wordnet, synonyms", "WordNet licence and alike", "github.com/omwn/omw-data"),
    Source(("wn_en_en",), "WordNet 3.0, synonyms", "WordNet licence", "wordnet.princeton.edu", 0.5),
    Source(("wn_gloss",), "WordNet 3.0, words and their glosses", "WordNet licence", "wordnet.princeton.edu", 0.5),
    Source(("tatoeba",), "Tatoeba, translated sentences", "CC BY 2.0 FR", "tatoeba.org, as cmn-eng of manythings.org/anki", 4.0),
    Source(("tatoeba_para",), "Tatoeba, sentences with one translation", "CC BY 2.0 FR", "tatoeba.org", 4.0),
    Source(("homeassistant",), "Home Assistant, interface texts in both languages", "Apache-2.0", "github.com/home-assistant", 3.0),
    Source(("xiaomi_miot",), "device vocabulary in both languages", "Apache-2.0", "github.com/al-one/hass-xiaomi-miot", 4.0),
    Source(("hwu64",), "utterances of one intent", "CC BY 4.0", "github.com/xliuhw/NLU-Evaluation-Data", 2.0),
    Source(("tldr",), "tldr pages in both languages", "CC BY 4.0", "github.com/tldr-pages/tldr", 2.0),
    Source(("react", "vue"), "documentation of React and Vue in both languages", "CC BY 4.0", "github.com/reactjs, github.com/vuejs", 2.0),
    Source(("antd",), "documentation of Ant Design in both languages", "MIT", "github.com/ant-design/ant-design", 2.0),
    Source(("iot_beginners",), "IoT for Beginners in both languages", "MIT", "github.com/microsoft/IoT-For-Beginners", 2.0),
    Source(("cs_self_learning",), "CS self-learning guide in both languages", "MIT", "github.com/pkuflyingpig/cs-self-learning", 2.0),
    Source(("mono_docs",), "headings and paragraphs of the documentation above", "as above", "as above"),
)  # fmt: skip

Pair = tuple[str, str]


def evaluation_texts() -> frozenset[str]:
    """Every text that meaning is measured with, folded: none of them is learned from."""
    texts = [text for language in meaning.LANGUAGES for pair in meaning.pairs(language) for text in pair]
    for command in meaning.commands():
        for language in meaning.LANGUAGES:
            texts += [command[language], *command["said"][language]]
    texts += [row["said"] for part in nearness.sets().values() for row in part["said"]]
    return frozenset(map(fold, texts))


def read_pairs(archive: Path, without: Collection[str]) -> dict[str, list[Pair]]:
    """File -> its pairs in order, none holding a text of ``without`` (folded).

    Raises FileNotFoundError, KeyError for a missing member.
    """
    with tarfile.open(archive) as tar:
        members = {Path(m.name).name: m for m in tar.getmembers() if m.isfile()}
        return {
            f: list(_pairs(tar, members[f"pairs.{f}.tsv"], without))
            for source in SOURCES
            for f in source.files
        }


def _pairs(tar: tarfile.TarFile, member: tarfile.TarInfo, without: Collection[str]) -> Iterator[Pair]:
    opened = tar.extractfile(member)
    assert opened is not None
    for line in opened.read().decode("utf-8").split("\n"):
        left, tab, right = line.partition("\t")
        if (
            tab
            and left.strip()
            and right.strip()
            and fold(left) not in without
            and fold(right) not in without
        ):
            yield left, right
