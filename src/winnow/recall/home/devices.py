"""Which devices a mention may mean: each of its words is explained by each device, or not."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from winnow.language.normalise import fold, is_han
from winnow.recall.home.exact import exact
from winnow.recall.home.explain import HELD, Word, explain, type_word
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.query import PLACE_KINDS, Token
from winnow.types.shortlist import Evidence

WEIGHT = {
    "name": 3.0,
    "nameword": 1.5,
    "type": 1.5,
    "room": 1.5,
    "floor": 1.0,
    "zone": 1.0,
    "word": 1.2,
    "group": 3.0,
}
"""How much each kind of word counts in the coverage of a mention."""
UNREGISTERED = 0.5
"""Explanation of a place by a device that was put in no room at all but whose whole name was said."""
CARRIED = 0.6
"""Explanation of a word for a lamp by a plug or switch that the other words name."""
WHOLE = 0.99
"""Share of a name from which on all of it was said."""
CLOSE = 48
"""Devices that explain only a part of a mention and are still looked at more closely."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well one device explains a mention."""

    device_id: str
    coverage: float = 0.0
    """0..1, share of the mention's weight that the device explains."""
    exact: float = 0.0
    """0..1, share of the device's name that was said."""
    evidence: tuple[Evidence, ...] = ()
    missing: tuple[str, ...] = ()
    """Words of the mention it does not explain."""

    @property
    def score(self) -> float:
        """What the words say for the device, whatever is to be done."""
        return 2.0 * self.coverage + 0.5 * self.exact


def match_devices(tokens: Sequence[Token], here: Standpoint, *, by_name: bool = True) -> list[Match]:
    """Devices that explain at least the naming words of the mention, best first.

    ``by_name``: what only its exact name means, only where that was said.
    """
    content = [t for t in tokens if t.kind in WEIGHT]
    if all(t.data.get("side") for t in content):
        return []  # a side alone names nothing
    words = _words(content, here)
    total = sum(w.weight for w in words)
    found = [_match(i, words, total, here.index) for i in _worth(_named(words), words, here.index)]
    if by_name and here.index.named:
        found = _within_reach(found, words, here.index)
    found.sort(key=lambda m: (-m.coverage, -m.exact, m.device_id))
    return found


def _words(content: Sequence[Token], here: Standpoint) -> list[Word]:
    """The words of a mention with what each may mean; beside another, a kind may mean a part of it."""
    followers = [*content[1:], None]
    words = [_word(t, here, after) for t, after in zip(content, followers, strict=True)]
    if len(words) == 1:
        return words
    words = [_lit_inside(word, words, here.index) for word in words]
    words = [_and_parts(word, here.index) for word in words]
    return [words[0], *(_and_carriers(word, before, here.index) for before, word in pairwise(words))]


def _lit_inside(word: Word, words: Sequence[Word], index: HomeIndex) -> Word:
    """A word for a lamp with the appliances named beside it that have a light of their own."""
    if not index.lit_inside or not is_lamp(word.token):
        return word
    named = (w.devices for w in words if w is not word and w.token.kind not in PLACE_KINDS)
    inside = index.lit_inside.intersection(set[str]().union(*named))
    return replace(word, devices={**dict.fromkeys(inside, (HELD, "lamp")), **word.devices})


def _and_carriers(word: Word, before: Word, index: HomeIndex) -> Word:
    """A word for a lamp with the plugs that the word right before it is the name of: a lamp may hang there.

    ``打开老伙计灯``, not ``老伙计的灯``, which may be a part of it.
    """
    if not is_lamp(word.token) or not _is_next(before.token, word.token):
        return word
    called = index.may_carry(i for i, (_, lane) in before.devices.items() if lane == "name")
    return replace(word, devices={**dict.fromkeys(called, (CARRIED, "carrier")), **word.devices})


def is_lamp(token: Token) -> bool:
    """Whether a word means something that gives light."""
    return token.kind == "type" and "light" in type_word(token).kinds


def _is_next(one: Token, other: Token) -> bool:
    """Whether nothing stands between two words but the space of a language that has spaces."""
    return other.start - one.end in ({0} if is_han(other.text[0]) else {0, 1})


def _within_reach(found: list[Match], words: Sequence[Word], index: HomeIndex) -> list[Match]:
    """Without what only its exact name means, unless all of it was said and nothing else is called so."""
    named = index.named.difference(*(w.token.refs for w in words if w.token.kind == "group"))
    others = [m for m in found if m.device_id not in named]
    if any(_is_all_of_it(m) for m in others):
        return others
    return others + [m for m in found if m.device_id in named and _is_all_of_it(m)]


def _is_all_of_it(match: Match) -> bool:
    """Whether its whole name was said, and nothing else."""
    return match.exact >= WHOLE and not match.missing


def fitting(tokens: Sequence[Token], here: Standpoint, *, by_name: bool = True) -> list[Match]:
    """Devices that explain every word of the mention, best first."""
    return [m for m in match_devices(tokens, here, by_name=by_name) if not m.missing]


def fitting_ids(tokens: Sequence[Token], here: Standpoint, *, by_name: bool = True) -> set[str]:
    """Ids of the devices that explain every word of the mention."""
    return {m.device_id for m in fitting(tokens, here, by_name=by_name)}


def inferred(ids: Iterable[str], coverage: float = 1.0) -> list[Match]:
    """Matches of devices that no word named."""
    return [Match(device_id, coverage) for device_id in ids]


def _word(token: Token, here: Standpoint, after: Token | None) -> Word:
    devices, heard = explain(token, here, after), token.data.get("heard")
    if isinstance(heard, float):
        devices = {i: (heard * score, lane) for i, (score, lane) in devices.items()}
    return Word(token, fold(token.text), WEIGHT[token.kind], devices)


def _and_parts(word: Word, index: HomeIndex) -> Word:
    """A word for a kind with the parts of what it means: ``the light of the bath heater`` is a part of that.

    Beside another word only: alone it means the whole.
    """
    if word.token.kind != "type":
        return word
    parts = {part: (HELD, "part") for part, whole in index.parts.items() if whole in word.devices}
    return replace(word, devices={**parts, **word.devices})


def _named(words: Sequence[Word]) -> set[str]:
    """The devices that a word for a thing explains; where there is no such word, those of the places."""
    ids: set[str] = set()
    for word in words:
        if word.token.kind not in PLACE_KINDS or word.token.data.get("named"):
            ids.update(word.devices)
    return ids or {i for word in words for i in word.devices}


def _worth(ids: set[str], words: Sequence[Word], index: HomeIndex) -> set[str]:
    """The devices worth a closer look.

    All that explain everything or stand in no room, and the best of the rest.
    """
    rest = ids.difference(ids.intersection(*(w.devices for w in words))) if len(ids) > CLOSE else set()
    part = {i for i in rest if index.view.devices[i].room_id is not None}
    if len(part) <= CLOSE:
        return ids
    best = heapq.nsmallest(CLOSE, part, key=lambda i: (-_weight(i, words), i))
    return ids.difference(part).union(best)


def _weight(device_id: str, words: Iterable[Word]) -> float:
    return sum(w.devices[device_id][0] * w.weight for w in words if device_id in w.devices)


def _match(device_id: str, words: Sequence[Word], total: float, index: HomeIndex) -> Match:
    said: list[Word] = []
    missing: list[Word] = []
    for word in words:
        (said if device_id in word.devices else missing).append(word)
    coverage = sum([w.devices[device_id][0] * w.weight / total for w in said])
    evidence = [_evidence(w, device_id) for w in said]
    share = exact(device_id, said, index)
    match = Match(device_id, coverage, share, tuple(evidence), tuple([w.token.text for w in missing]))
    if missing and share > 0.99 and index.view.room(device_id) is None:
        return _excused(match, missing, total)
    return match


def _evidence(word: Word, device_id: str) -> Evidence:
    score, lane = word.devices[device_id]
    return Evidence(lane, round(score, 3), word.token.text)


def _excused(match: Match, missing: Sequence[Word], total: float) -> Match:
    """A device in no room cannot contradict a place, if its whole name was said."""
    if any(w.token.kind not in PLACE_KINDS for w in missing):
        return match
    coverage = match.coverage + sum(UNREGISTERED * w.weight for w in missing) / total
    unplaced = Evidence("unplaced", UNREGISTERED, " ".join(match.missing))
    return replace(match, coverage=coverage, evidence=(*match.evidence, unplaced), missing=())
