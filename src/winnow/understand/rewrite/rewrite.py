"""Which way a query is made to stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.language.normalise import language_of
from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Style
from winnow.understand.intent.clauses import Clause, clauses
from winnow.understand.intent.cues import cue
from winnow.understand.rewrite.written import written

TURNS = 10
"""Earlier messages that are read (seed 002)."""
POLITE = frozenset({"thanks", "greeting", "apology", "praise"})
"""What is said to the assistant and not about anything."""
TALK = POLITE | {"ack", "laugh"}


def rewrite(query: str, history: Sequence[Turn] = (), style: Style = "plain") -> Rewrite:
    """``query`` as it would be asked by somebody who was not there, in that style.

    Unchanged without history, when complete, or when nothing fits.
    """
    found = _standalone(query, history, style)
    return polished(found) if style == "written" else found


def polished(found: Rewrite) -> Rewrite:
    """The same in written language."""
    text = written(found.query)
    if text == found.query:
        return found
    reason = f"{found.reason}+written" if found.changed else "written"
    return replace(found, query=text, changed=True, reason=reason)


def _standalone(query: str, history: Sequence[Turn], style: Style) -> Rewrite:
    if not query.strip() or not any(turn.content.strip() for turn in history):
        return Rewrite(query, reason="no_history")
    recent, skipped = history[-TURNS:], max(0, len(history) - TURNS)
    said = without_talk(query)
    if language_of(query) == "zh":
        found = _in_chinese(query, recent, skipped)
        # What would be rewritten once more copied what does not belong there.
        unsettled = found.changed and _in_chinese(found.query, recent, skipped).query != found.query
        return Rewrite(query, reason="unsettled") if unsettled else found
    from winnow.understand.rewrite.english import english

    plain = _of(query, said, english(said, recent, skipped))
    if style != "retrieval":
        return plain
    from winnow.understand.rewrite.en.context import fuller

    return fuller(plain, query, recent, skipped)


def _in_chinese(query: str, recent: Sequence[Turn], skipped: int) -> Rewrite:
    from winnow.understand.rewrite.chinese import chinese  # its tables and their library take a while

    said = without_talk(query)
    return _of(query, said, chinese(said, recent, skipped))


def without_talk(query: str) -> str:
    """What is asked, without the thanks and the yes before it: ``thanks, and how long?`` asks how long."""
    said = clauses(query)
    first = next((n for n, clause in enumerate(said) if clause.rest), 0)
    talk = all(TALK.issuperset(clause.acts) for clause in said[: first + 1])
    if not talk or not any(clause.acts for clause in said[: first + 1]):
        return query
    return query[_begins(query, said[first]) :]


def _begins(query: str, asked: Clause) -> int:
    """Where a question begins, with the ``and`` before it.

    In one breath with it a yes is taken off only before an ``and``: else it may begin its sentence.
    """
    at = max(0, query.lower().find(asked.rest))
    if lead := cue("lead").search(query[:at].lower()):
        return lead.start()
    if asked.acts and "thanks" not in asked.acts:
        return max(0, query.lower().find(asked.text))
    return at


def _of(query: str, said: str, found: Rewrite) -> Rewrite:
    """What was made of the end of a query, told of all of it: thanks go, a yes or a no stays before it."""
    head = query[: len(query) - len(said)]
    if not head:
        return found
    if not found.changed:
        return replace(found, query=query)
    acts = {act for clause in clauses(head) for act in clause.acts}
    whole = found.query if acts <= POLITE else head + found.query
    if whole == query:  # what was put in is the very thanks that were taken off
        return Rewrite(query, reason="complete")
    spans = tuple(replace(span, at=span.at + len(head)) for span in found.spans)
    return replace(found, query=whole, spans=spans)
