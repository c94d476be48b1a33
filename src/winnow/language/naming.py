"""Things and refusals in a person's words."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.language.messages import message
from winnow.types.home import HomeView
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Refusal

MAX_NEAR_NAMES = 3
"""Words nobody knows, and things that the rest was taken for, that are told at most."""


def thing_name(entity_id: str, view: HomeView) -> str:
    """The name of a device or scene; its id where the home has neither."""
    thing = view.devices.get(entity_id) or view.scenes.get(entity_id)
    return thing.name if thing else entity_id


def placed_name(entity_id: str, view: HomeView, language: LanguageCode) -> str:
    """``书房的台灯``, ``Study Desk Lamp``; the name alone where it holds the room, or there is none."""
    name, room = thing_name(entity_id, view), view.room(entity_id)
    if room is None or room.name.casefold() in name.casefold():
        return name
    return message("in_room", language, name=name, room=room.name)


def refusal_text(refusal: Refusal, view: HomeView, language: LanguageCode) -> str:
    """Why it is not done, and what comes near to what was named."""
    near = [placed_name(i, view, language) for i in refusal.near]
    facts: dict[str, object] = dict(refusal.facts)
    if danger := facts.get("danger"):
        facts["danger"] = message(f"danger_{danger}", language)
    return message(refusal.code, language, **facts, near=near)


def not_read(words: Sequence[str], mentioned: Sequence[str], view: HomeView, language: LanguageCode) -> str:
    """That nothing was done: which words nobody knows, what the rest was taken for, and what may be said."""
    near = [placed_name(i, view, language) for i in mentioned[:MAX_NEAR_NAMES]]
    return message("not_read", language, words=" / ".join(words[:MAX_NEAR_NAMES]), near=near)
