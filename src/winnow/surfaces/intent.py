"""Whether one turn of a talk needs anything looked up, and why, in a few lines."""

from __future__ import annotations

from winnow.errors import Phrase
from winnow.say.messages import message
from winnow.types.dialogue import Language
from winnow.types.intent import Intent, Taxonomy


def told(found: Intent, classes: Taxonomy, language: Language) -> list[str]:
    """What was found, one line each."""
    item = next(c for c in classes.classes if c.id == found.label)
    name = (item.name.zh if language == "zh" else item.name.en) or (found.label,)
    act = message(f"intent_act_{found.act}", language) if found.act else ""
    why = message(f"intent_rule_{found.reason}", language)
    return [
        message(f"intent_from_{found.source}", language),
        message("intent_class", language, name=name[0], label=found.label),
        *([message("intent_act", language, act=act)] if act else []),
        message("intent_sure", language, percent=int(100 * found.confidence)),
        message("intent_why", language, rule=found.reason, why=Phrase(why)),
    ]
