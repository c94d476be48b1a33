"""If this holds: cut the condition out of a sentence and say what must be read, and compared with what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from winnow.language.families import OPPOSITE_STATE
from winnow.language.lexicon import states
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Condition, Mention, Token
from winnow.understand.sentence.slots import DURATION_UNITS, TIMED, also, says
from winnow.understand.sentence.whole_states import NOT_YET, whole_states

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


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions and the condition they hang on."""

    condition: tuple[Condition, ...] | None
    """All of them must hold."""
    tokens: tuple[Token, ...]


_BEING = frozenset({"is", "are", "was", "has", "have", "is there", "are there"})
_ACTING = frozenset({"verb", "light_verb", "step"})
Retag = Callable[[int, int], list[Token]]


def blocks(tokens: Sequence[Token], retag: Retag) -> list[Block]:
    """The sentence as conditions with what hangs on them.

    ``retag(start, end)`` reads a stretch with everything that can be read.
    """
    tokens = whole_states(tokens)
    spans = _spans(tokens)
    if not spans:
        return [Block(_narrowed(tokens) or None, tuple(tokens))]
    out: list[Block] = []
    lead = list(tokens[: spans[0][0]])
    previous: Mention | None = None
    for n, (first, last) in enumerate(spans):
        until = spans[n + 1][0] if n + 1 < len(spans) else len(tokens)
        inner = retag(tokens[first].start, tokens[last - 1].end)
        condition = parse(whole_states(inner), previous)
        previous = condition[0].mention
        rest = list(tokens[last:until])
        if n == 0 and _apart(lead, rest):
            out.append(Block(_narrowed(lead) or None, tuple(lead)))
        elif n == 0:
            condition = _unclear(lead, rest, condition) or condition
            rest = [*lead, *rest]
        out.append(Block((*condition, *_narrowed(rest)), tuple(rest)))
    return out


def _apart(lead: Sequence[Token], rest: Sequence[Token]) -> bool:
    """Whether an order stands before the condition of another: ``关电视，没人的话把灯也关了``."""
    return _acts(lead) and _acts(rest) and any(_names(t) for t in rest)


def _unclear(
    lead: Sequence[Token], rest: Sequence[Token], condition: Sequence[Condition]
) -> tuple[Condition, ...]:
    """``书房的别开，有人的话再开``: whether the condition is that of the order or of what was forbidden."""
    forbids = any(
        (t.kind == "negation" and says(t) == "not") or (t.kind == "except" and says(t) == "keep")
        for t in lead
    )
    return (replace(condition[0], decidable=False),) if forbids and _acts(lead) and _acts(rest) else ()


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
        elif (token.kind == "condition" and says(token) == "then_particle") or (
            token.text in THEN and _tells(tokens, start, at)
        ):
            if not spans or spans[-1][1] <= start:
                spans.append((start, at + 1))
            start = at + 1
        elif token.kind == "except" and token.text.startswith("就") and _states(tokens[start:at]):
            spans.append((start, at))  # 没人就留夜灯
            start = at
        at += 1
    return spans


def _acts(tokens: Sequence[Token]) -> bool:
    return any(t.kind in {"verb", "step"} for t in tokens)


def _tells(tokens: Sequence[Token], start: int, at: int) -> bool:
    """Whether what stands before ``就`` is a condition: a topic (``客厅灯就…``) is none."""
    if _states(tokens[start:at]):
        return True
    after: list[Token] = []
    for token in tokens[at + 1 :]:
        if token.kind == "mark":
            break
        after.append(token)
    acts = any(
        t.kind in {"verb", "step", "light_verb", "number", "mode", "color", "white", "negation", "scene"}
        for t in after
    )
    return tokens[at].text in ONLY_THEN and acts and any(_told(t) for t in tokens[start:at])


def _told(token: Token) -> bool:
    """Whether a word tells more than which thing is spoken of."""
    if token.kind == "number":
        return token.data.get("unit") not in {"count", "ordinal"}
    return token.kind in {"word", "comment", "verb", "step", "timing", "compare"} or (
        token.kind == "question" and says(token) != "final"
    )


def _narrowed(tokens: Sequence[Token]) -> tuple[Condition, ...]:
    """States that pick out some of a kind (``亮着的灯``, ``the lights that are on``).

    Not sorted out, unless the act undoes them.
    """
    verbs = {says(t) for t in tokens if t.kind in {"verb", "light_verb", "step"}}
    for at, token in enumerate(tokens):
        after = tokens[at + 1 : at + 3]
        if (
            token.text in {"that", "which"}
            and len(after) == 2
            and after[0].text in {"is", "are", "was", "were"}
        ):
            found = after[1].text in states()
        else:
            told = token.text.endswith("着") or (token.kind == "question" and says(token) == "state")
            adjective = token.text.endswith("的") or (
                told and bool(after) and after[0].text == "的" and len(after) > 1 and _names(after[1])
            )
            state = states().get(token.text.rstrip("的")) if adjective else None
            found = state is not None and not (verbs == {"off_close"} and state[1] == "on")
        if found:
            return (Condition(" ".join(t.text for t in tokens[: at + 3]), decidable=False),)
    return _waiting(tokens)


def _waiting(tokens: Sequence[Token]) -> tuple[Condition, ...]:
    """A time said apart from the act: ``give it five minutes and ...``."""
    if any(t.kind in {"step", "media"} or (t.kind == "property" and says(t) in TIMED) for t in tokens):
        return ()
    run: list[Token] = []
    for token in (*tokens, Token(",", "mark", 0, 0, {"is": "weak"})):
        if token.kind not in {"conj", "mark"}:
            run.append(token)
            continue
        if any(t.data.get("unit") in DURATION_UNITS for t in run) and not any(t.kind == "verb" for t in run):
            return (Condition(" ".join(t.text for t in run), decidable=False, timed=True),)
        run = []
    return ()


def _states(tokens: Sequence[Token]) -> bool:
    """Whether a stretch without a marker can only be a condition: a state or a comparison before ``就``."""
    return any(
        (t.kind == "question" and says(t) == "state" and t.text in states()) or t.kind == "compare"
        for t in tokens
    ) and not _acts(tokens)


def _end(tokens: Sequence[Token], at: int, *, latin: bool) -> int:
    """One past the last token of a condition that begins with a marker at ``at``."""
    told = False
    for n in range(at + 1, len(tokens)):
        token = tokens[n]
        if token.kind == "mark" and says(token) in {"strong", "weak"}:
            return n + 1
        if token.text in THEN or (token.kind == "condition" and says(token) == "then_particle"):
            return n + 1 if token.text != "再" else n
        if latin and told and _orders(tokens, n) and not _is_predicate(tokens, n):
            return n
        told = told or token.kind in {"number", "compare"} or token.text in states()
        told = told or (latin and _is_told(tokens[at:n], token))
    return len(tokens)


def _orders(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is an act; one that is also a thing is, before another: ``switch it off``."""
    token = tokens[at]
    after = tokens[at + 1 : at + 2]
    handles = also(token, "light_verb") is not None and any(t.kind in {"filler", "reference"} for t in after)
    return token.kind in _ACTING or handles


def _is_told(before: Sequence[Token], token: Token) -> bool:
    """Whether something is said of something: ``the washer is done``, ``there is a leak``."""
    linked = any(t.text in _BEING for t in before)
    return linked and token.kind not in {"filler", "negation", "question", *_ACTING}


def _is_predicate(tokens: Sequence[Token], at: int) -> bool:
    """``is open``, ``still shut``: told of a thing, not ordered."""
    before = tokens[at - 1]
    told = before.kind in {"statement", "negation"} or (before.kind == "question" and says(before) != "state")
    return tokens[at].text in states() and (told or before.text in {"not", "still", "left"})


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
