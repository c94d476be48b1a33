"""A dialogue in turns that are never split: what a person says, calls of tools, their replies, the answer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from typing import Any, cast

from winnow.language.content_words import content_terms, is_character
from winnow.language.scope_words import ahead, behind, limited
from winnow.language.sentences import Span
from winnow.language.tables import table
from winnow.language.tokens import Counter
from winnow.ports.services import Embedder
from winnow.types.context import ChatMessage, Held, WindowKind, WindowSettings
from winnow.types.utterance import PASSED_OVER

INSTRUCTIONS = frozenset(PASSED_OVER) - {"tool", "function"}
"""Roles of messages that are no part of the dialogue."""
CUT = " … "
"""Stands where the middle of a text was taken out."""
LETTERS = 16
"""Characters of a token, at most, as far as texts that people read go."""


@dataclass(frozen=True)
class Exchange:
    """One turn of the dialogue with all its messages, in order."""

    messages: tuple[ChatMessage, ...]
    limit: int = 0
    """Tokens it was cut to; 0: it is whole."""
    place: int = field(default=0, compare=False)
    """Which turn of the dialogue it is, from 0."""
    of: str = ""
    """The digest of what it was cut from."""

    @cached_property
    def key(self) -> str:
        """A digest of what it is or was cut from, the same in every process."""
        if self.of:
            return self.of
        made = blake2b(digest_size=8)
        for message in self.messages:
            content = message.get("content")
            if len(message) == 2 and isinstance(content, str):  # quickly where it is of the plain kind
                written = f"{message.get('role')}\n{content}\n"
            else:
                written = json.dumps(message, ensure_ascii=False, sort_keys=True, default=str)
            made.update(written.encode("utf-8", "surrogatepass"))
        return made.hexdigest()

    @cached_property
    def said(self) -> str:
        """What the person said."""
        return " ".join(_texts(self.messages, ("user",)))

    @cached_property
    def told(self) -> str:
        """What was answered."""
        return " ".join(_texts(self.messages, ("assistant",)))

    @cached_property
    def text(self) -> str:
        """Both."""
        return f"{self.said} {self.told}".strip()

    @property
    def texts(self) -> Iterator[str]:
        """What each message says."""
        return _texts(self.messages, ("user", "assistant"))

    def tokens(self, counter: Counter) -> int:
        """Tokens of all its messages."""
        return sum(map(counter.message, self.messages))


def exchanges(history: Sequence[ChatMessage]) -> tuple[Exchange, ...]:
    """The turns of a dialogue, oldest first. Each begins with what a person says, as far as somebody did."""
    groups: list[list[ChatMessage]] = []
    for message in history:
        role = message.get("role")
        if role in INSTRUCTIONS:
            continue
        is_next = role == "user" and groups and any(one.get("role") != "user" for one in groups[-1])
        if is_next or not groups:
            groups.append([])
        groups[-1].append(message)
    return tuple(Exchange(tuple(group), place=n) for n, group in enumerate(groups))


def shortened(exchange: Exchange, tokens: int, counter: Counter) -> Exchange | None:
    """The turn with its longest texts cut in the middle; None: calls alone are more than that.

    What depends on nothing but the turn and the number, so that it is the same each time.
    """
    bare = tuple({**one, "content": ""} if one.get("content") else one for one in exchange.messages)
    left = tokens - sum(map(counter.message, bare))
    if left < 0:
        return None
    texts = [_content(one) for one in exchange.messages]
    sizes = [counter.count(text) for text in texts]
    room = [0] * len(sizes)
    # The short ones may have all of it, the long ones each the same.
    for n, at in enumerate(sorted(range(len(sizes)), key=lambda i: sizes[i])):
        room[at] = min(sizes[at], left // (len(sizes) - n))
        left -= room[at]
    cut = tuple(
        one if not text else {**one, "content": cut_to(text, most, counter)}
        for one, text, most in zip(exchange.messages, texts, room, strict=True)
    )
    return replace(exchange, messages=cut, limit=tokens, of=exchange.key)


def cut_to(text: str, tokens: int, counter: Counter) -> str:
    """The text within so many tokens: as much as fits of its beginning and its end.

    No statement that a word turns round or limits is torn; empty where nothing else would be left.
    """
    if counter.count(text) <= tokens:
        return text
    whole = limited(text)
    low, high = 0, min(len(text), tokens * LETTERS)
    while low < high:  # most characters that fit
        middle = (low + high + 1) // 2
        fits = counter.count(_without_middle(text, middle, whole)) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    cut = _without_middle(text, low, whole)
    return "" if cut == CUT else cut


def _without_middle(text: str, characters: int, whole: Sequence[Span]) -> str:
    first = (characters + 1) // 2
    last = behind(whole, len(text) - (characters - first))
    return f"{text[: ahead(whole, first)].rstrip()}{CUT}{text[last:].lstrip()}"


def _texts(messages: Sequence[ChatMessage], roles: tuple[str, ...]) -> Iterator[str]:
    return (text for one in messages if one.get("role") in roles and (text := _content(one)))


def _content(message: ChatMessage) -> str:
    """What a message says, also where it is written as a list of parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return " ".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping)).strip()


# What stayed of a dialogue since the turn before, and what is new.


UNFINISHED = 2
"""Turns at the end that may be others now: one that went on with a tool, one that was said anew."""


def continued(turns: Sequence[Exchange], held: Held, counter: Counter) -> tuple[Exchange, ...] | None:
    """The turns the window held, as they stood, and all that came after them; None: it is another dialogue.

    A host may hand in only the end of a dialogue; what was held and is not there any more is gone.
    """
    if not held.kept:
        return None if held.count else tuple(turns)
    for later in range(min(UNFINISHED, len(held.kept))):
        known = held.kept[: len(held.kept) - later]
        # The last turn of the window stands where it stood, else where it is seen last.
        expected = held.count - 1 - later
        order = [expected, *range(len(turns) - 1, -1, -1)]
        last = next((n for n in order if 0 <= n < len(turns) and turns[n].key == known[-1][0]), None)
        if last is not None:
            kept = _found(turns[: last + 1], known, counter)
            return None if kept is None else (*kept, *turns[last + 1 :])
    return None


def _found(
    turns: Sequence[Exchange], kept: Sequence[tuple[str, int]], counter: Counter
) -> list[Exchange] | None:
    """The turns of these digests, in order; those that are gone from the beginning are left out."""
    found: list[Exchange] = []
    waiting = list(kept)
    for turn in reversed(turns):
        if waiting and turn.key == waiting[-1][0]:
            limit = waiting.pop()[1]
            as_it_stood = shortened(turn, limit, counter) if limit else turn
            if as_it_stood is None:
                return None
            found.append(as_it_stood)
    return found[::-1]


# What the words of a turn tell of its place in the dialogue. The words themselves are data (window.yaml).


READ = 1000
"""Characters of a turn that are read for such words, at its beginning."""


def told() -> dict[str, Any]:
    """The table of words and weights."""
    return cast("dict[str, Any]", table("winnow.context", "data/window.yaml"))


def wished(text: str) -> bool:
    """Whether the person asks for another topic."""
    return _says("wish", text) and not _says("but", text)


def decided(text: str) -> bool:
    """Whether something was settled."""
    return _says("decision", text)


def telling(text: str) -> bool:
    """Whether something is told of the person, or that has to be remembered."""
    return _says("telling", text)


def pointing(text: str) -> bool:
    """Whether the words point back to what was said before."""
    return _says("pointing", text)


def _says(what: str, text: str) -> bool:
    return bool(_pattern(what).search(text[:READ].strip()))


@cache
def _pattern(what: str) -> re.Pattern[str]:
    """All patterns of that kind, of both languages: people mix them."""
    said = told()[what]
    return re.compile("|".join(f"(?:{one})" for language in said.values() for one in language), re.IGNORECASE)


# Whether a dialogue turned to something else than it was about.


LOOKED_AT, FEWEST = 8, 3
"""Turns, counted from the last one, that are compared: at most and at least."""
READ_TOPIC = 600
"""Characters of a turn that are compared."""


@dataclass(frozen=True, slots=True)
class Topic:
    """How likely the dialogue turned to another topic, 0..1; ``wished``: the person says so."""

    shift: float = 0.0
    least: float = 1.0
    """From which chance on it is taken for true."""
    wished: bool = False

    @property
    def turned(self) -> bool:
        """Whether it is another topic."""
        return self.wished or self.shift >= self.least


def topic(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> Topic:
    """What the question and the last turn are to those before; too few turns have nothing to turn from."""
    if question and turns and wished(question):
        return Topic(1.0, wished=True)
    if not question or len(turns) < FEWEST:
        return Topic()
    weights: Mapping[str, float] = cast(
        "Mapping[str, Mapping[str, float]]", table("winnow.context", "data/topic.yaml")
    )["words" if embedder is None else "meaning"]
    known = features(question, turns[-LOOKED_AT:], embedder)
    total = weights["bias"] + sum(weights[name] * x for name, x in known.items())
    return Topic(1 / (1 + math.exp(-total)), weights["least"])


def features(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> dict[str, float]:
    """What tells: shared terms, the nearness of meanings, words that point back; each 0..1.

    ``turns``: the last ones, oldest first, at least two.
    """
    last, before = turns[-1], [turn.text[:READ_TOPIC] for turn in turns[:-1]]
    asked, told, said = terms(question), terms(last.text[:READ_TOPIC]), terms(last.said[:READ_TOPIC])
    earlier = frozenset[str]().union(*map(terms, before))
    shares = {
        "question_before": (asked, earlier),
        "last_before": (said, earlier),
        "question_last": (asked, told),
    }
    known = {name: len(one & other) / len(one) if one else 1.0 for name, (one, other) in shares.items()}
    known["pointing"] = float(pointing(question))
    return (
        known if embedder is None else known | _nearness((question, last.text[:READ_TOPIC]), before, embedder)
    )


def _nearness(now: tuple[str, str], before: Sequence[str], embedder: Embedder) -> dict[str, float]:
    """Cosines of question and last turn with those before, and with each other."""
    vectors = embedder.embed([*now, *before])
    question, last = (vectors[2:] @ vectors[:2].T).max(0).tolist()
    return {
        "question_near": max(0.0, question),
        "last_near": max(0.0, last),
        "near_last": max(0.0, float(vectors[0] @ vectors[1])),
    }


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """What a text is about: its words, and pairs of characters rather than single ones."""
    found = frozenset(content_terms(text))
    pairs = frozenset(term for term in found if not is_character(term))
    return pairs or found


# Which turns stay word for word when a dialogue is built anew.


LARGEST = 0.5
"""A turn that would take more than this part of the room is cut to it."""
LEAST = 80
"""Tokens that a turn is cut to, at least; below, it is better told in short."""
LOOKED_AT_CHOOSE = 60
"""Turns, counted from the last one, that may stay: older ones are looked up."""

Worth = Callable[[Exchange], float]


def chosen(
    turns: Sequence[Exchange], question: str, room: int, settings: WindowSettings, counter: Counter
) -> tuple[Exchange, ...]:
    """The turns that stay, in order, together within ``room`` tokens; the last one always does if it can.

    What is too long for the room is cut; no turn is ever split.
    """
    kept: list[Exchange] = []
    # The last turn, then those that are worth most; of a fixed window no more than its low mark
    turns = turns[-LOOKED_AT_CHOOSE:]
    worth = _worths(turns, question)[settings.kind]
    ranked = [*turns[-1:], *sorted(turns[:-1], key=worth, reverse=True)]
    few = math.ceil(settings.turns * settings.low / settings.high)
    for turn in ranked[:few] if settings.kind == "fixed" else ranked:
        fitting = _fitting(turn, room, counter, first=not kept)
        if fitting is not None:
            kept.append(fitting)
            room -= fitting.tokens(counter)
    return tuple(sorted(kept, key=lambda turn: turn.place))


def _fitting(turn: Exchange, room: int, counter: Counter, *, first: bool) -> Exchange | None:
    """The turn, cut where it would take too much; None: too little of it would be left."""
    most = room if first else int(room * LARGEST)
    if turn.tokens(counter) <= most:
        return turn
    return shortened(turn, most, counter) if most >= LEAST or first else None


def _worths(turns: Sequence[Exchange], question: str) -> Mapping[WindowKind, Worth]:
    """How much a turn is worth keeping, for each kind of window."""
    asked, weights = terms(question), told()["worth"]
    newest = turns[-1].place if turns else 0

    def importance(turn: Exchange) -> float:
        shared = len(asked & terms(turn.text)) / len(asked) if asked else 0.0
        return float(
            weights["decision"] * decided(turn.text)
            + weights["telling"] * telling(turn.said)
            + weights["topic"] * shared
        )

    def recency(turn: Exchange) -> float:
        return float(0.5 ** ((newest - turn.place) / weights["fades"]))

    return {
        "fixed": lambda turn: turn.place,
        "importance": importance,
        "mixed": lambda turn: importance(turn) + weights["recent"] * recency(turn),
    }
