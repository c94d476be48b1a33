"""The closed question what a set is to do, in a person's words, and what is said when it does not help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from winnow.language.lexicon import clusters, surfaces
from winnow.language.normalise import is_han
from winnow.say.messages import message
from winnow.types.dialogue import Language
from winnow.types.verdict import Clarify, Option

UNCLEAR = "need_clarification"
SPECIFIC = "be_more_specific"
_PLAIN = """
Open Close Start Stop Pause Resume Lock Unlock Toggle Play Next Previous Dock
Switch.On Switch.Off Mode.On Mode.Off Alarm.On Alarm.Off
"""
PLAIN = frozenset(_PLAIN.split())
"""What is done alike to whatever it is done to; on and off only where the whole thing goes on and off."""
_CAPITALS = re.compile(r"(?<!^)(?=[A-Z])")


def which_action(options: Sequence[Option], language: Language) -> Clarify:
    """The closed question what to do; it is answered by the index of an option."""
    named = tuple(replace(o, label=act(o.capability, language)) for o in options)
    text = message("which_action", language, options=[o.label for o in named])
    return Clarify(text, named, "action", (UNCLEAR,))


def representatives(options: Sequence[Option], most: int) -> tuple[str, ...]:
    """Up to ``most`` devices, those of every option in turn."""
    depth = max((len(o.device_ids) for o in options), default=0)
    return tuple(o.device_ids[n] for n in range(depth) for o in options if n < len(o.device_ids))[:most]


def asked_anyway(ask: Clarify, outcome: str) -> Clarify:
    """The question to the person after a model was asked in vain.

    With the model's own wording where it gave one. The hint tells.
    """
    if outcome:
        return replace(ask, question=outcome, hints=(*ask.hints, "arbitration_asks"))
    return replace(ask, hints=(*ask.hints, "arbitration_failed"))


def act(capability: str, language: Language) -> str:
    """What a capability does in a person's word.

    Its plain verb, the setting it changes, the verb that means it, its name.
    """
    does = capability.rpartition(".")[2]
    if {does, capability} & PLAIN:
        return message(f"act_{does.lower()}", language)
    words = (_word(section, canonical, language) for section, canonical in _meaning(capability))
    return next((word for word in words if word), _CAPITALS.sub(" ", capability).replace(".", "").lower())


def _meaning(capability: str) -> Iterator[tuple[str, str]]:
    """(section, word's meaning) of what the capability may be called, best first."""
    tables, family = clusters(), capability.partition(".")[0]
    properties, actions = tables["properties"].items(), tables["actions"].items()
    yield from (("property", name) for name, traits in properties if traits[0].partition(".")[0] == family)
    yield from (("verb", name) for name, traits in actions if traits[0] == capability)
    yield from (("property", name) for name, traits in properties if capability in traits)


def _word(section: str, canonical: str, language: Language) -> str:
    said = (w for w, c in surfaces(section).items() if c == canonical and is_han(w[0]) == (language == "zh"))
    return next(said, "")
