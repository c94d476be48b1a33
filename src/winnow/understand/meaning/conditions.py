"""If this holds: cut the condition out of a sentence and say what must be read, and compared with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.language.content_words import OPPOSITE_STATE, little, senses
from winnow.language.lexicon import states, surfaces
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Condition,
    Mention,
    Token,
    has_kind,
    has_sense,
    of_kind,
    without_kind,
)
from winnow.understand.words.tokens import DURATION_UNITS, any_use, canonical_sense, has_use

QUANTITY_OF_UNIT = {
    "degree": "temperature",
    "celsius": "temperature",
    "fahrenheit": "temperature",
    "ppm": "co2",
    "lux": "illuminance",
    "watt": "power",
    "%": "humidity",
}
_SOME_SENSES = frozenset({"any", "some"})
UNKNOWN_STATE = "state"
"""The quantity of a thing's main state."""
OPPOSITE_SIGN = {">": "<=", "<": ">=", "==": "!=", "<=": ">", ">=": "<"}


def parse_conditions(inner: Sequence[Token], previous: Mention | None) -> tuple[Condition, ...]:
    """The conditions said by ``inner``, all of which must hold.

    A thing it does not name is the one the condition before named.
    """
    unless = has_sense(inner, "condition", "unless")
    parts = _joined_clauses(inner)
    if _has_unreadable(inner) or (unless and len(parts) > 1):
        return (_undecidable_condition(inner),)
    out: list[Condition] = []
    for part in parts:
        condition = _single_condition(part, previous, unless)
        if condition is None:
            return (_undecidable_condition(inner),)
        out.append(condition)
        previous = condition.mention
    return tuple(out)


def _undecidable_condition(inner: Sequence[Token]) -> Condition:
    """A condition that nobody can judge."""
    mention = Mention(tuple(t for t in inner if _is_naming(t)))
    return Condition(_tokens_text(inner), mention, decidable=False, timed=any(map(_is_time, inner)))


def _tokens_text(tokens: Sequence[Token]) -> str:
    return " ".join(t.text for t in without_kind(tokens, "condition", "mark") if not has_use(t, "then"))


def _is_naming(token: Token) -> bool:
    return token.kind in DEVICE_KINDS | PLACE_KINDS and token.text not in states()


def _single_condition(part: Sequence[Token], previous: Mention | None, unless: bool) -> Condition | None:
    mention = Mention(tuple(t for t in part if _is_naming(t)))
    repeated = not mention.tokens and previous is not None
    if repeated and previous is not None:
        mention = previous
    found = _comparison(_tokens_text(part), mention, part, unless) or _state_condition(
        _tokens_text(part), mention, part, unless
    )
    return replace(found, repeated=repeated) if found else None


def _joined_clauses(inner: Sequence[Token]) -> list[list[Token]]:
    """The parts joined by ``and``."""
    out: list[list[Token]] = [[]]
    for token in inner:
        if token.kind == "conj" or has_use(token, "as_well"):
            out.append([])
        else:
            out[-1].append(token)
    return [part for part in out if any(t.kind not in {"mark", "filler"} for t in part)]


def _has_unreadable(inner: Sequence[Token]) -> bool:
    """Whether a part of a condition cannot be read: times, events, choices, unknown words.

    Then none of it is judged.
    """
    if any(_is_time(t) or has_use(t, "either") for t in inner):
        return True
    doubtful = {"word", "step", "comment", "verb"} - _comparison_kinds(inner)
    # Whether an otherwise unknown word says something in a condition
    return any(
        not (t.text in states() or has_use(t, "linking") or _is_aimed_at(t))
        for t in of_kind(inner, *doubtful)
    )


def _comparison_kinds(inner: Sequence[Token]) -> set[str]:
    """Kinds of words that say how something compares."""
    if any_use(inner, "weighs"):
        return {"word", "step", "comment"}
    return {"step"} if has_kind(inner, "compare") else set()


def _is_aimed_at(token: Token) -> bool:
    return any(word in token.text for word in little("aimed_at"))


def _is_time(token: Token) -> bool:
    """Whether a word tells a time, how long, or an event to wait for."""
    waits = token.means("condition", "when")
    return token.kind == "timing" or token.data.get("unit") in DURATION_UNITS | {"clock"} or waits


def _comparison(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    numbers = of_kind(inner, "number")
    signs = of_kind(inner, "compare")
    if (
        len(numbers) != 1
        or not signs
        or any(has_use(t, "none") or canonical_sense(t) in _SOME_SENSES for t in inner)
    ):
        return None
    sign = _comparison_sign(signs[-1], numbers[0], inner)
    if _is_denied(inner) != unless:
        sign = OPPOSITE_SIGN[sign]
    unit = str(numbers[0].data.get("unit", ""))
    value = float(str(numbers[0].data["value"]))
    return Condition(text, mention, _compared_quantity(inner, signs, unit), sign, value, unit)


def _comparison_sign(sign: Token, number: Token, inner: Sequence[Token]) -> str:
    if not has_use(sign, "weighs"):
        return canonical_sense(sign)
    after = "".join(t.text for t in inner if t.start >= number.end)
    return "<" if any(w in after for w in little("smaller")) else ">"


def _compared_quantity(inner: Sequence[Token], signs: Sequence[Token], unit: str) -> str:
    """What is compared with a number of this unit."""
    if any(map(_is_aimed_at, inner)):
        return "setpoint"
    named = [canonical_sense(t) for t in of_kind(inner, "property")]
    told = [senses("compared")[t.text] for t in signs if has_use(t, "compared")]
    # A sensor called 花房湿度 tells by its name what it measures.
    properties = surfaces("property")
    called = [
        properties[w] for t in inner if t.kind in DEVICE_KINDS for w in properties if t.text.endswith(w)
    ]
    known = (*named[-1:], *told, *called[-1:], QUANTITY_OF_UNIT.get(unit, ""))
    return next((quantity for quantity in known if quantity), "temperature")


def _is_denied(inner: Sequence[Token]) -> bool:
    return any(t.means("negation", "not") or has_use(t, "not_yet", "not") for t in inner)


def _state_condition(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    """``!=`` over several things: not all of them are so."""
    found = [states()[t.text] for t in inner if t.text in states()] or _states_in_names(inner)
    if not found or has_kind(inner, "number"):
        return None
    quantity, said = found[0] if found[0][0] != UNKNOWN_STATE else found[-1]
    held = _state_operator(inner, _is_denied(inner) != unless)
    if held is None:
        return None
    comparator, so = held
    return Condition(text, mention, quantity, comparator, said if so else OPPOSITE_STATE[said])


def _states_in_names(inner: Sequence[Token]) -> list[tuple[str, str]]:
    """States that the names of sensors tell by their last words: the sensor ``Backyard occupied``."""
    found: list[tuple[str, str]] = []
    for token in inner:
        kinds = token.data.get("kinds")
        is_sensor = isinstance(kinds, tuple) and "sensor" in kinds
        if token.kind == "name" and token.data.get("full") and is_sensor:
            found.extend(state for word, state in states().items() if token.text.endswith(word))
    return found


def _state_operator(inner: Sequence[Token], denied: bool) -> tuple[str, bool] | None:
    """How a state is compared, and whether with itself or with its opposite.

    None for what is told of a part and denied.
    """
    told = {canonical_sense(t) for t in of_kind(inner, "quantifier")}
    some = not told.isdisjoint(_SOME_SENSES)
    part = some or any_use(inner, "none")
    if denied and part:
        return None
    if denied and "all" in told:
        return "!=", True
    return "!=" if some else "==", denied == part
