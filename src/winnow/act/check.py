"""What an agent proposes, held against what it was offered. Pure: nothing is done here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from winnow.act.arguments import fitted
from winnow.types.verdict import Act, Call, Refusal, Verdict
from winnow.types.view import HomeView

Pair = tuple[str, str]
"""Ids of a device and of a command of it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What one briefing let an agent do."""

    decided: tuple[Call, ...]
    """What was decided: it stands as it is."""
    commands: Mapping[str, tuple[str, ...]]
    """Device id -> the commands that the text named with it."""
    spent: Collection[Pair] = ()
    """What was taken of it already: each once."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The calls as they can be sent; none where anything is refused."""

    calls: tuple[Call, ...] = ()
    refused: tuple[Refusal, ...] = ()


def checked(proposed: Sequence[Call], offer: Offer, view: HomeView) -> Checked:
    """The calls in the types of their commands, or why not one of them is done."""
    pairs = [(call.device_id, call.command_id) for call in proposed]
    if not pairs:
        return Checked(refused=(Refusal("nothing_proposed"),))
    found = [
        _one(call, offer, view, again=pairs[n] in pairs[:n] or pairs[n] in offer.spent)
        for n, call in enumerate(proposed)
    ]
    refused = [one for one in found if isinstance(one, Refusal)]
    return Checked(() if refused else tuple(one for one in found if isinstance(one, Call)), tuple(refused))


def _one(call: Call, offer: Offer, view: HomeView, *, again: bool) -> Call | Refusal:
    if call.command_id not in offer.commands.get(call.device_id, ()):
        return Refusal("not_offered", {"what": f"{call.device_id} {call.command_id}"})
    if again:
        return Refusal("done_already")
    if call in offer.decided:
        return call
    if call.device_id in view.scenes:
        return Call(call.device_id, view.scenes[call.device_id].command_id)
    if call.device_id not in view.devices:
        return Refusal("no_such_device", {"name": call.device_id})
    return fitted(call, view)


def as_proposed(proposed: tuple[Call, ...], decided: tuple[Call, ...], now: Verdict) -> Verdict:
    """What is done of a proposal in the home as it is ``now``.

    Where the turn it goes back to comes to no act any more, nothing is done. What it took over as it was
    ``decided`` is what is decided now: a relative value counts from here.
    """
    if not proposed or not isinstance(now, Act):
        return now
    fresh = {(call.device_id, call.command_id): call for call in now.calls}
    calls = (fresh.get((c.device_id, c.command_id)) if c in decided else c for c in proposed)
    return Act(tuple(call for call in calls if call is not None), conditions=now.conditions)
