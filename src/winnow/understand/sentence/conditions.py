"""If this holds: cut the condition out of a sentence and say what must be read, and compared with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.language.families import OPPOSITE_STATE
from winnow.language.lexicon import states
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Condition, Mention, Token
from winnow.understand.words.kinds import DURATION_UNITS, says
from winnow.understand.words.whole_states import NOT_YET

THEN = frozenset({"就", "那就", "则", "便", "才", "再", "then"})
ONLY_THEN = frozenset({"就", "那就", "则", "便", "才"})
"""Of these, the ones that make a condition of whatever is told before them."""
QUANTITY_OF_UNIT = {
    "degree": "temperature",
    "celsius": "temperature",
    "fahrenheit": "temperature",
    "ppm": "co2",
    "lux": "illuminance",
    "watt": "power",
}
QUANTITY_OF_WORD = {
    "colder than": "temperature",
    "warmer than": "temperature",
    "hotter than": "temperature",
    "cooler than": "temperature",
    "drier than": "moisture",
    "brighter than": "illuminance",
    "darker than": "illuminance",
    "热过": "temperature",
    "冷过": "temperature",
}
SMALLER = ("低", "小", "少", "冷", "暗")


OPEN = "state"
"""The quantity of a thing's main state."""
ALSO = frozenset({"且", "and also"})
EITHER = frozenset({"或者", "或", "还是", "要么", "or", "either", "否则", "otherwise", "than not"})
NONE = frozenset({"no", "none", "neither"})
LINKING = frozenset(
    {"none", "neither", "there", "got", "get", "gets", "has", "have", "been", "being", "becomes", "too"}
)
"""Words of a condition that change nothing in it, or are read with its state."""
OPPOSITE_SIGN = {">": "<=", "<": ">=", "==": "!=", "<=": ">", ">=": "<"}


def parse(inner: Sequence[Token], previous: Mention | None) -> tuple[Condition, ...]:
    """The conditions said by ``inner``, all of which must hold.

    A thing it does not name is the one the condition before named.
    """
    text = _text(inner)
    whole = Condition(
        text,
        Mention(tuple(t for t in inner if _names(t))),
        decidable=False,
        timed=any(_is_time(t) for t in inner),
    )
    unless = any(t.kind == "condition" and says(t) == "unless" for t in inner)
    parts = _clauses(inner)
    if _unread(inner) or (unless and len(parts) > 1):
        return (whole,)
    out: list[Condition] = []
    for part in parts:
        condition = _one(part, previous, unless)
        if condition is None:
            return (whole,)
        out.append(condition)
        previous = condition.mention
    return tuple(out)


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(t.text for t in tokens if t.kind not in {"condition", "mark"} and t.text not in THEN)


def _names(token: Token) -> bool:
    return token.kind in DEVICE_KINDS | PLACE_KINDS and token.text not in states()


def _one(part: Sequence[Token], previous: Mention | None, unless: bool) -> Condition | None:
    mention = Mention(tuple(t for t in part if _names(t)))
    repeated = not mention.tokens and previous is not None
    if repeated and previous is not None:
        mention = previous
    found = _compared(_text(part), mention, part, unless) or _state(_text(part), mention, part, unless)
    return replace(found, repeated=repeated) if found else None


def _clauses(inner: Sequence[Token]) -> list[list[Token]]:
    """The parts joined by ``and``."""
    out: list[list[Token]] = [[]]
    for token in inner:
        if token.kind == "conj" or token.text in ALSO:
            out.append([])
        else:
            out[-1].append(token)
    return [part for part in out if any(t.kind not in {"mark", "filler"} for t in part)]


def _unread(inner: Sequence[Token]) -> bool:
    """Whether a part of a condition cannot be read: times, events, choices, unknown words.

    Then none of it is judged.
    """
    weighed = any(t.text == "比" for t in inner)
    compared = any(t.kind == "compare" for t in inner)
    for token in inner:
        if _is_time(token) or token.text in EITHER:
            return True
        known = token.text in states() or token.text in LINKING or "设" in token.text
        known = known or (weighed and token.kind != "verb") or (compared and token.kind == "step")
        if token.kind in {"word", "step", "comment", "verb"} and not known:
            return True
    return False


def _is_time(token: Token) -> bool:
    """Whether a word tells a time, how long, or an event to wait for."""
    waits = token.kind == "condition" and says(token) == "when"
    return token.kind == "timing" or token.data.get("unit") in DURATION_UNITS | {"clock"} or waits


def _compared(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    numbers = [t for t in inner if t.kind == "number"]
    signs = [t for t in inner if t.kind == "compare"]
    if len(numbers) != 1 or not signs or any(t.text in NONE or says(t) in {"any", "some"} for t in inner):
        return None
    sign = says(signs[-1])
    if signs[-1].text == "比":
        after = "".join(t.text for t in inner if t.start >= numbers[-1].end)
        sign = "<" if any(w in after for w in SMALLER) else ">"
    if _denied(inner) != unless:
        sign = OPPOSITE_SIGN[sign]
    unit = str(numbers[-1].data.get("unit", ""))
    named = [says(t) for t in inner if t.kind == "property"]
    quantity = (
        named[-1]
        if named
        else next(
            (QUANTITY_OF_WORD[t.text] for t in signs if t.text in QUANTITY_OF_WORD),
            QUANTITY_OF_UNIT.get(unit, ""),
        )
    )
    if any("设" in t.text for t in inner):
        quantity = "setpoint"
    if unit == "%" and not quantity:
        quantity = "humidity"
    return Condition(
        text, mention, quantity or "temperature", sign, float(str(numbers[-1].data["value"])), unit
    )


def _denied(inner: Sequence[Token]) -> bool:
    return any((t.kind == "negation" and says(t) == "not") or t.text in NOT_YET | {"not"} for t in inner)


def _state(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    """``!=`` over several things: not all of them are so."""
    found = [states()[t.text] for t in inner if t.text in states()]
    if not found or any(t.kind == "number" for t in inner):
        return None
    quantity, said = found[0] if found[0][0] != OPEN else found[-1]
    some = any(t.kind == "quantifier" and says(t) in {"any", "some"} for t in inner)
    every = any(t.kind == "quantifier" and says(t) == "all" for t in inner)
    none = any(t.text in NONE for t in inner)
    denied = _denied(inner) != unless
    if denied and (some or none):
        return None
    if denied and every:
        return Condition(text, mention, quantity, "!=", said)
    wanted = OPPOSITE_STATE[said] if denied != (some or none) else said
    return Condition(text, mention, quantity, "!=" if some else "==", wanted)
