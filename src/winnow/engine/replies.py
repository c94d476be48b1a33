"""Replies in words: to a verdict in one line, to a receipt in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.act.effects.words import things, was_done
from winnow.language.messages import MessageText, codes, message
from winnow.language.naming import not_read, placed_name, refusal_text
from winnow.language.registry import LANGUAGES
from winnow.types.home import HomeView
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Clarify, Confirm, Nothing, NotUnderstood, Query, Refuse

# What is said of a receipt: what was done, then what was not and why, as a person would tell it.


MAX_FAILURES = 5
"""Failures of one kind told one by one; of more the things are named together."""


def receipt_sentences(receipt: Receipt, view: HomeView, language: LanguageCode) -> str:
    """The receipt in a few sentences. Every call is in one of them."""
    said: list[str] = []
    if receipt.undoes and receipt.device_ids:
        said.append(message("receipt_undone", language))
    said.extend(_done_sentences(receipt, view, language))
    said.extend(_failure_sentences(receipt.of("failed", "unknown", "skipped"), view, language))
    said.extend(refusal_text(refusal, view, language) for refusal in receipt.refused)
    if receipt.waiting is not None:
        said.append(receipt.waiting.question)
    elif not receipt.outcomes and not receipt.refused:
        said.append(message(receipt.reason or "nothing_to_do", language))
    return LANGUAGES[language].joiner.join(dict.fromkeys(said))


def failure_sentence(outcome: Outcome, view: HomeView, language: LanguageCode) -> str:
    """Why one call is not done, or nobody knows whether it is."""
    name = placed_name(outcome.call.device_id, view, language)
    fallback = "receipt_unknown" if outcome.status == "unknown" else "receipt_failed"
    code = outcome.code if outcome.code in codes(language) else fallback
    return message(code, language, **{**outcome.facts, "name": name})


def _done_sentences(receipt: Receipt, view: HomeView, language: LanguageCode) -> Iterator[str]:
    """What the home shows, and what it took but does not show."""
    shown = [o.call for o in receipt.outcomes if o.status == "done"]
    for act in was_done(shown, view, language):
        yield message("receipt_done", language, act=MessageText(act))
    if taken := list(dict.fromkeys(o.call.device_id for o in receipt.of("sent"))):
        yield message("receipt_sent", language, names=MessageText(things(taken, view, language)))


def _failure_sentences(outcomes: Sequence[Outcome], view: HomeView, language: LanguageCode) -> Iterator[str]:
    """What is not done or not known, those with one reason together where they are many."""
    reasons: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        reasons.setdefault(outcome.code or outcome.status, []).append(outcome)
    for alike in reasons.values():
        if len(alike) <= MAX_FAILURES:
            yield from (failure_sentence(o, view, language) for o in alike)
            continue
        names = [placed_name(o.call.device_id, view, language) for o in alike]
        yield failure_sentence(alike[0], view, language)
        yield message("receipt_as_well", language, names=names[1:])


MAX_NAMES = 5
"""Devices named one by one; more are counted."""


def session_reply(retrieval: Retrieval, view: HomeView) -> str:
    """The reply without what was named only for being near, or mentioned.

    ``it`` in the next sentence must not come to mean that.
    """
    verdict, language = retrieval.verdict, retrieval.reading.language
    if isinstance(verdict, NotUnderstood):
        return not_read(verdict.words, (), view, language)
    if isinstance(verdict, Refuse) and any(r.near for r in verdict.refusals):
        return " ".join(message(r.code, language, **r.facts) for r in verdict.refusals)
    return verdict_reply(retrieval, view)


def verdict_reply(retrieval: Retrieval, view: HomeView) -> str:
    """The question asked, or what is done, read, refused or left alone."""
    verdict, language = retrieval.verdict, retrieval.reading.language
    match verdict:
        case Confirm() | Clarify():
            return verdict.question
        case Refuse():
            return verdict.message or " ".join(refusal_text(r, view, language) for r in verdict.refusals)
        case NotUnderstood():
            return verdict.message
        case Nothing():
            return message(verdict.reason, language)
        case _:
            code = "looked_up" if isinstance(verdict, Query) else "done"
            return names_message(code, retrieval.device_ids, view, language)


def names_message(code: str, device_ids: Sequence[str], view: HomeView, language: LanguageCode) -> str:
    """The message of that code about these devices: named one by one, or counted."""
    few = len(device_ids) <= MAX_NAMES
    names = [placed_name(i, view, language) for i in device_ids] if few else None
    return message(code, language, names=names, count=len(device_ids))
