"""One instruction of a model's answer, and the plain sentence it stands for."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass

from winnow.language.lexicon import kind_words
from winnow.language.normalise import normalise
from winnow.types.dialogue import Language
from winnow.types.query import Quantifier

UNKNOWN = "Unknown"
LONGEST = 60
"""Characters of one slot that are read."""
log = logging.getLogger(__name__)
_LATIN = re.compile("[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Said:
    """The slots as a model filled them, normalised; what was no text is empty."""

    action: str = ""
    kind: str = ""
    name: str = ""
    places: tuple[str, ...] = ()
    not_places: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    quantifier: Quantifier = Quantifier.ONE
    value: str = ""
    conditions: tuple[str, ...] = ()
    negated: bool = False

    def plain(self, language: Language) -> str:
        """The instruction in the controlled language that the rules read without doubt."""
        return _chinese(self) if language == "zh" else _english(self)

    @property
    def thing(self) -> str:
        """The canonical kind or the name."""
        return self.name or self.kind


def said(row: Mapping[str, object], language: Language) -> Said:
    """The slots of one object.

    Latin letters in a Chinese action are dropped: then the raw words must tell (seed 001).
    """
    action = _text(row, "action")
    if language == "zh" and _LATIN.search(action):
        log.debug("a model's action %r is not Chinese; the words as said must tell", action)
        action = ""
    return Said(
        action=action,
        kind="" if _text(row, "type_hint") == normalise(UNKNOWN) else _text(row, "type_hint"),
        name=_text(row, "name_hint"),
        places=_texts(row, "scope_include"),
        not_places=_texts(row, "scope_exclude"),
        excluded=_texts(row, "excluded"),
        quantifier=Quantifier(str(row.get("quantifier") or "one")),
        value=_text(row, "value"),
        conditions=_texts(row, "conditions"),
        negated=row.get("negated") is True,
    )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return normalise(value, LONGEST) if isinstance(value, str) else ""


def _texts(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    values = row.get(name)
    if not isinstance(values, list):
        return ()
    return tuple(normalise(v, LONGEST) for v in values if isinstance(v, str) and v.strip())


def _word(said: Said, language: Language) -> str:
    """The name, or a word for the kind; one of the other language where this one has none."""
    other: Language = "en" if language == "zh" else "zh"
    return said.name or kind_words(language).get(said.kind) or kind_words(other).get(said.kind, "")


def _set(said: Said) -> bool:
    return said.quantifier in {Quantifier.ALL, Quantifier.EXCEPT}


def _chinese(said: Said) -> str:
    conditions = "而且".join(c.removeprefix("如果").removesuffix("的话") for c in said.conditions)
    left_out = "、".join((*said.not_places, *said.excluded))
    before = (f"如果{conditions}，就" if conditions else "") + (f"除了{left_out}，" if left_out else "")
    thing = "和".join(said.places) + ("所有" if _set(said) else "") + _word(said, "zh")
    if said.negated:
        return f"{before}别{said.action}{thing}"
    return f"{before}{'把' if thing else ''}{thing}{said.action}{said.value}"


def _english(said: Said) -> str:
    conditions = " and ".join(c.removeprefix("if ") for c in said.conditions)
    left_out = " and ".join((*said.not_places, *said.excluded))
    parts = (
        f"if {conditions}," if conditions else "",
        "do not" if said.negated else "",
        said.action,
        _english_thing(said),
        f"in the {' and the '.join(said.places)}" if said.places else "",
        f"to {said.value}" if said.value else "",
        f"except the {left_out}" if left_out else "",
    )
    return " ".join(part for part in parts if part)


def _english_thing(said: Said) -> str:
    word = _word(said, "en")
    if not word:
        return ""
    if not _set(said):
        return f"the {word}"
    return f"all the {word}" if said.name or word.endswith("s") else f"all the {word}s"
