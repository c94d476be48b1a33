"""Coordinated words apart: ``客厅和书房的灯``, ``the tv and the lamp in the den``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, pairwise

from winnow.language.content_words import little
from winnow.language.lexicon import surfaces, type_words
from winnow.language.tables import table
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, of_kind, without_kind
from winnow.understand.words.tokens import any_use, canonical_sense, has_use


@cache
def _kinds(name: str) -> frozenset[str]:
    """``annexes``: rooms that belong to others. ``borne``: kinds of things that other things have."""
    return frozenset(table(__package__, "coordination.yaml")[name])


def mark_coordination(tokens: Sequence[Token], *, several: bool = True) -> list[Token]:
    """The target words, with ``、`` between rooms side by side and between things of ``several``.

    ``客厅书房的灯``, ``灯空调都关了``.
    """
    out: list[Token] = []
    for token in tokens:
        if (
            out
            and out[-1].end == token.start
            and (several or token.kind in {"room", "floor"})
            and _are_two(out[-1], token)
        ):
            out.append(Token("、", "conj", token.start, token.start))
        out.append(token)
    return out


def _are_two(one: Token, other: Token) -> bool:
    if one.kind == other.kind == "floor":
        return one.refs != other.refs
    if one.kind == other.kind == "room":
        return not any(
            kind in _kinds("annexes") and other.text.endswith(word) for word, kind in surfaces("room").items()
        ) and set(one.refs).isdisjoint(other.refs)
    if not {one.kind, other.kind} <= {"name", "type"}:
        return False
    if _device_refs(one) and _device_refs(other):
        return _device_refs(one).isdisjoint(_device_refs(other))
    return not _is_borne(other) and kinds_of(one).isdisjoint(kinds_of(other))


def _is_borne(thing: Token) -> bool:
    return thing.kind == "type" and (
        canonical_sense(thing) in _kinds("borne") or canonical_sense(thing).endswith("sensor")
    )


def _device_refs(token: Token) -> set[str]:
    named = token.data.get("named")
    return {*token.refs, *(named if isinstance(named, tuple) else ())}


def kinds_of(token: Token) -> set[str]:
    """The kinds of thing a type word or a name may mean."""
    if token.kind == "type":
        return set(type_words()[canonical_sense(token)].kinds)
    kinds = token.data.get("kinds")
    held = {kind for word, kind in surfaces("type").items() if token.text.endswith(word)}
    return {
        *(kinds if isinstance(kinds, tuple) else ()),
        *(kind for name in held for kind in type_words()[name].kinds[:1]),
    }


_Mentions = list[list[Token]]


def join_coordinated(groups: Sequence[Sequence[Token]], *, together: bool = False) -> list[list[Token]]:
    """The mentions of groups that ``和`` joins: rooms before a thing are for it and the things after it.

    With ``together`` such rooms are one place, in whichever of them: ``客厅和书房的两盏灯``.
    """
    split = [g for group in groups for g in _conjunct_groups(group)]
    shared, ahead, out = _Mentions(), _Mentions(), _Mentions()
    tail = [t for g in split[-1:] for t in g if t.kind == "zone"]
    for group in split:
        places, things = _split_places(group)
        if not things:
            ahead.append(places)
        elif not ahead and (places or is_standalone(group)):
            shared = [places] if places else shared
            out.append(list(group))
        else:
            shared = [*ahead, *filter(None, [places])] if ahead else shared
            ahead = _Mentions()
            out.extend(
                _in_each_place(
                    ([[unite_places(shared)]] if together and len(shared) > 1 else shared) or [tail], things
                )
            )
    return [*out, *_in_each_place(ahead, _split_places(out[-1])[1] if out else [])]


def _in_each_place(places: _Mentions, things: list[Token]) -> _Mentions:
    return [[*p, *things] for p in places]


def _split_places(group: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    return of_kind(group, *PLACE_KINDS), without_kind(group, *PLACE_KINDS)


def unite_places(places: Sequence[Sequence[Token]]) -> Token:
    """Several places as one: whatever is in one of them. ``data["joined"]`` keeps their words."""
    parts = [t for p in places for t in p]
    rooms = "room" if has_kind(parts, "room") else parts[0].kind
    refs = tuple(dict.fromkeys(i for t in parts for i in t.refs))
    return Token(
        " ".join(t.text for t in parts), rooms, parts[0].start, parts[-1].end, {"joined": tuple(parts)}, refs
    )


def exclusion_mentions(tokens: Sequence[Token]) -> list[list[Token]]:
    """The mentions an exception names; words that only describe them are left aside."""
    tokens = mark_coordination(_with_joints(tokens))
    groups = _conjunct_groups(tokens)
    # A place that "one" ends, or that stands before a name, shares nothing with what follows.
    if len(groups) > 1 and (has_kind(tokens, "reference") or _begins_with_place(groups)):
        apart = [m for g in groups for m in split_mentions(without_kind(g, "reference") or g)]
    else:
        apart = split_mentions(tokens)
    return [[t for n, t in enumerate(m) if t.kind != "word" or _owns_room(m[n:])] or m for m in apart]


def _owns_room(words: Sequence[Token]) -> bool:
    """Whether a word nobody knows says whose room is left out, as 小强房间的除外: all depends on it."""
    behind = words[1:2]
    return any(t.text in little("room_endings") and t.start == words[0].end for t in behind)


def _with_joints(tokens: Sequence[Token]) -> list[Token]:
    """The words with what joins them in a list without marks: ``the kitchen hall and study``."""
    out = list(tokens[:1])
    for before, token in pairwise(tokens):
        # A room before a thing is where that is: ``the kitchen desk lamp``
        alike = before.kind == token.kind and not set(before.refs) & set(token.refs)
        if alike and _is_whole_name(before) and _is_whole_name(token):
            out.append(Token("", "conj", token.start, token.start))
        out.append(token)
    return out


def _is_whole_name(token: Token) -> bool:
    """Whether English words name one thing or room of the home by themselves."""
    whole = bool(token.data.get("full")) or token.kind == "room"
    return whole and len(token.refs) == 1 and token.text.isascii()


def _begins_with_place(groups: Sequence[Sequence[Token]]) -> bool:
    """``the hall and the reading lamp``: a place, and then names."""
    named = any(t.kind == "name" and t.text.isascii() for g in groups[1:] for t in g)
    return named and not without_kind(groups[0], *PLACE_KINDS)


def split_mentions(target: Sequence[Token]) -> list[list[Token]]:
    """Coordinated targets apart: places before the first thing are shared by the things after it.

    Joined places are one place.
    """
    groups = _conjunct_groups(target)
    if sum(map(_has_thing, groups)) <= 1:
        merged = list(_unite_groups(groups))
        return [merged] if merged else []
    shared: list[Token] = []
    out: list[list[Token]] = []
    for group in groups:
        places = _split_places(group)[0]
        if _has_thing(group):
            out.append(group if places or is_standalone(group) else [*shared, *group])
            shared = places or shared
        else:
            shared = [*shared, *places]
    return out


def _has_thing(group: Sequence[Token]) -> bool:
    return any(t.kind in DEVICE_KINDS or t.kind == "word" for t in group)


def is_standalone(mention: Sequence[Token]) -> bool:
    """``the attic light and the porch lantern``.

    The whole name of one device, of more than a word, shares no place with another.
    """
    return any(
        t.data.get("full") and len(t.refs) == 1 and t.text.isascii() and " " in t.text
        for t in of_kind(mention, "name")
    )


def _conjunct_groups(target: Sequence[Token]) -> list[list[Token]]:
    """The words between conjunctions, each once."""
    groups: list[list[Token]] = [[]]
    for token in target:
        if token.kind == "conj":
            groups.append([])
        elif not any(t.text == token.text and t.kind == token.kind for t in groups[-1]):
            groups[-1].append(token)
    return [g for g in groups if g]


def _unite_groups(groups: Sequence[Sequence[Token]]) -> list[Token]:
    """Groups with one thing among them as one mention.

    Places that ``和`` joins count as one place, in whichever of them.
    """
    placed = list(filter(None, (list(filter(_is_placed, g)) for g in groups)))
    flat = list(chain.from_iterable(groups))
    if len(placed) < 2 or not all(len(p) == 1 and p[0].refs for p in placed):
        return flat
    return [unite_places(placed), *(t for t in flat if not _is_placed(t))]


def _is_placed(token: Token) -> bool:
    return token.kind in {"room", "floor"}


def kind_token(token: Token) -> Token:
    """The type word a name ends with, for the same thing elsewhere.

    The name itself when it ends with none.
    """
    words = token.text.split()
    types = surfaces("type")
    for start in range(1, len(words)) if token.kind == "name" else ():
        rest = " ".join(words[start:])
        if rest in types:
            return Token(rest, "type", token.start, token.end, {"is": types[rest]})
    return token


def is_another_of_them(tokens: Sequence[Token]) -> bool:
    """``the right one``: told from what was spoken of by where it stands, and by nothing else."""
    named = [t for t in tokens if t.kind in DEVICE_KINDS or t.kind == "word"]
    told = bool(named) and all(has_use(t, "positions") for t in named)
    return told and any_use(of_kind(tokens, "reference"), "its_like")


def without_positions(tokens: Sequence[Token]) -> list[Token]:
    """The words for things, and their places, without what tells where each of several stands."""
    out: list[Token] = []
    for token in tokens:
        words = [w for w in token.text.split() if w not in little("positions")]
        if token.kind not in {"name", "nameword"} or len(words) == len(token.text.split()):
            out.append(token)
        elif words:
            out.append(Token(" ".join(words), "nameword", token.start, token.end))
    return out
