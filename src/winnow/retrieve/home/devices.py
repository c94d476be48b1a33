"""Which devices a mention may mean: each of its words is explained by each device, or not."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from winnow.language.content_words import senses
from winnow.language.lexicon import TypeWord
from winnow.language.normalize import fold, is_han
from winnow.retrieve.home.explain import HELD_SCORE, HomePosition, MentionWord, explain_word, type_word
from winnow.retrieve.home.index import HomeIndex
from winnow.types.candidate import DeviceCandidate, Evidence, RefKind
from winnow.types.query import PLACE_KINDS, QueryIR, Token

# How much of what a device is called was said.


HEAD_NAME_SHARE = 0.95
"""Least share of a name that ends with the last word said: what comes last in a name is what the thing is."""
KIND_NAME_SHARE = 0.5
"""Share of a name by a word for its kind alone."""


def name_share(device_id: str, words: Sequence[MentionWord], index: HomeIndex) -> float:
    """0..1, the share of a name of the device that the words are; floors and zones are part of none."""
    if _of_a_group(device_id, words):
        return 1.0
    said = [w for w in words if w.token.kind not in {"floor", "zone"}]
    if all(w.token.kind == "type" for w in said):
        return _kind_share(device_id, said, index)
    names, room = index.names[device_id], index.view.room(device_id)
    told = [w.key for w in said]
    if room:  # its name, inside that of the device, counts as said
        told.append(fold(room.name))
    share = _best_share(names, told)
    return HEAD_NAME_SHARE if share < HEAD_NAME_SHARE and _is_headed_by(names, said[-1].key) else share


def _of_a_group(device_id: str, words: Iterable[MentionWord]) -> bool:
    """Whether the name of a set was said, which is that of each of its members."""
    return any(w.token.kind == "group" and device_id in w.token.refs for w in words)


def _is_headed_by(names: Iterable[str], last: str) -> bool:
    return any(name.endswith(last) for name in names)


def _best_share(names: Iterable[str], words: Sequence[str]) -> float:
    return max([_share(name, words) for name in names], default=0.0)


def _share(name: str, words: Iterable[str]) -> float:
    """Share of a folded name that the folded words cover, each once."""
    if not name:
        return 0.0
    left = name
    for text in words:
        if text and text in left:
            left = left.replace(text, "", 1)
        elif text.endswith("s") and text[:-1] in left:
            left = left.replace(text[:-1], "", 1)
    return 1.0 - len(left) / len(name)


def _kind_share(device_id: str, said: Sequence[MentionWord], index: HomeIndex) -> float:
    """A kind alone prefers no name that ends with it, and none that only begins with it.

    A desk lamp is no desk.
    """
    kinds, names = index.view.devices[device_id].kinds, index.names[device_id]
    if _best_share(names, [w.key for w in said]) >= 1.0:
        return 1.0
    told = any(
        (bool(w.token.data.get("called")) and device_id in w.devices)
        or _is_kind_of(w.key, type_word(w.token), names, kinds)
        for w in said
    )
    return KIND_NAME_SHARE if told else 0.0


def _is_kind_of(key: str, word: TypeWord, names: Iterable[str], kinds: Sequence[str]) -> bool:
    """Whether a word for a kind tells of a device at least by half."""
    held = [name for name in names if key in name]
    if not held:
        return word.specific >= 1 and word.kinds[0] in kinds
    return not set(word.kinds).isdisjoint(kinds) or _is_headed_by(held, key)


WORD_WEIGHTS = {
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
ROOMLESS_SCORE = 0.5
"""Explanation of a place by a device that was put in no room at all but whose whole name was said."""
CARRIER_SCORE = 0.6
"""Explanation of a word for a lamp by a plug or switch that the other words name."""
WHOLE_NAME = 0.99
"""Share of a name from which on all of it was said."""
MAX_PARTIAL_DEVICES = 48
"""Devices that explain only a part of a mention and are still looked at more closely."""


@dataclass(frozen=True, slots=True)
class DeviceMatch:
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


def match_devices(tokens: Sequence[Token], here: HomePosition, *, by_name: bool = True) -> list[DeviceMatch]:
    """Devices that explain at least the naming words of the mention, best first.

    ``by_name``: what only its exact name means, only where that was said.
    """
    content = [t for t in tokens if t.kind in WORD_WEIGHTS]
    if all(t.data.get("side") for t in content):
        return []  # a side alone names nothing
    words = _words(content, here)
    total = sum(w.weight for w in words)
    found = [
        _match(i, words, total, here.index) for i in _worth_matching(_candidate_ids(words), words, here.index)
    ]
    if by_name and here.index.exact_name_only:
        found = _within_reach(found, words, here.index)
    found = _called_apart(found, words, here.index)
    found.sort(key=lambda m: (-m.coverage, -m.exact, m.device_id))
    return found


def _called_apart(
    found: list[DeviceMatch], words: Sequence[MentionWord], index: HomeIndex
) -> list[DeviceMatch]:
    """Without what the home calls by another word than the one said, where something is called by that.

    ``The lamps`` are no ceiling lights and ``the shades`` no blinds where the home has lamps and shades.
    """
    apart = senses("called_apart")
    for said in {apart[w.token.text] for w in words if w.token.text in apart} - {"light"}:
        names = ((m, index.view.devices[m.device_id].name.lower().split()) for m in found if not m.missing)
        called = {m.device_id: {apart[word] for word in name if word in apart} for m, name in names}
        if any(said in own for own in called.values()):
            found = [m for m in found if said in (own := called.get(m.device_id, set())) or not own]
    return found


def _words(content: Sequence[Token], here: HomePosition) -> list[MentionWord]:
    """The words of a mention with what each may mean; beside another, a kind may mean a part of it."""
    followers = [*content[1:], None]
    words = [_word(t, here, after) for t, after in zip(content, followers, strict=True)]
    if len(words) == 1:
        return words
    words = [_lit_inside(word, words, here.index) for word in words]
    words = [_and_parts(word, here.index) for word in words]
    return [words[0], *(_and_carriers(word, before, here.index) for before, word in pairwise(words))]


def _lit_inside(word: MentionWord, words: Sequence[MentionWord], index: HomeIndex) -> MentionWord:
    """A word for a lamp with the appliances named beside it that have a light of their own."""
    if not index.lit_inside or not is_lamp(word.token):
        return word
    named = (w.devices for w in words if w is not word and w.token.kind not in PLACE_KINDS)
    inside = index.lit_inside.intersection(set[str]().union(*named))
    return replace(word, devices={**dict.fromkeys(inside, (HELD_SCORE, "lamp")), **word.devices})


def _and_carriers(word: MentionWord, before: MentionWord, index: HomeIndex) -> MentionWord:
    """A word for a lamp with the plugs that the word right before it is the name of: a lamp may hang there.

    ``打开老伙计灯``, not ``老伙计的灯``, which may be a part of it.
    """
    if not is_lamp(word.token):
        return word
    # Whether nothing stands between two words but the space of a language that has spaces
    if word.token.start - before.token.end not in ({0} if is_han(word.token.text[0]) else {0, 1}):
        return word
    called = index.may_carry(i for i, (_, lane) in before.devices.items() if lane == "name")
    return replace(word, devices={**dict.fromkeys(called, (CARRIER_SCORE, "carrier")), **word.devices})


def is_lamp(token: Token) -> bool:
    """Whether a word means something that gives light."""
    return token.kind == "type" and "light" in type_word(token).kinds


def _within_reach(
    found: list[DeviceMatch], words: Sequence[MentionWord], index: HomeIndex
) -> list[DeviceMatch]:
    """Without what only its exact name means, unless all of it was said and nothing else is called so."""
    named = index.exact_name_only.difference(*(w.token.refs for w in words if w.token.kind == "group"))
    others = [m for m in found if m.device_id not in named]
    if any(_is_all_of_it(m) for m in others):
        return others
    return others + [m for m in found if m.device_id in named and _is_all_of_it(m)]


def _is_all_of_it(match: DeviceMatch) -> bool:
    """Whether its whole name was said, and nothing else."""
    return match.exact >= WHOLE_NAME and not match.missing


def fitting_devices(
    tokens: Sequence[Token], here: HomePosition, *, by_name: bool = True
) -> list[DeviceMatch]:
    """Devices that explain every word of the mention, best first."""
    return [m for m in match_devices(tokens, here, by_name=by_name) if not m.missing]


def fitting_ids(tokens: Sequence[Token], here: HomePosition, *, by_name: bool = True) -> set[str]:
    """Ids of the devices that explain every word of the mention."""
    return {m.device_id for m in fitting_devices(tokens, here, by_name=by_name)}


def inferred_matches(ids: Iterable[str], coverage: float = 1.0) -> list[DeviceMatch]:
    """Matches of devices that no word named."""
    return [DeviceMatch(device_id, coverage) for device_id in ids]


def _word(token: Token, here: HomePosition, after: Token | None) -> MentionWord:
    devices, heard = explain_word(token, here, after), token.data.get("heard")
    if isinstance(heard, float):
        devices = {i: (heard * score, lane) for i, (score, lane) in devices.items()}
    return MentionWord(token, fold(token.text), WORD_WEIGHTS[token.kind], devices)


def _and_parts(word: MentionWord, index: HomeIndex) -> MentionWord:
    """A word for a kind with the parts of what it means: ``the light of the bath heater`` is a part of that.

    Beside another word only: alone it means the whole.
    """
    if word.token.kind != "type":
        return word
    parts = {part: (HELD_SCORE, "part") for part, whole in index.parts.items() if whole in word.devices}
    return replace(word, devices={**parts, **word.devices})


def _candidate_ids(words: Sequence[MentionWord]) -> set[str]:
    """The devices that a word for a thing explains; where there is no such word, those of the places."""
    ids: set[str] = set()
    for word in words:
        if word.token.kind not in PLACE_KINDS or word.token.data.get("named"):
            ids.update(word.devices)
    return ids or {i for word in words for i in word.devices}


def _worth_matching(ids: set[str], words: Sequence[MentionWord], index: HomeIndex) -> set[str]:
    """The devices worth a closer look.

    All that explain everything or stand in no room, and the best of the rest.
    """
    rest = (
        ids.difference(ids.intersection(*(w.devices for w in words)))
        if len(ids) > MAX_PARTIAL_DEVICES
        else set()
    )
    part = {i for i in rest if index.view.devices[i].room_id is not None}
    if len(part) <= MAX_PARTIAL_DEVICES:
        return ids
    best = heapq.nsmallest(MAX_PARTIAL_DEVICES, part, key=lambda i: (-_weight(i, words), i))
    return ids.difference(part).union(best)


def _weight(device_id: str, words: Iterable[MentionWord]) -> float:
    return sum(w.devices[device_id][0] * w.weight for w in words if device_id in w.devices)


def _match(device_id: str, words: Sequence[MentionWord], total: float, index: HomeIndex) -> DeviceMatch:
    said: list[MentionWord] = []
    missing: list[MentionWord] = []
    for word in words:
        (said if device_id in word.devices else missing).append(word)
    coverage = sum([w.devices[device_id][0] * w.weight / total for w in said])
    evidence = [_evidence(w, device_id) for w in said]
    share = name_share(device_id, said, index)
    match = DeviceMatch(device_id, coverage, share, tuple(evidence), tuple([w.token.text for w in missing]))
    if missing and share > 0.99 and index.view.room(device_id) is None:
        return _excuse_place(match, missing, total)
    return match


def _evidence(word: MentionWord, device_id: str) -> Evidence:
    score, lane = word.devices[device_id]
    return Evidence(lane, round(score, 3), word.token.text)


def _excuse_place(match: DeviceMatch, missing: Sequence[MentionWord], total: float) -> DeviceMatch:
    """A device in no room cannot contradict a place, if its whole name was said."""
    if any(w.token.kind not in PLACE_KINDS for w in missing):
        return match
    coverage = match.coverage + sum(ROOMLESS_SCORE * w.weight for w in missing) / total
    unplaced = Evidence("unplaced", ROOMLESS_SCORE, " ".join(match.missing))
    return replace(match, coverage=coverage, evidence=(*match.evidence, unplaced), missing=())


# What is nearest in meaning to words that nothing in the home is found by.


MAX_COSINE_GAP = 0.1
"""Cosine by which the others may stay behind the nearest."""
THING_KINDS = frozenset({"name", "nameword", "group", "type", "word"})
SETTING_KINDS = frozenset({"mode", "choice"})
"""Words that are part of a name where it follows at once: ``热风机`` is no warm ``机``."""


def nearest_things(
    query: QueryIR, found: Sequence[DeviceMatch], here: HomePosition, left_out: Collection[str]
) -> list[DeviceCandidate]:
    """Devices and scenes near to the words, nearest first, in the place that was said.

    None where a device explains every word of the mention, and none where the embedder knows spelling only:
    words of one spelling are found without it.
    """
    least, said = here.index.embedder.alike, _thing_words(query)
    if least is None or len(said) < 2 or query.negated or any(not m.missing for m in found):
        return []
    placed = _place_ids(query, here)
    near = similar_things(
        said, here, least
    )  # of the whole home: where something far nearer stands elsewhere, that was meant
    return [c for c in near if c.device_id not in left_out and (placed is None or c.device_id in placed)]


def similar_things(said: str, here: HomePosition, least: float) -> list[DeviceCandidate]:
    """What has a cosine of at least ``least`` with the words, and about that of the nearest: nearest first.

    Of equally near things those of the speaker's room come first.
    """
    found = here.index.by_meaning().alike(said, least)
    best = max((score for score, _ in found.values()), default=0.0)
    kept = [(i, score, text) for i, (score, text) in found.items() if score > best - MAX_COSINE_GAP]
    kept.sort(key=lambda row: (-row[1], _is_elsewhere(row[0], here), row[0]))
    return [_near(i, score, text, here.index) for i, score, text in kept]


def _near(thing_id: str, score: float, text: str, index: HomeIndex) -> DeviceCandidate:
    kind: RefKind = "scene" if thing_id in index.view.scenes else "device"
    return DeviceCandidate.of(thing_id, "", score, (Evidence("near", round(score, 3), text),), kind)


def _thing_words(query: QueryIR) -> str:
    """The words for the thing, where it is an order about one, and those of a setting right before them."""
    named = _thing_tokens(query)
    if not named:
        return ""
    start = named[0].start
    before = [t for t in query.tokens if t.kind in SETTING_KINDS and start - t.end in {0, 1}]
    return " ".join(t.text for t in (*before, *named))


def _thing_tokens(query: QueryIR) -> list[Token]:
    """The words for the thing: ``thing`` alone names none, and where no act is known only kinds do."""
    named = [
        t
        for t in query.target.tokens
        if t.kind in THING_KINDS and not (t.kind == "type" and type_word(t).kinds == ("*",))
    ]
    return named if query.action_cluster else [t for t in named if t.kind == "type"]


def _place_ids(query: QueryIR, here: HomePosition) -> frozenset[str] | None:
    """What stands in the place that was said; None where none was."""
    places = [frozenset(explain_word(t, here)) for t in query.target.tokens if t.kind in PLACE_KINDS]
    return frozenset.intersection(*places) if places else None


def _is_elsewhere(thing_id: str, here: HomePosition) -> bool:
    """Whether it stands elsewhere than the person who speaks."""
    room = here.index.view.room(thing_id)
    return here.area is not None and (room is None or room.id != here.area)
