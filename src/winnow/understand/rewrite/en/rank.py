"""Which phrase a slot means: a weighed choice among all of them and leaving it as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from winnow.text.tables import table
from winnow.understand.rewrite.en.features import left, weighed
from winnow.understand.rewrite.en.mentions import Mention
from winnow.understand.rewrite.en.scene import Candidate, Features, Scene
from winnow.understand.rewrite.en.slots import Slot
from winnow.understand.rewrite.en.words import lists

_ITEMS = frozenset({"name", "noun", "title", "link"})
_LEANING = frozenset({"his", "her", "their", "its", "this", "that", "these", "those"})


@dataclass(frozen=True, slots=True)
class Choice:
    """What a slot means, with the words that replace it; no phrase where it stays as it is."""

    mention: Mention | None
    text: str
    features: Features


@lru_cache(maxsize=1)
def weights() -> Mapping[str, Mapping[str, float]]:
    """Group of slots -> feature -> weight, fitted by ``training/fit_rewrite_en.py``."""
    raw: dict[str, dict[str, float]] = table(__package__, "weights.yaml")
    common = raw["all"]
    return {
        group: {name: common.get(name, 0.0) + own.get(name, 0.0) for name in {*common, *own}}
        for group, own in raw.items()
    }


def choices(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> list[Choice]:
    """Leaving the slot first, then every phrase that may stand there."""
    stay = Choice(None, "", left(slot, now, earlier))
    if slot.form == "nth":
        return list(_counted(slot, now)) or [stay]
    return [stay, *_phrases(slot, now)]


def _phrases(slot: Slot, now: Scene) -> Iterator[Choice]:
    said = tuple(t.low for t in now.read[slot.start : slot.end])
    seen: set[str] = set()
    for candidate in now.candidates:
        if not _may(slot, said, candidate):
            continue
        text = _worded(slot, candidate.mention, now)
        if text.lower() not in seen and text.lower() != " ".join(said):
            seen.add(text.lower())
            yield Choice(candidate.mention, text, weighed(slot, candidate, now))


def _counted(slot: Slot, now: Scene) -> Iterator[Choice]:
    """The phrase at the place named in the list that was said last."""
    lists_said = [c.mention for c in now.candidates if c.mention.kind in {"choice", "list"}]
    if not lists_said:
        return
    turn = max(m.turn for m in lists_said)
    longest = max((m for m in lists_said if m.turn == turn), key=lambda m: len(m.text))
    items = _items(longest, now)
    if len(items) >= abs(slot.place):
        item = items[slot.place - (slot.place > 0)]
        yield Choice(item.mention, item.mention.text, weighed(slot, item, now))


def _items(whole: Mention, now: Scene) -> list[Candidate]:
    """The phrases a list is made of, in order."""
    inside = [
        c
        for c in now.candidates
        if c.mention.turn == whole.turn and c.mention.kind in _ITEMS and c.mention.text in whole.text
    ]
    longest_last = sorted(inside, key=lambda c: len(c.mention.text))
    return sorted(
        {c.mention.at: c for c in longest_last if c.mention.at >= whole.at}.values(),
        key=lambda c: c.mention.at,
    )


def _may(slot: Slot, said: tuple[str, ...], candidate: Candidate) -> bool:
    m = candidate.mention
    if m.determiner in _LEANING:
        return False
    if slot.form == "name":
        return m.kind in {"name", "title"} and len(m.words) > len(said) and set(said) < set(m.words)
    return slot.group != "person" or not (m.kind in {"list", "head"} or {m.words[0], m.words[-1]} & _nobody())


@lru_cache(maxsize=1)
def _nobody() -> frozenset[str]:
    """Words for what is surely no person."""
    nouns: frozenset[str] = lists()["days"] | lists()["titled"] | lists()["nouns"] | lists()["vague"]
    return nouns


def _worded(slot: Slot, m: Mention, now: Scene) -> str:
    """The phrase as it stands in the place of the slot."""
    text = m.text
    if m.determiner in {"a", "an", "any", "some", "no", "all"} and slot.form != "one":
        text = "the" + text[len(m.determiner) :]
    if slot.form == "one" and _qualified(slot, now) and m.determiner:
        text = text[len(m.determiner) :].lstrip()
    return text


def _qualified(slot: Slot, now: Scene) -> bool:
    """``the live one``: a determiner or an adjective stands in front."""
    before = now.read[slot.start - 1] if slot.start else None
    return before is not None and (
        before.kind in {"word", "name"} or before.low in {*lists()["determiners"], *lists()["ordinals"]}
    )


def choose(slot: Slot, now: Scene, earlier: Sequence[Slot]) -> tuple[Choice, float]:
    """The best choice and its probability."""
    options = choices(slot, now, earlier)
    fitted = weights().get(slot.group, {})
    scores = [sum(value * fitted.get(name, 0.0) for name, value in o.features.items()) for o in options]
    best = max(range(len(options)), key=scores.__getitem__)
    return options[best], 1 / sum(exp(s - scores[best]) for s in scores)
