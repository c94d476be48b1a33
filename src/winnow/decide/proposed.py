"""What may be done of calls that nobody said in words: the same dangers want the same yes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from winnow.decide.limits import Limits
from winnow.decide.outcome import Deed, Outcome, Sentence
from winnow.decide.risk import risk
from winnow.decide.ruled import ruled
from winnow.decide.situation import Situation
from winnow.decide.verdict import verdict
from winnow.effects import command_of
from winnow.types.dialogue import Language
from winnow.types.verdict import Call, Verdict
from winnow.types.view import HomeView


def weighed_anew(
    calls: Sequence[Call], allowed: Collection[Call], view: HomeView, language: Language, limits: Limits
) -> Verdict:
    """Whether these calls are done or asked about; ``allowed``: what was decided, or agreed to, already."""
    situation = Situation(view, language, limits=limits)
    known = tuple(_deed(call, True, situation) for call in calls if call in allowed)
    others = tuple(_deed(call, False, situation) for call in calls if call not in allowed)
    new = ruled(Sentence((Outcome(others),)), situation)
    return verdict(Sentence((Outcome(known), *new.parts)), situation)


def _deed(call: Call, allowed: bool, situation: Situation) -> Deed:
    device = situation.view.devices.get(call.device_id)
    if device is None:
        return Deed(call)  # a scene
    command = command_of(call, situation.view.profile(device.id))
    danger = "" if allowed or command is None else risk(command, device, call)
    return Deed(call, command, "", danger)
