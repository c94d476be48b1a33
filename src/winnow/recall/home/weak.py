"""What words may mean that neither a name nor a kind explains: to be asked about, never done unasked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from winnow.language.lexicon import surfaces
from winnow.language.normalise import is_han
from winnow.recall.home.devices import Match, fitting, is_lamp
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.text.tables import table
from winnow.types.home_shortlist import DeviceCandidate
from winnow.types.query import PLACE_KINDS, Quantifier, QueryIR, Token
from winnow.types.shortlist import Evidence

UNKNOWN = "word"
"""Kind of the words that nothing explains."""
BESIDE = ((1, 0), (0, 1), (2, 0), (1, 1))
"""Characters before and behind an unknown word that may belong to it."""
Likeness = Mapping[str, tuple[float, str]]
"""Device id -> (how like its name is, 0..1, that name)."""


def ways() -> Mapping[str, Mapping[str, float]]:
    """Each way to take unknown words for a thing, with its figures."""
    return cast("Mapping[str, Mapping[str, float]]", table("winnow.recall.home", "weak.yaml"))


def weakly_meant(
    query: QueryIR,
    found: Sequence[Match],
    near: Sequence[DeviceCandidate],
    here: Standpoint,
    left_out: Collection[str],
) -> list[Match]:
    """The devices that one thing may be of which not every word is known, by the first way that finds some.

    None where a device explains every word, and none for a set: who is in it must be clear.
    """
    if query.quantifier is not Quantifier.ONE or query.negated or not query.action_cluster:
        return []
    if query.count is not None or any(not m.missing for m in found) or _denies(query.raw):
        return []
    said = Said.of(query)
    tried = (_slips(said, here), _described(said, here), _carried(said, here), _near(said, near, here.index))
    meant = next(filter(None, tried), [])
    return [m for m in meant if m.device_id not in left_out]


@dataclass(frozen=True, slots=True)
class Said:
    """A mention by what is known of its words."""

    raw: str
    strange: tuple[Token, ...]
    """The words that nothing explains."""
    places: tuple[Token, ...]
    things: tuple[Token, ...]

    @classmethod
    def of(cls, query: QueryIR) -> Said:
        """What a query names."""
        words = query.target.tokens
        places = tuple(t for t in words if t.kind in PLACE_KINDS)
        strange = tuple(t for t in words if t.kind == UNKNOWN)
        things = tuple(t for t in words if t.kind not in {UNKNOWN, *PLACE_KINDS})
        return cls(query.raw, strange, places, things)

    @property
    def text(self) -> str:
        """The words for the thing, joined."""
        return " ".join(t.text for t in self.things)

    @property
    def known(self) -> tuple[Token, ...]:
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


def _slips(said: Said, here: Standpoint) -> list[Match]:
    """Those that unknown words are a slip of, as far as they explain the words beside them."""
    text, like = _likest(said, here.index)
    if not like:
        return []
    known = said.known
    fits = {m.device_id: m.evidence for m in fitting(known, here)} if known else dict.fromkeys(like, ())
    weight = ways()["slip"]["times"]
    rows = ((i, share, name) for i, (share, name) in like.items() if i in fits)
    return [_match(i, Evidence("slip", round(weight * s, 3), f"{text} ~ {n}"), fits[i]) for i, s, n in rows]


def _likest(said: Said, index: HomeIndex) -> tuple[str, Likeness]:
    """The unknown words with the names that they are a slip of."""
    for text in _spellings(said):
        if like := index.grams().like(text):
            return text, like
    return "", {}


def _spellings(said: Said) -> Iterator[str]:
    """The unknown words as one.

    In Chinese a character beside them may belong to them, though it is a word by itself: ``老伙汁``.
    """
    if not said.strange:
        return
    yield "".join(t.text for t in said.strange)
    if is_han(said.strange[0].text[0]):
        first, last = said.strange[0].start, said.strange[-1].end
        wider = ((max(0, first - left), last + right) for left, right in BESIDE)
        yield from (said.raw[a:b] for a, b in wider if said.raw[a:b].isalnum() and _is_free(said, a, b))


def _is_free(said: Said, start: int, end: int) -> bool:
    """Whether no word that something explains stands in a stretch."""
    return not any(t.start < end and t.end > start for t in said.known)


def _described(said: Said, here: Standpoint) -> list[Match]:
    """``厨房那个圆圆的灯``: what is of the kind in the place, behind a word or two that nobody knows.

    A word behind the kind makes it another thing: ``电视柜`` is no television.
    """
    figures = ways()["described"]
    if not (said.places and said.things and _is_led(said, figures["most_words"])):
        return []
    told = Evidence("described", figures["times"], " ".join(t.text for t in said.strange))
    return [_match(m.device_id, told, m.evidence) for m in _in_place(fitting(said.known, here), here)]


def _is_led(said: Said, most: float) -> bool:
    """Whether a word or two that nobody knows stand before the thing."""
    return 0 < len(said.strange) <= most and said.strange[-1].start < said.things[-1].start


def _carried(said: Said, here: Standpoint) -> list[Match]:
    """``老伙计的灯``: the plug that is called so, where its name does not tell what hangs there.

    In English a possessive tells of a part: ``the printer's light`` is no printer.
    """
    lamps = [t for t in said.things if is_lamp(t) and is_han(t.text[0])]
    if said.strange or not 0 < len(lamps) < len(said.things):
        return []
    found = {m.device_id: m for m in fitting([t for t in said.known if t not in lamps], here)}
    told = Evidence("carried", ways()["carried"]["times"], said.text)
    return [_match(i, told, found[i].evidence) for i in sorted(here.index.may_carry(found))]


def _in_place(found: Sequence[Match], here: Standpoint) -> Iterator[Match]:
    """What stands in a room: of what is in none nothing tells that it is there."""
    return (m for m in found if here.index.view.room(m.device_id) is not None)


def _near(said: Said, near: Sequence[DeviceCandidate], index: HomeIndex) -> list[Match]:
    """What is nearest in meaning, where it is near enough to be asked about and no kind or name was said."""
    if said.things:
        return []
    figures = ways()["near"]
    kept = [c for c in near if c.score >= figures["least"] and c.device_id in index.view.devices]
    return [_match(c.device_id, Evidence("near", *_of(c, figures["times"])), ()) for c in kept]


def _of(candidate: DeviceCandidate, weight: float) -> tuple[float, str]:
    return round(weight * min(candidate.score, 1.0), 3), candidate.evidence[0].detail


def _match(device_id: str, said: Evidence, beside: Sequence[Evidence]) -> Match:
    """A match that only ``said`` speaks for, beside what is known."""
    return Match(device_id, said.score, 0.0, (*beside, said))
