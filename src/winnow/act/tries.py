"""One call, sent as often as is safe: again only what certainly was not done, or does no harm twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from winnow.act.hands import Hands
from winnow.act.seen import seen
from winnow.act.within import within
from winnow.effects import repeatable
from winnow.errors import WinnowError
from winnow.types.catalog import Scalar
from winnow.types.receipt import Outcome
from winnow.types.verdict import Call

FIRST = 0.25
"""Seconds before the second try; every further one waits twice as long, or as long as the home asks."""


async def tried(call: Call, states: Mapping[str, Scalar], by: Hands) -> Outcome:
    """What came of it, for a device that told ``states`` before."""
    tries, pause = 1, FIRST
    taken = await sent(call, by)
    outcome, doubt = await seen(taken, states, by), taken.status == "unknown"
    while tries < by.rules.tries and _may_again(taken, outcome, by) and await _paused(taken, pause, by):
        tries, pause = tries + 1, pause * 2
        taken = await sent(call, by, outcome)
        outcome, doubt = await seen(taken, states, by), doubt or taken.status == "unknown"
    # what one try may have done has not failed for certain, whatever came of the next
    status = "unknown" if doubt and outcome.status == "failed" else outcome.status
    return replace(outcome, status=status, tries=tries)


async def _paused(taken: Outcome, pause: float, by: Hands) -> bool:
    """Wait before the next try; False, at once, where time is up before."""
    wait = max(pause, taken.retry_after or 0.0)
    if wait >= by.left:
        return False
    await asyncio.sleep(wait)
    return True


def _may_again(taken: Outcome, outcome: Outcome, by: Hands) -> bool:
    """Whether it may be sent once more: it was not done and that may pass, or twice is as good as once."""
    if outcome.ok:
        return False
    if taken.status == "failed":
        return taken.retry_after is not None
    if taken.status != "unknown" or taken.call.device_id not in by.view.devices:
        return False
    return repeatable(taken.call, by.view.profile(taken.call.device_id))


async def sent(call: Call, by: Hands, before: Outcome | None = None) -> Outcome:
    """What the home says of it. What cannot be sent in time is skipped, or as it was ``before``."""
    async with by.places:
        if by.left <= 0:
            return before or Outcome(call, "skipped", "out_of_time", {"name": by.name(call)})
        by.sent.add(id(call))
        told = await within(min(by.rules.call_seconds, by.left), by.actuator.do(by.scope, (call,)))
    if isinstance(told, BaseException):
        return _broken(call, told, by)
    if len(told) != 1:
        return _lost(call, "link_failed", by, f"{len(told)}")
    return replace(told[0], call=call)


def _broken(call: Call, error: BaseException, by: Hands) -> Outcome:
    """What came of a call that ended in an error."""
    if isinstance(error, TimeoutError):
        return _lost(call, "timed_out", by)
    return _lost(
        call, "link_failed", by, str(error) if isinstance(error, WinnowError) else type(error).__name__
    )


def _lost(call: Call, code: str, by: Hands, why: str = "") -> Outcome:
    """Nobody knows whether it was done."""
    facts = {"name": by.name(call), "why": why} if why else {"name": by.name(call)}
    return Outcome(call, "unknown", code, facts)
