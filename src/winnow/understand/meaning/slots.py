"""What the words of one piece of a sentence are for.

The act, the value, the target, what is excluded, negated or asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from winnow.language.content_words import little, senses
from winnow.language.lexicon import objects, surfaces
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, has_sense, of_kind, without_kind
from winnow.understand.words.tokens import DURATION_UNITS, TARGET_KINDS, any_use, canonical_sense, has_use

# What a number is said for: how many things, which part of them, or when.


VALUE_WORD_KINDS = frozenset({"number", "extreme", "mode", "choice", "level", "color", "white"})
"""Kinds of words that say what something is to be set to."""


def is_a_share(tokens: list[Token], at: int) -> bool:
    """``half of the lamps``, ``half the lights``: how many, not how far."""
    return has_use(tokens[at], "share") and is_plural_next(tokens, at, "word")


def is_these(tokens: list[Token], at: int) -> bool:
    """``these two``: as many as are named after it."""
    return bool(at) and has_use(tokens[at - 1], "these") and not has_kind(tokens, *DEVICE_KINDS)


def is_plural_next(tokens: list[Token], at: int, *passed: str) -> bool:
    """Whether things in the plural, or a group, come next: ``both old lamps``.

    Their place may stand before them, and words of the kinds ``passed``.
    """
    after = without_kind(tokens[at + 1 :], "filler", "nameword", *PLACE_KINDS, *passed)[:1]
    return has_kind(after, "group") or any(t.data.get("plural") for t in of_kind(after, *DEVICE_KINDS))


def is_count(tokens: list[Token], at: int) -> bool:
    """``three lamps``: a number before things, which is not what they are to be set to."""
    before, after = tokens[:at], tokens[at + 1 :]
    if has_kind(before, "to", "by", "step") or not is_plural_next(tokens, at):
        return False
    sets = has_sense(before, "verb", "set")
    return not sets or has_kind(after, *VALUE_WORD_KINDS)


def is_label(tokens: list[Token], at: int, value: float) -> bool:
    """``lamp 2``: a small number right after a thing is part of its name, where nothing is to be set."""
    before = tokens[at - 1] if at else None
    if before is None or before.end < tokens[at].start - 1:
        return False
    setting = has_kind(tokens, "to", "by", "step", "property")
    called = (
        before.kind in {"type", "name"} and before.text.isascii() and value in range(1, 11) and not setting
    )
    return before.kind == "nameword" or called


def is_before_things(tokens: list[Token], at: int) -> bool:
    """Whether a thing comes next, with or without its place."""
    after = next((t for t in without_kind(tokens[at + 1 :], *PLACE_KINDS) if not has_use(t, "of")), None)
    return after is not None and after.kind in DEVICE_KINDS


def is_delay(tokens: list[Token], at: int) -> bool:
    """A duration that says when: ``十分钟后``, ``in 10 minutes``."""
    after = next(iter(without_kind(tokens[at + 1 :], "number")), None)
    if after is not None and after.kind == "timing":
        return True
    before = next(iter(without_kind(reversed(tokens[:at]), "number")), None)
    return before is not None and has_use(before, "delays")


# ``make the house dark``: a state of a place that is wanted, not told of.


def is_state_ordered(before: Sequence[Token], after: Sequence[Token], *, things: bool, places: bool) -> bool:
    """Whether the state between ``before`` and ``after`` is ordered.

    ``things``, ``places``: whether any are named with it; of a thing it only tells what it is like.
    """
    told = has_kind(before, "question", "statement", "condition") or any_use(before, "so_too")
    # It describes what follows: a thing, or a colour.
    describes = has_kind(without_kind(after, "filler", "mark")[:1], "color", "mode", *DEVICE_KINDS)
    if things or told or describes:
        return False
    wanted = has_kind(before, "verb", "light_verb") or any_use(before, "wanting")
    nothing_else = not after and not without_kind(before, "zone", "floor", "filler", "quantifier", "conj")
    return wanted or (places and nothing_else)


SlotSorter = Callable[["Slots", Token, list[Token], int], None]
PLAYER_KINDS = frozenset({"speaker", "media_player", "television", "soundbar", "projector"})
"""Kinds of things on which one skips to the next song."""
DEGREE_UNITS = frozenset({"degree", "celsius", "fahrenheit"})
VALUE_UNITS = DEGREE_UNITS | {"", "%", "kelvin", "level", "ampere", "centimetre", "share"}
SETTLED_PROPERTIES = frozenset({"fan_speed", "mode"})
"""Properties that quiet is a value of, not an act."""
TIMED_PROPERTIES = frozenset({"interval"})
"""Properties that are set in units of time."""


def is_plain_number(token: Token) -> bool:
    """Whether a word names a setting that is but a number, which may be one of minutes: ``hold time``."""
    kinds = token.data.get("kinds")
    return isinstance(kinds, tuple) and "number" in kinds


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
    def has_act(self) -> bool:
        """Whether something is to be done here."""
        return bool(self.verbs or self.steps or self.has_value or (self.has_state and self.device_words))

    @property
    def has_state(self) -> bool:
        """Whether a state is said of something: ``落地灯开着``."""
        return any_use(self.questions, "left")

    @property
    def has_value(self) -> bool:
        """Whether a setting is named."""
        return bool(self.colors or self.whites or self.extremes or self.modes or self.value_numbers)

    @property
    def value_numbers(self) -> list[Token]:
        """Numbers that may be a setting."""
        timed = {canonical_sense(t) for t in self.properties} & TIMED_PROPERTIES or any(
            is_plain_number(t) for t in self.target
        )
        return [
            n
            for n in self.numbers
            if n.data.get("unit") in VALUE_UNITS or (timed and n.data.get("unit") in DURATION_UNITS)
        ]

    @property
    def device_words(self) -> list[Token]:
        """Target words that name a thing rather than a place."""
        return of_kind(self.target, *DEVICE_KINDS)

    @property
    def place_words(self) -> list[Token]:
        """Target words that name a place."""
        return of_kind(self.target, *PLACE_KINDS)


def place_word(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """Put the word at ``at`` where it belongs; what says nothing by itself is left out."""
    sort = _SLOT_SORTERS.get(token.kind)
    if sort is not None:
        sort(slots, token, tokens, at)
    elif has_use(token, "a_bit") or _is_a_small_degree(token):
        slots.flags.add("small")
        slots.little = token.text
    elif has_use(token, "bright") and at and tokens[at - 1].kind == "number":  # 四成亮
        slots.properties.append(Token(token.text, "property", token.start, token.end, {"is": "brightness"}))
    elif has_use(token, "lets"):
        slots.flags.add("left")
    elif token.kind in TARGET_KINDS:
        slots.target.append(token)


def _is_a_small_degree(token: Token) -> bool:
    """``ever so slightly``, ``just a tiny bit``: a degree that holds a word for little."""
    return token.means("filler", "degree") and any(w in token.text for w in little("small"))


def _place_verb(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    if at and tokens[at - 1].kind == "statement":
        return  # "it's shut" tells, it does not order
    if has_use(token, "lock") and slots.verbs and slots.target:
        return  # "unlock the front door lock": the thing, not the act
    if has_use(token, "skip") and any(map(_is_not_played, tokens[at + 1 :])):
        slots.flags.add("keep")  # "skip the garage": what is left out, not the next song
    elif canonical_sense(token) == "mute" and not SETTLED_PROPERTIES.isdisjoint(
        map(canonical_sense, slots.properties)
    ):
        slots.modes.append(replace(token, kind="mode", data={"is": "quiet"}))  # 风速改静音
    else:
        slots.verbs.append(token)
        _add_verb_object(slots, token, tokens)


def _is_not_played(token: Token) -> bool:
    return token.kind in PLACE_KINDS or (token.kind == "type" and canonical_sense(token) not in PLAYER_KINDS)


def _add_verb_object(slots: Slots, verb: Token, tokens: list[Token]) -> None:
    """What a verb itself tells of its thing, where none is named."""
    named = objects().get(verb.text)
    if named and not has_kind(tokens, *DEVICE_KINDS):
        data = {"is": named, "plural": named == "light", "implied": True}
        slots.target.append(Token(named, "type", verb.start, verb.end, data))


def _place_step(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.steps.append(token)
    if token.text.endswith(little("up_to")):
        slots.flags.add("to")


def _place_property(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``fan speed`` is that of a fan, unless it is said of something else."""
    slots.properties.append(token)
    first, _, more = token.text.partition(" ")
    kind = surfaces("type").get(first) if more else None
    if kind and not has_kind(tokens, *DEVICE_KINDS):
        data = {"is": kind, "implied": True}
        slots.target.append(Token(first, "type", token.start, token.start + len(first), data))


def _as_amount(token: Token, before: Sequence[Token]) -> Token:
    """A number behind ``by`` is marked as an amount."""
    is_amount = bool(before) and before[-1].kind == "by"
    return replace(token, data={**token.data, "amount": True}) if is_amount else token


def _place_number(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    unit, value = str(token.data.get("unit", "")), float(str(token.data.get("value", 0)))
    if _is_how_many(slots, unit, tokens, at):
        _place_count(slots, int(value), tokens, at)
    elif unit == "count":
        slots.numbers.append(replace(token, data={"value": value, "unit": ""}))
    elif unit == "ordinal":
        slots.references.append(replace(token, kind="reference", data={"is": "ordinal", "index": int(value)}))
    elif unit == "clock" or (unit in DURATION_UNITS and is_delay(tokens, at)):
        slots.timings.append(token)
    elif unit == "" and "to" not in slots.flags and is_label(tokens, at, value):
        slots.target.append(Token(f"{value:g}", "word", token.start, token.end))
    elif not _is_superseded(token, unit, tokens, at):
        slots.numbers.append(_as_amount(token, tokens[:at]))


def _is_how_many(slots: Slots, unit: str, tokens: list[Token], at: int) -> bool:
    """Whether a number tells how many things are meant."""
    if _is_all_of_so_many(tokens, at) or is_a_share(tokens, at) or is_these(tokens, at):
        return True
    return not slots.steps if unit == "count" else unit == "" and is_count(tokens, at)


def _is_all_of_so_many(tokens: list[Token], at: int) -> bool:
    """``the lamps, all three``; in 灯都百分之四十 how much is said."""
    counts = at > 0 and tokens[at].data.get("unit") in {"", "count"}
    return counts and canonical_sense(tokens[at - 1]) == "all" and not is_before_things(tokens, at)


def _place_count(slots: Slots, value: int, tokens: list[Token], at: int) -> None:
    if _is_all_of_so_many(tokens, at):
        slots.flags.add("all")
    elif is_a_share(tokens, at) or is_these(tokens, at):
        slots.count = value if is_these(tokens, at) else 0  # a part that nobody named
    else:
        slots.count = value if is_before_things(tokens, at) or _is_so_many_of_these(tokens, at) else None
        slots.flags |= {"both" if value == 2 else "all", "count"} if value >= 2 else set()


def _is_so_many_of_these(tokens: list[Token], at: int) -> bool:
    """``厅里的灯关一盏``: behind the act, of things that were named before it."""
    counts = tokens[at].data.get("unit") == "count" and at > 0 and tokens[at - 1].kind == "verb"
    return counts and has_kind(tokens[: at - 1], *DEVICE_KINDS)


def _is_superseded(token: Token, unit: str, tokens: list[Token], at: int) -> bool:
    """Whether a number says nothing beside the next one: ``a degree``, ``from 20 to 30``."""
    article = unit in {"degree", ""} and token.text.startswith(little("a"))
    now = at > 0 and has_use(tokens[at - 1], "from")
    return (article or now) and has_kind(tokens[at + 1 :], "number")


def _flag_sorter(name: str, slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add(name or canonical_sense(token))


def _place_quantifier(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add(canonical_sense(token))
    if token.text.startswith(little("both")) and is_plural_next(tokens, at, "word"):
        slots.count = 2


def _place_except(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``leave it on`` asks for nothing, ``keep it at 50 percent`` sets it."""
    measured = (t.data.get("unit") in VALUE_UNITS - {""} for t in of_kind(tokens[at + 1 :], "number"))
    if at and has_use(tokens[at - 1], "owning"):
        slots.target.append(replace(token, kind="word"))  # "the spare plug"
    elif canonical_sense(token) == "keep" and any(measured):
        slots.verbs.append(replace(token, kind="verb", data={"is": "set"}))
    else:
        slots.flags.add(canonical_sense(token))


def _place_negation(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = canonical_sense(token)
    rest = without_kind(tokens[at + 1 :], "filler", "mark")
    if (
        sense == "not"
        and rest
        and canonical_sense(rest[0]) == "state"
        and any(w in rest[0].text for w in little("staying"))
    ):
        sense = "let_stay"
    slots.flags.add(sense)
    if has_use(token, "undone"):
        slots.verbs.append(
            Token(
                token.text[1],
                "verb",
                token.start,
                token.end,
                {"is": senses("undone")[token.text]},
            )
        )


_SHUT_PARTICLES = {"up": "mute", "down": "off"}


def _place_particle(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = canonical_sense(token)
    if sense in _SHUT_PARTICLES and _has_acted(slots):
        if has_use(slots.verbs[-1], "shut"):
            slots.verbs[-1] = replace(slots.verbs[-1], data={"is": _SHUT_PARTICLES[sense]})
    elif sense in {"up", "down"}:
        slots.steps.append(
            Token(token.text, "step", token.start, token.end, {"is": "+" if sense == "up" else "-"})
        )
    elif not _is_preposition(tokens, at) and not (
        _has_acted(slots) and at + 1 < len(tokens) and tokens[at + 1].kind in TARGET_KINDS
    ):
        slots.verbs.append(Token(token.text, "verb", token.start, token.end, {"is": sense}))


def _has_acted(slots: Slots) -> bool:
    return any(canonical_sense(t) not in {"set", "leave"} for t in slots.verbs)


def _is_preposition(tokens: list[Token], at: int) -> bool:
    """``on`` before a place or an article is a preposition: ``the light on the balcony``."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if not has_use(tokens[at], "on") or after is None:
        return False
    if after.text.startswith(little("leading_in")):
        return False  # "on in here": it has a preposition of its own
    return after.kind in {"room", "floor", "zone"} or has_use(after, "owning", "floor")


def _place_type(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    first = not any(t.kind not in {"filler", "conj", "light_verb", "negation"} for t in tokens[:at])
    if first and has_use(tokens[at], "light") and at + 1 < len(tokens) and has_use(tokens[at + 1], "owning"):
        slots.verbs.append(replace(token, kind="verb", data={"is": "illuminate"}))
        if has_kind(tokens[at + 1 :], *DEVICE_KINDS):
            return
    slots.target.append(token)


def _place_conj(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    if slots.target:
        slots.target.append(token)


def _place_media(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.media = token


def _place_question(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``把灯开了`` orders what ``灯开了`` asks or tells."""
    if has_use(token, "opened") and any_use(tokens[:at], "disposing"):
        slots.verbs.append(Token(token.text[0], "verb", token.start, token.end, {"is": "on_open"}))
    elif has_use(token, "lacks") and has_kind(tokens[at + 1 :], *DEVICE_KINDS):
        slots.doubts.append(token.text)  # 没用的灯: who knows which
    else:
        slots.questions.append(token)


def _place_dark(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``make the house dark``, ``the whole house dark``: wanted, not told of, it is an order to the lamps."""
    before, after = tokens[:at], tokens[at + 1 :]
    things, places = bool(slots.device_words), bool(slots.place_words)
    if not is_state_ordered(before, after, things=things, places=places):
        slots.target.append(replace(token, kind="word"))
        return
    slots.verbs.append(replace(token, kind="verb", data={"is": "off"}))
    slots.target.append(replace(token, kind="type", data={"is": "light", "plural": True, "implied": True}))


def _place_reference(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``one of the lamps`` counts; it points at nothing."""
    if has_use(token, "one") and at + 1 < len(tokens) and has_use(tokens[at + 1], "of_these"):
        slots.count = 1
    else:
        slots.references.append(token)


def _place_confirm(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``no lights on``: a determiner, not an answer."""
    if has_use(token, "no") and at + 1 < len(tokens) and tokens[at + 1].kind in DEVICE_KINDS:
        slots.flags.add("not")


def _append_sorter(name: str, slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    getattr(slots, name).append(token)


_SLOT_SORTERS: dict[str, SlotSorter] = {
    "verb": _place_verb,
    "step": _place_step,
    "property": _place_property,
    "number": _place_number,
    "color": partial(_append_sorter, "colors"),
    "white": partial(_append_sorter, "whites"),
    "extreme": partial(_append_sorter, "extremes"),
    "mode": partial(_append_sorter, "modes"),
    "choice": partial(_append_sorter, "modes"),
    "level": partial(_append_sorter, "modes"),
    "to": partial(_flag_sorter, "to"),
    "by": partial(_flag_sorter, "by"),
    "quantifier": _place_quantifier,
    "except": _place_except,
    "negation": _place_negation,
    "particle": _place_particle,
    "type": _place_type,
    "reference": _place_reference,
    "question": _place_question,
    "timing": partial(_append_sorter, "timings"),
    "condition": partial(_flag_sorter, ""),
    "media": _place_media,
    "dark": _place_dark,
    "confirm": _place_confirm,
    "compare": partial(_flag_sorter, "compare"),
    "conj": _place_conj,
}
