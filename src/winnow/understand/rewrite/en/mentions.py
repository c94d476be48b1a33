"""What earlier turns speak of: names, titles, phrases and lists, each as it could be copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from winnow.types.dialogue import Turn
from winnow.understand.rewrite.en.words import ENDS, QUOTES, Token, lists, tokens

READ = 400
"""Characters of an earlier message that are read; what somebody asks about comes early in a long answer."""
OLD = 160
"""The same of an assistant's message that is not among the ``RECENT`` last turns."""
RECENT = 2
LONGEST = 9
"""Words of a copied phrase at most."""
_JOINERS = frozenset({"of", "the", "for", "&", "de", "la", "von", "van", "del", "'s", "'"})
_WH = frozenset({"who", "what", "where", "which", "when", "how", "why"})
_AFTER_TITLE = frozenset({"by", "on", "from", "please", "now", "featuring"})
_LINKS = frozenset({"of", "by", "from", "in", "for", "with", "at", "about"})


class Mention(NamedTuple):
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
    frame: str
    """First word of its sentence, in lower case."""
    opens: bool
    """First phrase of its turn."""
    denied: bool
    """Its sentence says no or not before it."""
    determiner: str
    role: str
    answers: str = ""
    """Question word of the turn before, for the first phrase of an answer."""
    turn: int = 0


def mentions(history: Sequence[Turn]) -> list[Mention]:
    """The phrases of every turn, oldest first."""
    return [
        m._replace(turn=i, answers=_asked(history, i) if m.opens else "")
        for i, turn in enumerate(history)
        for m in _of(read_of(turn, len(history) - i), turn.role)
    ]


def read_of(turn: Turn, back: int) -> str:
    """What is read of a turn that is ``back`` turns ago."""
    return turn.content[: READ if back <= RECENT or turn.role == "user" else OLD]


def _asked(history: Sequence[Turn], i: int) -> str:
    """First question word of the turn before ``i``."""
    if i == 0 or history[i].role != "assistant":
        return ""
    return next((t.low for t in tokens(history[i - 1].content[:READ]) if t.low in _WH), "")


@lru_cache(maxsize=512)
def _of(text: str, role: str) -> tuple[Mention, ...]:
    read = tokens(text)
    spans = list(_chunks(read))
    spans += list(_titles(read))
    spans += list(_lists(read, spans))
    spans += list(_links(read, spans))
    made: dict[str, Mention] = {}
    for start, end, kind in sorted(spans, key=lambda span: (span[0], span[1], span[2] != "title")):
        mention = _mention(text, read, start, end, kind, role)
        if mention is not None:
            made.setdefault(mention.text.lower(), mention)
            if kind == "noun" and (head := _head(mention)) is not None:
                made.setdefault(head.text.lower(), head)
    return tuple(made.values())


def _chunks(read: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    i = 0
    while i < len(read):
        j, kind = _chunk(read, i)
        if j > i:
            yield i, j, kind
        i = max(j, i + 1)


def _chunk(read: Sequence[Token], i: int) -> tuple[int, str]:
    """Where the phrase that begins at ``i`` ends (``i`` where none does), and whether it is a name or a noun."""
    j = i
    while j < len(read) and read[j].low in lists()["determiners"]:
        j += 1
    start, named = j, True
    while j < len(read) and j - start < LONGEST:
        token = read[j]
        if token.kind == "name":
            pass
        elif token.kind == "number" and _numbered(read, i, j):
            named = named and token.text[0].isdigit()
        elif _nominal(token, read[j + 1] if j + 1 < len(read) else None, i, start, j):
            named = False
        elif not (j > start and _joins(read, j)):
            break
        j += 1
    while j > start + 1 and (read[j - 1].low in lists()["ordinals"] or _predicate(read, i, j)):
        j -= 1
    return (j, "name" if named else "noun") if j > start else (i, "")


def _predicate(read: Sequence[Token], i: int, j: int) -> bool:
    """``hot`` of ``Is the oven hot?``: what is asked, not part of the phrase."""
    asked = i > 0 and read[i - 1].opens and read[i - 1].low in {"is", "are", "was", "were"}
    return asked and read[j - 1].kind == "word" and (j == len(read) or read[j].text in ENDS)


def _nominal(token: Token, after: Token | None, i: int, start: int, j: int) -> bool:
    """A word that can be a noun or stand in front of one; ``call`` only behind ``the`` or the like."""
    if token.kind == "verb":
        return j > i and token.low in lists()["nouns"] and (after is None or after.kind != "name")
    return token.kind == "word" and (j == start or not token.low.endswith("ly"))


def _numbered(read: Sequence[Token], i: int, j: int) -> bool:
    """A number inside a phrase: ``4 new messages``, ``the 2 songs``, ``Apollo 13``; never a time of day."""
    after = read[j + 1] if j + 1 < len(read) else None
    if after is not None and after.kind == "word":
        return j == i or read[j - 1].low in lists()["determiners"]
    return j > i and read[j - 1].kind == "name" and (after is None or after.text != ":")


def _joins(read: Sequence[Token], j: int) -> bool:
    """A small word inside a name or before the thing owned: ``Lord of the Rings``, ``Anna 's car``."""
    if read[j].low not in _JOINERS or j + 1 >= len(read):
        return False
    if read[j].low == "'s":
        return read[j + 1].kind in {"word", "name"}
    if read[j - 1].kind != "name" or read[j - 1].opens:
        return read[j - 1].low in _JOINERS and read[j + 1].kind == "name"
    ahead = j + 2 if read[j + 1].low in {"the", "a"} and j + 2 < len(read) else j + 1
    return read[ahead].kind == "name"


def _titles(read: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """What is quoted, and what follows ``play`` or ``the song`` with a capital up to the next mark or ``by``."""
    opened = -1
    for i, token in enumerate(read):
        if token.text in QUOTES:
            if 0 <= opened < i - 1 and i - opened <= LONGEST + 1:
                yield opened + 1, i, "title"
            opened = i
        elif (
            token.low in lists()["made"]
            and i + 1 < len(read)
            and read[i + 1].text[0].isupper()
            and read[i + 1].low != "i"
        ):
            j = i + 1
            while j < len(read) and j - i <= LONGEST and not _closes(read, j):
                j += 1
            yield i + 1, j, "title"


def _closes(read: Sequence[Token], j: int) -> bool:
    """A title is over: a mark, ``by``, ``on Spotify``, ``to my list``."""
    if read[j].kind == "mark":
        return read[j].text != "'"
    after = read[j + 1].low if j + 1 < len(read) else ""
    return read[j].low in _AFTER_TITLE or (
        read[j].low in {"to", "in", "for"} and after in {"my", "your", "me"}
    )


def _lists(read: Sequence[Token], spans: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Phrases joined by ``and`` or commas: all of them together."""
    spans = [s for s in spans if s[2] != "title"]
    for n, (start, end, _) in enumerate(spans):
        last, joined = end, set[str]()
        for begin, stop, _ in spans[n + 1 : n + 6]:
            between = [t.low for t in read[last:begin]]
            if not between or not set(between) <= {"and", "or", ",", "&"}:
                break
            last, joined = stop, joined | ({"and", "&", "or"} & set(between))
            if joined:
                yield start, last, "choice" if "or" in joined else "list"


def _links(read: Sequence[Token], spans: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """A phrase with its complement: ``the album by Nina Simone``."""
    begins = {start: end for start, end, kind in spans if kind in {"name", "noun"}}
    for start, end, kind in spans:
        linked = kind in {"name", "noun", "title"} and end < len(read) and read[end].low in _LINKS
        if linked and 0 < begins.get(end + 1, 0) <= start + LONGEST:
            yield start, begins[end + 1], "link"


def _head(m: Mention) -> Mention | None:
    """``the call`` of ``an incoming call``."""
    if m.words[-1] in lists()["numbers"] or not m.words[-1].isalpha():
        return None
    return m._replace(text=f"the {m.words[-1]}", words=m.words[-1:], kind="head", determiner="the")


def _mention(text: str, read: Sequence[Token], start: int, end: int, kind: str, role: str) -> Mention | None:
    part = read[start:end]
    if any(t.text in ENDS for t in part) or not any(t.kind != "mark" for t in part):
        return None
    determiner = part[0].low if part[0].low in lists()["determiners"] else ""
    body = part[1:] if determiner else part
    words = tuple(t.low for t in body if t.kind != "mark")
    if not words or (kind != "title" and all(w in lists()["function"] for w in words)):
        return None
    said = " ".join(text[part[0].start : part[-1].end].split())
    turned = lists()["turned"].get(determiner) if role == "assistant" else None
    if turned:
        said = turned + said[len(determiner) :]
        determiner = turned
    if part[0].opens and determiner:
        said = determiner + said[len(determiner) :]
    front = _sentence(read, start)
    return Mention(
        said,
        words,
        kind,
        start,
        before=read[start - 1].low if start else "",
        first=not any(t.kind in {"word", "name"} for t in front),
        last=end >= len(read) or read[end].text in ENDS,
        frame=front[0].low if front else "",
        opens=not any(t.kind in {"word", "name"} for t in read[:start]),
        denied=any(t.low in lists()["negations"] for t in front),
        determiner=determiner,
        role=role,
    )


def _sentence(read: Sequence[Token], i: int) -> Sequence[Token]:
    """The words of the sentence in front of ``i``."""
    j = i
    while j > 0 and read[j - 1].text not in ENDS:
        j -= 1
    return read[j:i]
