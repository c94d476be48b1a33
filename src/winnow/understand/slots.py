"""What the words of one piece of a sentence are for: the act, the value, the target, what is excluded, negated or asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from winnow.text.lexicon import objects
from winnow.text.normalise import is_han
from winnow.types.query import Token

Sort = Callable[["Slots", Token, list[Token], int], None]
TARGET_KINDS = frozenset({"name", "nameword", "room", "floor", "zone", "type", "scene", "group", "word"})
DEVICE_KINDS = frozenset({"name", "nameword", "type", "scene", "group"})
PLACE_KINDS = frozenset({"room", "floor", "zone"})
SMALL = frozenset({"一点", "一点点", "点儿", "一些", "a bit", "a little", "slightly", "a touch"})
"""Words that make a movement small."""
VALUE_UNITS = frozenset({"", "%", "degree", "celsius", "fahrenheit", "kelvin", "level"})
TIMED = frozenset({"interval"})
"""Properties that are set in units of time."""
DURATION_UNITS = frozenset({"second", "minute", "hour", "day"})


def says(token: Token) -> str:
    """The canonical reading of a token."""
    return str(token.data.get("is", ""))


def also(token: Token, section: str) -> str | None:
    """Its reading in another section of the lexicon, if it has one."""
    table = token.data.get("also")
    return str(table[section]) if isinstance(table, dict) and section in table else None


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
    """How many things: ``三盏灯``, ``one of the lamps``."""

    @property
    def acts(self) -> bool:
        """Whether something is to be done here."""
        return bool(self.verbs or self.steps or self.has_value or (self.stated and self.device_words))

    @property
    def stated(self) -> bool:
        """Whether a state is said of something: ``落地灯开着``."""
        return any(t.text in {"开着", "亮着", "转着", "关着"} for t in self.questions)

    @property
    def has_value(self) -> bool:
        """Whether a setting is named."""
        return bool(self.colors or self.whites or self.extremes or self.modes or self.values)

    @property
    def values(self) -> list[Token]:
        """Numbers that may be a setting."""
        timed = {says(t) for t in self.properties} & TIMED
        return [n for n in self.numbers if n.data.get("unit") in VALUE_UNITS or (timed and n.data.get("unit") in DURATION_UNITS)]

    @property
    def device_words(self) -> list[Token]:
        """Target words that name a thing rather than a place."""
        return [t for t in self.target if t.kind in DEVICE_KINDS]

    @property
    def place_words(self) -> list[Token]:
        """Target words that name a place."""
        return [t for t in self.target if t.kind in PLACE_KINDS]


def fill(tokens: Sequence[Token], language: str) -> Slots:
    """Sort the tokens of one piece into slots."""
    slots = Slots()
    tokens = list(tokens)
    excluding = _exclusion_marks(tokens)
    for at, token in enumerate(tokens):
        if excluding[at]:
            if token.kind in TARGET_KINDS or token.kind in {"conj", "reference"}:
                slots.excluded.append(token)
            continue
        _place(slots, token, tokens, at)
    return slots


def _place(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sort = _SORTS.get(token.kind)
    if sort is not None:
        sort(slots, token, tokens, at)
    elif token.text in SMALL:
        slots.flags.add("small")
    elif token.text == "亮" and at and tokens[at - 1].kind == "number":  # 四成亮
        slots.properties.append(Token(token.text, "property", token.start, token.end, {"is": "brightness"}))
    elif token.text in {"让", "let"}:
        slots.flags.add("left")
    elif token.kind == "word" and _is_comment(tokens, at):
        slots.words.append(token)
    elif token.kind in TARGET_KINDS:
        slots.target.append(token)


_LINKS = frozenset({"路", "盏", "台", "个", "扇", "的", "那个", "这个", "那盏", "这盏", "那台", "嘅", "那"})


def _is_comment(tokens: list[Token], at: int) -> bool:
    """Chinese puts what narrows a thing before it: an unknown word that no thing follows narrows nothing."""
    if not is_han(tokens[at].text[0]) or _names_a_part(tokens, at) or _names_more(tokens, at):
        return False
    after = next((t for t in tokens[at + 1 :] if t.text not in _LINKS and says(t) != "quote"), None)
    if after is not None and after.kind in TARGET_KINDS:
        return False
    return any(t.kind in DEVICE_KINDS for t in tokens)


def _names_a_part(tokens: list[Token], at: int) -> bool:
    """``电视的字幕``: an unknown word after a thing and ``的`` is a part of it, not a comment."""
    return at > 1 and tokens[at - 1].text in {"的", "嘅"} and tokens[at - 2].kind in DEVICE_KINDS


def _names_more(tokens: list[Token], at: int) -> bool:
    """``小熊饼干``: a noun that goes on where the name of a device ends is the name of something else."""
    before = tokens[at - 1] if at else None
    return before is not None and before.kind == "name" and before.end == tokens[at].start and len(tokens[at].text) > 1


def _exclusion_marks(tokens: list[Token]) -> list[bool]:
    """Which tokens stand inside an exception: between ``除了`` and ``以外``, before a lone ``除外``, after ``except``."""
    marks = [False] * len(tokens)
    open_at: int | None = None
    for at, token in enumerate(tokens):
        if token.kind != "except":
            closes = token.kind in {"verb", "step", "particle"} or token.text in {"都", "全", "全部", "把", "将", "统统", "通通"}
            if open_at is not None and closes:
                open_at = None
            marks[at] = open_at is not None
            continue
        sense = says(token)
        if sense in {"pre", "only"}:
            open_at = at
        elif sense == "rest":
            open_at = None
        elif sense == "post":
            if open_at is None:
                for back in range(at):
                    marks[back] = marks[back] or tokens[back].kind in TARGET_KINDS or tokens[back].kind == "conj"
            open_at = None
    return marks


def _verb(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    if at and tokens[at - 1].kind == "statement":
        return  # "it's shut" tells, it does not order
    if token.text == "lock" and slots.verbs and slots.target:
        return  # "unlock the front door lock": the thing, not the act
    slots.verbs.append(token)
    named = objects().get(token.text)
    if named and not any(t.kind in DEVICE_KINDS for t in tokens):
        slots.target.append(Token(named, "type", token.start, token.end, {"is": named, "plural": named == "light", "implied": True}))


def _step(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.steps.append(token)
    if token.text.endswith("到"):
        slots.flags.add("to")


def _property(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.properties.append(token)
    if token.text.startswith("fan ") and not any(t.kind in DEVICE_KINDS for t in tokens):
        slots.target.append(Token("fan", "type", token.start, token.start + 3, {"is": "fan"}))


def _number(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    unit = str(token.data.get("unit", ""))
    value = float(str(token.data.get("value", 0)))
    if unit == "count" and slots.steps:
        slots.numbers.append(Token(token.text, "number", token.start, token.end, {"value": value, "unit": ""}))
    elif unit == "count" or (unit == "" and _counts(tokens, at)):
        slots.count = int(value) if _before_things(tokens, at) else None
        if value >= 2:
            slots.flags.add("both" if value == 2 else "all")
            slots.flags.add("count")
    elif unit in {"degree", ""} and token.text.startswith("a ") and any(t.kind == "number" for t in tokens[at + 1 :]):
        return
    elif unit == "ordinal":
        slots.references.append(Token(token.text, "reference", token.start, token.end, {"is": "ordinal", "index": int(value)}))
    elif unit == "clock" or (unit in DURATION_UNITS and _is_delay(tokens, at)):
        slots.timings.append(token)
    elif at and tokens[at - 1].text in {"从", "由", "from"} and any(t.kind == "number" for t in tokens[at + 1 :]):
        return  # what it is now
    elif unit == "" and at and tokens[at - 1].kind == "nameword" and tokens[at - 1].end >= token.start - 1 and "to" not in slots.flags:
        slots.target.append(Token(f"{value:g}", "word", token.start, token.end))
    else:
        slots.numbers.append(token)


def _counts(tokens: list[Token], at: int) -> bool:
    """``three lamps``: a number right before things, where nothing is to be set."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    setting = any(t.kind in {"to", "by", "step"} or (t.kind == "verb" and says(t) == "set") for t in tokens[:at])
    return after is not None and after.kind == "type" and bool(after.data.get("plural")) and not setting


def _before_things(tokens: list[Token], at: int) -> bool:
    after = next((t for t in tokens[at + 1 :] if t.text != "的"), None)
    return after is not None and after.kind in DEVICE_KINDS


def _is_delay(tokens: list[Token], at: int) -> bool:
    """A duration that says when: ``十分钟后``, ``in 10 minutes``."""
    after = next((t for t in tokens[at + 1 :] if t.kind != "number"), None)
    if after is not None and after.kind == "timing":
        return True
    before = next((t for t in reversed(tokens[:at]) if t.kind != "number"), None)
    return before is not None and before.text in {"in", "after", "等", "过"}


def _flag(name: str) -> Sort:
    def add(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
        slots.flags.add(name or says(token))

    return add


def _quantifier(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add(says(token))


def _except(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    slots.flags.add(says(token))


def _negation(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = says(token)
    rest = [t for t in tokens[at + 1 :] if t.kind not in {"filler", "mark"}]
    if token.text == "不" and not rest:
        slots.questions.append(Token(token.text, "question", token.start, token.end, {"is": "final"}))
        return
    if sense == "not" and rest and says(rest[0]) == "state" and "着" in rest[0].text:
        sense = "let_stay"
    slots.flags.add(sense)
    if token.text in {"不开", "不关"}:
        slots.verbs.append(
            Token(token.text[1], "verb", token.start, token.end, {"is": "on_open" if token.text[1] == "开" else "off_close"})
        )


def _particle(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    sense = says(token)
    if sense in {"up", "down"} and any(says(t) not in {"set", "leave"} for t in slots.verbs):
        if slots.verbs[-1].text == "shut" and sense == "up":
            slots.verbs[-1] = Token("shut up", "verb", token.start, token.end, {"is": "mute"})
    elif sense in {"up", "down"}:
        slots.steps.append(Token(token.text, "step", token.start, token.end, {"is": "+" if sense == "up" else "-"}))
    elif not _is_preposition(tokens, at) and not (_acted(slots) and at + 1 < len(tokens) and tokens[at + 1].kind in TARGET_KINDS):
        slots.verbs.append(Token(token.text, "verb", token.start, token.end, {"is": sense}))


def _acted(slots: Slots) -> bool:
    return any(says(t) not in {"set", "leave"} for t in slots.verbs)


def _is_preposition(tokens: list[Token], at: int) -> bool:
    """``on`` before a place or an article is a preposition: ``the light on the balcony``."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if tokens[at].text != "on" or after is None:
        return False
    return after.kind in {"room", "floor", "zone"} or after.text in {"the", "my", "our", "floor"}


def _type(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    first = not any(t.kind not in {"filler", "conj", "light_verb", "negation"} for t in tokens[:at])
    others = any(t.kind in TARGET_KINDS or t.kind == "reference" for t in tokens[at + 1 :])
    verb = also(token, "verb")
    if first and others and also(token, "light_verb") is not None:
        return
    if first and verb is not None:
        slots.verbs.append(Token(token.text, "verb", token.start, token.end, {"is": verb}))
        if others and verb == "heat":
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
    if token.text == "开了" and any(t.text in {"把", "将"} for t in tokens[:at]):
        slots.verbs.append(Token("开", "verb", token.start, token.end, {"is": "on_open"}))
    else:
        slots.questions.append(token)


def _reference(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``one of the lamps`` counts; it points at nothing."""
    if token.text == "one" and at + 1 < len(tokens) and tokens[at + 1].text in {"of", "of the"}:
        slots.count = 1
    else:
        slots.references.append(token)


def _confirm(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
    """``no lights on``: a determiner, not an answer."""
    if token.text == "no" and at + 1 < len(tokens) and tokens[at + 1].kind in DEVICE_KINDS:
        slots.flags.add("not")


def _append(name: str) -> Sort:
    def add(slots: Slots, token: Token, tokens: list[Token], at: int) -> None:
        getattr(slots, name).append(token)

    return add


_SORTS: dict[str, Sort] = {
    "verb": _verb, "step": _step, "property": _property, "number": _number, "color": _append("colors"), "white": _append("whites"),
    "extreme": _append("extremes"), "mode": _mode, "choice": _mode, "to": _to, "by": _flag("by"), "quantifier": _quantifier,
    "except": _except, "negation": _negation, "particle": _particle, "type": _type, "reference": _reference,
    "question": _question, "timing": _append("timings"), "condition": _flag(""),
    "media": _media, "confirm": _confirm, "compare": _flag("compare"), "conj": _conj,
}  # fmt: skip
