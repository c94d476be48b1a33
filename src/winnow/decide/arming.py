"""An alarm is armed in a mode: where none was said, which one is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnow.decide.outcome import Doubt, Outcome
from winnow.decide.ruled import answer_for, never_done
from winnow.decide.score import Scored
from winnow.decide.situation import Situation
from winnow.language.arming import mode_name, mode_of_command
from winnow.say.messages import message
from winnow.types.catalog import Command, Device
from winnow.types.dialogue import Language
from winnow.types.query import QueryIR
from winnow.types.verdict import Clarify, Option, Refusal

ARM = "Alarm.Arm"


def which_mode(query: QueryIR, chosen: Sequence[Scored], situation: Situation) -> Outcome | None:
    """The question in which of its modes an alarm is to be armed; None where that is said or no question."""
    panel = next((s.device for s in chosen if s.fit.command is not None and s.fit.command.trait == ARM), None)
    if panel is None or query.value is not None:
        return None
    modes = _modes(situation.view.profile(panel.id).commands)
    ruled = answer_for(panel.id, "arm", situation.limits.rules, situation.view)
    if len(modes) < 2 or ruled == "allow":
        return None
    if ruled == "never":
        return Outcome(refused=(never_done(panel.id, "arm", situation.view),))
    ask = _question(panel, modes, situation.language)
    return Outcome(doubt=Doubt(ask, Refusal("value_missing")))


def _question(panel: Device, modes: Mapping[str, Command], language: Language) -> Clarify:
    options = tuple(Option(mode_name(m, language), (panel.id,), c.id) for m, c in modes.items())
    text = message("which_mode", language, name=panel.name, options=[o.label for o in options])
    return Clarify(text, options, "mode")


def _modes(commands: Sequence[Command]) -> dict[str, Command]:
    """The modes of the commands that arm, in their order."""
    return {mode: c for c in commands if c.trait == ARM and (mode := mode_of_command(c.id))}
