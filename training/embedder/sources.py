"""What the embedder learns from.

Pairs of texts that mean the same, each source with its licence and where it is public.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from benchmarks import meaning, nearness

from winnow.language.normalize import fold
from winnow.language.tables import parse_yaml


@dataclass(frozen=True, slots=True)
class Source:
    """Files ``pairs.<file>.tsv``, two texts a line, and how often an epoch goes through them."""

    files: tuple[str, ...]
    what: str
    licence: str
    where: str
    turns: float = 1.0


def _sources() -> tuple[Source, ...]:
    rows = parse_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return tuple(Source(**{**row, "files": tuple(row["files"])}) for row in rows)


SOURCES = _sources()
"""Those of ``sources.yaml``, in order."""
Pair = tuple[str, str]


def evaluation_texts() -> frozenset[str]:
    """Every text that meaning is measured with, folded: none of them is learned from."""
    texts = [text for language in meaning.LANGUAGES for pair in meaning.pairs(language) for text in pair]
    for command in meaning.commands():
        for language in meaning.LANGUAGES:
            texts += [command[language], *command["said"][language]]
    texts += [row["said"] for part in nearness.sets().values() for row in part["said"]]
    return frozenset(map(fold, texts))


def read_pairs(archive: Path, without: Set[str]) -> dict[str, list[Pair]]:
    """File -> its pairs in order, none holding a text of ``without`` (folded).

    Raises FileNotFoundError, KeyError for a missing member.
    """
    with tarfile.open(archive) as tar:
        members = {Path(m.name).name: m for m in tar.getmembers() if m.isfile()}
        files = [file for source in SOURCES for file in source.files]
        return {file: list(_pairs(tar, members[f"pairs.{file}.tsv"], without)) for file in files}


def _pairs(tar: tarfile.TarFile, member: tarfile.TarInfo, without: Set[str]) -> Iterator[Pair]:
    opened = tar.extractfile(member)
    assert opened is not None
    for line in opened.read().decode("utf-8").split("\n"):
        left, _, right = line.partition("\t")
        if left.strip() and right.strip() and without.isdisjoint(map(fold, (left, right))):
            yield left, right
