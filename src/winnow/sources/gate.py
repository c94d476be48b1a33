"""Which sources beside the home a turn is worth asking, and why."""

from __future__ import annotations

from collections.abc import Collection

from winnow.errors import Phrase
from winnow.types.intent import Intent
from winnow.types.shortlist import Step

ASKED, SPARED = "asked", "not asked"
HISTORY = "history"


def gate(intent: Intent, sources: Collection[str], user: str) -> tuple[Step, ...]:
    """Of each source whether it is asked; that of the intent comes first."""
    first = sorted(sources, key=lambda name: name != intent.source)
    return tuple(_decided(name, intent, user) for name in first)


def _decided(name: str, intent: Intent, user: str) -> Step:
    if not intent.need_retrieval:
        return Step(name, SPARED, Phrase("nothing is to be looked up: {label}", label=intent.label))
    about = Phrase("it is about {source}: {label}", source=intent.source, label=intent.label)
    if name != HISTORY:
        return Step(name, ASKED if name == intent.source else SPARED, about)
    # Whatever is looked up may hang on what the person said before: what they eat, whom they know.
    if intent.source not in {"history", "knowledge"}:
        return Step(name, SPARED, about)
    if not user:
        return Step(name, SPARED, "nobody was named, so there are no messages to search")
    return Step(name, ASKED, about)
