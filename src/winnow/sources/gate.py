"""Which sources beside the home a turn is worth asking, and why."""

from __future__ import annotations

from collections.abc import Collection

from winnow.errors import Phrase
from winnow.types.intent import Intent
from winnow.types.shortlist import Step

ASKED, SPARED, IF_NEEDED = "asked", "not asked", "if needed"
HISTORY, FACTS, KNOWLEDGE, PUBLIC = "history", "facts", "knowledge", "public"
PERSONAL = frozenset({HISTORY, FACTS})
"""Sources that hold what one person said."""
PRIVATE = PERSONAL | {KNOWLEDGE}
"""Sources every question goes to that is not for devices: whatever is looked up may hang on what the person
said before (what they eat, whom they know), and what they said may stand in a note of theirs."""


def gate(intent: Intent, sources: Collection[str], user: str) -> tuple[Step, ...]:
    """Of each source whether it is asked; that of the intent comes first, the public one last."""
    first = sorted(sources, key=lambda name: (name == PUBLIC, name != intent.source))
    return tuple(_decided(name, intent, user) for name in first)


def _decided(name: str, intent: Intent, user: str) -> Step:
    if not intent.need_retrieval:
        return Step(name, SPARED, Phrase("nothing is to be looked up: {label}", label=intent.label))
    about = Phrase("it is about {source}: {label}", source=intent.source, label=intent.label)
    if name not in PRIVATE and name != PUBLIC:
        return Step(name, ASKED if name == intent.source else SPARED, about)
    if intent.source not in PRIVATE:
        return Step(name, SPARED, about)
    if name in PERSONAL and not user:
        return Step(name, SPARED, _NOBODY[name])
    return Step(name, IF_NEEDED if name == PUBLIC else ASKED, about)


_NOBODY = {
    HISTORY: "nobody was named, so there are no messages to search",
    FACTS: "nobody was named, so there are no facts to search",
}
