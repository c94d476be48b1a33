"""States that the words around them cut up, put together: ``没`` ``有人``, 开着的 ``话``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from winnow.language.lexicon import states
from winnow.language.little import little
from winnow.types.query import Token
from winnow.understand.words.kinds import serves


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
        if out and _took_its_beginning(out[-1], token):
            state, at = out[-1], token.start - 1
            out[-1] = replace(state, text=state.text[:-1], end=at)
            if_so = state.text[-1] + token.text
            out.append(Token(if_so, "condition", at, token.end, {"is": "then_particle"}))
        else:
            out.append(token)
    return out


def _took_its_beginning(state: Token, token: Token) -> bool:
    return state.text[-1:] + token.text in little("if_so") and state.text[:-1] in states()


def _one_state(run: Sequence[Token], size: int) -> bool:
    touching = all(a.end == b.start for a, b in pairwise(run))
    begins = len(run) == size and touching and (serves(run[0], "not_yet") or run[0].text in states())
    return begins and "".join(t.text for t in run) in states()
