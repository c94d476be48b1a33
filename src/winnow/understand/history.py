"""What earlier turns give to this one: antecedents of ``it``, answers to our own questions, a yes to a confirmation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from winnow.text.lexicon import surfaces
from winnow.types.dialogue import Turn
from winnow.types.query import Mention, Quantifier, QueryIR, Token
from winnow.understand.mentions import mentions
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS, says

TURNS = 10
"""Turns of the history that are looked at (seed 002 §pit 3)."""
_ASKS = re.compile(r"[?？]\s*$")
_CONFIRMS = re.compile(
    r"确定|确认|继续吗|要.{0,14}吗|可以吗|shall i|should i|go ahead|are you sure|proceed|is that right|right\?", re.IGNORECASE
)
_CHOICES = re.compile(r"还是|哪|which|\bor\b|1[.、]", re.IGNORECASE)
Tag = Callable[[str], list[Token]]
Read = Callable[[str], tuple[QueryIR, ...]]


def last_question(history: Sequence[Turn]) -> tuple[str, str] | None:
    """(what the person said before, our question) when our last turn asked something."""
    if len(history) < 2 or history[-1].role != "assistant" or not _ASKS.search(history[-1].content):
        return None
    said = next((t.content for t in reversed(history[:-1]) if t.role == "user"), "")
    return (said, history[-1].content) if said else None


def answers_yes(tokens: Sequence[Token], question: str) -> bool | None:
    """True for a yes, False for a no to a yes-or-no question, None for anything else."""
    if not _CONFIRMS.search(question) or _CHOICES.search(question):
        return None
    content = [t for t in tokens if t.kind not in {"filler", "mark", "conj", "comment"}]
    if not content or any(t.kind in DEVICE_KINDS | {"room", "word", "number"} for t in content):
        return None
    if any(t.kind == "negation" or (t.kind == "confirm" and says(t) == "no") or t.kind == "except" for t in content):
        return False
    yes = [t for t in content if t.kind == "confirm"]
    rest = [t for t in content if t.kind not in {"confirm", "verb", "particle"}]
    return True if (yes or any(t.kind == "verb" for t in content)) and not rest else None


def re_aimed(tokens: Sequence[Token], history: Sequence[Turn], tag: Tag, read: Read) -> tuple[QueryIR, ...] | None:
    """The request before, aimed at what this turn names instead: an answer to ``which one?``, ``不是这个，是书房的``."""
    content = [t for t in tokens if t.kind not in {"filler", "mark"}]
    if any(
        t.kind in {"verb", "step", "number", "color", "white"} and t.data.get("unit") not in {"ordinal", "count", "floor"} for t in content
    ):
        return None
    asked = last_question(history)
    senses = {says(t) for t in content}
    again = bool(senses & {"not_that", "same", "other"}) or any(t.kind == "conj" for t in content[:1])
    if not (asked and _CHOICES.search(asked[1])) and not again:
        return None
    said = asked[0] if asked else next((t.content for t in reversed(history) if t.role == "user"), "")
    before = [q for q in read(said) if q.action or q.value]
    if not before:
        return None
    query = before[-1]
    if "other" in senses:
        return (replace(query, target=Mention(), references=(), antecedents=(), other_than=query.target),)
    aimed = _aim(query, content, asked[1] if asked else "", tag)
    return aimed or None


def _aim(query: QueryIR, content: Sequence[Token], question: str, tag: Tag) -> tuple[QueryIR, ...]:
    offered = _offered(question, tag)
    ordinal = next((int(float(str(t.data["value"]))) for t in content if t.data.get("unit") == "ordinal"), None)
    if ordinal is not None:
        return (_with(query, offered[ordinal - 1]),) if 0 < ordinal <= len(offered) else ()
    if any(t.kind == "quantifier" for t in content) and offered:
        return tuple(_with(query, o) for o in offered)
    named = [t for t in content if t.kind in DEVICE_KINDS | PLACE_KINDS | {"word"}]
    return (_with(query, named),) if named else ()


def _offered(question: str, tag: Tag) -> list[list[Token]]:
    """The options of a question, in order: each a place, a name or both."""
    options: list[list[Token]] = []
    for token in tag(question):
        if token.kind in PLACE_KINDS:
            options.append([token])
        elif token.kind in DEVICE_KINDS:
            if options and not any(t.kind in DEVICE_KINDS for t in options[-1]):
                options[-1].append(token)
            elif not options or token.kind == "name":
                options.append([token])
    placed = [o for o in options if any(t.kind in PLACE_KINDS for t in o)]
    return placed if len(placed) > 1 else options


def _with(query: QueryIR, named: Sequence[Token]) -> QueryIR:
    """The query with its place or its thing replaced by what is named now."""
    places = [t for t in named if t.kind in PLACE_KINDS]
    things = [t for t in named if t.kind not in PLACE_KINDS]
    kept = [t for t in query.target.tokens if (t.kind not in PLACE_KINDS or not places) and (t.kind in PLACE_KINDS or not things)]
    if places:
        kept = [_kind_of(t) for t in kept]
    target = (*(places or []), *kept, *things)
    return replace(
        query,
        target=Mention(target),
        entity_mentions=tuple(t.text for t in target if t.kind in DEVICE_KINDS),
        scope_include=tuple(r for t in target if t.kind in PLACE_KINDS for r in (t.refs or (says(t),))),
        quantifier=Quantifier.ONE if query.quantifier is Quantifier.ALL and not query.excluded else query.quantifier,
        references=(),
    )


def _kind_of(token: Token) -> Token:
    """The type word a name ends with, for the same thing in another room; the name itself when it ends with none."""
    words = token.text.split()
    types = surfaces("type")
    for start in range(1, len(words)) if token.kind == "name" else ():
        rest = " ".join(words[start:])
        if rest in types:
            return Token(rest, "type", token.start, token.end, {"is": types[rest]})
    return token


def bound(read: Sequence[QueryIR], history: Sequence[Turn], tag: Tag) -> tuple[QueryIR, ...]:
    """Queries without a thing of their own, with what earlier turns mentioned, the last first."""
    if not history or not any(_open(q) for q in read):
        return tuple(read)
    spoken = antecedents(history, tag)
    return tuple(_bind(q, spoken) if _open(q) else q for q in read)


def _open(query: QueryIR) -> bool:
    return bool(query.references) or not query.target.tokens


def _bind(query: QueryIR, spoken: Sequence[Sequence[Mention]]) -> QueryIR:
    kinds = {r.kind for r in query.references}
    things = [t for t in query.target.tokens if t.kind in DEVICE_KINDS | {"word"}]
    if things:
        place = next((t for turn in spoken for m in turn for t in m.tokens if t.kind in PLACE_KINDS), None)
        if "there" in kinds and place is not None:
            return _with(query, [place])
        if "other" in kinds and spoken:
            return replace(query, excluded=(*query.excluded, *(m for m in spoken[0])), references=())
        if "last" in kinds and all(t.kind == "type" for t in things):
            return replace(query, antecedents=tuple(m for turn in spoken for m in reversed(turn)))
        return query
    if "other" in kinds and spoken:
        return replace(query, other_than=spoken[0][-1], references=())
    if "both" in kinds:
        several = next((tuple(turn) for turn in spoken if len(turn) > 1), None)
        return replace(query, antecedents=several, quantifier=Quantifier.ALL) if several else query
    return replace(query, antecedents=tuple(m for turn in spoken for m in reversed(turn)))


def antecedents(history: Sequence[Turn], tag: Tag) -> list[tuple[Mention, ...]]:
    """Mentions of each turn, the last turn first; of a question and its answer the one that says more."""
    out: list[tuple[Mention, ...]] = []
    for turn in reversed(history[-TURNS:]):
        found = tuple(Mention(tuple(m)) for m in _mentioned(tag(turn.content)))
        if not found:
            continue
        if turn.role == "user" and out and len(found) > len(out[-1]):
            out.insert(len(out) - 1, found)
        else:
            out.append(found)
    return out


def _mentioned(tokens: Sequence[Token]) -> list[list[Token]]:
    """The things a turn names, each with the place said before it."""
    run: list[Token] = []
    out: list[list[Token]] = []
    for token in [*tokens, Token("", "mark", 0, 0)]:
        if token.kind in DEVICE_KINDS | PLACE_KINDS:
            run.append(token)
        elif token.kind == "conj" and run:
            run.append(Token(token.text, "conj", token.start, token.end))
        elif token.kind == "mark" and run:
            out.extend(m for m in mentions(run) if any(t.kind in DEVICE_KINDS for t in m))
            run = []
    return out
