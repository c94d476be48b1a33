"""What Winnow would say to a verdict, in one line: for the session's memory and for a chat."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.say.messages import message
from winnow.say.telling import not_read, placed_name, told
from winnow.types.briefing import Retrieval
from winnow.types.dialogue import Language
from winnow.types.verdict import Clarify, Confirm, Nothing, NotUnderstood, Query, Refuse
from winnow.types.view import HomeView

NAMED = 5
"""Devices named one by one; more are counted."""


def remembered(retrieval: Retrieval, view: HomeView) -> str:
    """The reply without what was named only for being near, or mentioned.

    ``it`` in the next sentence must not come to mean that.
    """
    verdict, language = retrieval.verdict, retrieval.reading.language
    if isinstance(verdict, NotUnderstood):
        return not_read(verdict.words, (), view, language)
    if isinstance(verdict, Refuse) and any(r.near for r in verdict.refusals):
        return " ".join(message(r.code, language, **r.facts) for r in verdict.refusals)
    return reply(retrieval, view)


def reply(retrieval: Retrieval, view: HomeView) -> str:
    """The question asked, or what is done, read, refused or left alone."""
    verdict, language = retrieval.verdict, retrieval.reading.language
    match verdict:
        case Confirm() | Clarify():
            return verdict.question
        case Refuse():
            return verdict.message or " ".join(told(r, view, language) for r in verdict.refusals)
        case NotUnderstood():
            return verdict.message
        case Nothing():
            return message(verdict.reason, language)
        case _:
            code = "looked_up" if isinstance(verdict, Query) else "done"
            return with_names(code, retrieval.device_ids, view, language)


def with_names(code: str, device_ids: Sequence[str], view: HomeView, language: Language) -> str:
    """The message of that code about these devices: named one by one, or counted."""
    few = len(device_ids) <= NAMED
    names = [placed_name(i, view, language) for i in device_ids] if few else None
    return message(code, language, names=names, count=len(device_ids))
