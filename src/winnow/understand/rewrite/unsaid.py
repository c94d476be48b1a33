"""Whether a text holds a content word that nobody said (law 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cache

from winnow.language.normalise import is_han, normalise
from winnow.text.tables import table
from winnow.types.dialogue import Language, Turn

_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+(?:'[a-z]+)?")
STEM = 4
"""Letters that two forms of one English word share."""


@cache
def closed(language: Language) -> frozenset[str]:
    """The characters (``zh``) or words (``en``) that carry grammar and no content."""
    rows = table("winnow.understand.rewrite", "unsaid.yaml")
    return frozenset(rows["zh"] if language == "zh" else rows["en"].split())


def unsaid(text: str, query: str, history: Sequence[Turn]) -> tuple[str, ...]:
    """The words of ``text`` that are in neither ``query`` nor ``history``, in order.

    Grammar and other forms of a word do not count.
    """
    source = normalise(" ".join([*(turn.content for turn in history), query]), 40_000)
    words = {word for word in _RUN.findall(source) if not is_han(word[0])}
    known, stems = words | closed("en"), {word[:STEM] for word in words}
    out: list[str] = []
    for run in _RUN.findall(normalise(text, 4_000)):
        if is_han(run[0]):
            out += _strange(run, source)
        elif run not in known and not _inflected(run, stems):
            out.append(run)
    return tuple(out)


def _inflected(word: str, stems: Set[str]) -> bool:
    """Whether it may be another form of a word with one of these stems; numbers have no forms."""
    return len(word) >= STEM and not word[0].isdigit() and word[:STEM] in stems


def _strange(run: str, source: str) -> list[str]:
    """The characters of a Chinese run that carry more than grammar and stand beside no neighbour they had."""
    if run in source:
        return []
    known = {at for at in range(len(run) - 1) if run[at : at + 2] in source}
    return [ch for at, ch in enumerate(run) if not known & {at, at - 1} and ch not in closed("zh")]
