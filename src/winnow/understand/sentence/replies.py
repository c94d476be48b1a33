"""Turns that answer: a yes or a no to a confirmation, a choice among what we offered, the same for another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from winnow.types.dialogue import Turn
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, QueryIR, Token
from winnow.understand.sentence.history import Tag, retargeted
from winnow.understand.sentence.slots import says

_ASKS = re.compile(r"[?？]\s*$")
_CONFIRMS = re.compile(
    r"确定|确认|继续吗|(?<![需还])要(?!别的|其他|帮).{0,14}吗|可以吗|shall i|should i|go ahead|are you sure|proceed|is that right|right\?",
    re.IGNORECASE,
)
_CHOICES = re.compile(r"还是|哪|which|\bor\b|1[.、]", re.IGNORECASE)
Read = Callable[[str], tuple[QueryIR, ...]]
_ASIDE = frozenset({"filler", "mark", "conj", "comment"})
_COUNTED = frozenset({"ordinal", "count", "floor"})
_ACTS = frozenset({"verb", "step", "number", "color", "white"})
_STARTING = frozenset({"on", "on_open", "open", "start", "run", "unlock"})


def last_question(history: Sequence[Turn]) -> tuple[str, str] | None:
    """(what the person said before, our question) when our last turn asked something."""
    if len(history) < 2 or history[-1].role != "assistant" or not _ASKS.search(history[-1].content):
        return None
    said = next((t.content for t in reversed(history[:-1]) if t.role == "user"), "")
    return (said, history[-1].content) if said else None


def answers_yes(tokens: Sequence[Token], question: str, said: Sequence[Token]) -> bool | None:
    """True for a yes, False for a no to a yes-or-no question, None for anything else.

    ``said`` is what the question was about.
    """
    if (
        not _CONFIRMS.search(question)
        or _CHOICES.search(question)
        or any(t.text in {"?", "？"} for t in tokens)
    ):
        return None
    content = [t for t in tokens if t.kind not in _ASIDE]
    if not content or any(t.kind in DEVICE_KINDS | {"room", "word", "number"} for t in content):
        return None
    if any(_denies(t) for t in content):
        return False
    rest = [t for t in content if t.kind not in {"confirm", "verb", "particle"}]
    agreed = any(t.kind in {"confirm", "verb"} for t in content) and not rest
    return True if agreed and _same_act(content, said) else None


def _same_act(content: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether the verbs of an answer are those it agrees to: ``关上吧`` is no yes to opening."""
    acts = {_family(t) for t in said if t.kind in {"verb", "particle"}}
    return all(_family(t) in acts for t in content if t.kind in {"verb", "particle"})


def _family(token: Token) -> str:
    return (
        "start"
        if says(token) in _STARTING
        else says(token).replace("off_close", "off").replace("close", "off")
    )


def _denies(token: Token) -> bool:
    sense = says(token)
    negated = token.kind == "negation" and sense in {"not", "never_mind"}
    return (
        negated
        or (token.kind == "confirm" and sense == "no")
        or token.kind == "except"
        or sense == "not_that"
    )


def re_aimed(
    tokens: Sequence[Token], history: Sequence[Turn], tag: Tag, read: Read
) -> tuple[QueryIR, ...] | None:
    """The request before, aimed at what this turn names instead: an answer to ``which one?``, ``不是那盏，是走廊的``.

    Empty when the turn declines; None when it is a turn of its own.
    """
    content = [t for t in tokens if t.kind not in {"filler", "mark"}]
    if any(t.kind in _ACTS and t.data.get("unit") not in _COUNTED for t in content):
        return None
    asked = last_question(history)
    choosing = bool(asked and _CHOICES.search(asked[1]))
    senses = {says(t) for t in content}
    if (
        not choosing
        and not senses & {"not_that", "same", "other"}
        and not any(t.kind == "conj" for t in content[:1])
    ):
        return None
    said = asked[0] if asked else next((t.content for t in reversed(history) if t.role == "user"), "")
    before = [q for q in read(said) if q.action or q.value]
    if not before:
        return None
    query = before[-1]
    if "other" in senses and not choosing:
        return (replace(query.about(), references=(), antecedents=(), other_than=query.target),)
    wanted, denied = _sides(tokens)
    offered = _offered(asked[1], tag) if asked and choosing else []
    if denied and not _named(wanted):
        left = [o for o in offered if not _overlap(o, _named(denied))] if _named(denied) else []
        return (retargeted(query, left[0], answering=True),) if len(left) == 1 else ()
    if any(t.data.get("unit") == "ordinal" for t in wanted):
        return _aim(query, wanted, offered)
    return _aim(query, wanted, offered) or None


ABOUT = re.compile("(?:呢|的)[?]?$|^(?:and|what about|how about|what of)\\b")
"""Turns that ask the last question of something else."""


def asked_again(
    text: str, tokens: Sequence[Token], history: Sequence[Turn], read: Read
) -> tuple[QueryIR, ...]:
    """``卧室呢``, ``what about the kitchen``: the question before, of another place or thing.

    Empty if that was none for a home.
    """
    named = _named(t for t in tokens if t.text != "about")
    other = {t.kind for t in tokens if t.text != "about"} - DEVICE_KINDS - PLACE_KINDS
    if (
        not ABOUT.search(text)
        or not named
        or not other <= {"filler", "mark", "conj", "question", "reference"}
    ):
        return ()
    said = next((t.content for t in reversed(history) if t.role == "user"), "")
    return tuple(retargeted(q, named) for q in read(said))


def _sides(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """What a turn wants and what it turns down, clause by clause."""
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        turned = token.text in {"是", "而是", "要"} and any(_denies(t) for t in clauses[-1])
        if turned or (token.kind == "mark" and says(token) in {"strong", "weak"}):
            clauses.append([])
        if token.kind not in {"filler", "mark"}:
            clauses[-1].append(token)
    wanted = [t for c in clauses for t in c if not any(_denies(d) for d in c)]
    return wanted, [t for c in clauses for t in c if any(_denies(d) for d in c)]


def _named(tokens: Iterable[Token]) -> list[Token]:
    return [
        t
        for t in tokens
        if t.kind in DEVICE_KINDS | PLACE_KINDS | {"word"} or t.data.get("unit") == "ordinal"
    ]


def _overlap(option: Sequence[Token], named: Sequence[Token]) -> bool:
    texts = {t.text for t in named}
    refs = {r for t in named for r in t.refs}
    return any(t.text in texts or refs & set(t.refs) for t in option)


def _aim(query: QueryIR, content: Sequence[Token], offered: Sequence[Sequence[Token]]) -> tuple[QueryIR, ...]:
    answering = bool(offered)
    ordinal = next(
        (int(float(str(t.data["value"]))) for t in content if t.data.get("unit") == "ordinal"), None
    )
    if ordinal is not None:
        return (
            (retargeted(query, offered[ordinal - 1], answering=True),) if 0 < ordinal <= len(offered) else ()
        )
    if any(t.kind == "quantifier" and says(t) in {"all", "both"} for t in content) and offered:
        return tuple(retargeted(query, o, answering=True) for o in offered)
    named = _named(content)
    return (retargeted(query, named, answering=answering),) if named else ()


def _offered(question: str, tag: Tag) -> list[list[Token]]:
    """The options of a question, in order: each a place, a name or both."""
    options: list[list[Token]] = []
    for token in tag(question):
        if token.kind in PLACE_KINDS and len(token.refs) == 1:
            options.append([token])
        elif token.kind in DEVICE_KINDS:
            if options and not any(t.kind in DEVICE_KINDS for t in options[-1]):
                options[-1].append(token)
            elif not options or token.kind == "name":
                options.append([token])
    placed = [o for o in options if any(t.kind in PLACE_KINDS for t in o)]
    return placed if len(placed) > 1 else options
