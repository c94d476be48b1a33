"""A turn that nothing follows from: what it names, and whether it wanted something of the home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.language.normalise import normalise
from winnow.types.attempt import Attempt
from winnow.types.dialogue import Turn
from winnow.types.query import Token
from winnow.types.verdict import Nothing, Refuse, Verdict
from winnow.understand.reading import LIMIT, tokens_of
from winnow.understand.sentence.requests import (
    OF_HOME,
    REFERENCE,
    is_asked_of_home,
    is_request,
    strange_words,
)
from winnow.understand.words.contractions import spelled_out
from winnow.understand.words.tag import tag
from winnow.understand.words.vocabulary import Vocabulary

NEGATED = "negated"
"""The reason of an order not to act: what is spared is none of what may be meant."""
CUE = "cue"
"""Kind of the words of a question that tell which state or quantity it asks for."""
BY_WORDS = frozenset({"not_understood", "told", "asked", "reported", "wish", "knowledge", "chat", NEGATED})
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
    wanted = _is_wanted(first, tokens)
    leans = not any(t.kind in OF_HOME for t in tokens) and _leans(first, tokens, history)
    names = _before(history, vocabulary) if leans else tokens
    return Unread(tuple(names), strange_words(tokens, reading.language), wanted)


def _is_wanted(first: Attempt, tokens: Sequence[Token]) -> bool:
    """Whether a turn orders or asks something of the home; what is refused was taken for an order."""
    reading = first.reading
    if isinstance(first.verdict, Refuse):
        return True
    if reading.intent == "query":
        stated = any(t.kind == CUE for q in reading.queries for t in q.tokens)
        return is_asked_of_home(tokens, reading.language, stated=stated)
    return not _is_plain(first, tokens) and is_request(
        tokens, reading.language, ordered=reading.intent == "command"
    )


def _is_plain(first: Attempt, tokens: Sequence[Token]) -> bool:
    """Whether it is understood that nothing is to be done: it is forbidden in known words, or cited."""
    if first.verdict == Nothing(NEGATED):
        return not strange_words(tokens, first.reading.language)
    return first.reading.reason == "reported"


def _leans(first: Attempt, tokens: Sequence[Token], history: Sequence[Turn]) -> bool:
    """Whether it leans on the turns before: it points back, was half read, or follows on a question."""
    asked = bool(history) and history[-1].role == "assistant" and normalise(history[-1].content).endswith("?")
    return asked or first.reading.intent != "none" or any(t.kind == REFERENCE for t in tokens)


def _before(history: Sequence[Turn], vocabulary: Vocabulary) -> list[Token]:
    """The words of the last turns that name something, the last turn first."""
    turns = reversed(history[-TURNS:])
    return [t for turn in turns for t in tag(spelled_out(turn.content, LIMIT), vocabulary, reading=True)]
