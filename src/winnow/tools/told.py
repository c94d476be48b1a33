"""A receipt in a few words for a language model, which is to tell the person. It holds no token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from winnow.say.messages import message
from winnow.say.telling import placed_name, told
from winnow.types.dialogue import Language
from winnow.types.receipt import Outcome, Receipt, Status
from winnow.types.view import HomeView

NAMED = 3
"""Things named of each kind; of more it is told how many."""

GOOD: tuple[Status, ...] = ("done", "sent")
BAD: tuple[Status, ...] = ("unknown", "failed", "skipped")


def receipt_text(receipt: Receipt, view: HomeView, language: Language) -> str:
    """What was done, what was not and why, what the person has to be asked."""
    return "\n".join(_lines(receipt, view, language))


def _lines(receipt: Receipt, view: HomeView, language: Language) -> Iterator[str]:
    if receipt.waiting is not None:
        yield message("tool_waiting", language)
        yield receipt.waiting.question  # whole: it names every act
        return
    for status in GOOD:
        if taken := receipt.of(status):
            yield message(f"tool_{status}", language, names=_names(taken, view, language))
    for status in BAD:
        yield from _by_reason(status, receipt.of(status), view, language)
    if receipt.refused and not receipt.outcomes:
        yield message("tool_nothing_done", language)
    yield from dict.fromkeys(told(refusal, view, language) for refusal in receipt.refused)
    if receipt.reason:
        yield message(receipt.reason, language)


def _by_reason(status: str, outcomes: Sequence[Outcome], view: HomeView, language: Language) -> Iterator[str]:
    """A line for each reason why something was not done, or nobody knows."""
    for code in dict.fromkeys(outcome.code for outcome in outcomes):
        same = [outcome for outcome in outcomes if outcome.code == code]
        facts = same[0].facts if len(same) == 1 else {}
        why = message(code, language, **facts) if code else None
        yield message(f"tool_not_{status}", language, names=_names(same, view, language), why=why)


def _names(outcomes: Sequence[Outcome], view: HomeView, language: Language) -> list[str]:
    ids = list(dict.fromkeys(outcome.call.device_id for outcome in outcomes))
    names = [placed_name(i, view, language) for i in ids[:NAMED]]
    more = len(ids) - len(names)
    return [*names, message("more", language, count=more)] if more else names
