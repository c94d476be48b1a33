"""A dialogue in turns that are never split: what a person says, calls of tools, their replies, the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b

from winnow.language.scope import ahead, behind, limited
from winnow.language.sentences import Span
from winnow.text.tokens import Counter
from winnow.types.context import ChatMessage
from winnow.types.dialogue import PASSED_OVER

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
