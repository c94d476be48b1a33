"""What came of an act, for whoever looks into it: every call, every try, what changed."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.assemble.view import name_of
from winnow.text.encode import encode
from winnow.types.receipt import Outcome, Receipt
from winnow.types.view import HomeView


def came_lines(receipt: Receipt, view: HomeView) -> Iterator[str]:
    """``done  Desk Lamp light.turn_on  switch off -> on``, and what was not even tried."""
    yield f"act  {receipt.id or '-'} {receipt.status}{f' ({receipt.reason})' if receipt.reason else ''}"
    for outcome in receipt.outcomes:
        yield _outcome(outcome, view)
    for refused in receipt.refused:
        names = ", ".join(encode(name_of(view, i)) for i in refused.device_ids)
        yield f"not  {refused.code} {names}".rstrip()
    for judged in receipt.conditions:
        yield f"if   {encode(judged.text)}: {judged.holds}, read {judged.value}{judged.unit}"
    if receipt.waiting is not None:
        yield f"asks {encode(receipt.waiting.question, 400)}"


def _outcome(outcome: Outcome, view: HomeView) -> str:
    call, before = outcome.call, outcome.before
    parts = [f"{outcome.status} {encode(name_of(view, call.device_id))} {encode(call.command_id)}"]
    if outcome.code:
        parts.append(f"({outcome.code})")
    parts += [f"{encode(name)} {before.get(name)} -> {value}" for name, value in outcome.changed.items()]
    if outcome.moved:
        parts.append(f"moved {len(outcome.moved)}")
    if outcome.tries > 1:
        parts.append(f"tried {outcome.tries} times")
    return "  ".join(parts)
