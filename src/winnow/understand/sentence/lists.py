"""Lists of things: ``the owl, the crane and the telly``.

In ``both lamps, the owl and the crane`` the list tells who they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.sentence.mentions import mentions
from winnow.understand.sentence.pieces import Piece
from winnow.understand.sentence.slots import ALSO, Slots, says

_NAMING = frozenset({":", "-", "—"})
"""Marks after which a list tells who is meant."""
SMALL = range(1, 11)
"""Numbers that things are told apart by."""
_COUNTING = frozenset({"both", "count", "all"})


def listed(found: Sequence[Piece]) -> list[Piece]:
    """The pieces with every list joined, and the things that tell what a set is put in its place."""
    found = [_numbered(found[n - 1] if n else None, piece) for n, piece in enumerate(found)]
    out: list[Piece] = []
    at = 0
    while at < len(found):
        if (end := _exempt_end(found, at)) is not None:
            for piece in found[at + 1 : end]:
                piece.slots.excluded, piece.slots.target = list(piece.slots.target), []
            out.extend(found[at:end])
            at = end
            continue
        end = _list_end(found, at) or _by_name(found, at)
        if end is None:
            out.append(found[at])
            at += 1
            continue
        head, items = found[at], list(found[at + 1 : end])
        if _names_a_set(head, items):
            out.append(_explained(head, items))
        else:
            out.extend([head, *(replace(p, joined="conj", in_list=True) for p in items)])
        at = end
    return out


def _list_end(found: Sequence[Piece], at: int) -> int | None:
    """One past the last piece of a list that begins at ``at``.

    Bare things after commas, the last after ``and``.
    """
    head = found[at]
    if not (head.slots.device_words or head.slots.references) or head.slots.questions or head.slots.excluded:
        return None
    end = at + 1
    while end < len(found) and found[end].joined == "mark" and _bare(found[end]):
        end += 1
    if end == len(found) and end > at + 2 and head.slots.acts:
        return end  # turn off the owl, the crane, the telly
    if end == at + 1 or end >= len(found) or found[end].joined != "conj" or not _things(found[end]):
        return None
    return end + 1


def _numbered(before: Piece | None, piece: Piece) -> Piece:
    """``pendants 1 and 2``: the second of the same, not a setting; a doubt when it may be either."""
    slots = piece.slots
    first = next((t for t in piece.tokens if t.kind not in {"filler", "conj"}), None)
    bare = first is not None and first in slots.numbers and first.data.get("unit") == "" and not slots.target
    if (
        before is None
        or first is None
        or not bare
        or slots.flags & {"by"}
        or slots.steps
        or before.slots.has_value
    ):
        return piece
    stem = _stem(before.slots)
    wanting = bool(before.slots.steps or before.slots.properties) or any(
        says(v) == "set" for v in before.slots.verbs
    )
    number = float(str(first.data["value"]))
    if not stem and (wanting or number not in SMALL):
        return piece
    slots.numbers = [n for n in slots.numbers if n is not first]
    if not stem:
        slots.doubts.append(first.text)
    slots.target = [*stem, Token(f"{number:g}", "word", first.start, first.end)]
    return replace(piece, in_list=True)


def _stem(slots: Slots) -> list[Token]:
    """What a numbered thing is called without its number; nothing when it has none."""
    last = slots.target[-1] if slots.target else None
    if last is None or not last.text[-1:].isdigit():
        return []
    slots.target = [_singular(t) for t in slots.target]
    if last.kind == "word":
        return slots.target[:-1]
    return [*slots.target[:-1], Token(last.text.rstrip("0123456789 "), "word", last.start, last.end)]


def _singular(token: Token) -> Token:
    return replace(token, data={**token.data, "plural": False}) if token.data.get("plural") else token


def _exempt_end(found: Sequence[Piece], at: int) -> int | None:
    """One past the last of the exceptions that go on after commas.

    ``except the hall, the kitchen and the porch``.
    """
    head = found[at]
    tail = next((t for t in reversed(head.tokens) if t.kind != "filler"), None)
    if not head.slots.excluded or tail is not head.slots.excluded[-1]:
        return None
    end = at + 1
    while end < len(found) and found[end].joined == "mark" and _exempt(found[end]):
        end += 1
    last = (
        end < len(found) and found[end].joined == "conj" and found[end].mark != "but" and _exempt(found[end])
    )
    return end + last if end + last > at + 1 else None


def _exempt(piece: Piece) -> bool:
    """Whether a piece only names a place or a thing."""
    slots = piece.slots
    said = (
        slots.flags
        or slots.questions
        or slots.excluded
        or slots.timings
        or slots.acts
        or slots.properties
        or slots.references
    )
    named = slots.place_words or slots.device_words
    return bool(named) and not said and not any(t.text in ALSO for t in piece.tokens)


def _by_name(found: Sequence[Piece], at: int) -> int | None:
    """``our robot, Dusty, ...``: a kind between commas with the name of one of it, before the act."""
    if at + 2 >= len(found) or any(p.joined != "mark" for p in found[at + 1 : at + 3]):
        return None
    head, name, act = found[at : at + 3]
    kinds = head.slots.device_words
    alone = _bare(head) and len(kinds) == 1 and kinds[0].kind == "type" and not head.slots.place_words
    named = _bare(name) and any(t.kind == "name" for t in name.slots.target)
    return at + 2 if alone and named and act.slots.acts and not act.slots.target else None


def _things(piece: Piece) -> bool:
    """Whether a piece names things, perhaps with the act for all of them.

    No value, no flag, nothing asked.
    """
    slots = piece.slots
    named = slots.device_words or any(r.text == "one" for r in slots.references) or _word_alone(slots)
    return bool(named) and not (
        slots.flags - {"to"} or slots.questions or slots.excluded or slots.timings or slots.count
    )


def _word_alone(slots: Slots) -> bool:
    return bool(slots.target) and not slots.place_words


def _bare(piece: Piece) -> bool:
    return _things(piece) and not piece.slots.acts and not piece.slots.properties


def _names_a_set(head: Piece, items: Sequence[Piece]) -> bool:
    """Whether what comes before the list is a set that the list explains.

    ``both lamps``, ``these two:``, ``the fans:``.
    """
    slots = head.slots
    kinds = slots.device_words
    several = bool(slots.flags & _COUNTING) or slots.count is not None
    if len(items) == 1:
        return True
    if kinds and not all(t.kind == "type" and t.data.get("plural") for t in kinds):
        return False
    if not kinds and not any(r.text in {"these", "those"} for r in slots.references):
        return False
    if any(t.kind == "conj" for t in slots.target) or any(t.kind == "word" for t in slots.target):
        return False
    return several or items[0].mark in _NAMING or bool(not kinds and slots.references)


def _explained(head: Piece, items: Sequence[Piece]) -> Piece:
    """The items as what is meant, each of the kind and in the place the set was said to be.

    A doubt when they are more or fewer.
    """
    slots = items[-1].slots if items[-1].slots.acts and not head.slots.acts else head.slots
    places = head.slots.place_words
    kinds = head.slots.device_words
    told = [m or [] for p in items for m in (mentions(p.slots.target) or [[]])]
    if head.slots.count is not None and head.slots.count != len(told):
        slots.doubts.append(" ".join(t.text for t in head.tokens))
    target: list[Token] = []
    for mention in told:
        own = {says(t) for t in mention if t.kind == "type"}
        here = [] if any(t.kind in PLACE_KINDS for t in mention) else places
        more = [
            replace(t, data={**t.data, "plural": False})
            for t in kinds
            if says(t) not in own and not _is_whole(mention, own)
        ]
        target += [*([Token("and", "conj", 0, 0)] if target else []), *here, *mention, *more]
    slots.target = target
    slots.references = []
    slots.count = None
    slots.flags = (slots.flags | head.slots.flags) - _COUNTING
    tokens = [t for p in (head, *items) for t in p.tokens]
    return Piece(tokens, head.joined, slots, head.mark)


def _is_whole(mention: Sequence[Token], own: set[str]) -> bool:
    """Whether a mention has a kind of its own and so needs none."""
    return bool(own) and any(t.kind in DEVICE_KINDS for t in mention)
