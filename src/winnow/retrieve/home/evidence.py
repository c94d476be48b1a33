"""Devices meant without being named: by the act, by earlier mentions, and guesses that are asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from math import log2
from typing import cast

from winnow.language.content_words import STARTING, STOPPING
from winnow.language.lexicon import clusters, surfaces
from winnow.language.normalize import fold, is_han
from winnow.language.tables import table
from winnow.retrieve.home.devices import (
    WORD_WEIGHTS,
    DeviceMatch,
    fitting_devices,
    fitting_ids,
    inferred_matches,
    is_lamp,
    similar_things,
)
from winnow.retrieve.home.explain import HomePosition, WordDevices, explain_word
from winnow.retrieve.home.index import HomeIndex
from winnow.types.candidate import DeviceCandidate, Evidence, RefKind
from winnow.types.home import Device, Profile
from winnow.types.query import PLACE_KINDS, Mention, Quantifier, QueryIR, Token

# Which devices can do what is asked, whether or not a word named them.


GENERIC_VERBS = STARTING | STOPPING | {"toggle", "set", "leave"}
"""Verbs that fit too much to say what they are for."""


def ablest(ids: Collection[str], query: QueryIR, index: HomeIndex) -> list[str]:
    """Those of the devices whose best command stands first in the cluster, by id."""
    order = {trait: n for n, trait in enumerate(query.action_cluster)}
    profiles = {i: index.view.devices[i].profile_id for i in ids}
    ranks = {key: _rank(index.view.profiles.get(key), order) for key in set(profiles.values())}
    best = min(ranks.values(), default=len(order))
    return sorted(i for i, key in profiles.items() if ranks[key] == best < len(order))


def _rank(profile: Profile | None, order: Mapping[str, int]) -> int:
    """The first place in the cluster that a command of the profile has; one behind the last for none."""
    commands = profile.commands if profile else ()
    return min((order[c.trait] for c in commands if c.trait in order), default=len(order))


def unnamed_devices(query: QueryIR, here: HomePosition, left_out: Collection[str]) -> list[DeviceMatch]:
    """Where no device was named: those of the speaker's room, else of the home, that do it first."""
    if not _tells_what_for(query):
        return []
    ids = here.index.without_exact_name(here.around).difference(left_out)
    preferred = clusters()["preferred"].get(query.property, ())
    likely = [i for i in ids if not set(preferred).isdisjoint(here.index.view.devices[i].kinds)]
    return inferred_matches(ablest(likely or ids, query, here.index))


def _tells_what_for(query: QueryIR) -> bool:
    """Whether the act alone, of which nothing is named, says what it may be for."""
    if query.references or query.target.tokens or not query.action_cluster:
        return False
    return query.action not in GENERIC_VERBS or bool(query.property or query.value)


def is_another(query: QueryIR, found: Collection[DeviceMatch], index: HomeIndex) -> bool:
    """Whether the act is for something else than what was named before it.

    It cannot do it, and is not pointed at: ``turn on the tv and raise the temperature``.
    """
    handed_on = [m.device_id for m in found if not m.missing]
    if not handed_on or any(t.kind == "reference" for t in query.tokens):
        return False
    return not ablest(handed_on, query, index)


# What a sentence mentions of a home, however little of it was understood: told to whoever can judge it.


MAX_MENTIONED = 24
"""Devices and scenes kept of what is mentioned; a word for a kind may point to every lamp of a home."""
MIN_MENTION_SHARE = 0.7
"""Share of the most that is said of anything a word points to, from which on as much is said."""
VALUE_KINDS = frozenset({"choice", "mode"})
"""Kinds of words for what a command takes."""
POINTING_KINDS = frozenset(WORD_WEIGHTS) - {"zone"} | {"scene"} | VALUE_KINDS
"""Kinds of words that point to something."""
SCENE_WEIGHT = 3.0
"""How much the name of a scene counts, as that of a device does."""
VALUE_WEIGHT = 1.5
"""How much a value counts that a command takes: a radio station, a programme."""
MENTION_WEIGHTS = {**WORD_WEIGHTS, "scene": SCENE_WEIGHT, **dict.fromkeys(VALUE_KINDS, VALUE_WEIGHT)}
"""How much a word of each kind counts for what it points to."""


@dataclass(slots=True)
class _MentionedThing:
    """One device or scene with the words that point to it."""

    score: float = 0.0
    evidence: list[Evidence] = field(default_factory=list)


def mentioned_things(
    tokens: Sequence[Token],
    queries: Iterable[QueryIR],
    here: HomePosition,
    most: int = MAX_MENTIONED,
    *,
    wanted: bool = True,
) -> tuple[DeviceCandidate, ...]:
    """The devices and scenes that words point to, those first that most and the rarest words do.

    A word counts by its kind, and the less the more it points to; each word once, and only for those of which
    most is said. A value points to what takes it, and where something is ``wanted`` of the home, a word that
    nothing explains to what is near in meaning. Of equals those come first that measure, where it is asked,
    else those that can be told something. Where no word points to anything: what the deeds of ``queries`` are
    made for. At most ``most``.
    """
    pointing = [*_pointing(tokens, here), *(_pointing_by_meaning(tokens, here) if wanted else ())]
    found = _scored_mentions(pointing)
    asked, view = any(t.kind == "question" for t in tokens), here.index.view

    def order(thing_id: str) -> tuple[float, bool, str]:
        only_measures = thing_id in view.devices and not view.profile(thing_id).commands
        return (-round(found[thing_id].score, 3), only_measures is not asked, thing_id)

    ranked = sorted({i for _, pointed in pointing for i in _best(pointed, found)}, key=order)
    candidates = [_candidate(thing_id, found[thing_id], here) for thing_id in ranked]
    return tuple((candidates or list(_unnamed_candidates(queries, here)))[:most])


def _scored_mentions(pointing: Iterable[tuple[Token, WordDevices]]) -> dict[str, _MentionedThing]:
    """What the words point to, with how much each of them counts for it."""
    found: dict[str, _MentionedThing] = defaultdict(_MentionedThing)
    for token, pointed in pointing:
        weight = MENTION_WEIGHTS[token.kind] / (1 + log2(len(pointed)))
        for thing_id, (share, lane) in pointed.items():
            found[thing_id].score += weight * share
            found[thing_id].evidence.append(Evidence(lane, round(share, 3), token.text))
    return found


def _best(pointed: WordDevices, found: Mapping[str, _MentionedThing]) -> Iterator[str]:
    """Those of what a word points to of which most is said: ``the lamp in the hall`` is no other lamp."""
    most = max(found[i].score for i in pointed)
    return (i for i in pointed if found[i].score >= MIN_MENTION_SHARE * most)


def _unnamed_candidates(queries: Iterable[QueryIR], here: HomePosition) -> Iterator[DeviceCandidate]:
    """What the deeds are made for: by itself, or in the room of the person who speaks."""
    ids = (m.device_id for query in queries for m in unnamed_devices(query.about(), here, ()))
    return (DeviceCandidate.of(i, "", 0.0, (Evidence("trait", 1.0),)) for i in dict.fromkeys(ids))


def _pointing(tokens: Iterable[Token], here: HomePosition) -> Iterator[tuple[Token, WordDevices]]:
    """Each word that points to something of the home, with what it points to."""
    seen: set[str] = set()
    for token in tokens:
        if (
            token.kind in POINTING_KINDS
            and token.text not in seen
            and (pointed := _pointed_things(token, here))
        ):
            seen.add(token.text)
            yield token, pointed


def _pointed_things(token: Token, here: HomePosition) -> WordDevices:
    """The devices or scenes that one word points to, which may be meant without their exact name."""
    if token.kind == "scene":
        return dict.fromkeys(token.refs, (1.0, "name"))
    if token.kind in VALUE_KINDS:
        return dict.fromkeys(here.index.taking(token.text), (1.0, "value"))
    told = explain_word(token, here)
    if len(told) == len(here.index.all_ids):
        return {}  # ``everything`` points to nothing
    named = {*token.refs, *(i for i in told if fold(token.text) in here.index.names.get(i, ()))}
    return {i: told[i] for i in told if i not in here.index.exact_name_only or i in named}


def _pointing_by_meaning(tokens: Iterable[Token], here: HomePosition) -> Iterator[tuple[Token, WordDevices]]:
    """Each word that nothing explains, with what is near to it in meaning."""
    least = here.index.embedder.alike
    if least is None:
        return
    for token in tokens:
        if token.kind == "word" and len(token.text) > 1 and not explain_word(token, here):
            near = similar_things(token.text, here, least)
            if near:
                yield token, {c.device_id: (c.score, "near") for c in near}


def _candidate(thing_id: str, pointed: _MentionedThing, here: HomePosition) -> DeviceCandidate:
    kind: RefKind = "scene" if thing_id in here.index.view.scenes else "device"
    return DeviceCandidate.of(thing_id, "", round(pointed.score, 3), pointed.evidence, kind)


# What earlier turns mentioned, and what stands beside it: ``it``, ``both``, ``the other one``.


MIN_NAME_LIKENESS = 0.6
"""How much of the longer of two names is the same in names that tell one pair of things apart."""
MAX_FIT_GAP = 0.1
"""How far devices of one mention may stay behind the best of it, in coverage and exactness together."""


def antecedent_devices(query: QueryIR, here: HomePosition) -> list[DeviceMatch]:
    """What earlier turns mentioned.

    The last that can do it, all of them for ``both``, its fellows for ``the other one``.
    """
    if query.other_than is not None:
        return _fellows(query, query.other_than, here)
    able = _able_of_each(query, here)
    if query.quantifier is Quantifier.ALL:
        return [m for found in able for m in found]
    if _bare_number(query):  # a shade is set in percent, and whoever means that says so
        able.sort(key=lambda found: all("cover" in here.index.view.devices[m.device_id].kinds for m in found))
    return next((found for found in able if found), [])


def _able_of_each(query: QueryIR, here: HomePosition) -> list[list[DeviceMatch]]:
    """Of each earlier mention, the last first, the devices that can do what is asked now."""
    if not query.target.tokens:
        return [_ablest_of(fitting_devices(m.tokens, here), query, here.index) for m in query.antecedents]
    named = fitting_ids(query.target.tokens, here)
    mentioned = (
        [m for m in fitting_devices(a.tokens, here) if m.device_id in named] for a in query.antecedents
    )
    return [_ablest_of(found, query, here.index) for found in mentioned]


def _ablest_of(found: list[DeviceMatch], query: QueryIR, index: HomeIndex) -> list[DeviceMatch]:
    """Those that fit about as well as the first, and of them the ablest."""
    if not found:
        return []
    least = found[0].coverage + found[0].exact - MAX_FIT_GAP
    best = [m for m in found if m.coverage + m.exact >= least]
    if not query.action_cluster:
        return best
    able = ablest([m.device_id for m in best], query, index)
    return [m for m in best if m.device_id in able]


def _bare_number(query: QueryIR) -> bool:
    """Whether a number was said, and neither its unit nor what it is of."""
    value = query.value
    if value is None or value.kind != "absolute":
        return False
    return value.number is not None and not value.unit and not query.property


def _fellows(query: QueryIR, other: Mention, here: HomePosition) -> list[DeviceMatch]:
    """What ``the other one`` of a thing may be, without the thing itself."""
    meant = fitting_devices(other.tokens, here)
    if not meant:
        return []
    device = here.index.view.devices[meant[0].device_id]
    if query.references:
        # What stands in its room and is of its sort in the widest sense: the blinds for the curtains
        index = here.index
        in_room = index.without_exact_name(index.by_room.get(device.room_id or "", ())) - {device.id}
        fellows = [i for i in in_room if not set(device.kinds).isdisjoint(index.view.devices[i].kinds)]
    else:
        fellows = _of_its_kind(device, here.index)
    # Those called as it is but for a part, as the right downlight beside the left one; else all
    names = {i: here.index.view.devices[i].name for i in fellows}
    near = [i for i in fellows if _is_similar_name(device.name, names[i])]
    return inferred_matches(ablest(near or fellows, query, here.index))


def _is_similar_name(name: str, other: str) -> bool:
    """Whether most of two names is the same, from the beginning and from the end."""
    same = _common_prefix(name, other)
    return same + _common_prefix(name[same:][::-1], other[same:][::-1]) >= MIN_NAME_LIKENESS * max(
        len(name), len(other)
    )


def _common_prefix(one: str, other: str) -> int:
    """With how many characters two texts begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _of_its_kind(device: Device, index: HomeIndex) -> list[str]:
    """Devices of the same kind: of its room, where one is called like it or none is elsewhere; else all."""
    alike = (i for kind in device.kinds[:1] for i in index.without_exact_name(index.by_kind.get(kind, ())))
    same = {i: index.view.devices[i] for i in alike if i != device.id}
    near = [i for i, d in same.items() if d.room_id == device.room_id]
    if not any(_is_similar_name(device.name, same[i].name) for i in near):
        near = [i for i, d in same.items() if d.name == device.name] or near
    return near or list(same)


UNKNOWN_KIND = "word"
"""Kind of the words that nothing explains."""
NEIGHBOUR_WIDTHS = ((1, 0), (0, 1), (2, 0), (1, 1))
"""Characters before and behind an unknown word that may belong to it."""
Likeness = Mapping[str, tuple[float, str]]
"""Device id -> (how like its name is, 0..1, that name)."""


def guess_figures() -> Mapping[str, Mapping[str, float]]:
    """Each way to take unknown words for a thing, with its figures."""
    return cast("Mapping[str, Mapping[str, float]]", table("winnow.retrieve.home", "weak.yaml"))


def guess_devices(
    query: QueryIR,
    found: Sequence[DeviceMatch],
    near: Sequence[DeviceCandidate],
    here: HomePosition,
    left_out: Collection[str],
) -> list[DeviceMatch]:
    """The devices that one thing may be of which not every word is known, by the first way that finds some.

    None where a device explains every word, and none for a set: who is in it must be clear.
    """
    if query.quantifier is not Quantifier.ONE or query.negated or not query.action_cluster:
        return []
    if query.count is not None or any(not m.missing for m in found) or _denies(query.raw):
        return []
    said = UnknownMention.of(query)
    tried = (
        _slip_devices(said, here),
        _described_devices(said, here),
        _carrier_devices(said, here),
        _near_devices(said, near, here.index),
    )
    meant = next(filter(None, tried), [])
    return [m for m in meant if m.device_id not in left_out]


@dataclass(frozen=True, slots=True)
class UnknownMention:
    """A mention by what is known of its words."""

    raw: str
    unknown: tuple[Token, ...]
    """The words that nothing explains."""
    places: tuple[Token, ...]
    things: tuple[Token, ...]

    @classmethod
    def of(cls, query: QueryIR) -> UnknownMention:
        """What a query names."""
        words = query.target.tokens
        places = tuple(t for t in words if t.kind in PLACE_KINDS)
        strange = tuple(t for t in words if t.kind == UNKNOWN_KIND)
        things = tuple(t for t in words if t.kind not in {UNKNOWN_KIND, *PLACE_KINDS})
        return cls(query.raw, strange, places, things)

    @property
    def text(self) -> str:
        """The words for the thing, joined."""
        return " ".join(t.text for t in self.things)

    @property
    def explained_words(self) -> tuple[Token, ...]:
        """The words that something explains."""
        return (*self.places, *self.things)


def _denies(text: str) -> bool:
    """Whether a word of negation stands anywhere in it: beside unknown words it may mean anything."""
    padded = f" {text} "
    return any(needle in padded for needle in _negations())


@lru_cache(maxsize=1)
def _negations() -> tuple[str, ...]:
    """Words of negation; Latin ones only whole."""
    return tuple(word if is_han(word[0]) else f" {word} " for word in surfaces("negation"))


def _slip_devices(said: UnknownMention, here: HomePosition) -> list[DeviceMatch]:
    """Those that unknown words are a slip of, as far as they explain the words beside them."""
    text, like = _likest_weak(said, here.index)
    if not like:
        return []
    known = said.explained_words
    fits = (
        {m.device_id: m.evidence for m in fitting_devices(known, here)} if known else dict.fromkeys(like, ())
    )
    weight = guess_figures()["slip"]["times"]
    rows = ((i, share, name) for i, (share, name) in like.items() if i in fits)
    return [
        _guess_match(i, Evidence("slip", round(weight * s, 3), f"{text} ~ {n}"), fits[i]) for i, s, n in rows
    ]


def _likest_weak(said: UnknownMention, index: HomeIndex) -> tuple[str, Likeness]:
    """The unknown words with the names that they are a slip of."""
    for text in _spellings(said):
        if like := index.grams().like(text):
            return text, like
    return "", {}


def _spellings(said: UnknownMention) -> Iterator[str]:
    """The unknown words as one.

    In Chinese a character beside them may belong to them, though it is a word by itself: ``老伙汁``.
    """
    if not said.unknown:
        return
    yield "".join(t.text for t in said.unknown)
    if is_han(said.unknown[0].text[0]):
        first, last = said.unknown[0].start, said.unknown[-1].end
        wider = ((max(0, first - left), last + right) for left, right in NEIGHBOUR_WIDTHS)
        yield from (said.raw[a:b] for a, b in wider if said.raw[a:b].isalnum() and _is_free(said, a, b))


def _is_free(said: UnknownMention, start: int, end: int) -> bool:
    """Whether no word that something explains stands in a stretch."""
    return not any(t.start < end and t.end > start for t in said.explained_words)


def _described_devices(said: UnknownMention, here: HomePosition) -> list[DeviceMatch]:
    """``厨房那个圆圆的灯``: what is of the kind in the place, behind a word or two that nobody knows.

    A word behind the kind makes it another thing: ``电视柜`` is no television.
    """
    figures = guess_figures()["described"]
    if not (said.places and said.things and _is_led(said, figures["most_words"])):
        return []
    told = Evidence("described", figures["times"], " ".join(t.text for t in said.unknown))
    # What stands in a room: of what is in none nothing tells that it is there
    device_matches = (
        m
        for m in fitting_devices(said.explained_words, here)
        if here.index.view.room(m.device_id) is not None
    )
    return [_guess_match(m.device_id, told, m.evidence) for m in device_matches]


def _is_led(said: UnknownMention, most: float) -> bool:
    """Whether a word or two that nobody knows stand before the thing."""
    return 0 < len(said.unknown) <= most and said.unknown[-1].start < said.things[-1].start


def _carrier_devices(said: UnknownMention, here: HomePosition) -> list[DeviceMatch]:
    """``老伙计的灯``: the plug that is called so, where its name does not tell what hangs there.

    In English a possessive tells of a part: ``the printer's light`` is no printer.
    """
    lamps = [t for t in said.things if is_lamp(t) and is_han(t.text[0])]
    if said.unknown or not 0 < len(lamps) < len(said.things):
        return []
    found = {
        m.device_id: m for m in fitting_devices([t for t in said.explained_words if t not in lamps], here)
    }
    told = Evidence("carried", guess_figures()["carried"]["times"], said.text)
    return [_guess_match(i, told, found[i].evidence) for i in sorted(here.index.may_carry(found))]


def _near_devices(
    said: UnknownMention, near: Sequence[DeviceCandidate], index: HomeIndex
) -> list[DeviceMatch]:
    """What is nearest in meaning, where it is near enough to be asked about and no kind or name was said."""
    if said.things:
        return []
    figures = guess_figures()["near"]
    kept = [c for c in near if c.score >= figures["least"] and c.device_id in index.view.devices]
    return [
        _guess_match(c.device_id, Evidence("near", *_near_evidence(c, figures["times"])), ()) for c in kept
    ]


def _near_evidence(candidate: DeviceCandidate, weight: float) -> tuple[float, str]:
    return round(weight * min(candidate.score, 1.0), 3), candidate.evidence[0].detail


def _guess_match(device_id: str, said: Evidence, beside: Sequence[Evidence]) -> DeviceMatch:
    """A match that only ``said`` speaks for, beside what is known."""
    return DeviceMatch(device_id, said.score, 0.0, (*beside, said))
