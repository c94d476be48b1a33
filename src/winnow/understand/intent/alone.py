"""Clauses of a turn with their cues and acts, and the turns an assistant answers without retrieval."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, cast

from winnow.language.normalize import is_han, normalise
from winnow.language.tables import table
from winnow.types.utterance import Turn

# The cues of ``cues.yaml`` as compiled patterns, both languages in one.


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of one section: what it finds in normalised text shows what the section is named for."""
    return either(table(__package__, "cues.yaml")[name])


@cache
def social() -> Mapping[str, re.Pattern[str]]:
    """Act -> the words that do nothing else (``thanks``, ``ack`` ...)."""
    return {act: either(rows) for act, rows in table(__package__, "cues.yaml")["social"].items()}


def acts() -> Mapping[str, str]:
    """Act -> what a turn that does nothing else is called; the strongest first."""
    return cast("Mapping[str, str]", table(__package__, "cues.yaml")["acts"])


def shows(name: str, text: str) -> bool:
    """Whether the text holds a cue of that name."""
    return cue(name).search(text) is not None


def either(rows: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Chinese pieces as they stand; English ones as whole words.

    The first that fits is taken, so longer ones are written first.
    """
    english = "|".join(rows.get("en", ()))
    words = rf"(?<![a-z0-9'])(?:{english})(?:(?<= )|(?![a-z0-9']))" if english else ""
    return re.compile("|".join([*rows.get("zh", ()), *([words] if words else [])]) or "(?!)")


# Clauses of a turn: small talk is taken off, so that only what is asked is classified.


MAX_TURN_CHARS = 600
"""Characters of a turn that are read: its end, where what is asked for usually stands."""
TALK = 90
"""Characters up to which a clause may be nothing but talk."""
ANSWERS = frozenset({"yes", "no", "closing", "unsure"})
"""Acts that may as well be the beginning of a sentence."""
_ASKS = re.compile("..[不没吗么]$")
"""``了解不`` asks, though each of its words is one of talk."""
_CUT = re.compile(r"[。!?;~]+|[,.](?!\d)|\s-+\s")
_SEPARATE = " ,.;:!?。、\"'()-"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause.

    ``rest`` is what it says apart from the talk before and after it; empty when it is nothing but talk.
    """

    text: str
    rest: str
    acts: tuple[str, ...] = ()
    asked: bool = False
    """Whether a question mark closes it."""


@lru_cache(maxsize=256)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a turn, in order; none for a turn without a letter, digit or character."""
    # More is normalised than is read, as marks and spaces may fall away.
    normal = normalise(text, 4 * MAX_TURN_CHARS)[-MAX_TURN_CHARS:]
    out, start = [], 0
    for mark in [*_CUT.finditer(normal), None]:
        piece = normal[start : mark.start() if mark else len(normal)].strip(_SEPARATE)
        if any(c.isalnum() for c in piece):
            out.append(_clause(piece, asked=mark is not None and "?" in mark[0]))
        start = mark.end() if mark else start
    return tuple(out)


def _clause(text: str, *, asked: bool) -> Clause:
    acts, end = _talk(text, glued=True) if len(text) <= TALK else ((), 0)
    if end == len(text) and acts and not (_ASKS.search(text) and "greeting" not in acts):
        return Clause(text, "", acts, asked)
    acts, end = _talk(text, glued=False)
    rest = " ".join(cue("hesitation").sub(" ", text[end:].strip(_SEPARATE)).split())
    rest = cue("filler").sub("", rest)
    rest = rest[: len(rest) - _closing(rest)].strip(_SEPARATE)
    return Clause(text, rest if len(rest) > 1 else text, acts, asked)


def _talk(text: str, *, glued: bool) -> tuple[tuple[str, ...], int]:
    """The acts of the words of talk at the start, and where they end.

    Without ``glued`` one Chinese character is no such word.
    """
    acts: list[str] = []
    at = 0
    while at < len(text):
        act, end = _longest(text, at, glued=glued)
        # One character before more text is seldom talk: it begins a word.
        if end == at or (not glued and (act in ANSWERS or (end - at == 1 and is_han(text[at])))):
            break
        acts += [act] if act else []
        at = end
        while at < len(text) and text[at] in _SEPARATE:
            at += 1
    return tuple(dict.fromkeys(acts)), at


def _longest(text: str, at: int, *, glued: bool) -> tuple[str, int]:
    best, where = "", at
    for act, pattern in social().items():
        found = pattern.match(text, at)
        if found and found.end() > where:
            best, where = act, found.end()
    if glued and where == at:
        found = cue("glue").match(text, at)
        where = found.end() if found else at
    return best, where


def _closing(rest: str) -> int:
    """How many characters at the end are thanks."""
    ends = [m for m in social()["thanks"].finditer(rest) if m.end() == len(rest)]
    return len(rest) - ends[0].start() if ends and ends[0].start() else 0


# The kind of a clause by its form alone, whatever was said before it.


Form = Literal["question", "request", "wish", "statement"]
Kind = Literal[Form, "talk", "stop", "backchannel", "repeat", "tool", "persona", "own"]
ASKING: frozenset[Kind] = frozenset({"question", "request", "own"})
"""Kinds that ask for something to be looked up."""
_IN_ORDER: tuple[Kind, ...] = ("stop", "backchannel", "repeat", "persona")
"""Kinds whose cue settles it, in order of precedence."""


@lru_cache(maxsize=256)
def kind(clause: Clause) -> Kind:
    """The kind of a clause."""
    if not clause.rest:
        return "talk"
    for name in _IN_ORDER:
        if shows(name, clause.rest):
            return name
    if shows("tool", clause.rest) and (not is_question(clause) or shows("to_you", clause.rest)):
        return "tool"
    form = _form(clause)
    return "own" if form in ASKING and shows("own", clause.rest) else form


def _form(clause: Clause) -> Form:
    if is_question(clause):
        return "question"
    if shows("request", clause.rest):
        return "request"
    return "wish" if shows("wish", clause.rest) else "statement"


def is_question(clause: Clause) -> bool:
    """Whether the clause is in the form of a question."""
    if not clause.rest:
        return False
    if clause.asked or shows("particle", clause.rest) or shows("asks_yes_no", clause.rest):
        return True
    return shows("wh", clause.rest) and not shows("indefinite", clause.rest)


def wants(text: str) -> bool:
    """Whether an earlier turn asked for something to be looked up."""
    return any(kind(c) in ASKING or kind(c) == "wish" for c in clauses(text))


# The state of the dialogue before a turn: was something asked, offered, left open?


MAX_TURNS = 10
"""Earlier messages that are read (seed 002)."""


@dataclass(frozen=True, slots=True)
class PrecedingTalk:
    """The state of the talk before a turn. Without a history all is False and empty."""

    said: str = ""
    """The last message of the assistant; empty when the last message is another's."""
    asks: bool = False
    """It ends with a question."""
    offers: bool = False
    """It offers to look something up."""
    waiting: bool = False
    """The person's last request or question was met by a question only: the answer completes it."""
    failed: bool = False
    """It says that it found nothing."""
    desk: bool = False
    """The assistant works a system of its own, and says so."""
    personal: bool = False
    """It speaks of me and you."""
    turns: int = 0


def before(history: Sequence[Turn]) -> PrecedingTalk:
    """What ``history``, oldest first, leaves open."""
    recent = history[-MAX_TURNS:]
    desk = any(t.role == "assistant" and _at_work(t.content) for t in recent)
    if not recent or recent[-1].role != "assistant":
        return PrecedingTalk(desk=desk, turns=len(recent))
    found = clauses(recent[-1].content)
    said, asks = " , ".join(c.text for c in found), _asks(found)
    return PrecedingTalk(
        said=said,
        asks=asks,
        offers=asks and shows("offers", said),
        waiting=asks and _clarifies(found, said) and wants(_last_said(recent)),
        failed=shows("failed", said),
        desk=desk,
        personal=shows("pronoun_i", said) or shows("pronoun_you", said),
        turns=len(recent),
    )


def _asks(found: Sequence[Clause]) -> bool:
    """Whether the last clause asks."""
    return bool(found) and (is_question(found[-1]) or found[-1].asked)


def _clarifies(found: Sequence[Clause], said: str) -> bool:
    """Whether all that is ``said`` asks what the person wishes, not what the person knows."""
    if any(c.rest and not is_question(c) for c in found):
        return False
    return shows("clarifies", said) and not shows("asks_me", said)


@lru_cache(maxsize=256)
def _at_work(text: str) -> bool:
    return shows("desk", normalise(text, MAX_TURN_CHARS))


def _last_said(recent: Sequence[Turn]) -> str:
    return next((t.content for t in reversed(recent) if t.role == "user"), "")


QUOTED = " {q} "
"""Stands where quoted text stood."""
LONGEST_HEAD = 200
"""Characters up to which what is to be done is read: longer turns tell, and seldom ask only that."""
LONG_QUOTE = 24
"""Characters from which a quotation is a text to be worked on, and no title."""
_QUOTE = re.compile(r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|[“「『]([^”」』]+)[”」』]")
_TAIL = re.compile(r"(?<!\d):\s*(?=\S)")
_NAME = re.compile("<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Task:
    """A turn as something to be done.

    ``head`` says what, with quoted text and text after a colon taken out; empty when it is too long for that.
    """

    head: str
    given: int
    """Characters of the longest text that was taken out."""
    colon: bool
    clauses: tuple[Clause, ...]
    before: PrecedingTalk

    @property
    def content_clauses(self) -> tuple[Clause, ...]:
        """The clauses that are more than talk."""
        return tuple(c for c in self.clauses if c.rest)


def task(text: str, turn: Sequence[Clause], state: PrecedingTalk) -> Task:
    """The turn ``text``, cut into ``turn``, in the state of the talk."""
    normal = normalise(text, 4 * MAX_TURN_CHARS)
    quotes = [next(filter(None, m.groups())) for m in _QUOTE.finditer(normal)]
    bare = _QUOTE.sub(QUOTED, normal)
    head, *tail = _TAIL.split(bare, maxsplit=1)
    # Long quoted text is to be worked on; a short quotation may be only a title.
    longest = max(map(len, [*quotes, *tail]), default=0)
    head = " ".join(head.split()).strip(" ,.;!?。")
    return Task(head if len(head) <= LONGEST_HEAD else "", longest, bool(tail), tuple(turn), state)


def on_documents(asked: Task) -> bool:
    """Whether words are to be worked on, or something written, that only documents hold."""
    if asked.given:
        return False
    works = _shows("work", asked.head) or _shows("digest", asked.head)
    return _shows("grounded", asked.head) or (works and _shows("document", asked.head))


def meets_a_need(asked: Task) -> bool:
    """Whether a need is told together with what is at hand to meet it."""
    return _shows("need", asked.head) and _shows("hand", asked.head)


def _sum(asked: Task) -> bool:
    """Nothing but numbers, what is done to them and how that is asked."""
    numbers = len(_pattern("number").findall(asked.head))
    if not numbers or asked.colon or not _only("sum").fullmatch(asked.head):
        return False
    return _shows("root", asked.head) or (numbers > 1 and _shows("operator", asked.head))


def _has_own_material(asked: Task) -> bool:
    """Work on words that stand in the turn or in the talk."""
    if asked.given:
        works = _shows("work", asked.head) or _shows("handled", asked.head)
        whole = asked.colon or asked.given >= LONG_QUOTE
        return works or (whole and _shows("digest", asked.head))
    works = _shows("work", asked.head) or _shows("digest", asked.head)
    return works and _shows("pointed", asked.head) and not _shows("document", asked.head)


def _report(asked: Task) -> bool:
    """Told without asking or wishing anything, with a feeling at its end."""
    if not asked.content_clauses or any(
        is_question(c) or kind(c) in {"request", "own"} for c in asked.content_clauses
    ):
        return False
    last = asked.clauses[-1]
    moved = not last.rest or _shows("moved", last.text) or shows("feeling", last.text)
    told = _shows("report", asked.content_clauses[0].text) and not shows("hearsay", asked.head)
    return moved and told and not _shows("trouble", asked.head)


ALONE: Mapping[str, tuple[str, Callable[[Task], bool]]] = {
    "sum": ("request", _sum),
    # The last answer once more, or in other words
    "repeat": ("request", lambda asked: _shows("again", asked.head)),
    "given": ("request", _has_own_material),
    "creation": (
        "request",
        lambda asked: not _shows("grounded", asked.head) and _only_asks("creation", asked),
    ),
    "manner": (
        "request",
        lambda asked: not (asked.before.waiting or asked.colon) and _each("manner", asked),
    ),
    "recalled": ("question", lambda asked: asked.before.turns > 0 and _only_asks("recalled", asked)),
    "leaving": ("farewell", lambda asked: _each("leaving", asked)),
    "report": ("statement", _report),
}
"""Rule -> what such a turn is called, and whether a turn is one; in order."""


def _each(name: str, asked: Task) -> bool:
    """Whether each clause that says anything is wholly one of those."""
    whole = _pattern(name)
    return bool(asked.content_clauses) and all(
        whole.fullmatch(c.rest) or whole.fullmatch(c.text) for c in asked.content_clauses
    )


def _only_asks(name: str, asked: Task) -> bool:
    """Whether that is asked for, and no clause that is none of those asks for something, too."""
    others = (c for c in asked.content_clauses if not _shows(name, c.text) and not _shows(name, c.rest))
    return _shows(name, asked.head) and not any(kind(c) in {"question", "own"} for c in others)


def _shows(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return either(_expand_names(name))


@cache
def _only(name: str) -> re.Pattern[str]:
    """Fits text made of nothing but those pieces; possessive, so that no text takes long."""
    rows = _expand_names(name)
    return re.compile(rf"(?:(?:{'|'.join(rows['zh'])})\s*)++|(?:(?:{'|'.join(rows['en'])})(?![a-z])\s*)++")


def _expand_names(name: str) -> Mapping[str, Sequence[str]]:
    """The pieces of a section, each ``<name>`` in them replaced by the words of that name."""
    read: Mapping[str, Any] = table(__package__, "alone.yaml")

    def words(language: str, piece: str) -> str:
        named = read["words"][language]
        return _NAME.sub(lambda m: f"(?:{words(language, '|'.join(named[m[1]]))})", piece)

    return {language: [words(language, piece) for piece in rows] for language, rows in read[name].items()}
