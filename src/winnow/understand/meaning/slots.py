"""What the words of one piece of a sentence are for.

The act, the value, the target, what is excluded, negated or asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from winnow.language.content_words import little, senses
from winnow.language.lexicon import objects, surfaces
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.words.tokens import DURATION_UNITS, TARGET_KINDS, says, serves

# What a number is said for: how many things, which part of them, or when.


VALUED = frozenset({"number", "extreme", "mode", "choice", "level", "color", "white"})
"""Kinds of words that say what something is to be set to."""


def is_a_share(tokens: list[Token], at: int) -> bool:
    """``half of the lamps``, ``half the lights``: how many, not how far."""
    return serves(tokens[at], "share") and plural_next(tokens, at)


def is_these(tokens: list[Token], at: int) -> bool:
    """``these two``: as many as are named after it."""
    return bool(at) and serves(tokens[at - 1], "these") and not any(t.kind in DEVICE_KINDS for t in tokens)


def plural_next(tokens: list[Token], at: int) -> bool:
    """Whether the next thing is one of many: ``both old lamps``."""
    after = next(
        (t for t in tokens[at + 1 :] if t.kind not in {"filler", "nameword", "word", *PLACE_KINDS}), None
    )
    return _is_plural(after)


def _is_plural(token: Token | None) -> bool:
    if token is None or token.kind not in DEVICE_KINDS:
        return False
    return token.kind == "group" or bool(token.data.get("plural"))


def counts(tokens: list[Token], at: int) -> bool:
    """``three lamps``: a number before things, which is not what they are to be set to."""
    before, after = tokens[:at], tokens[at + 1 :]
    if any(t.kind in {"to", "by", "step"} for t in before) or not (after and _are_several(tokens, at)):
        return False
    sets = any(t.kind == "verb" and says(t) == "set" for t in before)
    return not sets or any(t.kind in VALUED for t in after)


def _are_several(tokens: list[Token], at: int) -> bool:
    """Whether things in the plural, or a group, stand behind a number, with or without their place."""
    after = next((t for t in tokens[at + 1 :] if t.kind not in {"filler", "nameword", *PLACE_KINDS}), None)
    return _is_plural(after)


def is_label(tokens: list[Token], at: int, value: float) -> bool:
    """``lamp 2``: a small number right after a thing is part of its name, where nothing is to be set."""
    before = tokens[at - 1] if at else None
    if before is None or before.end < tokens[at].start - 1:
        return False
    setting = any(t.kind in {"to", "by", "step", "property"} for t in tokens)
    called = (
        before.kind in {"type", "name"} and before.text.isascii() and value in range(1, 11) and not setting
    )
    return before.kind == "nameword" or called


def before_things(tokens: list[Token], at: int) -> bool:
    """Whether a thing comes next, with or without its place."""
    after = next((t for t in tokens[at + 1 :] if t.kind not in PLACE_KINDS and not serves(t, "of")), None)
    return after is not None and after.kind in DEVICE_KINDS


def is_delay(tokens: list[Token], at: int) -> bool:
    """A duration that says when: ``十分钟后``, ``in 10 minutes``."""
    after = next((t for t in tokens[at + 1 :] if t.kind != "number"), None)
    if after is not None and after.kind == "timing":
        return True
    before = next((t for t in reversed(tokens[:at]) if t.kind != "number"), None)
    return before is not None and serves(before, "delays")


# ``make the house dark``: a state of a place that is wanted, not told of.


def is_to_be(before: Sequence[Token], after: Sequence[Token], *, things: bool, places: bool) -> bool:
    """Whether the state between ``before`` and ``after`` is ordered.

    ``things``, ``places``: whether any are named with it; of a thing it only tells what it is like.
    """
    if things or _is_told(before) or _leads_on(after):
        return False
    is_wanted = any(t.kind in {"verb", "light_verb"} or serves(t, "wanting") for t in before)
    return is_wanted or (places and not after and _is_all(before))


def _is_told(before: Sequence[Token]) -> bool:
    return any(t.kind in {"question", "statement", "condition"} or serves(t, "so_too") for t in before)


def _leads_on(after: Sequence[Token]) -> bool:
    """Whether it describes what follows: a thing, or a colour."""
    follows = next((t.kind for t in after if t.kind not in {"filler", "mark"}), "")
    return follows in DEVICE_KINDS | {"color", "mode"}


def _is_all(before: Sequence[Token]) -> bool:
    """Whether nothing but a place stands before it."""
    return all(t.kind in {"zone", "floor", "filler", "quantifier", "conj"} for t in before)


Sort = Callable[["Slots", Token, list[Token], int], None]
PLAYED = frozenset({"speaker", "media_player", "television", "soundbar", "projector"})
"""Kinds of things on which one skips to the next song."""
DEGREES = frozenset({"degree", "celsius", "fahrenheit"})
VALUE_UNITS = DEGREES | {"", "%", "kelvin", "level", "ampere", "centimetre", "share"}
SETTLED = frozenset({"fan_speed", "mode"})
"""Properties that quiet is a value of, not an act."""
TIMED = frozenset({"interval"})
"""Properties that are set in units of time."""


@dataclass(slots=True)
class Slots:
    """The tokens of one piece by their use. Private to this stage; mutable while it is filled."""

    verbs: list[Token] = field(default_factory=list)
    steps: list[Token] = field(default_factory=list)
    properties: list[Token] = field(default_factory=list)
    numbers: list[Token] = field(default_factory=list)
    colors: list[Token] = field(default_factory=list)
    whites: list[Token] = field(default_factory=list)
    extremes: list[Token] = field(default_factory=list)
    modes: list[Token] = field(default_factory=list)
    target: list[Token] = field(default_factory=list)
    """Target words and, between coordinated ones, the conjunctions."""
    excluded: list[Token] = field(default_factory=list)
    references: list[Token] = field(default_factory=list)
    questions: list[Token] = field(default_factory=list)
    timings: list[Token] = field(default_factory=list)
    media: Token | None = None
    """What is to be played, in the person's words."""
    flags: set[str] = field(default_factory=set)
    """``all both not never_mind let_stay keep only rest to by if when unless compare count``."""
    words: list[Token] = field(default_factory=list)
    count: int | None = None
    """How many things: ``三盏灯``, ``one of the lamps``; 0 for a part of them that nobody named: ``half the
    lamps``."""
    little: str = ""
    """What says that an act goes only a little way."""
    doubts: list[str] = field(default_factory=list)
    """Words of an exception that tell more than a name."""

    @property
    def acts(self) -> bool:
        """Whether something is to be done here."""
        return bool(self.verbs or self.steps or self.has_value or (self.stated and self.device_words))

    @property
    def stated(self) -> bool:
        """Whether a state is said of something: ``落地灯开着``."""
        return any(serves(t, "left") for t in self.questions)

    @property
    def has_value(self) -> bool:
        """Whether a setting is named."""
        return bool(self.colors or self.whites or self.extremes or self.modes or self.values)

    @property
    def values(self) -> list[Token]:
        """Numbers that may be a setting."""
        timed = {says(t) for t in self.properties} & TIMED
        return [
            n
            for n in self.numbers
            if n.data.get("unit") in VALUE_UNITS or (timed and n.data.get("unit") in DURATION_UNITS)
        ]

    @property
    def device_words(self) -> list[Token]:
        """Target words that name a thing rather than a place."""
        return [t for t in self.target if t.kind in DEVICE_KINDS]

    @property
    def place_words(self) -> list[Token]:
        """Target words that name a place."""
        return [t for t in self.target if t.kind in PLACE_KINDS]


def place(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """Put the word at ``at`` where it belongs; what says nothing by itself is left out."""
    sort = _SORTS.get(token.kind)
    if sort is not None:
        sort(slots, token, tokens, at)
    elif serves(token, "a_bit") or _is_a_small_degree(token):
        slots.flags.add("small")
        slots.little = token.text
    elif serves(token, "bright") and at and tokens[at - 1].kind == "number":  # 四成亮
        slots.properties.append(Token(token.text, "property", token.start, token.end, {"is": "brightness"}))
    elif serves(token, "lets"):
        slots.flags.add("left")
    elif token.kind in TARGET_KINDS:
        slots.target.append(token)


def _is_a_small_degree(token: Token) -> bool:
    """``ever so slightly``, ``just a tiny bit``: a degree that holds a word for little."""
    return (
        token.kind == "filler" and says(token) == "degree" and any(w in token.text for w in little("small"))
    )


def _verb(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    if at and tokens[at - 1].kind == "statement":
        return  # "it's shut" tells, it does not order
    if serves(token, "lock") and slots.verbs and slots.target:
        return  # "unlock the front door lock": the thing, not the act
    if serves(token, "skip") and any(map(_is_not_played, tokens[at + 1 :])):
        slots.flags.add("keep")  # "skip the garage": what is left out, not the next song
    elif says(token) == "mute" and not SETTLED.isdisjoint(map(says, slots.properties)):
        slots.modes.append(replace(token, kind="mode", data={"is": "quiet"}))  # 风速改静音
    else:
        slots.verbs.append(token)
        _add_object(slots, token, tokens)


def _is_not_played(token: Token) -> bool:
    return token.kind in PLACE_KINDS or (token.kind == "type" and says(token) not in PLAYED)


def _add_object(slots: Slots, verb: Token, tokens: list[Token]) -> None:
    """What a verb itself tells of its thing, where none is named."""
    named = objects().get(verb.text)
    if named and not any(t.kind in DEVICE_KINDS for t in tokens):
        data = {"is": named, "plural": named == "light", "implied": True}
        slots.target.append(Token(named, "type", verb.start, verb.end, data))


def _step(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.steps.append(token)
    if token.text.endswith(little("up_to")):
        slots.flags.add("to")


def _property(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``fan speed`` is that of a fan, unless it is said of something else."""
    slots.properties.append(token)
    first, _, more = token.text.partition(" ")
    kind = surfaces("type").get(first) if more else None
    if kind and not any(t.kind in DEVICE_KINDS for t in tokens):
        data = {"is": kind, "implied": True}
        slots.target.append(Token(first, "type", token.start, token.start + len(first), data))


def _number(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    unit, value = str(token.data.get("unit", "")), float(str(token.data.get("value", 0)))
    if _is_how_many(slots, unit, tokens, at):
        _count(slots, int(value), tokens, at)
    elif unit == "count":
        slots.numbers.append(replace(token, data={"value": value, "unit": ""}))
    elif unit == "ordinal":
        slots.references.append(replace(token, kind="reference", data={"is": "ordinal", "index": int(value)}))
    elif _is_time(unit, tokens, at):
        slots.timings.append(token)
    elif unit == "" and "to" not in slots.flags and is_label(tokens, at, value):
        slots.target.append(Token(f"{value:g}", "word", token.start, token.end))
    elif not _gives_way(token, unit, tokens, at):
        slots.numbers.append(token)


def _is_time(unit: str, tokens: list[Token], at: int) -> bool:
    return unit == "clock" or (unit in DURATION_UNITS and is_delay(tokens, at))


def _is_how_many(slots: Slots, unit: str, tokens: list[Token], at: int) -> bool:
    """Whether a number tells how many things are meant."""
    if _is_all_of_so_many(tokens, at) or is_a_share(tokens, at) or is_these(tokens, at):
        return True
    return not slots.steps if unit == "count" else unit == "" and counts(tokens, at)


def _is_all_of_so_many(tokens: list[Token], at: int) -> bool:
    """``the lamps, all three``."""
    return at > 0 and says(tokens[at - 1]) == "all" and not before_things(tokens, at)


def _count(slots: Slots, value: int, tokens: list[Token], at: int) -> None:
    if _is_all_of_so_many(tokens, at):
        slots.flags.add("all")
    elif is_a_share(tokens, at) or is_these(tokens, at):
        slots.count = value if is_these(tokens, at) else 0  # a part that nobody named
    else:
        slots.count = value if before_things(tokens, at) else None
        slots.flags |= {"both" if value == 2 else "all", "count"} if value >= 2 else set()


def _gives_way(token: Token, unit: str, tokens: list[Token], at: int) -> bool:
    """Whether a number says nothing beside the next one: ``a degree``, ``from 20 to 30``."""
    article = unit in {"degree", ""} and token.text.startswith(little("a"))
    now = at > 0 and serves(tokens[at - 1], "from")
    return (article or now) and any(t.kind == "number" for t in tokens[at + 1 :])


def _flag(name: str) -> Sort:
    def add(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
        slots.flags.add(name or says(token))

    return add


def _quantifier(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add(says(token))
    if token.text.startswith(little("both")) and plural_next(tokens, at):
        slots.count = 2


def _except(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``leave it on`` asks for nothing, ``keep it at 50 percent`` sets it."""
    measured = (t.data.get("unit") in VALUE_UNITS - {""} for t in tokens[at + 1 :] if t.kind == "number")
    if at and serves(tokens[at - 1], "owning"):
        slots.target.append(replace(token, kind="word"))  # "the spare plug"
    elif says(token) == "keep" and any(measured):
        slots.verbs.append(replace(token, kind="verb", data={"is": "set"}))
    else:
        slots.flags.add(says(token))


def _negation(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = says(token)
    rest = [t for t in tokens[at + 1 :] if t.kind not in {"filler", "mark"}]
    if (
        sense == "not"
        and rest
        and says(rest[0]) == "state"
        and any(w in rest[0].text for w in little("staying"))
    ):
        sense = "let_stay"
    slots.flags.add(sense)
    if serves(token, "undone"):
        slots.verbs.append(
            Token(
                token.text[1],
                "verb",
                token.start,
                token.end,
                {"is": senses("undone")[token.text]},
            )
        )


_ENDS_OF_SHUT = {"up": "mute", "down": "off"}


def _particle(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = says(token)
    if sense in _ENDS_OF_SHUT and _acted(slots):
        if serves(slots.verbs[-1], "shut"):
            slots.verbs[-1] = replace(slots.verbs[-1], data={"is": _ENDS_OF_SHUT[sense]})
    elif sense in {"up", "down"}:
        slots.steps.append(
            Token(token.text, "step", token.start, token.end, {"is": "+" if sense == "up" else "-"})
        )
    elif not _is_preposition(tokens, at) and not (
        _acted(slots) and at + 1 < len(tokens) and tokens[at + 1].kind in TARGET_KINDS
    ):
        slots.verbs.append(Token(token.text, "verb", token.start, token.end, {"is": sense}))


def _acted(slots: Slots) -> bool:
    return any(says(t) not in {"set", "leave"} for t in slots.verbs)


def _is_preposition(tokens: list[Token], at: int) -> bool:
    """``on`` before a place or an article is a preposition: ``the light on the balcony``."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if not serves(tokens[at], "on") or after is None:
        return False
    if after.text.startswith(little("leading_in")):
        return False  # "on in here": it has a preposition of its own
    return after.kind in {"room", "floor", "zone"} or serves(after, "owning", "floor")


def _type(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    first = not any(t.kind not in {"filler", "conj", "light_verb", "negation"} for t in tokens[:at])
    if first and serves(tokens[at], "light") and at + 1 < len(tokens) and serves(tokens[at + 1], "owning"):
        slots.verbs.append(replace(token, kind="verb", data={"is": "illuminate"}))
        if any(t.kind in DEVICE_KINDS for t in tokens[at + 1 :]):
            return
    slots.target.append(token)


def _mode(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.modes.append(token)


def _to(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add("to")


def _conj(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    if slots.target:
        slots.target.append(token)


def _media(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.media = token


def _question(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``把灯开了`` orders what ``灯开了`` asks or tells."""
    if serves(token, "opened") and any(serves(t, "disposing") for t in tokens[:at]):
        slots.verbs.append(Token(token.text[0], "verb", token.start, token.end, {"is": "on_open"}))
    elif serves(token, "lacks") and any(t.kind in DEVICE_KINDS for t in tokens[at + 1 :]):
        slots.doubts.append(token.text)  # 没用的灯: who knows which
    else:
        slots.questions.append(token)


def _dark(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``make the house dark``, ``the whole house dark``: wanted, not told of, it is an order to the lamps."""
    before, after = tokens[:at], tokens[at + 1 :]
    things, places = bool(slots.device_words), bool(slots.place_words)
    if not is_to_be(before, after, things=things, places=places):
        slots.target.append(replace(token, kind="word"))
        return
    slots.verbs.append(replace(token, kind="verb", data={"is": "off"}))
    slots.target.append(replace(token, kind="type", data={"is": "light", "plural": True, "implied": True}))


def _reference(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``one of the lamps`` counts; it points at nothing."""
    if serves(token, "one") and at + 1 < len(tokens) and serves(tokens[at + 1], "of_these"):
        slots.count = 1
    else:
        slots.references.append(token)


def _confirm(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``no lights on``: a determiner, not an answer."""
    if serves(token, "no") and at + 1 < len(tokens) and tokens[at + 1].kind in DEVICE_KINDS:
        slots.flags.add("not")


def _append(name: str) -> Sort:
    def add(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
        getattr(slots, name).append(token)

    return add


_SORTS: dict[str, Sort] = {
    "verb": _verb,
    "step": _step,
    "property": _property,
    "number": _number,
    "color": _append("colors"),
    "white": _append("whites"),
    "extreme": _append("extremes"),
    "mode": _mode,
    "choice": _mode,
    "level": _mode,
    "to": _to,
    "by": _flag("by"),
    "quantifier": _quantifier,
    "except": _except,
    "negation": _negation,
    "particle": _particle,
    "type": _type,
    "reference": _reference,
    "question": _question,
    "timing": _append("timings"),
    "condition": _flag(""),
    "media": _media,
    "dark": _dark,
    "confirm": _confirm,
    "compare": _flag("compare"),
    "conj": _conj,
}
