"""States that the words around them cut up, put together: ``没`` ``有人``, 开着的 ``话``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from winnow.language.lexicon import states
from winnow.types.query import Token

NOT_YET = frozenset({"没", "没有", "未", "冇", "并未", "并没有"})
"""Denials of what is told, as 不 is."""


def whole_states(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with states that were cut up put together: ``没`` ``有人``."""
    tokens = _with_particles(tokens)
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        size = next((n for n in (3, 2) if _one_state(tokens[at : at + n], n)), 1)
        run = tokens[at : at + size]
        text = "".join(t.text for t in run)
        out.append(
            Token(text, "question", run[0].start, run[-1].end, {"is": "state"}) if size > 1 else run[0]
        )
        at += size
    return out


def _with_particles(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with ``的话`` whole where the state before it had taken its first character: 开着的 话."""
    out: list[Token] = []
    for token in tokens:
        before = out[-1].text if out else ""
        if token.text == "话" and before.endswith("的") and before[:-1] in states():
            at = token.start - 1
            out[-1] = replace(out[-1], text=before[:-1], end=at)
            out.append(Token("的话", "condition", at, token.end, {"is": "then_particle"}))
        else:
            out.append(token)
    return out


def _one_state(run: Sequence[Token], size: int) -> bool:
    touching = all(a.end == b.start for a, b in pairwise(run))
    begins = len(run) == size and touching and (run[0].text in NOT_YET or run[0].text in states())
    return begins and "".join(t.text for t in run) in states()
