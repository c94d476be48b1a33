"""What was done, as it is said aloud: short where all went well, thing by thing where it did not."""

from __future__ import annotations

from winnow.say.messages import codes, message
from winnow.say.telling import placed_name, told
from winnow.types.dialogue import Language
from winnow.types.receipt import Outcome, Receipt
from winnow.types.view import HomeView

NAMED = 3
"""Things named one by one; more are counted."""
FAILED = 5
"""Failures told one by one."""


def spoken(receipt: Receipt, view: HomeView, language: Language) -> str:
    """The receipt in a few sentences: what was done, then what was not, and why."""
    well = receipt.device_ids
    names = [placed_name(i, view, language) for i in well] if len(well) <= NAMED else None
    lines = [message("done", language, names=names, count=len(well))] if well else []
    amiss = [o for o in receipt.outcomes if not o.ok]
    lines += [_failure(outcome, view, language) for outcome in amiss[:FAILED]]
    lines += [told(refusal, view, language) for refusal in receipt.refused]
    if receipt.waiting is not None:
        lines.append(receipt.waiting.question)
    if not lines or len(amiss) > FAILED:
        lines.append(message(receipt.reason or "nothing_to_do", language))
    return ("" if language == "zh" else " ").join(dict.fromkeys(lines))


def _failure(outcome: Outcome, view: HomeView, language: Language) -> str:
    """Why one call is not done."""
    name = placed_name(outcome.call.device_id, view, language)
    code = outcome.code if outcome.code in codes(language) else "not_seen"
    return message(code, language, **{**outcome.facts, "name": name})
