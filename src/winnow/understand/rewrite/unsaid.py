"""Whether a text holds a content word that nobody said (law 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    stems = {word[:STEM] for word in words if len(word) >= STEM}
    out: list[str] = []
    for run in _RUN.findall(normalise(text, 4_000)):
        if is_han(run[0]):
            out.extend(_strange(run, source))
        elif (
            run not in words
            and run not in closed("en")
            and (len(run) < STEM or run[0].isdigit() or run[:STEM] not in stems)
        ):
            out.append(run)
    return tuple(out)


def _strange(run: str, source: str) -> list[str]:
    """The characters of a Chinese run that neither stand beside the same neighbour in the source nor carry mere grammar."""
    known = {at for at in range(len(run) - 1) if run[at : at + 2] in source}
    whole = run in source
    return (
        []
        if whole
        else [ch for at, ch in enumerate(run) if not known & {at, at - 1} and ch not in closed("zh")]
    )
