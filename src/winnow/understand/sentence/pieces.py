"""Cut a sentence into pieces at marks and conjunctions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winnow.types.query import Token
from winnow.understand.sentence.exempt import exempting
from winnow.understand.sentence.mentions import side_by_side
from winnow.understand.sentence.slots import TARGET_KINDS, Slots, fill, says
from winnow.understand.sentence.staying import set_apart


@dataclass(slots=True)
class Piece:
    """A stretch between two cuts, and what cut it from the one before: ``""``, ``mark`` or ``conj``."""

    tokens: list[Token]
    joined: str
    slots: Slots
    mark: str = ""
    """The mark it was cut at, or ``but``."""
    in_list: bool = False
    """Whether it is one thing of a list, whatever it may be."""


def pieces(tokens: Sequence[Token], language: str) -> list[Piece]:
    """The pieces of a sentence, in order."""
    out: list[Piece] = []
    marks = {t.end: t.text for t in tokens if t.kind == "mark"}
    for joined, run in _cut(set_apart(exempting(tokens) if language == "en" else tokens)):
        if any(t.kind not in {"mark", "filler", "conj"} for t in run):
            mark = next((marks[end] for end in range(run[0].start, run[0].start - 3, -1) if end in marks), "")
            out.append(_contrasted(_piece(run, joined, mark, language), out))
    return out


def _piece(run: list[Token], joined: str, mark: str, language: str) -> Piece:
    """``..., that is, A and B``: what is announced so tells who is meant, as after a colon."""
    if joined == "mark" and len(run) > 2 and [t.text for t in run[:2]] == ["that", "is"]:
        run, mark = run[2:], ":"
    slots = fill(_without_reason(run), language)
    slots.target = side_by_side(slots.target, several=bool(slots.flags & {"all", "both", "keep", "not"}))
    return Piece(run, joined, slots, mark)


def _contrasted(piece: Piece, before: Sequence[Piece]) -> Piece:
    """``all the lights but the strip``: a thing after ``but`` without an act of its own is an exception."""
    slots = piece.slots
    if piece.joined == "include":
        piece.joined = "conj"
        slots.flags.add("include")
    if piece.joined == "contrast":
        piece.joined, piece.mark = "conj", "but"
        if before and slots.references and not slots.target and not slots.acts and not slots.flags:
            slots.excluded, slots.references = slots.references, []
        elif before and slots.target and not slots.acts and not slots.flags and not slots.excluded:
            slots.excluded, slots.target = slots.target, []
    return piece


_TELLING = frozenset(
    {"word", "filler", "question", "comment", "to", "mark", "conj", "timing", "statement", "mode", "confirm"}
)


def _without_reason(run: list[Token]) -> list[Token]:
    """``那盏留着有人在看书``: why a thing already named is to be left alone.

    Only that: the reason of an act may be its condition.
    """
    for at, token in enumerate(run):
        keeps = token.kind == "except" and says(token) == "keep"
        denied = (
            token.kind == "verb" and at > 0 and run[at - 1].kind == "negation" and says(run[at - 1]) == "not"
        )
        if not (keeps or denied) or not any(t.kind in TARGET_KINDS - {"word"} for t in run[:at]):
            continue
        reason = run[at + 1 :]
        if any(t.kind == "word" for t in reason) and all(t.kind in _TELLING for t in reason):
            return run[: at + 1]
    return run


CONTRAST = frozenset({"but", "但", "但是", "不过", "可是", "yet"})


def _cut(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    run: list[Token] = []
    joined = ""
    whole = _inside_exceptions(tokens)
    for at, token in enumerate(tokens):
        cut = "" if whole[at] or _announces(tokens, at) else _cut_kind(token)
        if not cut:
            run.append(token)
        elif run:
            yield joined, run
            run, joined = [], cut
        else:
            joined = max(joined, cut, key=_STRENGTH.index)
    if run:
        yield joined, run


def _announces(tokens: Sequence[Token], at: int) -> bool:
    """``exception: the owl``: a mark right after the word of exception cuts nothing."""
    return (
        bool(at)
        and tokens[at].kind == "mark"
        and tokens[at - 1].kind == "except"
        and says(tokens[at - 1]) == "pre"
    )


def _inside_exceptions(tokens: Sequence[Token]) -> list[bool]:
    """Where ``和`` and ``and`` join what is excluded, so that they cut nothing.

    After ``除了`` and ``except``, before ``除外``.
    """
    inside = [False] * len(tokens)
    start = 0
    for at in range(len(tokens) + 1):
        if at < len(tokens) and not (
            tokens[at].kind == "mark" and tokens[at].text != "、" and says(tokens[at]) in {"strong", "weak"}
        ):
            continue
        opened = False
        posts = [i for i in range(start, at) if tokens[i].kind == "except" and says(tokens[i]) == "post"]
        for i in range(start, at):
            if tokens[i].kind == "except" and says(tokens[i]) in {"pre", "only"}:
                opened = True
            elif tokens[i].kind in {"verb", "particle", "step", "light_verb"} or (
                tokens[i].kind == "except" and says(tokens[i]) == "post"
            ):
                opened = False
            inside[i] = opened or (
                bool(posts) and i < posts[-1] and not any(t.kind == "verb" for t in tokens[start:i])
            )
        start = at + 1
    return [held and not _begins_an_act(tokens, at) for at, held in enumerate(inside)]


def _begins_an_act(tokens: Sequence[Token], at: int) -> bool:
    """``except the owl and turn off the telly``: a conjunction right before a verb ends the exception."""
    after = next((t for t in tokens[at + 1 :] if t.kind != "filler"), None)
    return (
        tokens[at].kind == "conj"
        and after is not None
        and after.kind in {"verb", "light_verb", "step"}
        and after.text.isascii()
    )


_STRENGTH = ("", "mark", "conj", "include", "contrast")


def _cut_kind(token: Token) -> str:
    if token.kind == "conj":
        return "contrast" if token.text in CONTRAST else "include" if says(token) == "include" else "conj"
    if token.kind == "mark" and says(token) in {"strong", "weak"}:
        return "conj" if token.text == "、" else "mark"
    return ""
