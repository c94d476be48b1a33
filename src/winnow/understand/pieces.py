"""Cut a sentence into pieces at marks and conjunctions, and put the pieces together into instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from winnow.types.query import Token
from winnow.understand.slots import DEVICE_KINDS, PLACE_KINDS, Slots, fill, says


@dataclass(slots=True)
class Piece:
    """A stretch between two cuts, and what cut it from the one before: ``""``, ``mark`` or ``conj``."""

    tokens: list[Token]
    joined: str
    slots: Slots


@dataclass(slots=True)
class Instruction:
    """One act and the mentions it is for, still as tokens."""

    slots: Slots
    mentions: list[list[Token]] = field(default_factory=list)
    excluded: list[list[Token]] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)


def pieces(tokens: Sequence[Token], language: str) -> list[Piece]:
    """The pieces of a sentence, in order."""
    out: list[Piece] = []
    for joined, run in _cut(tokens):
        if any(t.kind not in {"mark", "filler", "conj"} for t in run):
            out.append(Piece(run, joined, fill(run, language)))
    return out


def _cut(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    run: list[Token] = []
    joined = ""
    whole = _inside_exceptions(tokens)
    for at, token in enumerate(tokens):
        cut = "" if whole[at] else _cut_kind(token)
        if not cut:
            run.append(token)
        elif run:
            yield joined, run
            run, joined = [], cut
        else:
            joined = "conj" if "conj" in {joined, cut} else cut
    if run:
        yield joined, run


def _inside_exceptions(tokens: Sequence[Token]) -> list[bool]:
    """Where ``和`` and ``and`` join what is excluded, so that they cut nothing: after ``除了`` and ``except``, before ``除外``."""
    inside = [False] * len(tokens)
    start = 0
    for at in range(len(tokens) + 1):
        if at < len(tokens) and not (tokens[at].kind == "mark" and tokens[at].text != "、" and says(tokens[at]) in {"strong", "weak"}):
            continue
        opened = False
        posts = [i for i in range(start, at) if tokens[i].kind == "except" and says(tokens[i]) == "post"]
        for i in range(start, at):
            if tokens[i].kind == "except" and says(tokens[i]) == "pre":
                opened = True
            elif tokens[i].kind in {"verb", "particle", "step"} or (tokens[i].kind == "except" and says(tokens[i]) == "post"):
                opened = False
            inside[i] = opened or (bool(posts) and i < posts[-1] and not any(t.kind == "verb" for t in tokens[start:i]))
        start = at + 1
    return inside


def _cut_kind(token: Token) -> str:
    if token.kind == "conj":
        return "conj"
    if token.kind == "mark" and says(token) in {"strong", "weak"}:
        return "conj" if token.text == "、" else "mark"
    return ""


def instructions(found: Sequence[Piece]) -> list[Instruction]:
    """Acts with their targets: shared verbs and places are handed on, comments are kept apart."""
    out: list[Instruction] = []
    waiting: list[Piece] = []
    for piece in found:
        if out and not waiting and _only_a_number(piece.slots) and out[-1].slots.steps and not out[-1].slots.values:
            out[-1].slots.numbers.extend(piece.slots.numbers)
            out[-1].slots.flags.add("to")
        elif piece.slots.acts or piece.slots.flags & {"not", "never_mind", "keep", "only", "let_stay", "why_not"}:
            out.append(_begin(piece, waiting, out))
            waiting = []
        elif out and not waiting and _continues(piece):
            _extend(out[-1], piece)
        else:
            waiting.append(piece)
    if waiting:
        _leftover(waiting, out)
    return _excepted(_only(out))


def _only_a_number(slots: Slots) -> bool:
    """``..., 2700``: how far, said after the act."""
    return bool(slots.values) and not (slots.verbs or slots.steps or slots.target or slots.modes or slots.colors)


KEEPING = frozenset({"not", "keep"})


def _excepted(made: list[Instruction]) -> list[Instruction]:
    """``..., 主卧的留着``: what must not be touched is taken out of every order of the sentence."""
    orders = [m for m in made if not m.slots.flags & KEEPING or m.slots.flags & {"double", "why_not", "let_stay"}]
    kept = [m for m in made if m not in orders]
    if not orders or not kept:
        return made
    for one in kept:
        if any(not order.mentions for order in orders):
            orders = [order if order.mentions else _aimed_at(order, one) for order in orders]
            continue
        for mention in one.mentions:
            if all(t.kind == "word" for t in mention):
                continue  # 别太凉: how, not which
            for order in orders:
                order.excluded.append([t for t in mention if t.kind != "word"] or list(mention))
    return orders


def _aimed_at(order: Instruction, other: Instruction) -> Instruction:
    """``小熊别转啦，停``: what must not go on is what the order is for."""
    order.mentions = [list(m) for m in other.mentions]
    return order


def _only(made: list[Instruction]) -> list[Instruction]:
    """``只留 X``: X is left out of the order before it, or of switching off what was named before ``只``."""
    out: list[Instruction] = []
    for one in made:
        if "only" not in one.slots.flags or not one.slots.excluded:
            out.append(one)
            continue
        named = [list(m) for m in one.mentions]
        if out and not any(t.kind in DEVICE_KINDS for m in named for t in m):
            if not named:
                out[-1].excluded.extend(exclusions(one.slots.excluded))
                continue
            types = [t for m in out[-1].mentions for t in m if t.kind == "type"]
            one.mentions = [[*m, *types] for m in named]
            one.slots.verbs = one.slots.verbs or list(out[-1].slots.verbs)
        if not one.slots.verbs:
            one.slots.verbs = [Token("关", "verb", 0, 0, {"is": "off_close"})]
        one.slots.flags |= {"all"}
        out.append(one)
    return out


PREPOSITIONS = frozenset({"at", "at the", "by the", "in the", "on the", "with"})


def _continues(piece: Piece) -> bool:
    """``... and the lamp``, ``..., 客厅的``: a target without an act belongs to the act before it."""
    slots = piece.slots
    if slots.words or slots.questions:
        return False
    at = next((t.text for t in piece.tokens if t.kind != "mark"), "")
    return bool(slots.excluded or slots.place_words or (slots.device_words and (piece.joined == "conj" or at in PREPOSITIONS)))


def _extend(instruction: Instruction, piece: Piece) -> None:
    slots = piece.slots
    instruction.tokens.extend(piece.tokens)
    instruction.slots.flags |= slots.flags
    if slots.excluded:
        instruction.excluded.extend(exclusions(slots.excluded))
    if slots.device_words and piece.joined == "mark" and instruction.mentions:
        instruction.mentions = [[*m, *slots.target] for m in instruction.mentions]
    elif slots.device_words:
        places = [t for t in (instruction.mentions[-1] if instruction.mentions else []) if t.kind in PLACE_KINDS]
        new = mentions(slots.target)
        instruction.mentions.extend(m if any(t.kind in PLACE_KINDS for t in m) else [*places, *m] for m in new)
    elif slots.place_words and piece.joined == "conj" and any(t.kind == "room" for m in instruction.mentions[-1:] for t in m):
        things = [t for t in instruction.mentions[-1] if t.kind not in PLACE_KINDS]
        instruction.mentions.append([*slots.place_words, *things])
    elif slots.place_words and not (all(says(t) == "here" for t in slots.place_words) and instruction.mentions):
        instruction.mentions = [[*slots.place_words, *m] for m in instruction.mentions] or [list(slots.place_words)]


def _gapped(slots: Slots) -> bool:
    """``... and 90 % in the study``: a value and a place, the rest as before."""
    return bool(slots.values and slots.place_words) and not (slots.verbs or slots.steps or slots.properties or slots.device_words)


def _fill_gap(slots: Slots, before: Instruction) -> None:
    slots.verbs, slots.steps = list(before.slots.verbs), list(before.slots.steps)
    slots.properties = list(before.slots.properties)
    slots.flags |= before.slots.flags & {"by", "to"}
    slots.target.extend(t for t in (before.mentions[-1] if before.mentions else []) if t.kind in DEVICE_KINDS)


def _begin(piece: Piece, waiting: list[Piece], out: list[Instruction]) -> Instruction:
    slots = piece.slots
    if out and not waiting and _gapped(slots):
        _fill_gap(slots, out[-1])
    own = mentions(slots.target)
    made = Instruction(slots, own, tokens=list(piece.tokens))
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))
    for earlier in waiting:
        _take(made, earlier, piece)
    return made


def _take(made: Instruction, earlier: Piece, piece: Piece) -> None:
    """Give the act the words that came before it without an act of their own."""
    slots = earlier.slots
    if not slots.target and not slots.excluded:
        made.comments.extend(earlier.tokens)
        return
    made.tokens = [*earlier.tokens, *made.tokens]
    made.slots.flags |= slots.flags
    made.slots.references.extend(slots.references)
    made.slots.properties.extend(slots.properties)
    if slots.excluded:
        made.excluded.extend(exclusions(slots.excluded))
    before = mentions(slots.target)
    if not before:
        return
    has_device = any(t.kind in DEVICE_KINDS for m in made.mentions for t in m)
    if not slots.device_words and slots.place_words:
        _add_places(made, slots.place_words, together=piece.joined == "conj")
    elif not has_device:
        places = [t for m in made.mentions for t in m if t.kind in PLACE_KINDS]
        made.mentions = [[*places, *m] for m in before]
    elif piece.joined == "conj":
        made.mentions = [*before, *made.mentions]
    else:
        made.comments.extend(earlier.tokens)


def _add_places(made: Instruction, places: list[Token], *, together: bool) -> None:
    if not made.mentions:
        made.mentions = [list(places)]
    elif together:
        made.mentions = [[*places, *m] for m in made.mentions]
    else:
        made.mentions = [[*places, *m] if not any(t.kind in PLACE_KINDS for t in m) else m for m in made.mentions]


def _leftover(waiting: list[Piece], out: list[Instruction]) -> None:
    """Words after the last act: a comment when there was one, else all there is."""
    if out:
        for piece in waiting:
            out[-1].comments.extend(piece.tokens)
        return
    for piece in waiting:
        made = Instruction(piece.slots, mentions(piece.slots.target), tokens=list(piece.tokens))
        if piece.slots.excluded:
            made.excluded.extend(exclusions(piece.slots.excluded))
        out.append(made)


def exclusions(tokens: Sequence[Token]) -> list[list[Token]]:
    """The mentions an exception names; words that only describe them are left aside."""
    out: list[list[Token]] = []
    for mention in mentions(tokens):
        known = [t for t in mention if t.kind != "word"]
        out.append(known or mention)
    return out


def mentions(target: Sequence[Token]) -> list[list[Token]]:
    """Coordinated targets apart: places before the first thing are shared by the things after it; joined places are one place."""
    groups: list[list[Token]] = [[]]
    for token in target:
        if token.kind == "conj":
            groups.append([])
        elif not any(t.text == token.text and t.kind == token.kind for t in groups[-1]):
            groups[-1].append(token)
    groups = [g for g in groups if g]
    things = [g for g in groups if any(t.kind in DEVICE_KINDS or t.kind == "word" for t in g)]
    if len(things) <= 1:
        merged = list(_united(groups))
        return [merged] if merged else []
    shared: list[Token] = []
    out: list[list[Token]] = []
    for group in groups:
        places = [t for t in group if t.kind in PLACE_KINDS]
        if group in things:
            out.append(group if places else [*shared, *group])
            shared = places or shared
        else:
            shared = [*shared, *places]
    return out


def _united(groups: list[list[Token]]) -> list[Token]:
    """Groups with one thing among them as one mention: places that ``和`` joins count as one place, in whichever of them."""
    rooms = [[t for t in g if t.kind in {"room", "floor"}] for g in groups]
    flat = [t for g in groups for t in g]
    if sum(1 for r in rooms if r) < 2:
        return flat
    joined = [t for r in rooms for t in r]
    refs = tuple(dict.fromkeys(i for t in joined for i in t.refs))
    one = Token(" ".join(t.text for t in joined), joined[0].kind, joined[0].start, joined[-1].end, {"joined": True}, refs)
    if len({t.kind for t in joined}) > 1 or any(not t.refs for t in joined):
        return flat
    return [one, *(t for t in flat if t not in joined)]
