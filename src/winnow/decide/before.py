"""What has to be asked before calls that no sentence led to, and what of them is never done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.decide.confirm import confirmation
from winnow.decide.outcome import Deed
from winnow.decide.risk import risk
from winnow.effects import command_of
from winnow.types.acting import Rules
from winnow.types.dialogue import Language
from winnow.types.verdict import Call, Refusal
from winnow.types.view import HomeView


@dataclass(frozen=True, slots=True)
class Before:
    """The question, empty where there is none, and what is never done."""

    question: str = ""
    never: tuple[Refusal, ...] = ()


def question_before(calls: Sequence[Call], rules: Rules, view: HomeView, language: Language) -> Before:
    """What has to be asked before these are carried out in that home."""
    deeds = [_deed(call, rules, view) for call in calls]
    never = tuple(
        Refusal("not_allowed", {"name": view.devices[d.call.device_id].name}, (d.call.device_id,))
        for d in deeds
        if rules.dangers.get(d.danger) == "never"
    )
    risky = any(d.danger for d in deeds)
    return Before(confirmation(deeds, 0, "", view, language) if risky else "", never)


def _deed(call: Call, rules: Rules, view: HomeView) -> Deed:
    """The call with what is dangerous about it."""
    device = view.devices.get(call.device_id)
    command = command_of(call, view.profile(call.device_id)) if device else None
    danger = risk(command, device, call) if device and command else ""
    return Deed(call, command, danger="" if rules.dangers.get(danger) == "allow" else danger)
