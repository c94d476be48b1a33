"""The question before what is dangerous, too much or only guessed (law 7)."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.batches import TOO_MANY
from winnow.decide.outcome import Deed
from winnow.say.messages import message
from winnow.types.dialogue import Language
from winnow.types.view import HomeView

ASKED = {
    "unlock": "confirm_unlock",
    "open_door": "confirm_open_door",
    "open_valve": "confirm_open_valve",
    "alarm": "confirm_siren",
    "heat": "confirm_heater",
}
"""Risk -> the message that names it."""
NAMED = 3
"""Devices named of what was only guessed."""


def confirmation(deeds: Sequence[Deed], many: int, guess: str, view: HomeView, language: Language) -> str:
    """The question that names how many devices are too many, what was guessed, and the first danger.

    ``many`` is 0, and ``guess`` empty, where there is nothing to be said of it.
    """
    asked = [message(TOO_MANY, language, count=many)] if many else []
    if guess:
        names = ", ".join(_name(d, view) for d in deeds[:NAMED])
        asked.append(message("confirm_guess", language, said=guess, names=names))
    # one danger is named: a question that lists five is answered unread
    if danger := next((d for d in deeds if d.danger), None):
        asked.append(_danger(danger, view, language))
    return " ".join(asked)


def _danger(deed: Deed, view: HomeView, language: Language) -> str:
    device, room = view.devices[deed.call.device_id], view.room(deed.call.device_id)
    return message(ASKED[deed.danger], language, name=device.name, room=room.name if room else None)


def _name(deed: Deed, view: HomeView) -> str:
    thing = view.devices.get(deed.call.device_id) or view.scenes[deed.call.device_id]
    return thing.name
