"""Chinese follow-ups: reliable patterns first, then the best span in the best slot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from winnow.language.registry import language_of
from winnow.types.query import CopiedSpan, Rewrite
from winnow.types.utterance import Turn
from winnow.understand.rewrite.zh.candidates import Edit, lists_hold, ordinal
from winnow.understand.rewrite.zh.ranker import load_ranker
from winnow.understand.rewrite.zh.topics import (
    RepeatedQuestion,
    apply_edit,
    correct_question,
    earlier,
    explains,
    parallel,
    repeat_question,
    resolve_topic,
    scene_of,
    thing_of,
)
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, cut, is_idle, is_vague, kind, patterns

MIN_COMPLETE_CHANCE = 0.55
"""A query is left alone when its chance of being complete is at least this."""
EDITS = 3
"""Rounds after which a query that still changes is given up and left as it was said."""
MAX_QUERY_CHARS = 60
"""Characters of the longest query that is looked at; who says so much says what it is about."""
_LATIN = re.compile(r"[A-Za-z0-9]+")


def chinese(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite:
    """The query with what it left to the history.

    ``skipped`` turns before ``history`` were not read and count in ``Span.turn``. Rewriting what was
    rewritten changes nothing: a query whose rewrites never come to rest stays as it was said.
    """
    if is_vague(query) or is_idle(query):
        return Rewrite(query, reason="vague")
    edits = _edits(query, history, skipped)
    if not edits:
        return Rewrite(query, reason="complete")
    if len(edits) > EDITS:
        return Rewrite(query, reason="unsettled")
    spans = tuple(
        replace(span, at=_original_offset(span.at, edits[:n]))
        for n, edit in enumerate(edits)
        for span in edit.spans
    )
    return Rewrite(edits[-1].query, True, spans, edits[0].reason, min(edit.confidence for edit in edits))


def _edits(query: str, history: Sequence[Turn], skipped: int) -> list[Edit]:
    """The changes of a query one after the other; more than ``EDITS`` when they do not come to rest."""
    edits: list[Edit] = []
    while len(query) <= MAX_QUERY_CHARS and len(edits) <= EDITS:
        edit = _edit(query, history, skipped)
        if edit is None:
            break
        said = {
            word for text in (query, *(turn.content for turn in history)) for word in _LATIN.findall(text)
        }
        # A new word of Latin letters or digits is two pieces that would grow together into one.
        if language_of(edit.query) != "zh" or not said.issuperset(_LATIN.findall(edit.query)):
            break
        edits.append(edit)
        query = edit.query
    return edits


def _edit(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """One change, by the first rule that fits."""
    for rule in (_asked_again, ordinal, earlier, resolve_topic):
        if edit := rule(query, history, skipped):
            return edit
    # The edit that the network prefers to leaving the query alone
    scene = scene_of(query, history, skipped)
    best = load_ranker().best(scene)
    # What else there is of a kind is not asked of one of those that an answer told
    told = best.stretch is not None and not best.stretch.source.user
    if told and scene.query[-1].tag in NOMINAL and patterns()["another"].match(query):
        return None
    if best.complete >= MIN_COMPLETE_CHANCE or best.stretch is None or best.slot is None:
        edit = None
    else:
        text, start, end = apply_edit(scene, best.stretch, best.slot)
        span = CopiedSpan(best.stretch.text, best.stretch.source.turn, start, scene.text[start:end])
        edit = Edit(text, (span,), "pronoun" if end > start else "ellipsis", round(1 - best.complete, 3))
    return None if edit and edit.reason == "ellipsis" and _whole(query, history) else edit


def _asked_again(query: str, history: Sequence[Turn], skipped: int) -> Edit | None:
    """``那X呢`` and ``不对，是X``, on the latest question of the user made to stand alone."""
    if not thing_of(query):
        return None
    asked = (i for i, turn in enumerate(history) if turn.role == "user" and not is_vague(turn.content))
    at = max(asked, default=-1)
    if at < 0:
        return None
    before = history[at].content[:MAX_QUERY_CHARS]
    if not _says_of_what(before):
        before = chinese(before, history[:at], skipped).query
    if found := correct_question(query, before):
        return Edit("".join(found), _cited_spans(found, query, history, skipped), "corrected")
    if found := repeat_question(query, before):
        return Edit("".join(found), _cited_spans(found, query, history, skipped), "asked_again")
    return None


def _says_of_what(question: str) -> bool:
    """Whether a question names what it is about and points at nothing.

    Then it need not be read with the turns before it.
    """
    words = cut(question)
    return any(w.tag in NOMINAL for w in words) and not any(kind(w.text) for w in words)


def _whole(query: str, history: Sequence[Turn]) -> bool:
    """Whether a query that does not point back leaves nothing out.

    It comes after an explanation, names what was talked about, or a place of a list that was not told.
    """
    asked = (turn.content for turn in history if turn.role == "user")
    whole = explains(history) or patterns()["ordinal"].search(query) or lists_hold(query, history)
    return bool(whole) or any(parallel(query, said) for said in asked)


def _cited_spans(
    again: RepeatedQuestion, query: str, history: Sequence[Turn], skipped: int
) -> tuple[CopiedSpan, ...]:
    """Where the pieces of an earlier question on either side of the new thing were said."""
    at = query.rindex(again.thing)
    end = at + len(again.thing)
    before = _longest_spans(again.before, 0, query[:at], history, skipped)
    after = _longest_spans(again.after, end, query[end:], history, skipped)
    return (*before, *after)


def _longest_spans(
    text: str, at: int, replaced: str, history: Sequence[Turn], skipped: int
) -> list[CopiedSpan]:
    """``text`` as stretches of turns, each the longest that some turn holds, the latest turn first."""
    found: list[CopiedSpan] = []
    while text:
        size, turn = max(
            ((_shared_prefix_length(text, turn.content), i) for i, turn in enumerate(history)), default=(0, 0)
        )
        if size:
            found.append(CopiedSpan(text[:size], skipped + turn, at, "" if found else replaced))
        text = text[max(size, 1) :]
    return found


def _shared_prefix_length(text: str, content: str) -> int:
    """How many characters of ``text``, from its first on, ``content`` holds in one piece."""
    size = 0
    while size < len(text) and text[: size + 1] in content:
        size += 1
    return size


def _original_offset(at: int, edits: Sequence[Edit]) -> int:
    """An offset after some edits as an offset in the query as said."""
    for edit in reversed(edits):
        for span in reversed(edit.spans):
            if at > span.at:
                at = max(span.at + len(span.replaced), at - len(span.text) + len(span.replaced))
    return at
