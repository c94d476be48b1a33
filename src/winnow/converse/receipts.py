"""What is said of a receipt: what was done, then what was not and why, as a person would tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.effects.words import things, was_done
from winnow.say.messages import Told, codes, message
from winnow.say.telling import placed_name, told
from winnow.types.dialogue import Language
from winnow.types.receipt import Outcome, Receipt
from winnow.types.view import HomeView

FAILED = 5
"""Failures of one kind told one by one; of more the things are named together."""


def spoken(receipt: Receipt, view: HomeView, language: Language) -> str:
    """The receipt in a few sentences. Every call is in one of them."""
    said = list(_sentences(receipt, view, language))
    return ("" if language == "zh" else " ").join(dict.fromkeys(said))


def failure(outcome: Outcome, view: HomeView, language: Language) -> str:
    """Why one call is not done, or nobody knows whether it is."""
    name = placed_name(outcome.call.device_id, view, language)
    fallback = "receipt_unknown" if outcome.status == "unknown" else "receipt_failed"
    code = outcome.code if outcome.code in codes(language) else fallback
    return message(code, language, **{**outcome.facts, "name": name})


def _sentences(receipt: Receipt, view: HomeView, language: Language) -> Iterator[str]:
    if receipt.undoes and receipt.device_ids:
        yield message("receipt_undone", language)
    yield from _done(receipt, view, language)
    yield from _amiss(receipt.of("failed", "unknown", "skipped"), view, language)
    yield from (told(refusal, view, language) for refusal in receipt.refused)
    if receipt.waiting is not None:
        yield receipt.waiting.question
    elif not receipt.outcomes and not receipt.refused:
        yield message(receipt.reason or "nothing_to_do", language)


def _done(receipt: Receipt, view: HomeView, language: Language) -> Iterator[str]:
    """What the home shows, and what it took but does not show."""
    shown = [o.call for o in receipt.outcomes if o.status == "done"]
    for act in was_done(shown, view, language):
        yield message("receipt_done", language, act=Told(act))
    if taken := list(dict.fromkeys(o.call.device_id for o in receipt.of("sent"))):
        yield message("receipt_sent", language, names=Told(things(taken, view, language)))


def _amiss(outcomes: Sequence[Outcome], view: HomeView, language: Language) -> Iterator[str]:
    """What is not done or not known, those with one reason together where they are many."""
    reasons: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        reasons.setdefault(outcome.code or outcome.status, []).append(outcome)
    for alike in reasons.values():
        if len(alike) <= FAILED:
            yield from (failure(o, view, language) for o in alike)
            continue
        names = [placed_name(o.call.device_id, view, language) for o in alike]
        yield failure(alike[0], view, language)
        yield message("receipt_as_well", language, names=names[1:])
