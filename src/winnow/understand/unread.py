"""A turn that nothing follows from: the words it names things by, and whether it wanted something of the home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.types.attempt import Attempt
from winnow.types.dialogue import Turn
from winnow.types.query import Token
from winnow.types.verdict import Nothing, Refuse, Verdict
from winnow.understand.reading import LIMIT, tokens_of
from winnow.understand.sentence.requests import OF_HOME, is_asked_of_home, is_request, strange_words
from winnow.understand.words.contractions import spelled_out
from winnow.understand.words.tag import tag
from winnow.understand.words.vocabulary import Vocabulary

BY_WORDS = frozenset({"not_understood", "told", "asked", "reported", "wish", "knowledge", "chat"})
"""Reasons why nothing is done that are no more than a judgement of the words."""
TURNS = 2
"""Earlier turns that tell what is meant where a sentence itself names nothing."""


@dataclass(frozen=True, slots=True)
class Unread:
    """The words of a turn that nothing follows from."""

    names: tuple[Token, ...]
    """Its words, and those of the turns before where it names nothing itself."""
    strange: tuple[str, ...]
    """Those that nothing explains."""
    wanted: bool
    """Whether it orders or asks something of the home."""


def is_idle(verdict: Verdict) -> bool:
    """Whether nothing follows for a matter of words, so that what they mention is all there is to tell."""
    if isinstance(verdict, Nothing):
        return verdict.reason in BY_WORDS and not verdict.conditions
    return isinstance(verdict, Refuse) and not any(r.device_ids or r.near for r in verdict.refusals)


def unread(first: Attempt, history: Sequence[Turn], vocabulary: Vocabulary) -> Unread:
    """What the words of an attempt name, and whether they want something."""
    reading = first.reading
    tokens = tokens_of(reading.text, vocabulary, reading=False)
    asks = is_asked_of_home if reading.intent == "query" else is_request
    wanted = asks(tokens, reading.language)
    names = tokens if any(t.kind in OF_HOME for t in tokens) else _before(history, vocabulary)
    return Unread(tuple(names), strange_words(tokens), wanted)


def _before(history: Sequence[Turn], vocabulary: Vocabulary) -> list[Token]:
    """The words of the last turns that name something, the last turn first."""
    turns = reversed(history[-TURNS:])
    return [t for turn in turns for t in tag(spelled_out(turn.content, LIMIT), vocabulary, reading=True)]
