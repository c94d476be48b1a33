"""If this holds: cut the condition out of a sentence and say what must be read, and compared with what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from winnow.text.lexicon import states
from winnow.types.query import Condition, Mention, Token
from winnow.understand.slots import DEVICE_KINDS, DURATION_UNITS, PLACE_KINDS, says

THEN = frozenset({"就", "那就", "则", "便", "再", "then"})
QUANTITY_OF_UNIT = {
    "degree": "temperature",
    "celsius": "temperature",
    "fahrenheit": "temperature",
    "ppm": "co2",
    "lux": "illuminance",
    "watt": "power",
}
QUANTITY_OF_WORD = {
    "colder than": "temperature", "warmer than": "temperature", "hotter than": "temperature", "cooler than": "temperature",
    "drier than": "moisture", "brighter than": "illuminance", "darker than": "illuminance", "热过": "temperature", "冷过": "temperature",
}  # fmt: skip
SMALLER = ("低", "小", "少", "冷", "暗")


OPEN = "state"
"""The quantity of a thing's main state."""
OPPOSITE = {"on": "off", "off": "on", "locked": "unlocked", "unlocked": "locked"}


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions and the condition they hang on."""

    condition: Condition | None
    tokens: tuple[Token, ...]


Retag = Callable[[int, int], list[Token]]


def blocks(tokens: Sequence[Token], retag: Retag) -> list[Block]:
    """The sentence as conditions with what hangs on them; ``retag(start, end)`` reads a stretch with everything that can be read."""
    spans = _spans(tokens)
    if not spans:
        return [Block(None, tuple(tokens))]
    out: list[Block] = []
    lead = list(tokens[: spans[0][0]])
    previous: Mention | None = None
    for n, (first, last) in enumerate(spans):
        until = spans[n + 1][0] if n + 1 < len(spans) else len(tokens)
        inner = retag(tokens[first].start, tokens[last - 1].end)
        condition = parse(inner, tokens[first:last], previous)
        previous = condition.mention
        rest = [*(lead if n == 0 else []), *tokens[last:until]]
        out.append(Block(condition, tuple(rest)))
    return out


def _spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where conditions stand: (first token, one past the last), the markers included."""
    spans: list[tuple[int, int]] = []
    start = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "mark" and says(token) in {"strong", "weak"}:
            start = at + 1
        elif token.kind == "condition" and says(token) in {"if", "unless"}:
            latin = token.text[0].isascii()
            end = _end(tokens, at, latin=latin)
            spans.append((at if latin or _acts(tokens[start:at]) else start, end))
            at = start = end
            continue
        elif (token.kind == "condition" and says(token) == "then_particle") or (token.text in THEN and _states(tokens[start:at])):
            if not spans or spans[-1][1] <= start:
                spans.append((start, at + 1))
            start = at + 1
        at += 1
    return spans


def _acts(tokens: Sequence[Token]) -> bool:
    return any(t.kind in {"verb", "step"} for t in tokens)


def _states(tokens: Sequence[Token]) -> bool:
    """Whether a stretch without a marker can only be a condition: a state or a comparison before ``就``."""
    return any((t.kind == "question" and says(t) == "state" and t.text in states()) or t.kind == "compare" for t in tokens) and not _acts(
        tokens
    )


def _end(tokens: Sequence[Token], at: int, *, latin: bool) -> int:
    """One past the last token of a condition that begins with a marker at ``at``."""
    told = False
    for n in range(at + 1, len(tokens)):
        token = tokens[n]
        if token.kind == "mark" and says(token) in {"strong", "weak"}:
            return n + 1
        if token.text in THEN or (token.kind == "condition" and says(token) == "then_particle"):
            return n + 1 if token.text != "再" else n
        if latin and told and token.kind in {"verb", "light_verb", "step"} and token.text not in states():
            return n
        told = told or token.kind in {"number", "compare"} or token.text in states()
    return len(tokens)


def parse(inner: Sequence[Token], outer: Sequence[Token], previous: Mention | None) -> Condition:
    """The condition said by ``inner``; a thing it does not name is the one the condition before named."""
    text = " ".join(t.text for t in inner if t.kind not in {"condition", "mark"} and t.text not in THEN)
    mention = Mention(tuple(t for t in inner if t.kind in DEVICE_KINDS | PLACE_KINDS and t.text not in states()))
    repeated = not mention.tokens and previous is not None
    if repeated and previous is not None:
        mention = previous
    unless = any(t.kind == "condition" and says(t) == "unless" for t in inner)
    if any(t.kind == "timing" or t.data.get("unit") in DURATION_UNITS | {"clock"} for t in inner):
        return Condition(text, mention, decidable=False)
    found = _compared(text, mention, inner, unless) or _state(text, mention, inner, unless) or Condition(text, mention, decidable=False)
    return replace(found, repeated=repeated)


def _compared(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    numbers = [t for t in inner if t.kind == "number"]
    signs = [t for t in inner if t.kind == "compare"]
    if not numbers or not signs:
        return None
    sign = says(signs[-1])
    if signs[-1].text == "比":
        after = "".join(t.text for t in inner if t.start >= numbers[-1].end)
        sign = "<" if any(w in after for w in SMALLER) else ">"
    if any(t.kind == "negation" and says(t) == "not" for t in inner) != unless:
        sign = {">": "<=", "<": ">=", "==": "!="}[sign]
    unit = str(numbers[-1].data.get("unit", ""))
    named = [says(t) for t in inner if t.kind == "property"]
    quantity = (
        named[-1]
        if named
        else next((QUANTITY_OF_WORD[t.text] for t in signs if t.text in QUANTITY_OF_WORD), QUANTITY_OF_UNIT.get(unit, ""))
    )
    if any("设" in t.text for t in inner):
        quantity = "setpoint"
    if unit == "%" and not quantity:
        quantity = "humidity"
    return Condition(text, mention, quantity or "temperature", sign, float(str(numbers[-1].data["value"])), unit)


def _state(text: str, mention: Mention, inner: Sequence[Token], unless: bool) -> Condition | None:
    found = [states()[t.text] for t in inner if t.text in states()]
    if not found:
        return None
    quantity, said = found[0] if found[0][0] != OPEN else found[-1]
    negated = any(t.kind == "negation" and says(t) == "not" for t in inner) != unless
    wanted = OPPOSITE[said] if negated else said
    return Condition(text, mention, quantity, "==", wanted)
