"""What has to be asked before calls that no sentence led to, and what of them is never done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.decide.confirm import Asked, confirmation
from winnow.decide.outcome import Deed
from winnow.decide.risk import risk
from winnow.decide.ruled import kept_and_never
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
    deeds, never = kept_and_never([_deed(call, view) for call in calls], rules, view)
    risky = any(d.danger for d in deeds)
    return Before(confirmation(Asked(deeds), view, language) if risky else "", never)


def _deed(call: Call, view: HomeView) -> Deed:
    """The call with what is dangerous about it."""
    device = view.devices.get(call.device_id)
    command = command_of(call, view.profile(call.device_id)) if device else None
    return Deed(call, command, danger=risk(command, device, call) if device and command else "")
