"""The window of a dialogue: exchanges that are never split, which of them stay, and topic shifts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b
from math import log1p
from typing import Any, cast

from winnow.context.compress.features import word_embedder
from winnow.language.content_words import content_terms, telling_terms, whole_words
from winnow.language.linear import probability
from winnow.language.scope_words import ahead, behind, limited_spans
from winnow.language.sentences import TextSpan
from winnow.language.tables import table
from winnow.language.tokens import Counter
from winnow.ports.services import Embedder
from winnow.types.context import ChatMessage, DialogueState, WindowKind, WindowSettings
from winnow.types.utterance import OTHER_ROLES

INSTRUCTION_ROLES = frozenset(OTHER_ROLES) - {"tool", "function"}
"""Roles of messages that are no part of the dialogue."""
CUT_MARK = " … "
"""Stands where the middle of a text was taken out."""
MAX_TOKEN_CHARS = 16
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
    def user_text(self) -> str:
        """What the person said."""
        return " ".join(_texts_of_roles(self.messages, ("user",)))

    @cached_property
    def reply_text(self) -> str:
        """What was answered."""
        return " ".join(_texts_of_roles(self.messages, ("assistant",)))

    @cached_property
    def text(self) -> str:
        """Both."""
        return f"{self.user_text} {self.reply_text}".strip()

    @property
    def texts(self) -> Iterator[str]:
        """What each message says."""
        return _texts_of_roles(self.messages, ("user", "assistant"))

    def tokens(self, counter: Counter) -> int:
        """Tokens of all its messages."""
        return sum(map(counter.message, self.messages))


def split_exchanges(history: Sequence[ChatMessage]) -> tuple[Exchange, ...]:
    """The turns of a dialogue, oldest first. Each begins with what a person says, as far as somebody did."""
    groups: list[list[ChatMessage]] = []
    for message in history:
        role = message.get("role")
        if role in INSTRUCTION_ROLES:
            continue
        is_next = role == "user" and groups and any(one.get("role") != "user" for one in groups[-1])
        if is_next or not groups:
            groups.append([])
        groups[-1].append(message)
    return tuple(Exchange(tuple(group), place=n) for n, group in enumerate(groups))


def shorten_exchange(exchange: Exchange, tokens: int, counter: Counter) -> Exchange | None:
    """The turn with its longest texts cut in the middle, none of them to nothing; None: that is not possible.

    What depends on nothing but the turn and the number, so that it is the same each time.
    """
    bare = tuple({**one, "content": ""} if one.get("content") else one for one in exchange.messages)
    left = tokens - sum(map(counter.message, bare))
    if left < 0:
        return None
    texts = [_message_content(one) for one in exchange.messages]
    room, mark = _shared_room([counter.count(text) for text in texts], left), CUT_MARK.strip()
    cut = tuple(
        one if not text else {**one, "content": cut_text(text, most, counter) or mark}
        for one, text, most in zip(exchange.messages, texts, room, strict=True)
    )
    made = replace(exchange, messages=cut, limit=tokens, of=exchange.key)
    says = made.tokens(counter) <= tokens and any(one.get("content") not in (None, mark) for one in cut)
    return made if says else None


def _shared_room(sizes: Sequence[int], left: int) -> Sequence[int]:
    """What each may have: the short ones all of it, the long ones each the same."""
    room = [0] * len(sizes)
    for n, at in enumerate(sorted(range(len(sizes)), key=lambda i: sizes[i])):
        room[at] = min(sizes[at], left // (len(sizes) - n))
        left -= room[at]
    return room


def cut_text(text: str, tokens: int, counter: Counter) -> str:
    """The text within so many tokens: as much as fits of its beginning and its end.

    No statement that a word turns round or limits is torn; empty where nothing else would be left.
    """
    if counter.count(text) <= tokens:
        return text
    whole = limited_spans(text)
    low, high = 0, min(len(text), tokens * MAX_TOKEN_CHARS)
    while low < high:  # most characters that fit
        middle = (low + high + 1) // 2
        fits = counter.count(_without_middle(text, middle, whole)) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    cut = _without_middle(text, low, whole)
    return "" if cut == CUT_MARK else cut


def _without_middle(text: str, characters: int, whole: Sequence[TextSpan]) -> str:
    first = (characters + 1) // 2
    last = behind(whole, len(text) - (characters - first))
    return f"{text[: ahead(whole, first)].rstrip()}{CUT_MARK}{text[last:].lstrip()}"


def _texts_of_roles(messages: Sequence[ChatMessage], roles: tuple[str, ...]) -> Iterator[str]:
    return (text for one in messages if one.get("role") in roles and (text := _message_content(one)))


def _message_content(message: ChatMessage) -> str:
    """What a message says, also where it is written as a list of parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return " ".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping)).strip()


# What stayed of a dialogue since the turn before, and what is new.

MAX_UNFINISHED = 2
"""Turns at the end that may be others now: one that went on with a tool, one that was said anew."""


def continue_window(
    turns: Sequence[Exchange], held: DialogueState, counter: Counter
) -> tuple[Exchange, ...] | None:
    """The turns the window held, as they stood, and all that came after them; None: it is another dialogue.

    A host may hand in only the end of a dialogue; what was held and is not there any more is gone.
    """
    if not held.window:
        return None if held.count else tuple(turns)
    for later in range(min(MAX_UNFINISHED, len(held.window))):
        known = held.window[: len(held.window) - later]
        # The last turn of the window stands where it stood, else where it is seen last.
        expected = held.count - 1 - later
        order = [expected, *range(len(turns) - 1, -1, -1)]
        last = next((n for n in order if 0 <= n < len(turns) and turns[n].key == known[-1][0]), None)
        if last is not None:
            kept = _window_turns(turns[: last + 1], known, counter)
            return None if kept is None else (*kept, *turns[last + 1 :])
    return None


def _window_turns(
    turns: Sequence[Exchange], kept: Sequence[tuple[str, int]], counter: Counter
) -> list[Exchange] | None:
    """The turns of these digests, in order; those that are gone from the beginning are left out."""
    found: list[Exchange] = []
    waiting = list(kept)
    for turn in reversed(turns):
        if waiting and turn.key == waiting[-1][0]:
            limit = waiting.pop()[1]
            as_it_stood = shorten_exchange(turn, limit, counter) if limit else turn
            if as_it_stood is None:
                return None
            found.append(as_it_stood)
    return found[::-1]


# What the words of a turn tell of its place in the dialogue. The words themselves are data (window.yaml).

MAX_TURN_CHARS = 1000
"""Characters of a turn that are read for such words, at its beginning."""


def window_words() -> dict[str, Any]:
    """The table of words and weights."""
    return cast("dict[str, Any]", table("winnow.context", "data/window.yaml"))


def wants_new_topic(text: str) -> bool:
    """Whether the person asks for another topic."""
    return _matches_kind("wish", text) and not _matches_kind("but", text)


def things_asked(text: str) -> int:
    """How many things a question asks, by the words that ask."""
    asked = len(_window_pattern("asks").findall(text[:MAX_TURN_CHARS].strip()))
    return max(asked, 2) if _matches_kind("compares", text) else asked


def _matches_kind(what: str, text: str) -> bool:
    return bool(_window_pattern(what).search(text[:MAX_TURN_CHARS].strip()))


@cache
def _window_pattern(what: str) -> re.Pattern[str]:
    """All patterns of that kind, of both languages: people mix them."""
    said = window_words()[what]
    return re.compile("|".join(f"(?:{one})" for language in said.values() for one in language), re.IGNORECASE)


is_decision = partial(_matches_kind, "decision")
"""Whether something was settled."""
is_personal = partial(_matches_kind, "telling")
"""Whether something is told of the person, or that has to be remembered."""
is_pointing_back = partial(_matches_kind, "pointing")
"""Whether the words point back to what was said before."""


# Whether a dialogue turned to something else than it was about.

TOPIC_TURNS, MIN_TOPIC_TURNS = 8, 3
"""Turns, counted from the last one, that are compared: at most and at least."""
MAX_TOPIC_CHARS = 600
"""Characters of a turn that are compared."""


@dataclass(frozen=True, slots=True)
class TopicShift:
    """How likely the dialogue turned to another topic, 0..1; ``is_requested``: the person says so."""

    shift: float = 0.0
    least: float = 1.0
    """From which chance on it is taken for true."""
    is_requested: bool = False
    is_first: bool = False
    """Whether the question alone tells: the one after it may show that it goes on all the same."""
    is_suspected: bool = False
    """Whether less would be enough to take it for true if the next question says so too."""

    @property
    def is_new_topic(self) -> bool:
        """Whether it is another topic."""
        return self.is_requested or self.shift >= self.least


def topic_shift(
    question: str,
    turns: Sequence[Exchange],
    embedder: Embedder | None,
    said: str = "",
    was_suspected: bool = False,
) -> TopicShift:
    """What question and last turn are to those before, else what the question alone is to the last ones.

    ``question``: the standalone query; ``said``: the words it was made of; ``was_suspected``: what was found
    of the question before. Too few turns have nothing to turn from.
    """
    if question and turns and wants_new_topic(question):
        return TopicShift(1.0, is_requested=True)
    if not question or len(turns) < MIN_TOPIC_TURNS:
        return TopicShift()
    weights = cast("Mapping[str, Mapping[str, float]]", table("winnow.context", "data/topic.yaml"))
    second, first = weights["words" if embedder is None else "meaning"], weights["first"]
    chance = probability(topic_features(question, turns[-TOPIC_TURNS:], embedder), second)
    # Another embedder has other cosines: taken by the weights of the table, anything might begin a topic.
    if embedder is None or word_embedder(embedder) is None:
        return TopicShift(chance, second["least"])
    found = TopicShift(chance, first["confirmed" if was_suspected else "unsuspected"])
    if found.is_new_topic:
        return found
    known = first_features(said or question, turns[-FIRST_TURNS:], embedder)
    known["rewritten"] = float(said not in ("", question))
    chance = probability(known, first)
    return TopicShift(chance, first["least"], is_first=True, is_suspected=chance >= first["suspected"])


FIRST_TURNS = 3
"""Turns that a question is held against by itself, counted from the last one."""
FIRST_CHARS = 120
"""Characters of each message of these that are read: a long reply has words that are near to anything."""


def first_features(said: str, turns: Sequence[Exchange], embedder: Embedder) -> dict[str, float]:
    """What a question alone tells: how near it and its words are to the last turns, and what kind it is."""
    told = [text[:FIRST_CHARS] for turn in turns for text in turn.texts]
    words = whole_words(said, MAX_TOPIC_CHARS)
    others = tuple(dict.fromkeys(word for text in told for word in whole_words(text, FIRST_CHARS)))
    near = _word_nearness(words, others, embedder)
    both = embedder.embed([said, " ".join(told)])
    return {
        "near_talk": float(both[0] @ both[1]),
        "near_words": sum(near) / len(near),
        "pointing": float(is_pointing_back(said)),
        "aside": float(_matches_kind("aside", said)),
        "names": log1p(len(words)),
    }


def _word_nearness(words: Sequence[str], others: Sequence[str], embedder: Embedder) -> list[float]:
    """For each word how near the nearest of the others is, 1 where one is a part of the other."""
    if not words or not others:
        return [1.0]
    vectors = embedder.embed([*words, *others])
    cosines = vectors[: len(words)] @ vectors[len(words) :].T
    for row, word in zip(cosines, words, strict=True):
        row[[len(word) > 1 < len(other) and (word in other or other in word) for other in others]] = 1
    return cast("list[float]", cosines.max(1).tolist())


def topic_features(question: str, turns: Sequence[Exchange], embedder: Embedder | None) -> dict[str, float]:
    """What tells: shared terms, the nearness of meanings, words that point back; each 0..1.

    ``turns``: the last ones, oldest first, at least two.
    """
    last, before = turns[-1], [turn.text[:MAX_TOPIC_CHARS] for turn in turns[:-1]]
    asked, told, said = (
        topic_terms(question),
        topic_terms(last.text[:MAX_TOPIC_CHARS]),
        topic_terms(last.user_text[:MAX_TOPIC_CHARS]),
    )
    earlier = frozenset[str]().union(*map(topic_terms, before))
    shares = {
        "question_before": (asked, earlier),
        "last_before": (said, earlier),
        "question_last": (asked, told),
    }
    known = {name: len(one & other) / len(one) if one else 1.0 for name, (one, other) in shares.items()}
    known["pointing"] = float(is_pointing_back(question))
    if embedder is None:
        return known
    return known | _topic_nearness((question, last.text[:MAX_TOPIC_CHARS]), before, embedder)


def _topic_nearness(now: tuple[str, str], before: Sequence[str], embedder: Embedder) -> dict[str, float]:
    """Cosines of question and last turn with those before, and with each other."""
    vectors = embedder.embed([*now, *before])
    near, last_near = (vectors[2:] @ vectors[:2].T).max(0).tolist()
    both = max(0.0, float(vectors[0] @ vectors[1]))
    return {"question_near": max(0.0, near), "last_near": max(0.0, last_near), "near_last": both}


@lru_cache(maxsize=4096)
def topic_terms(text: str) -> frozenset[str]:
    """What a text is about: its words, and pairs of characters rather than single ones."""
    return frozenset(telling_terms(text)) or frozenset(content_terms(text))


# Which turns stay word for word when a dialogue is built anew.

MAX_TURN_SHARE = 0.5
"""A turn that would take more than this part of the room is cut to it."""
MIN_TURN_TOKENS = 80
"""Tokens that a turn is cut to, at least; below, it is better told in short."""
MAX_WINDOW_TURNS = 60
"""Turns, counted from the last one, that may stay: older ones are looked up."""

TurnWorth = Callable[[Exchange], float]


def select_window(
    turns: Sequence[Exchange], question: str, room: int, settings: WindowSettings, counter: Counter
) -> tuple[Exchange, ...]:
    """The turns that stay, in order, together within ``room`` tokens; the last one always does if it can.

    What is too long for the room is cut; no turn is ever split.
    """
    kept: list[Exchange] = []
    # The last turn, then those that are worth most
    turns = turns[-MAX_WINDOW_TURNS:]
    worth = _turn_worths(turns, question)[settings.kind]
    ranked = [*turns[-1:], *sorted(turns[:-1], key=worth, reverse=True)]
    for turn in ranked[: settings.turns] if settings.kind == "fixed" else ranked:
        # The turn, cut where it would take too much; None: too little of it would be left
        first: bool = not kept
        most = room if first else int(room * MAX_TURN_SHARE)
        if turn.tokens(counter) <= most:
            fitting: Exchange | None = turn
        else:
            fitting = shorten_exchange(turn, most, counter) if most >= MIN_TURN_TOKENS or first else None
        if fitting is not None:
            kept.append(fitting)
            room -= fitting.tokens(counter)
    return tuple(sorted(kept, key=lambda turn: turn.place))


def _turn_worths(turns: Sequence[Exchange], question: str) -> Mapping[WindowKind, TurnWorth]:
    """How much a turn is worth keeping, for each kind of window."""
    asked, weights = topic_terms(question), window_words()["worth"]
    newest = turns[-1].place if turns else 0

    def importance(turn: Exchange) -> float:
        shared = len(asked & topic_terms(turn.text)) / len(asked) if asked else 0.0
        return float(
            weights["decision"] * is_decision(turn.text)
            + weights["telling"] * is_personal(turn.user_text)
            + weights["topic"] * shared
        )

    def recency(turn: Exchange) -> float:
        return float(0.5 ** ((newest - turn.place) / weights["fades"]))

    return {
        "fixed": lambda turn: turn.place,
        "importance": importance,
        "mixed": lambda turn: importance(turn) + weights["recent"] * recency(turn),
    }
