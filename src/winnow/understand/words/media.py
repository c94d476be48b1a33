"""``play X``: what is to be played is nobody's name in this home; it is kept as said."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.text.patterns import patterns
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.words.kinds import says, serves


def with_media(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with ``play ...`` as one token of kind ``media`` when its words are unknown here."""
    start = next((i for i, t in enumerate(tokens, 1) if t.kind == "verb" and says(t) == "play"), None)
    if start is None or any(map(_asks, tokens[: start - 1])):
        return tokens
    stop = _stop(tokens, start)
    run = tokens[start:stop]
    return [*tokens[:start], _title(run, text), *tokens[stop:]] if _is_a_title(run) else tokens


def _title(run: Sequence[Token], text: str) -> Token:
    start, end = run[0].start, run[-1].end
    said = text[start:end].strip()
    title = said
    for part in ("media_article", "media_lead", "media_tail"):
        title = patterns(__package__, "patterns.yaml")[part].sub("", title)
    return Token(title.strip() or said, "media", start, end)


def _asks(token: Token) -> bool:
    return token.kind in {"condition", "question"} and says(token) != "whether"


def _is_a_title(run: Sequence[Token]) -> bool:
    """Whether there are words nobody here knows, and no thing of the home before them."""
    first = next((t for t in run if t.kind != "filler"), None)
    named = first is not None and first.kind in DEVICE_KINDS and not serves(first, "played")
    return any(t.kind == "word" for t in run) and not named and says(run[0]) != "attributive"


def _stop(tokens: Sequence[Token], start: int) -> int:
    """Where the title ends: at a mark, or at a place or player said after ``in`` or ``on``."""
    ends = (
        at for at in range(start, len(tokens)) if _ends(tokens, at) or (at > start and _leads(tokens, at))
    )
    return next(ends, len(tokens))


def _ends(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].kind == "mark" and says(tokens[at]) in {"strong", "weak"}


def _leads(tokens: Sequence[Token], at: int) -> bool:
    """Whether it is a word after which a place or a player comes."""
    follows = next((t for t in tokens[at + 1 :] if not serves(t, "the")), None)
    return (
        serves(tokens[at], "where_played")
        and follows is not None
        and follows.kind in PLACE_KINDS | DEVICE_KINDS
    )
