"""Many phrases in one line of data: ``(a|b)`` is either, ``[a|b]`` either or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

_PIECE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def phrases(line: str) -> Iterator[str]:
    """Every phrase of a line, with single spaces; the line itself where it holds no choice."""
    parts: list[tuple[str, ...]] = []
    at = 0
    for piece in _PIECE.finditer(line):
        ways = (piece[1] or piece[2] or "").split("|")
        parts += [(line[at : piece.start()],), (*ways, "") if piece[1] is None else tuple(ways)]
        at = piece.end()
    for chosen in product(*parts, (line[at:],)):
        yield " ".join("".join(chosen).split())
