"""Named features of spans, of slots, and of a span in a slot; each is there or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from winnow.language.segment import Word
from winnow.types.dialogue import Turn
from winnow.understand.rewrite.zh.candidates import Slot, Source, Stretch, slots, sources, spans
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, cut, kind, vocabulary

Item = TypeVar("Item")
PAIR = (
    "before in query", "after in query", "span in query", "noun in query", "verb before in query",
    "left as before", "left ends as before", "left edge said", "left said", "left doubled", "left earlier",
    "right as after", "right begins as after", "right edge said", "right said", "right doubled", "right later",
    "head kept", "person", "place", "thing",
)  # fmt: skip
"""Features of a span in a slot, in the order of their weights."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The query and the turns that are read, latest first."""

    query: tuple[Word, ...]
    sources: tuple[Source, ...]

    @property
    def text(self) -> str:
        """The query as said."""
        return "".join(w.text for w in self.query)


def scene_of(query: str, history: Sequence[Turn], skipped: int = 0) -> Scene:
    """A query and its history, segmented; ``skipped`` turns before ``history`` were not read."""
    return Scene(cut(query), tuple(sources(history, skipped)))


def edited(scene: Scene, stretch: Stretch, slot: Slot) -> tuple[str, int, int]:
    """The query with a span in a slot, and where what gave way began and ended."""
    words, query = scene.query, scene.text
    start = words[slot.first].start if slot.first < len(words) else len(query)
    end = words[slot.last - 1].end if slot.last > slot.first else start
    return query[:start] + stretch.text + slot.glue + query[end:], start, end


@lru_cache(maxsize=16384)
def _named(name: str, text: str, its_tag: str) -> tuple[str, ...]:
    return (f"{name}:{its_tag}", f"{name}={text}") if text in vocabulary().words else (f"{name}:{its_tag}",)


def _word(name: str, words: Sequence[Word], i: int) -> tuple[str, ...]:
    """The class of the word at ``i``, and the word itself when features name it."""
    return _named(name, words[i].text, words[i].tag) if 0 <= i < len(words) else (f"{name}:end",)


def _bucket(n: int) -> str:
    return str(n) if n < 6 else "6-8" if n < 9 else "9-12" if n < 13 else "13+"


def stretch_features(stretch: Stretch, others: str) -> list[str]:
    """Features of a span; ``others`` is the text of the other turns."""
    words, first, last = stretch.source.words, stretch.first, stretch.last
    found = [f"s.who:{'u' if stretch.source.user else 'a'}{min(stretch.source.back, 3)}"]
    found += _word("s.first", words, first)
    found += _word("s.last", words, last - 1)
    found += _word("s.before", words, first - 1)
    found += _word("s.after", words, last)
    found += _word("s.after2", words, last + 1)
    found += _word("s.before2", words, first - 2)
    tags = [w.tag for w in stretch.words]
    text = stretch.text
    found.append("s.shape:" + (" ".join(tags) if len(tags) < 4 else "long"))
    before, after = (
        (words[first - 1].tag if first else "end"),
        (words[last].tag if last < len(words) else "end"),
    )
    found += [f"s.edge.l:{before}|{tags[0]}", f"s.edge.r:{tags[-1]}|{after}"]
    found += [
        f"s.words:{len(tags)}",
        f"s.chars:{_bucket(len(text))}",
        f"s.from:{_bucket(first)}",
        f"s.to:{_bucket(len(words) - last)}",
    ]
    found += [f"s.has:{t}" for t in set(tags)]
    found += [
        f"s.asks:{vocabulary().questions[w.text]}" for w in stretch.words if w.text in vocabulary().questions
    ]
    found += [f"s.points:{kind(w.text)}" for w in stretch.words if kind(w.text)]
    found += [f"s.mine:{w.text}" for w in stretch.words if w.text in ("我", "你")]
    found += _repeated(stretch, text, others)
    if first == 0 and last == len(words):
        found.append("s.all")
    if not any(t in NOMINAL for t in tags):
        found.append("s.no.noun")
    nominal = [i for i, w in enumerate(words) if w.tag in NOMINAL]
    if nominal and len(tags) == 1 and tags[0] in NOMINAL:
        found += (
            ["s.noun.only"] * (len(nominal) == 1)
            + ["s.noun.first"] * (nominal[0] == first)
            + ["s.noun.last"] * (nominal[-1] == first)
        )
    return found


def _repeated(stretch: Stretch, text: str, others: str) -> list[str]:
    """Whether other turns say it too, and whether they say more of it.

    A name ends where its repetition ends.
    """
    if text not in others:
        return ["s.unique"]
    words, first, last = stretch.source.words, stretch.first, stretch.last
    longer_left = first > 0 and words[first - 1].text + text in others
    longer_right = last < len(words) and text + words[last].text in others
    return [
        "s.repeated",
        f"s.repeated:{int(longer_left)}{int(longer_right)}",
        f"s.repeated.words:{last - first}",
    ]


def query_features(scene: Scene) -> list[str]:
    """Features of the query and of what was said just before; every slot has them."""
    words = scene.query
    tags = {w.tag for w in words}
    found = [f"q.words:{_bucket(len(words))}"] + [
        f"q.has:{t}" for t in ("n", "nr", "ns", "nz", "v", "a", "r", "uj", "y", "m", "i") if t in tags
    ]
    found += sorted({f"q.points:{kind(w.text)}" for w in words if kind(w.text)})
    found += sorted(
        {f"q.asks:{vocabulary().questions[w.text]}" for w in words if w.text in vocabulary().questions}
    )
    found += _word("q.first", words, 0)
    found += _word("q.last", words, len(words) - 1)
    for source in scene.sources[:2]:
        name = f"h{source.back}"
        found += sorted(
            {
                f"{name}.asks:{vocabulary().questions[w.text]}"
                for w in source.words
                if w.text in vocabulary().questions
            }
        )
        found.append(f"{name}.words:{_bucket(len(source.words))}")
    found += _shared(scene)
    return found


def _shared(scene: Scene) -> list[str]:
    """How much of what the query talks about was talked about before."""
    said = "".join(w.text for source in scene.sources for w in source.words)
    content = [w.text for w in scene.query if w.tag in NOMINAL and w.text not in vocabulary().words]
    verbs = [w.text for w in scene.query if w.tag in ("v", "a", "i") and w.text not in vocabulary().words]
    known, known_verbs = sum(w in said for w in content), sum(w in said for w in verbs)
    longest = max((len(w) for w in content if w in said), default=0)
    nouns, known_of_them = min(len(content), 3), min(known, 3)
    return [
        f"q.nouns:{nouns}|{known_of_them}",
        f"q.verbs:{min(len(verbs), 3)}|{min(known_verbs, 3)}",
        f"q.known:{min(longest, 5)}",
    ]


def slot_features(slot: Slot | None, scene: Scene) -> list[str]:
    """Features of a slot; None is the choice to leave the query as it is."""
    if slot is None:
        return ["p.none"]
    words, first, last = scene.query, slot.first, slot.last
    found = [f"p.glue:{slot.glue}", f"p.at:{_bucket(first)}", f"p.to:{_bucket(len(words) - last)}"]
    found += _word("p.left", words, first - 1)
    found += _word("p.left2", words, first - 2)
    found += _word("p.right", words, last)
    found += _word("p.right2", words, last + 1)
    left, right = (
        (words[first - 1].tag if first else "end"),
        (words[last].tag if last < len(words) else "end"),
    )
    found.append(f"p.edges:{left}|{right}")
    if last == first:
        found.append("p.put")
        return found
    gone = words[first:last]
    found += [
        "p.instead",
        f"p.gone:{kind(gone[0].text)}",
        f"p.gone.words:{len(gone)}",
        f"p.gone.last:{gone[-1].tag}",
    ]
    found += _word("p.gone0", words, first)
    if len(gone) > 1:
        found.append(
            "p.gone.shape:" + " ".join("M" if w.text in vocabulary().measures else w.tag for w in gone)
        )
    if right in NOMINAL or right in ("q", "m"):
        found.append(f"p.cut:{gone[-1].tag}|{right}")
    found += [
        f"p.earlier:{int(any(kind(w.text) for w in words[:first]))}",
        f"p.later:{int(any(kind(w.text) for w in words[last:]))}",
    ]
    return found


@dataclass(frozen=True, slots=True)
class Encoded:
    """All spans and slots of a scene with their features.

    ``slots[0]`` leaves the query alone, ``slots[1:]`` go with ``places``.
    """

    stretches: Sequence[Stretch]
    stretch_features: Sequence[Sequence[str]]
    places: Sequence[Slot]
    slots: Sequence[Sequence[str]]


def encode(scene: Scene) -> Encoded:
    """Everything that could be copied and everywhere it could go."""
    found, described = _described(scene.sources)
    places, shared = slots(scene.query), query_features(scene)
    return Encoded(
        found, described, places, [slot_features(slot, scene) + shared for slot in (None, *places)]
    )


@lru_cache(maxsize=8)
def _described(read: tuple[Source, ...]) -> tuple[Sequence[Stretch], Sequence[Sequence[str]]]:
    """The spans of the turns that are read and their features.

    The same each time that a query is looked at again.
    """
    texts = [source.text for source in read]
    others = {source.turn: "\n".join(texts[:i] + texts[i + 1 :]) for i, source in enumerate(read)}
    found = spans(read)
    return found, [stretch_features(stretch, others[stretch.source.turn]) for stretch in found]


def pairs(found: Sequence[Stretch], places: Sequence[Slot], scene: Scene) -> npt.NDArray[np.float32]:
    """What holds for each span in each slot, shape (spans, slots, ``PAIR``), 0 or 1."""
    said, whole = "\n".join(source.text for source in scene.sources), scene.text
    around = [_around(slot, scene.query) for slot in places]
    lefts, left = _numbered([place[0] for place in around])
    rights, right = _numbered([place[1] for place in around])
    words, gone = _numbered([place[2] for place in around])
    own = np.array([[_alone(stretch, whole)] for stretch in found], np.float32).repeat(len(places), axis=1)
    on_left = np.array([[_on_left(stretch, word, said) for word in lefts] for stretch in found], np.float32)
    on_right = np.array(
        [[_on_right(stretch, word, said) for word in rights] for stretch in found], np.float32
    )
    instead = np.array([[_replacing(stretch, *pair) for pair in words] for stretch in found], np.float32)
    return np.concatenate([own, on_left[:, left], on_right[:, right], instead[:, gone]], axis=2)


def _numbered(items: Sequence[Item]) -> tuple[list[Item], list[int]]:
    """Each item once, and for every place which of them it is."""
    numbers = {item: n for n, item in enumerate(dict.fromkeys(items))}
    return list(numbers), [numbers[item] for item in items]


def _around(slot: Slot, query: Sequence[Word]) -> tuple[str, str, tuple[str, str]]:
    """The word before, the word behind, and of what gives way its kind and its last word."""
    left = query[slot.first - 1].text if slot.first else ""
    right = slot.glue or (query[slot.last].text if slot.last < len(query) else "")
    points = kind(query[slot.first].text) if slot.last > slot.first else ""
    return left, right, (points, query[slot.last - 1].text if slot.last > slot.first + 1 else "")


def _alone(stretch: Stretch, query: str) -> tuple[bool, ...]:
    before, after = stretch.before, stretch.after
    return (
        len(before) > 1 and before in query,
        len(after) > 1 and after in query,
        stretch.text in query,
        any(w.text in query for w in stretch.words if w.tag in NOMINAL),
        bool(before) and stretch.source.words[stretch.first - 1].tag == "v" and before[0] in query,
    )


def _on_left(stretch: Stretch, left: str, said: str) -> tuple[bool, ...]:
    if not left:
        return (False,) * 6
    text, before = stretch.text, stretch.before
    earlier = stretch.source.text[: stretch.words[0].start]
    return (
        left == before,
        bool(before) and left[-1] == before[-1],
        left[-1] + text[0] in said,
        left + text in said,
        text[0] == left[-1],
        len(left) > 1 and left in earlier,
    )


def _on_right(stretch: Stretch, right: str, said: str) -> tuple[bool, ...]:
    if not right:
        return (False,) * 6
    text, after = stretch.text, stretch.after
    later = stretch.source.text[stretch.words[-1].end :]
    return (
        right == after,
        bool(after) and right[0] == after[0],
        text[-1] + right[0] in said,
        text + right in said,
        text[-1] == right[0],
        len(right) > 1 and right in later,
    )


def _replacing(stretch: Stretch, points: str, head: str) -> tuple[bool, ...]:
    if not points:
        return (False,) * 4
    tags = {w.tag for w in stretch.words}
    return (
        bool(head) and head in stretch.text,
        points == "he" and "nr" in tags,
        points == "place" and "ns" in tags,
        points in ("it", "this") and bool(tags & {"n", "nz"}),
    )
