"""What earlier turns speak of: names, titles, phrases and lists, each as it could be copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from winnow.types.query import has_kind, without_kind
from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.slots import ENDS, QUOTES, EnglishToken, lists, token_at, tokens
from winnow.understand.rewrite.lists import plain

MAX_READ_CHARS = 400
"""Characters of an earlier message that are read; what somebody asks about comes early in a long answer."""
OLD = 160
"""The same of an assistant's message that is not among the ``RECENT`` last turns."""
RECENT = 2
MAX_MENTION_WORDS = 9
"""Words of a copied phrase at most."""
_JOINERS = frozenset({"of", "the", "for", "&", "de", "la", "von", "van", "del", "'s", "'"})
_WH = frozenset({"who", "what", "where", "which", "when", "how", "why"})
_AFTER_TITLE = frozenset({"by", "on", "from", "please", "now", "featuring"})
_BETWEEN = frozenset({"and", "or", ",", "&"})
"""What stands between the phrases of a list."""
_STANDS_FOR = frozenset({"one", "ones"})
_LINKS = frozenset({"of", "by", "from", "in", "for", "with", "at", "about"})


class EnglishMention(NamedTuple):
    """A phrase of one earlier turn."""

    text: str
    """As it is put into the query: ``your mom`` of an assistant is ``my mom``."""
    words: tuple[str, ...]
    """Its words in lower case without determiners."""
    kind: str
    """``name``, ``title``, ``noun``, ``list``, ``choice`` (a list with ``or``),
    ``link`` (a phrase with its complement) or ``head`` (its last word alone)."""
    at: int
    """Place among the words of the turn."""
    before: str
    """The word in front of it, in lower case."""
    first: bool
    """First phrase of its sentence."""
    last: bool
    """Its sentence ends with it."""
    opens: bool
    """First phrase of its turn."""
    denied: bool
    """Its sentence says no or not before it."""
    determiner: str
    role: str
    answers: str = ""
    """Question word of the turn before, for the first phrase of an answer."""
    turn: int = 0


def mentions(history: Sequence[Turn]) -> list[EnglishMention]:
    """The phrases of every turn, oldest first."""
    out: list[EnglishMention] = []
    for i, turn in enumerate(history):
        before = history[i - 1].content[:MAX_READ_CHARS] if i and turn.role == "assistant" else ""
        asked = next(
            (t.low for t in tokens(before) if t.low in _WH), ""
        )  # what an answer's first phrase answers
        found = _of(read_of(turn, len(history) - i), turn.role)
        out += [m._replace(turn=i, answers=asked if m.opens else "") for m in found]
    return out


def read_of(turn: Turn, back: int) -> str:
    """What is read of a turn that is ``back`` turns ago."""
    return plain(turn.content)[: MAX_READ_CHARS if back <= RECENT or turn.role == "user" else OLD]


class PhrasePart(NamedTuple):
    """Words ``start`` up to ``end`` of a turn that may be a phrase, of the ``kind`` of its mention."""

    start: int
    end: int
    kind: str


@lru_cache(maxsize=512)
def _of(text: str, role: str) -> tuple[EnglishMention, ...]:
    read = tokens(text)
    made: dict[str, EnglishMention] = {}
    found = [*_chunks(read), *_quoted_parts(read), *_title_parts(read)]
    found += [*_lists(read, found), *_links(read, found)]
    for part in sorted(found, key=lambda part: (part.start, part.end, part.kind != "title")):
        mention = _mention(text, read, part, role)
        if mention is None:
            continue
        made.setdefault(mention.text.lower(), mention)
        if part.kind == "noun" and (head := _head(mention)) is not None:
            made.setdefault(head.text.lower(), head)
    return tuple(made.values())


def _chunks(read: Sequence[EnglishToken]) -> Iterator[PhrasePart]:
    i = 0
    while i < len(read):
        part = _chunk(read, i)
        if part is not None:
            yield part
        i = part.end if part is not None else i + 1


def _head(m: EnglishMention) -> EnglishMention | None:
    """``the call`` of ``an incoming call``."""
    if m.words[-1] in lists()["numbers"] or not m.words[-1].isalpha():
        return None
    return m._replace(text=f"the {m.words[-1]}", words=m.words[-1:], kind="head", determiner="the")


def _quoted_parts(read: Sequence[EnglishToken]) -> Iterator[PhrasePart]:
    """What stands between two quotation marks."""
    marks = (i for i, token in enumerate(read) if token.text in QUOTES)
    for opened, closed in pairwise(marks):
        if closed - opened <= MAX_MENTION_WORDS + 1:
            yield PhrasePart(opened + 1, closed, "title")


def _chunk(read: Sequence[EnglishToken], i: int) -> PhrasePart | None:
    """The name or noun that begins at ``i``, with its determiners."""
    start = i
    while token_at(read, start).low in lists()["determiners"]:
        start += 1
    end, named = start, True
    while end - start < MAX_MENTION_WORDS and (adds := _adds(read, i, start, end)):
        named = named and adds == "name"
        end += 1
    while end > start + 1 and (read[end - 1].low in lists()["ordinals"] or _predicate(read, i, end)):
        end -= 1
    stands_for = token_at(read, end).low in _STANDS_FOR  # a clear one: what the talk is about, not the clear
    return PhrasePart(i, end, "name" if named else "noun") if end > start and not stands_for else None


def _adds(read: Sequence[EnglishToken], i: int, start: int, j: int) -> str:
    """What the word at ``j`` makes of the phrase begun at ``i``: ``name`` or ``noun``; empty where it ends.

    ``start``: where its determiners end.
    """
    token = token_at(read, j)
    if token.kind == "name":
        return "name"
    if token.kind == "number" and _is_counted_phrase(read, i, j):
        return "name" if token.text[0].isdigit() else "noun"
    if _nominal(read, i, start, j):
        return "noun"
    return "name" if j > start and _joins(read, j) else ""


def _predicate(read: Sequence[EnglishToken], i: int, j: int) -> bool:
    """``hot`` of ``Is the oven hot?``: what is asked, not part of the phrase."""
    asked = i > 0 and read[i - 1].opens and read[i - 1].low in {"is", "are", "was", "were"}
    return asked and read[j - 1].kind == "word" and _ends(read, j)


def _nominal(read: Sequence[EnglishToken], i: int, start: int, j: int) -> bool:
    """A word that can be a noun or stand in front of one; ``call`` only behind ``the`` or the like."""
    token = token_at(read, j)
    if token.kind == "verb":
        return j > i and token.low in lists()["nouns"] and token_at(read, j + 1).kind != "name"
    return token.kind == "word" and (j == start or not token.low.endswith("ly"))


def _is_counted_phrase(read: Sequence[EnglishToken], i: int, j: int) -> bool:
    """A number inside a phrase: ``4 new messages``, ``the 2 songs``, ``Apollo 13``; never a time of day."""
    after = token_at(read, j + 1)
    if after.kind == "word":
        return j == i or read[j - 1].low in lists()["determiners"]
    return j > i and read[j - 1].kind == "name" and after.text != ":"


def _joins(read: Sequence[EnglishToken], j: int) -> bool:
    """A small word inside a name or before the thing owned: ``Lord of the Rings``, ``Anna 's car``."""
    after = token_at(read, j + 1)
    if token_at(read, j).low not in _JOINERS:
        return False
    if read[j].low == "'s":
        return after.kind in {"word", "name"}
    if read[j - 1].kind != "name" or read[j - 1].opens:
        return read[j - 1].low in _JOINERS and after.kind == "name"
    if after.low in {"the", "a"} and j + 2 < len(read):
        after = read[j + 2]
    return after.kind == "name"


def _title_parts(read: Sequence[EnglishToken]) -> Iterator[PhrasePart]:
    """What follows ``play`` or ``the song`` with a capital."""
    for i, token in enumerate(read):
        after = token_at(read, i + 1)
        if token.low in lists()["made"] and after.text[:1].isupper() and after.low != "i":
            start = i + 1
            end = start
            while end < len(read) and end - start < MAX_MENTION_WORDS and not _closes(read, end):
                end += 1
            yield PhrasePart(i + 1, end, "title")


def _closes(read: Sequence[EnglishToken], j: int) -> bool:
    """A title is over: a mark, ``by``, ``on Spotify``, ``to my list``."""
    if read[j].kind == "mark":
        return read[j].text != "'"
    if read[j].low in _AFTER_TITLE:
        return True
    return read[j].low in {"to", "in", "for"} and token_at(read, j + 1).low in {"my", "your", "me"}


def _lists(read: Sequence[EnglishToken], found: Sequence[PhrasePart]) -> Iterator[PhrasePart]:
    """Phrases joined by ``and`` or commas: all of them together."""
    phrases = without_kind(found, "title")
    for n, first in enumerate(phrases):
        end, joined = first.end, set[str]()
        for phrase in phrases[n + 1 : n + 6]:
            between = {t.low for t in read[end : phrase.start]}
            if not between or not between <= _BETWEEN:
                break
            end, joined = phrase.end, joined | between
            if joined != {","}:
                yield PhrasePart(first.start, end, "choice" if "or" in joined else "list")


def _links(read: Sequence[EnglishToken], found: Sequence[PhrasePart]) -> Iterator[PhrasePart]:
    """A phrase with its complement: ``the album by Nina Simone``."""
    ends = {part.start: part.end for part in found if part.kind != "title"}
    for part in found:
        end = ends.get(part.end + 1, 0) if token_at(read, part.end).low in _LINKS else 0
        if 0 < end <= part.start + MAX_MENTION_WORDS:
            yield PhrasePart(part.start, end, "link")


def _mention(text: str, read: Sequence[EnglishToken], part: PhrasePart, role: str) -> EnglishMention | None:
    """The phrase as it could be copied; None where it says nothing by itself."""
    inside = read[part.start : part.end]
    determiner = inside[0].low if inside and inside[0].low in lists()["determiners"] else ""
    words = _words(inside[bool(determiner) :], part.kind)
    if not words:
        return None
    said, determiner = _user_phrase(text, inside, determiner, role)
    j = part.start
    while j > 0 and read[j - 1].text not in ENDS:
        j -= 1
    front = read[j : part.start]
    return EnglishMention(
        said,
        words,
        part.kind,
        part.start,
        before=token_at(read, part.start - 1).low,
        first=not has_kind(front, "word", "name"),
        last=_ends(read, part.end),
        opens=not has_kind(read[: part.start], "word", "name"),
        denied=any(t.low in lists()["negations"] for t in front),
        determiner=determiner,
        role=role,
    )


def _words(inside: Sequence[EnglishToken], kind: str) -> tuple[str, ...]:
    """The words of a phrase; none where it goes over the end of a sentence or is mere grammar."""
    if any(t.text in ENDS for t in inside):
        return ()
    words = tuple(t.low for t in without_kind(inside, "mark"))
    return () if kind != "title" and lists()["function"].issuperset(words) else words


def _user_phrase(text: str, inside: Sequence[EnglishToken], determiner: str, role: str) -> tuple[str, str]:
    """The phrase as the user would say it, and its determiner: an assistant's ``your`` is ``my``."""
    said = " ".join(text[inside[0].start : inside[-1].end].split())
    own = lists()["turned"].get(determiner, determiner) if role == "assistant" else determiner
    if own != determiner or inside[0].opens:
        said = own + said[len(determiner) :]
    return said, own


def _ends(read: Sequence[EnglishToken], i: int) -> bool:
    """Whether a sentence ends before ``i``."""
    return i == len(read) or read[i].text in ENDS
