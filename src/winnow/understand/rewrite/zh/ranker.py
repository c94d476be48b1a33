"""Rank which Chinese span goes into which slot: features and the fitted network.

A small network over named features, its weights fitted by ``training/fit_rewrite_zh.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from itertools import accumulate, chain
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from winnow.language.segment import SegmentedWord
from winnow.understand.rewrite.zh.candidates import ChineseSlot, SourceTurn, Stretch, slots, spans
from winnow.understand.rewrite.zh.topics import ChineseScene
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, kind, rewrite_vocabulary

# Binary features of spans and of slots, by name, so that weights stay readable.


_QUERY_TAGS = ("n", "nr", "ns", "nz", "v", "a", "r", "uj", "y", "m", "i")
"""Classes of words that a query is told apart by."""
_SIZES = (*"012345", *("6-8",) * 3, *("9-12",) * 4)
"""Sizes of one name count as one."""


@lru_cache(maxsize=16384)
def _name_features(name: str, text: str, its_tag: str) -> tuple[str, ...]:
    return (
        (f"{name}:{its_tag}", f"{name}={text}")
        if text in rewrite_vocabulary().words
        else (f"{name}:{its_tag}",)
    )


def _word(name: str, words: Sequence[SegmentedWord], i: int) -> tuple[str, ...]:
    """The class of the word at ``i``, and the word itself when features name it."""
    return _name_features(name, words[i].text, words[i].tag) if 0 <= i < len(words) else (f"{name}:end",)


def _tag(words: Sequence[SegmentedWord], i: int) -> str:
    return words[i].tag if 0 <= i < len(words) else "end"


def _size(n: int) -> str:
    return _SIZES[n] if n < len(_SIZES) else "13+"


def _question_features(name: str, words: Sequence[SegmentedWord]) -> list[str]:
    """What its question words ask for."""
    questions = rewrite_vocabulary().questions
    return [f"{name}.asks:{questions[w.text]}" for w in words if w.text in questions]


def _points(name: str, words: Sequence[SegmentedWord]) -> list[str]:
    """What its words that point back may point at."""
    return [f"{name}.points:{kind(w.text)}" for w in words if kind(w.text)]


def stretch_features(stretch: Stretch, others: str) -> list[str]:
    """Features of a span; ``others`` is the text of the other turns."""
    source, words = stretch.source, stretch.words
    # The same for every span of the turn that begins here.
    said, first = source.words, stretch.first
    beginning = [
        *_word("s.first", said, first),
        *_word("s.before", said, first - 1),
        *_word("s.before2", said, first - 2),
        f"s.edge.l:{_tag(said, first - 1)}|{said[first].tag}",
        f"s.from:{_size(first)}",
    ]
    return [
        f"s.who:{'u' if source.user else 'a'}{min(source.back, 3)}",
        *beginning,
        *_ending(source.words, stretch.last),
        *_inside(words, stretch.text),
        *_question_features("s", words),
        *_points("s", words),
        *_repetition_features(stretch, others),
        *_share(stretch),
    ]


def _ending(words: Sequence[SegmentedWord], last: int) -> list[str]:
    """Features of every span of a turn that ends before ``last``."""
    return [
        *_word("s.last", words, last - 1),
        *_word("s.after", words, last),
        *_word("s.after2", words, last + 1),
        f"s.edge.r:{words[last - 1].tag}|{_tag(words, last)}",
        f"s.to:{_size(len(words) - last)}",
    ]


def _inside(words: Sequence[SegmentedWord], text: str) -> list[str]:
    """What a span is made of."""
    tags = [w.tag for w in words]
    return [
        "s.shape:" + (" ".join(tags) if len(tags) < 4 else "long"),
        f"s.words:{len(tags)}",
        f"s.chars:{_size(len(text))}",
        *[f"s.has:{tag}" for tag in dict.fromkeys(tags)],
        *[f"s.mine:{w.text}" for w in words if w.text in ("我", "你")],
    ]


def _repetition_features(stretch: Stretch, others: str) -> list[str]:
    """Whether other turns say it too, and whether they say more of it.

    A name ends where its repetition ends.
    """
    text = stretch.text
    if text not in others:
        return ["s.unique"]
    longer_left = bool(stretch.before) and stretch.before + text in others
    longer_right = bool(stretch.after) and text + stretch.after in others
    return [
        "s.repeated",
        f"s.repeated:{int(longer_left)}{int(longer_right)}",
        f"s.repeated.words:{stretch.last - stretch.first}",
    ]


def _share(stretch: Stretch) -> Iterator[str]:
    """What a span is of its turn: all of it, no noun, which of its nouns."""
    words, first, last = stretch.source.words, stretch.first, stretch.last
    if first == 0 and last == len(words):
        yield "s.all"
    if not any(w.tag in NOMINAL for w in words[first:last]):
        yield "s.no.noun"
    elif last == first + 1:
        yield from _which_noun(words, first)


def _which_noun(words: Sequence[SegmentedWord], i: int) -> Iterator[str]:
    nouns = [n for n, w in enumerate(words) if w.tag in NOMINAL]
    if len(nouns) == 1:
        yield "s.noun.only"
    if nouns[0] == i:
        yield "s.noun.first"
    if nouns[-1] == i:
        yield "s.noun.last"


def query_features(scene: ChineseScene) -> list[str]:
    """Features of the query and of what was said just before; every slot has them."""
    words = scene.query
    tags = {w.tag for w in words}
    found = [
        f"q.words:{_size(len(words))}",
        *[f"q.has:{tag}" for tag in _QUERY_TAGS if tag in tags],
        *_points("q", words),
        *_question_features("q", words),
        *_word("q.first", words, 0),
        *_word("q.last", words, len(words) - 1),
    ]
    for source in scene.sources[:2]:
        found += _question_features(f"h{source.back}", source.words)
        found.append(f"h{source.back}.words:{_size(len(source.words))}")
    return found + _query_overlap_features(scene)


def _query_overlap_features(scene: ChineseScene) -> list[str]:
    """How much of what the query talks about was talked about before."""
    said = "".join(source.text for source in scene.sources)
    content = [w for w in scene.query if w.text not in rewrite_vocabulary().words]
    nouns = [w.text for w in content if w.tag in NOMINAL]
    verbs = [w.text for w in content if w.tag in ("v", "a", "i")]
    longest = max((len(noun) for noun in nouns if noun in said), default=0)
    return [
        _spoken_word_feature("q.nouns", nouns, said),
        _spoken_word_feature("q.verbs", verbs, said),
        f"q.known:{min(longest, 5)}",
    ]


def _spoken_word_feature(name: str, words: Sequence[str], said: str) -> str:
    """How many words there are, and how many of them were said before."""
    known = sum(word in said for word in words)
    return f"{name}:{min(len(words), 3)}|{min(known, 3)}"


def slot_features(slot: ChineseSlot | None, scene: ChineseScene) -> list[str]:
    """Features of a slot; None is the choice to leave the query as it is."""
    if slot is None:
        return ["p.none"]
    words, first, last = scene.query, slot.first, slot.last
    return [
        f"p.glue:{slot.glue}",
        f"p.at:{_size(first)}",
        f"p.to:{_size(len(words) - last)}",
        *_word("p.left", words, first - 1),
        *_word("p.left2", words, first - 2),
        *_word("p.right", words, last),
        *_word("p.right2", words, last + 1),
        f"p.edges:{_tag(words, first - 1)}|{_tag(words, last)}",
        *(_replaced_word_features(words, first, last) if last > first else ["p.put"]),
    ]


def _replaced_word_features(words: Sequence[SegmentedWord], first: int, last: int) -> list[str]:
    """Features of the words that give way to a span."""
    gone, right = words[first:last], _tag(words, last)
    earlier, later = (any(kind(w.text) for w in part) for part in (words[:first], words[last:]))
    found = [
        "p.instead",
        f"p.gone:{kind(gone[0].text)}",
        f"p.gone.words:{len(gone)}",
        f"p.gone.last:{gone[-1].tag}",
        *_word("p.gone0", words, first),
        f"p.earlier:{int(earlier)}",
        f"p.later:{int(later)}",
    ]
    if len(gone) > 1:
        found.append(
            "p.gone.shape:"
            + " ".join("M" if w.text in rewrite_vocabulary().measures else w.tag for w in gone)
        )
    if right in NOMINAL or right in ("q", "m"):
        found.append(f"p.cut:{gone[-1].tag}|{right}")
    return found


@dataclass(frozen=True, slots=True)
class Encoded:
    """All spans and slots of a scene with their features.

    ``slots[0]`` leaves the query alone, ``slots[1:]`` go with ``places``.
    """

    stretches: Sequence[Stretch]
    stretch_features: Sequence[Sequence[str]]
    places: Sequence[ChineseSlot]
    slots: Sequence[Sequence[str]]


def encode(scene: ChineseScene) -> Encoded:
    """Everything that could be copied and everywhere it could go."""
    found, described = _span_features(scene.sources)
    places, shared = slots(scene.query), query_features(scene)
    return Encoded(
        found, described, places, [slot_features(slot, scene) + shared for slot in (None, *places)]
    )


@lru_cache(maxsize=8)
def _span_features(read: tuple[SourceTurn, ...]) -> tuple[Sequence[Stretch], Sequence[Sequence[str]]]:
    """The spans of the turns that are read and their features.

    The same each time that a query is looked at again.
    """
    texts = [source.text for source in read]
    others = {source.turn: "\n".join(texts[:i] + texts[i + 1 :]) for i, source in enumerate(read)}
    found = spans(read)
    return found, [stretch_features(stretch, others[stretch.source.turn]) for stretch in found]


# Pair features: whether a span fits its new neighbours as it fitted those it had.


Floats = npt.NDArray[np.float32]
Place = TypeVar("Place", bound=Hashable)
_ANYWHERE = ("before in query", "after in query", "span in query", "noun in query", "verb before in query")
_LEFT = ("as before", "ends as before", "edge said", "said", "doubled", "earlier")
_RIGHT = ("as after", "begins as after", "edge said", "said", "doubled", "later")
_INSTEAD = ("head kept", "person", "place", "thing")
PAIR = (*_ANYWHERE, *(f"left {name}" for name in _LEFT), *(f"right {name}" for name in _RIGHT), *_INSTEAD)
"""Features of a span in a slot, in the order of their weights."""


class ReplacedWords(NamedTuple):
    """What gives way to a span: what its first word points at, and its last word when it has several."""

    points: str
    head: str


def pairs(found: Sequence[Stretch], places: Sequence[ChineseSlot], scene: ChineseScene) -> Floats:
    """What holds of each span in each slot, shape (spans, slots, ``PAIR``), 0 or 1."""
    said, query = "\n".join(source.text for source in scene.sources), scene.query
    before = [query[s.first - 1].text if s.first else "" for s in places]
    behind = [s.glue or (query[s.last].text if s.last < len(query) else "") for s in places]
    parts = (
        _each(found, [scene.text] * len(places), _anywhere),
        _each(found, before, partial(_behind, said)),
        _each(found, behind, partial(_in_front, said)),
        _each(found, [_gone_pairs(slot, query) for slot in places], _instead),
    )
    return np.concatenate(parts, axis=2)


def _each(
    found: Sequence[Stretch],
    places: Sequence[Place],
    holds: Callable[[Stretch, Sequence[Place]], Sequence[tuple[bool, ...]]],
) -> Floats:
    """What holds of each span at each place; places that are alike are looked at once."""
    number = {place: n for n, place in enumerate(dict.fromkeys(places))}
    table = np.array([holds(stretch, list(number)) for stretch in found], np.float32)
    return table[:, [number[place] for place in places]]


def _gone_pairs(slot: ChineseSlot, query: Sequence[SegmentedWord]) -> ReplacedWords:
    if slot.last == slot.first:
        return ReplacedWords("", "")
    return ReplacedWords(
        kind(query[slot.first].text), query[slot.last - 1].text if slot.last > slot.first + 1 else ""
    )


def _anywhere(stretch: Stretch, queries: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span wherever it goes in the query."""
    before, after = stretch.before, stretch.after
    led = bool(before) and stretch.source.words[stretch.first - 1].tag == "v"
    return [
        (
            len(before) > 1 and before in query,
            len(after) > 1 and after in query,
            stretch.text in query,
            any(w.text in query for w in stretch.words if w.tag in NOMINAL),
            led and before[0] in query,
        )
        for query in queries
    ]


def _behind(said: str, stretch: Stretch, lefts: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span behind each word; nothing where there is none."""
    text, before = stretch.text, stretch.before
    earlier = stretch.source.text[: stretch.words[0].start]
    return [
        (
            left == before,
            left[-1] == before[-1:],
            left[-1] + text[0] in said,
            left + text in said,
            left[-1] == text[0],
            len(left) > 1 and left in earlier,
        )
        if left
        else (False,) * len(_LEFT)
        for left in lefts
    ]


def _in_front(said: str, stretch: Stretch, rights: Sequence[str]) -> list[tuple[bool, ...]]:
    """What holds of a span in front of each word; nothing where there is none."""
    text, after = stretch.text, stretch.after
    later = stretch.source.text[stretch.words[-1].end :]
    return [
        (
            right == after,
            right[0] == after[:1],
            text[-1] + right[0] in said,
            text + right in said,
            text[-1] == right[0],
            len(right) > 1 and right in later,
        )
        if right
        else (False,) * len(_RIGHT)
        for right in rights
    ]


def _instead(stretch: Stretch, gone: Sequence[ReplacedWords]) -> list[tuple[bool, ...]]:
    """What holds of a span in place of each stretch that points back; nothing where none gives way."""
    tags = {w.tag for w in stretch.words}
    named = bool(tags & {"n", "nz"})
    return [
        (
            bool(head) and head in stretch.text,
            points == "he" and "nr" in tags,
            points == "place" and "ns" in tags,
            points in ("it", "this") and named,
        )
        if points
        else (False,) * len(_INSTEAD)
        for points, head in gone
    ]


PAIRED = 16
"""Spans whose fit with each slot is looked at closely: the best ones by themselves."""


@dataclass(frozen=True, slots=True)
class RankedEdit:
    """What the network says of one query: the chance that it is complete, and the best edit."""

    complete: float
    stretch: Stretch | None = None
    slot: ChineseSlot | None = None


@dataclass(frozen=True, slots=True)
class Ranker:
    """One hidden layer.

    Its first weights are split by what a feature speaks of, so that spans and slots are read once each.
    """

    stretch_names: Mapping[str, int]
    slot_names: Mapping[str, int]
    weights: Mapping[str, Floats]
    """``stretch`` and ``slot`` with a row of zeros at the end, and ``pair``: (features, hidden + 1), the last
    column straight to the score; ``bias`` and ``out``: (hidden,)."""

    def best(self, scene: ChineseScene) -> RankedEdit:
        """The best edit of the query; complete when there is nothing to copy."""
        encoded = encode(scene)
        if not encoded.stretches:
            return RankedEdit(1.0)
        slots = self._sum(encoded.slots, self.slot_names, "slot")
        stretches = self._sum(encoded.stretch_features, self.stretch_names, "stretch")
        edits = slots[None, 1:]
        # The spans that do best in some slot, judged without looking at both together
        rough = self._out(stretches[:, None] + edits)
        kept = np.argsort(-rough.max(axis=1), kind="stable")[:PAIRED]
        likely = [encoded.stretches[i] for i in kept]
        fit = pairs(likely, encoded.places, scene) @ self.weights["pair"]
        scores = self._out(stretches[kept][:, None] + edits + fit)
        return _best_edit(scores, self._out(slots[:1]), likely, encoded.places)

    def _sum(self, features: Sequence[Sequence[str]], names: Mapping[str, int], part: str) -> Floats:
        """The weights of the features of each span or slot, summed.

        The last row of the weights is zero, so that what has no known feature has a sum.
        """
        rows = [[-1, *{names[name] for name in found if name in names}] for found in features]
        starts = [0, *accumulate(len(row) for row in rows[:-1])]
        summed: Floats = np.add.reduceat(self.weights[part][list(chain.from_iterable(rows))], starts, axis=0)
        return summed

    def _out(self, summed: Floats) -> Floats:
        hidden = np.maximum(summed[..., :-1] + self.weights["bias"], 0)
        scores: Floats = hidden @ self.weights["out"] + summed[..., -1]
        return scores


def _best_edit(
    scores: Floats, alone: Floats, stretches: Sequence[Stretch], places: Sequence[ChineseSlot]
) -> RankedEdit:
    """The best of the edits, and the chance of leaving the query ``alone`` by a softmax over all of them."""
    top = max(float(scores.max()), float(alone[0]))
    shares = np.exp(scores - top)
    complete = float(np.exp(float(alone[0]) - top))
    i, j = np.unravel_index(int(shares.argmax()), shares.shape)
    return RankedEdit(complete / (float(shares.sum()) + complete), stretches[int(i)], places[int(j)])


@lru_cache(maxsize=1)
def load_ranker() -> Ranker:
    """The network of ``weights.npz``."""
    with files(__package__).joinpath("weights.npz").open("rb") as data, np.load(data) as stored:
        weights = {part: stored[part].astype(np.float32) for part in ("pair", "bias", "out")}
        weights |= {part: pad_weights(stored[part].astype(np.float32)) for part in ("stretch", "slot")}
        stretch, slot = (
            {str(name): n for n, name in enumerate(stored[f"{part}_names"])} for part in ("stretch", "slot")
        )
    return Ranker(stretch, slot, weights)


def pad_weights(weights: Floats) -> Floats:
    """Weights with a row of zeros at the end."""
    return np.vstack([weights, np.zeros_like(weights[:1])])
