"""Named features of spans and of slots; each is there or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.segment import Word
from winnow.understand.rewrite.zh.candidates import Slot, Source, Stretch, slots, spans
from winnow.understand.rewrite.zh.scene import Scene
from winnow.understand.rewrite.zh.vocabulary import NOMINAL, kind, vocabulary

_QUERY_TAGS = ("n", "nr", "ns", "nz", "v", "a", "r", "uj", "y", "m", "i")
"""Classes of words that a query is told apart by."""
_SIZES = (*"012345", *("6-8",) * 3, *("9-12",) * 4)
"""Sizes of one name count as one."""


@lru_cache(maxsize=16384)
def _named(name: str, text: str, its_tag: str) -> tuple[str, ...]:
    return (f"{name}:{its_tag}", f"{name}={text}") if text in vocabulary().words else (f"{name}:{its_tag}",)


def _word(name: str, words: Sequence[Word], i: int) -> tuple[str, ...]:
    """The class of the word at ``i``, and the word itself when features name it."""
    return _named(name, words[i].text, words[i].tag) if 0 <= i < len(words) else (f"{name}:end",)


def _tag(words: Sequence[Word], i: int) -> str:
    return words[i].tag if 0 <= i < len(words) else "end"


def _size(n: int) -> str:
    return _SIZES[n] if n < len(_SIZES) else "13+"


def _asked(name: str, words: Sequence[Word]) -> list[str]:
    """What its question words ask for."""
    questions = vocabulary().questions
    return [f"{name}.asks:{questions[w.text]}" for w in words if w.text in questions]


def _points(name: str, words: Sequence[Word]) -> list[str]:
    """What its words that point back may point at."""
    return [f"{name}.points:{kind(w.text)}" for w in words if kind(w.text)]


def stretch_features(stretch: Stretch, others: str) -> list[str]:
    """Features of a span; ``others`` is the text of the other turns."""
    source, words = stretch.source, stretch.words
    return [
        f"s.who:{'u' if source.user else 'a'}{min(source.back, 3)}",
        *_beginning(source.words, stretch.first),
        *_ending(source.words, stretch.last),
        *_inside(words, stretch.text),
        *_asked("s", words),
        *_points("s", words),
        *_repeated(stretch, others),
        *_share(stretch),
    ]


def _beginning(words: Sequence[Word], first: int) -> list[str]:
    """Features of every span of a turn that begins at ``first``."""
    return [
        *_word("s.first", words, first),
        *_word("s.before", words, first - 1),
        *_word("s.before2", words, first - 2),
        f"s.edge.l:{_tag(words, first - 1)}|{words[first].tag}",
        f"s.from:{_size(first)}",
    ]


def _ending(words: Sequence[Word], last: int) -> list[str]:
    """Features of every span of a turn that ends before ``last``."""
    return [
        *_word("s.last", words, last - 1),
        *_word("s.after", words, last),
        *_word("s.after2", words, last + 1),
        f"s.edge.r:{words[last - 1].tag}|{_tag(words, last)}",
        f"s.to:{_size(len(words) - last)}",
    ]


def _inside(words: Sequence[Word], text: str) -> list[str]:
    """What a span is made of."""
    tags = [w.tag for w in words]
    return [
        "s.shape:" + (" ".join(tags) if len(tags) < 4 else "long"),
        f"s.words:{len(tags)}",
        f"s.chars:{_size(len(text))}",
        *[f"s.has:{tag}" for tag in dict.fromkeys(tags)],
        *[f"s.mine:{w.text}" for w in words if w.text in ("我", "你")],
    ]


def _repeated(stretch: Stretch, others: str) -> list[str]:
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


def _which_noun(words: Sequence[Word], i: int) -> Iterator[str]:
    nouns = [n for n, w in enumerate(words) if w.tag in NOMINAL]
    if len(nouns) == 1:
        yield "s.noun.only"
    if nouns[0] == i:
        yield "s.noun.first"
    if nouns[-1] == i:
        yield "s.noun.last"


def query_features(scene: Scene) -> list[str]:
    """Features of the query and of what was said just before; every slot has them."""
    words = scene.query
    tags = {w.tag for w in words}
    found = [
        f"q.words:{_size(len(words))}",
        *[f"q.has:{tag}" for tag in _QUERY_TAGS if tag in tags],
        *_points("q", words),
        *_asked("q", words),
        *_word("q.first", words, 0),
        *_word("q.last", words, len(words) - 1),
    ]
    for source in scene.sources[:2]:
        found += _asked(f"h{source.back}", source.words)
        found.append(f"h{source.back}.words:{_size(len(source.words))}")
    return found + _known(scene)


def _known(scene: Scene) -> list[str]:
    """How much of what the query talks about was talked about before."""
    said = "".join(source.text for source in scene.sources)
    content = [w for w in scene.query if w.text not in vocabulary().words]
    nouns = [w.text for w in content if w.tag in NOMINAL]
    verbs = [w.text for w in content if w.tag in ("v", "a", "i")]
    longest = max((len(noun) for noun in nouns if noun in said), default=0)
    return [_heard("q.nouns", nouns, said), _heard("q.verbs", verbs, said), f"q.known:{min(longest, 5)}"]


def _heard(name: str, words: Sequence[str], said: str) -> str:
    """How many words there are, and how many of them were said before."""
    known = sum(word in said for word in words)
    return f"{name}:{min(len(words), 3)}|{min(known, 3)}"


def slot_features(slot: Slot | None, scene: Scene) -> list[str]:
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
        *(_gone(words, first, last) if last > first else ["p.put"]),
    ]


def _gone(words: Sequence[Word], first: int, last: int) -> list[str]:
    """Features of the words that give way to a span."""
    gone, right = words[first:last], _tag(words, last)
    found = [
        "p.instead",
        f"p.gone:{kind(gone[0].text)}",
        f"p.gone.words:{len(gone)}",
        f"p.gone.last:{gone[-1].tag}",
        *_word("p.gone0", words, first),
        *_elsewhere(words, first, last),
    ]
    if len(gone) > 1:
        found.append("p.gone.shape:" + " ".join(_shape(w) for w in gone))
    if right in NOMINAL or right in ("q", "m"):
        found.append(f"p.cut:{gone[-1].tag}|{right}")
    return found


def _elsewhere(words: Sequence[Word], first: int, last: int) -> list[str]:
    """Whether other words of the query point back as well."""
    earlier, later = (any(kind(w.text) for w in part) for part in (words[:first], words[last:]))
    return [f"p.earlier:{int(earlier)}", f"p.later:{int(later)}"]


def _shape(word: Word) -> str:
    return "M" if word.text in vocabulary().measures else word.tag


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
