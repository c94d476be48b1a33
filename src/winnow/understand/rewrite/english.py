"""English follow-ups: what leans on the history is replaced by the phrase it means, where one is likely."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Span
from winnow.understand.rewrite.en.bare import asked_barely
from winnow.understand.rewrite.en.ellipsis import asked_of_another
from winnow.understand.rewrite.en.mentions import READ, mentions
from winnow.understand.rewrite.en.rank import choose
from winnow.understand.rewrite.en.scene import Scene, scene
from winnow.understand.rewrite.en.slots import Slot, slots
from winnow.understand.rewrite.en.words import Token, tokens

_LONG_END = re.compile(r"[A-Za-z0-9]{4}$")
MOST = 6
"""Words of one query that are replaced at most."""
ASKED = 2000
"""Characters of a query that are read; a longer one is no question to make stand alone."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What one slot becomes."""

    slot: Slot
    text: str
    turn: int
    confidence: float


def english(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """The query with what it left to the history.

    ``skipped`` turns before ``history`` were not read and count in ``Span.turn``.
    """
    if len(query) > ASKED:
        return Rewrite(query, reason="complete")
    for rule in (asked_of_another, asked_barely):
        if (asked := rule(query, history, skipped)) is not None:
            return asked
    read = tokens(query)
    found = list(slots(read))[:MOST]
    if not found:
        return Rewrite(query, reason="complete")
    patches = _patches(found, setting(read, history))
    if not patches:
        return Rewrite(query, reason="vague")
    return _patched(query, read, patches, skipped)


def setting(read: tuple[Token, ...], history: Sequence[Turn]) -> Scene:
    """What the slots of a query are weighed against."""
    return scene(read, mentions(history), history, _pronouns(history))


def _pronouns(history: Sequence[Turn]) -> dict[str, tuple[int, int]]:
    """Class of pronoun -> first and last turn of the user that uses it."""
    used: dict[str, tuple[int, int]] = {}
    for number, turn in enumerate(history):
        if turn.role == "user":
            for slot in slots(tokens(turn.content[:READ])):
                first, _ = used.get(slot.form, (number, number))
                used[slot.form] = (first, number)
    return used


def _patches(found: Sequence[Slot], now: Scene) -> list[Patch]:
    made = []
    for i, slot in enumerate(found):
        choice, confidence = choose(slot, now, found[:i])
        if choice.mention is not None:
            made.append(Patch(slot, choice.text, choice.mention.turn, confidence))
    return made


def _patched(query: str, read: Sequence[Token], patches: Sequence[Patch], skipped: int) -> Rewrite:
    text, spans = query, []
    for patch in reversed(patches):
        at, end = read[patch.slot.start].start, read[patch.slot.end - 1].end
        spans.append(Span(patch.text, patch.turn + skipped, at, query[at:end]))
        text = text[:at] + worded(query, read, patch.slot, patch.text) + text[end:]
    kinds = dict.fromkeys(patch.slot.group for patch in patches)
    return Rewrite(text, True, tuple(reversed(spans)), "+".join(kinds), min(p.confidence for p in patches))


def worded(query: str, read: Sequence[Token], slot: Slot, text: str) -> str:
    """The phrase in the query's own way of writing: a capital at its start, ``'s`` where it owns."""
    if read[slot.start].opens and read[slot.start].text[0].isupper():
        text = text[0].upper() + text[1:] if len(text[0].upper()) == 1 else text
    return text + _owning(query, text) if slot.owns else text


def _owning(query: str, text: str) -> str:
    """The possessive ending."""
    if spaced(query):
        return " 's"
    # behind a short last word the typographic mark, which no reader of words takes for a letter
    return "'s" if _LONG_END.search(text) else "’s"


def spaced(query: str) -> bool:
    """Whether marks stand apart from words, as in ``Who is it ?``."""
    return any(mark in query for mark in (" ?", " .", " ,", " 's"))
