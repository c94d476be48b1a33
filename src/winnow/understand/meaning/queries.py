"""Instructions -> ``QueryIR``: which act and action cluster, which property, what value, for whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from winnow.language.content_words import CLOSING, MOVING, OPENING, STARTING, STOPPING, little, senses
from winnow.language.kinds import mode_said
from winnow.language.lexicon import clusters, states, surfaces, type_words
from winnow.language.numbers.numerals import VAGUE
from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Confidence,
    Limit,
    Mention,
    Quantifier,
    QueryIR,
    Reference,
    SetExpr,
    Token,
    Value,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.understand.meaning.instructions import CHANGING_NEGATIONS, KEEPING_NEGATIONS, Instruction
from winnow.understand.meaning.slots import Slots
from winnow.understand.words.tokens import DURATION_UNITS, canonical_sense, has_use

# How sure a query is, slot by slot

ACTING_KINDS = frozenset({"verb", "light_verb", "step", "particle"})
"""Kinds of words that say what is to be done."""
INFERRED_SCORE = 0.6
"""An act nobody named, told by a value or a property."""
POINTED_SCORE = 0.8
"""A target that a word points back to."""
UNNAMED_SCORE = 0.5
"""No target at all: the act alone must tell."""
MIN_CONFIDENCE = 0.5
"""Below it a query wants help: a model's, or a person's."""


def with_confidence(query: QueryIR) -> QueryIR:
    """The query with its confidence, whether it wants help, and what must not be lost (``risk_flags``)."""
    slots = {"action": _action_confidence(query), "target": _target_confidence(query)}
    if query.value is not None:
        slots["value"] = 1.0 if query.property else POINTED_SCORE
    if places := of_kind(query.target.tokens, *PLACE_KINDS):
        slots["scope"] = sum(bool(t.refs) or t.kind == "zone" for t in places) / len(places)
    # What could not be placed lowers the whole by its share of the characters of this query's part.
    said = sum(len(t.text) for t in query.tokens) or 1
    overall = min(slots.values()) * (1.0 - min(1.0, sum(map(len, query.unplaced)) / said))
    confidence = Confidence(round(overall, 3), {name: round(value, 3) for name, value in slots.items()})
    return replace(
        query, confidence=confidence, needs_fallback=overall < MIN_CONFIDENCE, risk_flags=risk_flags(query)
    )


def with_question_confidence(query: QueryIR) -> QueryIR:
    """A question with its confidence: the share of its characters that something explains."""
    said = query.tokens or query.target.tokens
    share = round(_explained_share(said), 3) if said else 1.0
    return replace(query, confidence=Confidence(share, {"target": share}))


def risk_flags(query: QueryIR) -> tuple[str, ...]:
    """``negation``, ``exception``, ``condition``, ``reference``, ``unplaced``.

    What the query holds of these.
    """
    held = {
        "negation": query.negated,
        "exception": bool(query.exclusions) or query.quantifier is Quantifier.EXCEPT,
        "condition": bool(query.conditions),
        "reference": bool(query.references),
        "unplaced": bool(query.unplaced),
    }
    return tuple(name for name, present in held.items() if present)


def _action_confidence(query: QueryIR) -> float:
    if query.negated or has_kind(query.tokens, *ACTING_KINDS):
        return 1.0
    return INFERRED_SCORE if query.action or query.value is not None or query.property else 0.0


def _target_confidence(query: QueryIR) -> float:
    pointed = bool(query.references or query.antecedents)
    if not query.target.tokens:
        return POINTED_SCORE if pointed else UNNAMED_SCORE
    return _explained_share(query.target.tokens) * (POINTED_SCORE if pointed else 1.0)


def _explained_share(tokens: Sequence[Token]) -> float:
    """The share of the characters that something explains.

    A word put right counts as far as it sounded alike.
    """
    known = 0.0
    for token in tokens:
        heard = token.data.get("heard", 1.0)
        if token.kind != "word":
            known += len(token.text) * (heard if isinstance(heard, int | float) else 1.0)
    return known / sum(len(t.text) for t in tokens)


# The commands a query may mean: its action cluster (seed 000 §3.1.6, seed 001 §D1).


PLAIN_UNITS = frozenset({"degree", "celsius", "fahrenheit", "kelvin", "level", "ampere", "centimetre"})
"""Units that tell by themselves what is moved by so much."""
LEVEL_SHAPE = "level"
TURNING_KINDS = frozenset({"light_verb", "verb", "step"})
"""Kinds of words for an act beside a particle."""


def action_cluster(query: QueryIR) -> tuple[str, ...]:
    """``Trait.Action`` pairs, best first; a value's property before its shape before the bare verb."""
    tables, value = clusters(), query.value
    named = tables["properties"].get(query.property, ())
    if value is None:
        return _bare_traits(query, named)
    shapes = tables["shapes"]
    moves = shapes["ahead" if value.direction > 0 else "back"] if _is_full_move(query, value) else ()
    if named:
        return tuple(dict.fromkeys((*named, *moves)))
    if moves and not has_kind(query.tokens, *TURNING_KINDS):
        return moves  # ``shades down`` moves what goes down; only what is turned down is lessened
    # What the shape of a value may set; two notches brighter are two steps
    shapes = clusters()["shapes"]
    steps = shapes["step"] if value.kind == "relative" and value.unit == LEVEL_SHAPE else ()
    return tuple(dict.fromkeys((*moves, *(*shapes.get(value_shape(value), ()), *steps))))


def _bare_traits(query: QueryIR, named: tuple[str, ...]) -> tuple[str, ...]:
    """An act without a value; of a property only what it has of such acts."""
    act = clusters()["actions"].get(query.action, ())
    own = clusters()["parts"].get(f"{query.property} {query.action}", ())
    # An act of the part itself comes before that of the whole thing.
    if own or not named:
        return own or act
    return tuple(t for t in act if _trait_only(t) in map(_trait_only, named)) or _switching_traits(
        named, query.action
    )


def _switching_traits(named: tuple[str, ...], action: str) -> tuple[str, ...]:
    """What switches a function that no act of the whole thing moves: the act itself, else its setting."""
    ends = (".On", ".Set") if action in STARTING else (".Off", ".Set") if action in STOPPING else ()
    return tuple(pair for end in ends for pair in named if pair.endswith(end))


def _is_full_move(query: QueryIR, value: Value) -> bool:
    """``up``, ``down``: an amount nobody named of nothing that was named may be all the way."""
    bare = value.number is None and not value.text
    return bare and value.kind == "relative" and query.property in {"", "position"}


def _trait_only(pair: str) -> str:
    """The trait alone: what a property has no such act of is not done to its thing."""
    return pair.partition(".")[0]


def value_shape(value: Value) -> str:
    """The row of ``shapes`` a value without a property falls in."""
    if value.kind == "relative":
        return value.unit if value.unit in PLAIN_UNITS else "step"
    if value.kind == "extreme":
        return "extreme"
    if value.number is None:
        return "text"
    return value.unit or "number"


# ``arm the house for the night``: what is said of an alarm's mode names no thing.


MODE_NAMING_KINDS = frozenset({"name", "type", "room", "floor"})
"""Kinds of words that tell of what, never in which mode."""


def with_own_act(query: QueryIR) -> QueryIR:
    """An order to arm, or to set an alarm, with its mode as its value; the press of what is called by an act.

    Any other query is left as it is.
    """
    sets = query.action in {"", "set"} and any(map(_is_alarm, query.target.tokens))
    if (query.action != "arm" and not sets) or query.negated:
        return _pressed_query(query)
    said = [t.text for t in without_kind(query.tokens, *MODE_NAMING_KINDS)]
    mode = mode_said(" ".join(said)) or mode_said("".join(said))
    if not mode:
        return query
    query = replace(query, action="arm")
    kept = (
        t for t in query.target.tokens if not (t.kind in {"word", "nameword"} and bool(mode_said(t.text)))
    )
    made = replace(query.about(*kept), value=Value("absolute", text=mode))
    bare = replace(query, property="", value=None)  # its mode is how it is armed, not what is set
    return replace(made, property="", action_cluster=action_cluster(bare))


def _pressed_query(query: QueryIR) -> QueryIR:
    """What is called by an act, where nothing else was said: the button ``Feed the cat``."""
    name, *more = query.target.tokens or (None,)
    if name is None or more or name.kind != "name" or query.action or query.value or query.negated:
        return query
    kinds = name.data.get("kinds")
    if not (isinstance(kinds, tuple) and "button" in kinds and name.text.split()[0] in surfaces("verb")):
        return query
    query = replace(query, action="press")
    return replace(query, action_cluster=action_cluster(query))


def _is_alarm(token: Token) -> bool:
    kinds = type_words()[canonical_sense(token)].kinds if token.kind == "type" else token.data.get("kinds")
    return isinstance(kinds, tuple) and "alarm_panel" in kinds


LASTING_ACTS = STARTING | {"play", "leave"}
"""What goes on once it is done: not to let it is to end it."""
WEAK_VERBS = frozenset({"set", "leave"})
MOVING_VERBS = frozenset({"on_open", "off_close"})
"""Verbs that open what opens, and switch what does not."""
MOVED_KINDS = frozenset({"cover", "curtain", "blind", "shade", "awning", "window", "valve", "water_valve"})
"""Kinds of what opens and closes by degrees."""
CHOOSING_VERBS = WEAK_VERBS | (STARTING - {"open"}) | {"run", "toggle"}
"""Verbs after which a word that describes some value of the home may be meant as one; ``open`` takes none."""


def build_queries(made: Instruction, raw: str) -> list[QueryIR]:
    """One query for each mention and act of an instruction."""
    base, slots = _base_query(made, raw), made.slots
    acts = _act_fields(slots)
    _scenes_as_modes(made)
    # An order that names nothing is still an order: what it is for may be told by the talk.
    targets = made.mentions or [[]]
    # what it is made to do may only say that it shall run: ``allow the robot to clean the den``
    said = set(map(canonical_sense, (*slots.verbs, *slots.properties)))
    said |= {surfaces("verb").get(t.text, "") for t in slots.verbs}
    if said & {"clean", "cleaning_area"} and (cleaning := _cleaning_queries(base, targets)):
        return cleaning
    changes = [(mention, {**act, **_own_quantifier(mention, targets)}) for mention in targets for act in acts]
    return [_with_cluster(_with_target(base, mention, change)) for mention, change in changes]


def _base_query(made: Instruction, raw: str) -> QueryIR:
    """What all queries of an instruction share."""
    slots = made.slots
    # ``don't let the fan stop``: it must go on; what lasts may be forbidden so: ``don't let the fan run``.
    stays = "let_stay" in slots.flags and any(canonical_sense(t) not in LASTING_ACTS for t in slots.verbs)
    denied = slots.flags & KEEPING_NEGATIONS and not slots.flags & CHANGING_NEGATIONS
    quantifier = Quantifier.ALL if slots.flags & {"all", "both", "rest"} else Quantifier.ONE
    # Said of one, it outweighs "all": any one of them will do.
    if "whichever" in slots.flags:
        quantifier = Quantifier.ANY
    return QueryIR(
        raw=raw,
        things=SetExpr(
            minus=tuple(map(_exception_mention, made.excluded)),
            plus=tuple(map(_exception_mention, made.back)),
        ),
        references=tuple(Reference(t.text, canonical_sense(t), _ordinal_index(t)) for t in slots.references),
        quantifier=quantifier,
        count=slots.count,
        unplaced=(*made.doubts, *slots.doubts),
        limits=(Limit(slots.little),) if slots.little else (),
        negated=bool(stays or denied),
        tokens=tuple(made.tokens),
        confidence=Confidence(1.0),
    )


def _own_quantifier(mention: Sequence[Token], targets: Sequence[Sequence[Token]]) -> dict[str, Any]:
    """``both lamps and the fan``: how many is said of the lamps, not of the fan."""
    if len(targets) < 2 or _is_plural(mention) or not any(_is_plural(m) for m in targets):
        return {}
    return {"count": None, "quantifier": Quantifier.ONE}


def _is_plural(mention: Sequence[Token]) -> bool:
    return any(t.data.get("plural") for t in mention if t.kind in {"type", "name"} or t.data.get("part"))


def _scenes_as_modes(made: Instruction) -> None:
    """``净化器开睡眠模式``: beside a device the name of a scene is that of a mode."""
    for mention in made.mentions:
        if has_kind(mention, "name", "type"):
            for token in of_kind(mention, "scene"):
                mention.remove(token)
                ending = next((e for e in little("mode_endings") if token.text.endswith(e)), "")
                word = token.text.removesuffix(ending)
                made.slots.modes.append(Token(token.text, "mode", token.start, token.end, {"is": word}))


def _cleaning_queries(base: QueryIR, targets: Sequence[Sequence[Token]]) -> list[QueryIR]:
    """``clean the kitchen``: the place is what is cleaned, not where the robot stands.

    None where not all of what is named are places.
    """
    out: list[QueryIR] = []
    for mention in targets:
        places = (t for t in mention if (t.kind == "room" and len(t.refs) == 1) or t.means("zone", "here"))
        place = next(places, None)
        if place is None:
            return []
        value = Value("absolute", text=place.refs[0] if place.refs else "here", unit="room")
        clean = {"action": "clean", "property": "cleaning_area", "value": value}
        out.append(_with_cluster(_with_target(base, [t for t in mention if t is not place], clean)))
    return out


def _with_cluster(query: QueryIR) -> QueryIR:
    return replace(query, action_cluster=action_cluster(query))


def _with_target(query: QueryIR, mention: Sequence[Token], change: Mapping[str, Any]) -> QueryIR:
    quantifier = change.get("quantifier", query.quantifier)
    if quantifier is Quantifier.ONE and _is_plural(mention):
        quantifier = Quantifier.ALL
    if query.exclusions and (quantifier is Quantifier.ALL or _takes_away(query, mention)):
        quantifier = Quantifier.EXCEPT
    things = query.things
    if mention:
        things = SetExpr(Mention(tuple(mention)), things.minus, things.plus, things.where)
    return replace(query, **{**change, "things": things, "quantifier": quantifier})


def _exception_mention(words: Sequence[Token]) -> Mention:
    """An exception, without the word that only points at it."""
    return Mention(tuple(without_kind(words, "reference")) or tuple(words))


def _takes_away(query: QueryIR, mention: Sequence[Token]) -> bool:
    """Whether an exclusion takes away from what is aimed at: not ``别开吊灯`` from a fan."""
    if has_kind(query.tokens, "except"):
        return True
    excluded = [t for m in query.exclusions for t in m.things]
    types, named = of_kind(mention, "type"), of_kind(mention, *DEVICE_KINDS)
    if not excluded or not named:
        return True
    return any(
        any(canonical_sense(t) == canonical_sense(other) or t.text.endswith(other.text) for other in types)
        for t in excluded
    )  # a name is that one, whatever is not to be touched


def _ordinal_index(token: Token) -> int | None:
    value = token.data.get("index")
    return value if isinstance(value, int) else None


def _act_fields(slots: Slots) -> list[dict[str, Any]]:
    """What is to be done, as fields of a query; usually one act, two for ``打开...调到...``."""
    if slots.media is not None:
        title = Value("absolute", text=slots.media.text, unit="media")
        return [{"action": "play", "property": "media", "value": title}]
    properties = list(dict.fromkeys(map(canonical_sense, slots.properties)))
    verbs = _ordered_verbs(slots)
    vague = any(t.data.get("unit") == VAGUE for t in slots.numbers)  # "twenty-odd": how much is asked
    values = [] if vague else _slot_values(slots) or _nudge_values(slots)
    if not values:
        verb = "set" if vague else _act_without_value(slots, verbs)
        return [{"action": verb, "property": "".join(properties[-1:])}]
    acts: list[dict[str, Any]] = [{"action": verb} for verb in _acts_before_setting(verbs)]
    for implied, value in values:
        property_ = _named_property(properties, implied)
        acts.append({"action": _setting_act(verbs, value), "property": property_, "value": value})
    return acts


def _act_without_value(slots: Slots, verbs: Sequence[str]) -> str:
    """``make the fan swing``: the word for a function says that the thing is to do it."""
    verb = verbs[-1] if verbs else stated_act(slots)
    last = slots.properties[-1].text if slots.properties else ""
    said = (last, *(f"{each.text} {last}" for each in slots.verbs))
    swings = any(word in little("swings") for word in said)
    return "on" if swings and verb in {"", "set"} else verb


def _acts_before_setting(verbs: Sequence[str]) -> Sequence[str]:
    """``打开空调调到26度``: what is switched on before it is set."""
    # Only before a setting: alone, the verb is the act itself.
    strong = next((v for v in verbs if v in STARTING), "")
    return [strong] if strong and "set" in verbs[verbs.index(strong) :] else []


def _setting_act(verbs: Sequence[str], value: Value) -> str:
    """The act of a value."""
    if value.kind == "relative":
        return "step"
    told = next((v for v in verbs if v not in WEAK_VERBS), "")
    plain = value.kind != "absolute" or bool(value.text) or told in {"", *STARTING, *CLOSING}
    return "set" if plain else told


def stated_act(slots: Slots) -> str:
    """``落地灯开着``: a state that is asked for, not asked about."""
    states = [t.text for t in slots.questions if canonical_sense(t) == "state"]
    if not states or slots.flags & {"not", "keep", "left"}:
        return ""
    return senses("left").get(states[-1], "")


def _nudge_values(slots: Slots) -> list[tuple[str, Value]]:
    """``幕布降下来一点``, ``窗帘关一点``: a verb of opening or closing that goes only a little way."""
    verb = canonical_sense(slots.verbs[-1]) if slots.verbs else ""
    moves = verb in MOVING or (verb in MOVING_VERBS and all(map(_is_moved, slots.device_words)))
    if not slots.little or not moves or {canonical_sense(t) for t in slots.properties} - {"position"}:
        return []
    return [("position", Value("relative", direction=1 if verb in OPENING else -1, text="a bit"))]


def _is_moved(token: Token) -> bool:
    """Whether a word is for what opens and closes by degrees."""
    kinds = token.data.get("kinds")
    named = kinds if isinstance(kinds, tuple) else ()
    word = type_words().get(canonical_sense(token)) if token.kind == "type" else None
    return not MOVED_KINDS.isdisjoint((*named, *(word.kinds if word else ())))


def _named_property(properties: Sequence[str], implied: str) -> str:
    if implied:
        return implied
    said = [p for p in properties if p not in {"mode", "position"}] or properties
    return said[-1] if said else implied


def _ordered_verbs(slots: Slots) -> list[str]:
    """Canonical verbs in order, negative dress turned into the order it is."""
    verbs = list(map(canonical_sense, slots.verbs))
    if "why_still" in slots.flags:
        return [_undoing_act(slots)]
    if "let_stay" in slots.flags:
        return [*(v for v in verbs if v not in STARTING), _undoing_act(slots)]
    if len(verbs) > 1 and "leave" in verbs:
        verbs.remove("leave")
    # "停止播放": what follows is what stops.
    for at, verb in enumerate(verbs[:-1]):
        if verb in {"stop", "pause"}:
            return [*verbs[:at], "pause" if verbs[at + 1] in {"play", "resume"} else verb]
    return verbs


_UNDOING_ACTS = {"locked": "unlock", "unlocked": "lock"}
"""State -> the act that undoes it, where it is not merely switching."""


def _undoing_act(slots: Slots) -> str:
    """What undoes the state that something is not to be left in."""
    for question in slots.questions:
        if (told := states().get(question.text)) and told[1] in _UNDOING_ACTS:
            return _UNDOING_ACTS[told[1]]
    said = " ".join((*(t.text for t in slots.questions), *map(canonical_sense, slots.verbs)))
    return "on" if any(w in said for w in little("left_off")) else "off_close"


def _slot_values(slots: Slots) -> list[tuple[str, Value]]:
    """(property it implies, value) for every setting named."""
    out = [("color", Value("absolute", text=canonical_sense(t))) for t in slots.colors]
    out.extend(
        ("color_temperature", Value("absolute", number=float(canonical_sense(t)), unit="kelvin", text=t.text))
        for t in slots.whites
    )
    # What only describes some value is one after verbs that choose.
    loose = set(map(canonical_sense, slots.verbs)) <= CHOOSING_VERBS
    # A mode with its word as said; a level of one character is a piece of too many words to look for
    out.extend(
        ("", Value("absolute", text=canonical_sense(t), unit="" if t.kind == "level" else t.text))
        for t in slots.modes
        if loose or t.kind == "mode"
    )
    if slots.extremes and not slots.value_numbers:
        return [*out, *_extreme_values(slots)]
    return [*out, *(_stepped_values(slots) if slots.steps else _number_values(slots))]


def _extreme_values(slots: Slots) -> list[tuple[str, Value]]:
    """(property it implies, value) of *most* or *fully*; what goes off completely is off."""
    token, verbs = slots.extremes[-1], set(map(canonical_sense, slots.verbs))
    if canonical_sense(token) == "full" and len(verbs) == 1 and verbs <= WHOLE_ACTS:
        return []
    of = next((name for word, name in senses("most_of").items() if word in token.text), "")
    return [(of, Value("extreme", direction=_extreme_sign(slots, token)))]


def _stepped_values(slots: Slots) -> list[tuple[str, Value]]:
    """(property it implies, value) of a step, and of the goal beside it."""
    goals = [n for n in slots.value_numbers if not n.data.get("amount")]
    if len(goals) != 1 or "to" not in slots.flags or goals == slots.value_numbers:
        return [_step_value(slots)]
    goal = replace(slots, numbers=goals, flags=slots.flags - {"by"})
    if goals[0].start > slots.steps[-1].start:  # ``dim it to 50 by 10``: where to
        return [_step_value(goal)]
    # ``set it to 80 percent raise by 10``: two acts run together
    return [*_number_values(goal), _step_value(replace(slots, flags=slots.flags - {"to"}))]


def _extreme_sign(slots: Slots, token: Token) -> int:
    """1 for the maximum, -1 for the minimum; ``completely`` goes where the verb goes."""
    if canonical_sense(token) != "full":
        return 1 if canonical_sense(token) == "max" else -1
    down = any(canonical_sense(t).endswith("-") for t in slots.steps) or any(
        canonical_sense(t) in CLOSING for t in slots.verbs
    )
    return -1 if down else 1


WHOLE_ACTS = frozenset({"off", "open", "close"})
"""Acts that leave nothing to be done further."""
MIN_KELVIN = 1000
"""A number from here on is a colour temperature itself, not a step of one."""


def _step_value(slots: Slots) -> tuple[str, Value]:
    token = slots.steps[-1]
    property_, direction = canonical_sense(token)[:-1], 1 if canonical_sense(token).endswith("+") else -1
    if property_.endswith("%"):  # doubled, halved
        return "", Value("relative", number=float(property_[:-1]), unit="share", direction=direction)
    if slots.value_numbers:
        return property_, _step_amount(slots, property_, direction)
    # A step that says that it is small: a shade goes a little further, not all the way.
    said_small = token.text.endswith(little("small_end")) or any(w in token.text for w in little("small"))
    small = "small" in slots.flags or said_small
    return property_, Value("relative", direction=direction, text="a bit" if small else "")


def _step_amount(slots: Slots, property_: str, direction: int) -> Value:
    """The value of a step with a number: how far it goes, or where to."""
    last = slots.value_numbers[-1]
    number, unit = _number_unit(last)
    if property_ == "color_temperature" and number >= MIN_KELVIN:
        return Value("absolute", number=number, unit="kelvin")
    # Whether the last number of a step is where it goes to
    if "to" in slots.flags and ("by" not in slots.flags or len(slots.value_numbers) > 1):
        return Value("absolute", number=number, unit=unit)
    unit = "share" if has_use(last, "half") else unit
    return Value("relative", number=abs(number), unit=unit, direction=direction)


def _number_values(slots: Slots) -> list[tuple[str, Value]]:
    verbs = [canonical_sense(t) for t in slots.verbs]
    out: list[tuple[str, Value]] = []
    for token in slots.value_numbers:
        number, unit = _number_unit(token)
        # A bare half or third of a thing is taken off it.
        if unit == "share":
            out.append(("", Value("relative", number=number, unit=unit, direction=-1)))
        elif "by" in slots.flags:
            direction = -1 if CLOSING.intersection(verbs) else 1
            out.append(("", Value("relative", number=number, unit=unit, direction=direction)))
        else:
            number = 100.0 - number if unit == "%" and _is_closed_by(slots, token) else number
            out.append(
                ("color_temperature" if unit == "kelvin" else "", Value("absolute", number=number, unit=unit))
            )
    return out


def _is_closed_by(slots: Slots, token: Token) -> bool:
    """``three quarters closed``, ``close the blinds a third``: the share that is shut, not what is open."""
    if any(t.text in little("closed_by") for t in slots.questions):
        return True
    said = chain.from_iterable(str(t.data.get("way", t.text)).split() for t in slots.verbs)
    shuts = not set(little("closed_by")).isdisjoint(said)
    return shuts and "to" not in slots.flags and not any(ch.isdigit() for ch in token.text)


def _number_unit(token: Token) -> tuple[float, str]:
    unit = str(token.data.get("unit", ""))
    return float(str(token.data.get("value", 0))), "" if unit in DURATION_UNITS else unit
