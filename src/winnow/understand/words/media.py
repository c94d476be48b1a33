"""``play X``: what is to be played is nobody's name in this home; it is kept as said."""

from __future__ import annotations

import re

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.words.kinds import says

_LEAD = re.compile(
    r"^(song|track|artist|album|playlist|band|movie|film|tv show|show|music by|歌曲|歌手|专辑|歌单|电影)s? ?"
)
_ARTICLE = re.compile(r"^(the|some) ")
_TAIL = re.compile(r"( ?(playlist|album|song|tv show|show|movie)|的?(歌曲|歌单|音乐|专辑|歌))$")
_WHERE = frozenset({"in", "on", "in the", "on the", "at", "at the", "with", "from", "在"})


def with_media(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with ``play ...`` as one token of kind ``media`` when its words are unknown here."""
    start = next((i for i, t in enumerate(tokens) if t.kind == "verb" and says(t) == "play"), None)
    if start is None or any(
        t.kind in {"condition", "question"} and says(t) != "whether" for t in tokens[:start]
    ):
        return tokens
    stop = _stop(tokens, start + 1)
    run = tokens[start + 1 : stop]
    content = [t for t in run if t.kind != "filler"]
    named = content and content[0].kind in DEVICE_KINDS and content[0].text not in {"tv", "music"}
    if not any(t.kind == "word" for t in run) or named:
        return tokens
    said = text[run[0].start : run[-1].end].strip()
    title = _TAIL.sub("", _LEAD.sub("", _ARTICLE.sub("", said))).strip() or said
    return [*tokens[: start + 1], Token(title, "media", run[0].start, run[-1].end), *tokens[stop:]]


def _stop(tokens: list[Token], start: int) -> int:
    """Where the title ends: at a mark, or at a place or player said after ``in`` or ``on``."""
    for at in range(start, len(tokens)):
        if tokens[at].kind == "mark" and says(tokens[at]) in {"strong", "weak"}:
            return at
        follows = next((t for t in tokens[at + 1 :] if t.text != "the"), None)
        if (
            at > start
            and tokens[at].text in _WHERE
            and follows is not None
            and follows.kind in PLACE_KINDS | DEVICE_KINDS
        ):
            return at
    return len(tokens)
