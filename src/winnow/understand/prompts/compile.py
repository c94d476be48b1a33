"""A model's reading of a sentence, checked against the sentence and the home, and merged with the rules' own.

The model fills slots. Each instruction becomes a plain sentence that the rules read again, so nothing enters
a reading that the grammar and the names of the home do not know, and whatever is not accounted for there
makes the whole answer void.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from winnow.language.encode import encode_text
from winnow.language.lexicon import kind_words
from winnow.language.normalize import fold, normalise
from winnow.language.numbers.find import find_numbers
from winnow.types.context import Ask
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Confidence,
    Quantifier,
    QueryIR,
    Reading,
    has_kind,
    of_kind,
)
from winnow.types.utterance import LanguageCode, Utterance
from winnow.understand.prompts.intent import messages, passing_value, turns
from winnow.understand.reading import understand
from winnow.understand.words.text_cleanup import split_limits
from winnow.understand.words.tokens import tag_text
from winnow.understand.words.vocabulary import Vocabulary

# A model's slots become a plain sentence that the rules read again: it can add nothing they do not know.


UNKNOWN = "Unknown"
MAX_SLOT_CHARS = 60
"""Characters of one slot that are read."""
log = logging.getLogger(__name__)
_LATIN = re.compile("[A-Za-z]")


@dataclass(frozen=True, slots=True)
class InstructionSlots:
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

    def plain(self, language: LanguageCode) -> str:
        """The instruction in the controlled language that the rules read without doubt."""
        if language != "zh":
            return _english(self)
        conditions = "而且".join(c.removeprefix("如果").removesuffix("的话") for c in self.conditions)
        left_out = "、".join((*self.not_places, *self.excluded))
        before = (f"如果{conditions}，就" if conditions else "") + (f"除了{left_out}，" if left_out else "")
        thing = "和".join(self.places) + ("所有" if _set(self) else "") + _word(self, "zh")
        if self.negated:
            return f"{before}别{self.action}{thing}"
        return f"{before}{'把' if thing else ''}{thing}{self.action}{self.value}"

    @property
    def thing(self) -> str:
        """The canonical kind or the name."""
        return self.name or self.kind


def instruction_slots(row: Mapping[str, object], language: LanguageCode) -> InstructionSlots:
    """The slots of one object.

    Latin letters in a Chinese action are dropped: then the raw words must tell (seed 001).
    """
    action = _text(row, "action")
    if language == "zh" and _LATIN.search(action):
        log.debug("a model's action %r is not Chinese; the words as said must tell", action)
        action = ""
    return InstructionSlots(
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
    return normalise(value, MAX_SLOT_CHARS) if isinstance(value, str) else ""


def _texts(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    values = row.get(name)
    if not isinstance(values, list):
        return ()
    return tuple(normalise(v, MAX_SLOT_CHARS) for v in values if isinstance(v, str) and v.strip())


def _word(said: InstructionSlots, language: LanguageCode) -> str:
    """The name, or a word for the kind; one of the other language where this one has none."""
    other: LanguageCode = "en" if language == "zh" else "zh"
    return said.name or kind_words(language).get(said.kind) or kind_words(other).get(said.kind, "")


def _set(said: InstructionSlots) -> bool:
    return said.quantifier in {Quantifier.ALL, Quantifier.EXCEPT}


def _english(said: InstructionSlots) -> str:
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


def _english_thing(said: InstructionSlots) -> str:
    word = _word(said, "en")
    if not word:
        return ""
    if not _set(said):
        return f"the {word}"
    return f"all the {word}" if said.name or word.endswith("s") else f"all the {word}s"


MAX_INSTRUCTIONS = 8
"""Instructions of one answer that are read."""
PLACES = 60
"""Rooms and floors a prompt lists."""
MODEL_CONFIDENCE = 0.9
"""How sure a slot of a model's is, once it has passed; the rules keep what they are surer of."""
GUARDED = {"negation": "negation", "except": "exception", "condition": "condition", "timing": "condition"}
"""Kinds of words a sentence must not lose -> what its reading must then hold (law 1)."""


def wants_help(reading: Reading) -> bool:
    """Whether the rules left something open that a model may help with.

    Hostile text, nonsense and talk for others are not shown to one.
    """
    if reading.intent == "none":
        return reading.reason in {"not_understood", "wish"}
    return reading.intent == "command" and _leaves_open(reading)


def _leaves_open(reading: Reading) -> bool:
    return any(q.needs_fallback or q.unplaced for q in reading.queries)


def compile_schema(vocabulary: Vocabulary) -> dict[str, object]:
    """The JSON schema of the answer.

    Kinds are those of the home (seed 001: a closed set, and ``Unknown``).
    """
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    fields: dict[str, object] = {
        "action": text,
        "type_hint": {"type": "string", "enum": [*vocabulary.kinds, UNKNOWN]},
        "name_hint": text,
        "scope_include": texts,
        "scope_exclude": texts,
        "excluded": texts,
        "quantifier": {"type": "string", "enum": ["one", "any", "all", "except"]},
        "value": text,
        "conditions": texts,
        "negated": {"type": "boolean"},
    }
    one = {"type": "object", "properties": fields, "required": ["action"], "additionalProperties": False}
    rows = {"type": "array", "items": one}
    return {
        "type": "object",
        "properties": {"instructions": rows},
        "required": ["instructions"],
        "additionalProperties": False,
    }


def compile_ask(utterance: Utterance, reading: Reading, vocabulary: Vocabulary) -> Ask[Reading]:
    """What a model is asked.

    Rooms are named, devices are not: their number knows no bound, and their names are no business of it.
    """
    asked = {
        "said": utterance.text,
        "history": turns(utterance.history[-10:]),
        "room": utterance.room or "",
        **half_read(reading),
    }
    places = ", ".join(encode_text(place, 24) for place in vocabulary.places[:PLACES])
    told = messages("compile", reading.language, asked, kinds=", ".join(vocabulary.kinds), rooms=places)

    def accept(answer: Mapping[str, Any]) -> Reading | None:
        return passing_value(compile_reading(answer, utterance, reading, vocabulary), "compile")

    return Ask("compile", told, compile_schema(vocabulary), accept)


def half_read(reading: Reading) -> dict[str, object]:
    """What the rules made of the words: the acts, things and places they know, and the words they do not."""
    if reading.intent != "command":
        return {}
    known = ({"action": q.action, "thing": q.target.text, "value": _value(q)} for q in reading.queries)
    understood = [{name: text for name, text in row.items() if text} for row in known]
    return {"understood": [row for row in understood if row], "unread": _unread(reading)}


def _unread(reading: Reading) -> list[str]:
    """The words that nothing explains, each once."""
    strange = (t.text for q in reading.queries for t in q.target.tokens if t.kind == "word")
    left = (word for q in reading.queries for word in q.unplaced if word != reading.text)
    return list(dict.fromkeys((*left, *strange)))


def _value(query: QueryIR) -> str:
    value = query.value
    return "" if value is None else value.text or f"{value.number or ''} {value.unit}".strip()


def compile_reading(
    answer: Mapping[str, object], utterance: Utterance, reading: Reading, vocabulary: Vocabulary
) -> Reading | str:
    """The reading that follows from a model's answer, or why it is void.

    ``empty``, ``invented``, ``lost``, ``not_understood``.
    """
    filled = _answer_slots(answer, reading.language)
    if not filled:
        return "empty"
    if any(_invents_slot(one, utterance, vocabulary) for one in filled):
        return "invented"
    plain = [one.plain(reading.language) for one in filled]
    queries = _reread(plain, utterance, vocabulary)
    if not queries:
        return "not_understood"
    if not _protected_terms(utterance.text, vocabulary) <= _reading_terms(queries):
        return "lost"
    merged, supported = _merge_queries(queries, reading.queries if reading.intent == "command" else ())
    _, limits = split_limits(reading.text)
    merged = tuple(replace(q, limits=limits) for q in merged)
    guess = "" if supported else encode_text("; ".join(plain), 120)
    return replace(reading, intent="command", reason="", queries=merged, compiled_by="model", guess=guess)


def _answer_slots(answer: Mapping[str, object], language: LanguageCode) -> list[InstructionSlots]:
    """The slots of each instruction of an answer."""
    rows = answer.get("instructions")
    if not isinstance(rows, list):
        return []
    return [instruction_slots(row, language) for row in rows[:MAX_INSTRUCTIONS] if isinstance(row, Mapping)]


def _reread(plain: Sequence[str], utterance: Utterance, vocabulary: Vocabulary) -> list[QueryIR]:
    """What the rules read in plain sentences; nothing where one of them leaves something open."""
    read = [understand(replace(utterance, text=text, history=()), vocabulary) for text in plain]
    if any(one.intent != "command" or _leaves_open(one) for one in read):
        return []
    return [query for one in read for query in one.queries]


def _invents_slot(one: InstructionSlots, utterance: Utterance, vocabulary: Vocabulary) -> bool:
    """Whether a name, place or number was never said (law 8), or a kind is not of this home."""
    heard = [utterance.text, *(t.content for t in utterance.history), utterance.room or ""]
    spoken = fold(" ".join(heard))
    copied = (one.name, *one.places, *one.not_places, *one.excluded)
    if any(text and fold(text) not in spoken for text in copied):
        return True
    if one.kind and one.kind not in vocabulary.kinds:
        return True
    return bool(_numbers((one.value, *one.conditions)) - _numbers(heard))


def _numbers(texts: Iterable[str]) -> set[float]:
    return {number.value for text in texts for number in find_numbers(normalise(text))}


def _protected_terms(text: str, vocabulary: Vocabulary) -> set[str]:
    """What the raw words hold that no reading may lose."""
    read = tag_text(normalise(text), vocabulary, reading=True)
    return {GUARDED[token.kind] for token in of_kind(read, *GUARDED)}


def _reading_terms(queries: Sequence[QueryIR]) -> set[str]:
    """What the reading holds of it; what is forbidden is an exception of a kind."""
    flags = {flag for q in queries for flag in q.risk_flags}
    return flags | {"exception"} if any(q.negated for q in queries) else flags


def _merge_queries(model: Sequence[QueryIR], rules: Sequence[QueryIR]) -> tuple[tuple[QueryIR, ...], bool]:
    """Slot by slot the surer of both where they count the same instructions, else the model's.

    And whether the rules support each one.
    """
    if len(model) != len(rules):
        return tuple(map(_with_full_trust, model)), False
    pairs = list(zip(model, rules, strict=True))
    # Whether the words themselves named the act, or something of the home
    return tuple(_surer(m, r) for m, r in pairs), all(
        _sure(r, "action") or (_names_a_thing(r) and _sure(r, "target")) for _, r in pairs
    )


def _sure(rule: QueryIR, slot: str, otherwise: float = 0.0) -> bool:
    """Whether the rules are as sure of a slot as of a model's; ``otherwise`` is for one they do not weigh."""
    return rule.confidence.slots.get(slot, otherwise) >= MODEL_CONFIDENCE


def _names_a_thing(query: QueryIR) -> bool:
    return has_kind(query.target.tokens, *DEVICE_KINDS)


def _surer(model: QueryIR, rule: QueryIR) -> QueryIR:
    """The model's instruction with every slot that the rules are sure of."""
    merged = _with_rule_target(model, rule)
    if rule.value is not None and _sure(rule, "value"):
        merged = replace(merged, value=rule.value, property=rule.property)
    if rule.action and _sure(rule, "action"):
        negated = rule.negated or merged.negated
        merged = replace(merged, action=rule.action, action_cluster=rule.action_cluster, negated=negated)
    return _with_full_trust(replace(merged, conditions=rule.conditions or merged.conditions))


def _with_rule_target(model: QueryIR, rule: QueryIR) -> QueryIR:
    """With the target of the rules where they are sure of it, or with their place where it has none."""
    if _names_a_thing(rule) and _sure(rule, "target") and _sure(rule, "scope", otherwise=1.0):
        things = replace(rule.things, minus=rule.exclusions or model.exclusions)
        return replace(model, things=things, quantifier=rule.quantifier)
    if model.scope_include or not _sure(rule, "scope"):
        return model
    places = (t for t in rule.target.tokens if t.kind in PLACE_KINDS)
    return model.about(*places, *model.target.tokens)


def _with_full_trust(query: QueryIR) -> QueryIR:
    slots = {name: min(MODEL_CONFIDENCE, value) for name, value in query.confidence.slots.items()}
    return replace(query, confidence=Confidence(min(MODEL_CONFIDENCE, query.confidence.overall), slots))
