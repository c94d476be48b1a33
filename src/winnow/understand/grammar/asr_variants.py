"""What a sentence may have been, where it was heard wrong: words that sound like stretches of it.

Only for a sentence that orders nothing as it is written. The grammar chooses among them, so a word is heard
otherwise only where the whole then says something.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from winnow.language import lexicon
from winnow.language.gazetteer import Entry, Stretch
from winnow.language.normalize import is_han
from winnow.language.pinyin import alike, heard, syllables
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.grammar.lattice import HEARD, UNTOLD
from winnow.understand.grammar.rulebook import Rulebook, rulebook
from winnow.understand.grammar.senses import Sense, Senses, Spoken
from winnow.understand.words.vocabulary import Alike, Table, Vocabulary, by_sound

ACCENT = 0.15
"""What a word costs besides that only an accent makes alike."""
KNOWN = 0.25
"""What it costs besides where every word it takes the place of is one by itself."""
LONGEST = 8
"""Characters of the longest stretch of Chinese that is heard as one."""
OTHERWISE = 2
"""Words of one sentence that are heard otherwise."""
WORDS = 5
"""Words of the longest stretch of English."""
MOST = 40
"""Words of the longest sentence that is listened to again."""
NOT_HEARD = frozenset({"hostile", "domain", "number", "floor", "mark"})
"""Kinds of words nothing is heard as."""
ARTICLE = "article"
DOING = frozenset({"verb", "step", "particle", "mode", "way"})
"""Kinds of words that say what is to be done."""
SLIGHT = frozenset({"filler", "condition", "comment", "confirm", "quantifier"})
"""Kinds of words that one character is not heard as: what says nothing, or that all are meant."""
UNTOLD_BY = frozenset({"word", "way"})
"""Kinds of words that leave what nobody knows unknown: a way of saying is cut out of anything."""
NAMING = DEVICE_KINDS | PLACE_KINDS
"""Kinds of words that name."""
STAYS = frozenset({"mark", "number", "negation", "except", "question", "correction", "hostile", "media"})
"""Kinds of words that are never taken for something else, being what they are."""
GOES_ON = frozenset({"conj"})
"""Kinds of words behind which more was to come: at its end, they tell that a sentence is not whole."""
IN_NAMES = frozenset({"condition", "conj", "quantifier", "timing"})
"""Kinds whose single characters may be part of a name: ``台等``."""
STOPS = frozenset("td")
"""Letters that are heard behind a word that ends without them."""
_WORD = re.compile("[a-z']+")


class Sound(NamedTuple):
    """What a stretch sounds like, and what it costs to hear it so."""

    start: int
    end: int
    entry: Entry
    cost: float


def heard_otherwise(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, language: str
) -> Iterator[Sound]:
    """What stretches of a normalised text sound like."""
    if len(tokens) > MOST:
        return
    loose = _strange(tokens)
    for start, end in _stretches(text, tokens, loose):
        said, known = text[start:end], loose.isdisjoint(range(start, end))
        for entry in _alike(said, vocabulary.alike, language, known):
            yield Sound(start, end, entry, HEARD + KNOWN * known + ACCENT * _differs(said, entry.surface))


def read_as(sounds: Iterable[Sound], vocabulary: Vocabulary, book: Rulebook) -> list[Spoken]:
    """Each of its readings by a rulebook as one dearer reading of the stretch."""
    senses = vocabulary.senses.setdefault(id(book), Senses(book))
    return [
        (sound.start, sound.end, _dearer(sense, sound.cost))
        for sound in sounds
        for sense in senses.of(sound.entry)
    ]


def as_heard(text: str, words: Iterable[Token], tokens: Sequence[Token], *, doubted: bool) -> str:
    """The text with what was heard in it, where it is ``doubted`` or made of what nobody knows; else nothing.

    It is asked about: another act may have been said that nobody taught us.
    """
    heard_words = sorted((w for w in words if "heard" in w.data), key=lambda w: w.start)
    # Whether a heard word changes what is meant and may as well be another: an act, a but
    if not doubted and not any(
        w.data.get("is") == "but" if w.kind == "conj" else w.kind in DOING and _is_made_up(w, text, tokens)
        for w in heard_words
    ):
        return ""
    pieces, at = [], 0
    for word in heard_words:
        pieces += [text[at : word.start], word.text]
        at = word.end
    return "".join([*pieces, text[at:]])


def _is_made_up(word: Token, text: str, tokens: Sequence[Token]) -> bool:
    """Whether an act stands where nobody knows a word and nothing of the act was said as it is."""
    inside = [t for t in tokens if t.start < word.end and word.start < t.end]
    if not any(map(is_strange, inside)) or any(t.kind in DOING for t in inside):
        return False
    return not _is_said_in_part(word, text[word.start : word.end], tokens)


def _is_said_in_part(word: Token, said: str, tokens: Sequence[Token]) -> bool:
    """Whether a heard act begins as it was said, 打凯 for 打开, or its particle or its verb was said.

    What a Chinese one ends with, as 了 in 洗了, ends any act.
    """
    if is_han(word.text[:1]):
        return len(word.text) > 1 and said[:1] == word.text[0]
    if word.text.rpartition(" ")[2] in _particles() and any(t.kind == "light_verb" for t in tokens):
        return True
    return not _particles().isdisjoint({*said.split()} & {*word.text.split()})


def _particles() -> Set[str]:
    return lexicon.surfaces("particle").keys()


def is_whole_heard(words: Iterable[Token], tokens: Sequence[Token], sounds: Iterable[Spoken]) -> bool:
    """Whether something was heard, not much of it, and nothing is left that nobody knows."""
    read = list(words)
    heard_words = [w for w in read if "heard" in w.data]
    if not _is_little(heard_words) or _is_denied(heard_words, read) or _joins_nothing(heard_words, read):
        return False
    strange, articles, told = _strange(tokens), _articles(sounds), _told(read)
    return bool(heard_words or strange & articles) and strange <= articles | told


def _told(words: Iterable[Token]) -> set[int]:
    """Where words are that are known."""
    return {n for w in words if w.kind not in UNTOLD_BY for n in range(w.start, w.end)}


def _articles(sounds: Iterable[Spoken]) -> set[int]:
    """Where an article may have been said."""
    return {n for start, end, sense in sounds if _is_article(sense) for n in range(start, end)}


def _is_denied(heard_words: Iterable[Token], words: Iterable[Token]) -> bool:
    """Whether a heard word goes on a Chinese negation: 不是 is one word."""
    denied = {w.end for w in words if w.kind == "negation" and is_han(w.text[:1])}
    return any(w.start in denied for w in heard_words)


def _joins_nothing(heard_words: Iterable[Token], words: Sequence[Token]) -> bool:
    """Whether a Chinese and was heard that does not stand between names."""
    begins = {w.start for w in words if w.kind in NAMING}
    ends = {w.end for w in words if w.kind in NAMING}
    joins = (w for w in heard_words if w.kind == "conj" and is_han(w.text[:1]))
    return any(w.start not in ends or w.end not in begins for w in joins)


def _is_little(heard_words: Sequence[Token]) -> bool:
    """Whether it is not much that was heard: a word nobody knows is not heard character by character."""
    side_by_side = ((a, b) for a, b in pairwise(heard_words) if a.end == b.start and is_han(a.text[:1]))
    torn = any(min(a.end - a.start, b.end - b.start) == 1 for a, b in side_by_side)
    return len(heard_words) <= OTHERWISE and not torn


def _strange(tokens: Sequence[Token]) -> set[int]:
    """Where words stand that nobody knows."""
    return {n for t in tokens if is_strange(t) for n in range(t.start, t.end)}


def _is_article(sense: Sense) -> bool:
    return sense.kind == "filler" and sense.meaning == ARTICLE


def is_strange(token: Token) -> bool:
    """Whether a word, as it is written, is known to nobody."""
    return token.kind == "word" or "heard" in token.data


@cache
def _words(language: str) -> Table:
    """The words of the lexicon and of the grammar by their sound."""
    own = (e for e in lexicon.entries() if e.kind not in NOT_HEARD)
    return by_sound([*own, *rulebook(language, remarks=False).own])


def _stretches(text: str, tokens: Sequence[Token], loose: set[int]) -> Iterator[Stretch]:
    """Where it may have been heard wrong: characters or words in a row that are no words that stay.

    One character is heard otherwise only where it is unknown, ``loose``, or may be part of a name.
    """
    stays = _places(tokens, STAYS) | _places(tokens[-1:], GOES_ON)
    short = loose | _places(tokens, IN_NAMES)
    for row, longest in _rows(text):
        for at, (start, _) in enumerate(row):
            for _, end in row[at : at + longest]:
                if end - start > 1 or start in short:
                    yield from _kept(start, end, stays)


def _kept(start: int, end: int, stays: set[int]) -> Iterator[Stretch]:
    if stays.isdisjoint(range(start, end)):
        yield start, end


def _places(tokens: Sequence[Token], kinds: Collection[str]) -> set[int]:
    """Where words of these kinds stand."""
    return {n for t in tokens if t.kind in kinds for n in range(t.start, t.end)}


def _rows(text: str) -> Iterator[tuple[list[Stretch], int]]:
    """Characters that stand in a row, and the words, each with how many are heard as one."""
    for chinese, run in groupby(range(len(text)), key=lambda n: is_han(text[n])):
        if chinese:
            yield [(n, n + 1) for n in run], LONGEST
    yield [m.span() for m in _WORD.finditer(text)], WORDS


def _alike(said: str, names: Alike, language: str, known: bool) -> Iterator[Entry]:
    """What a stretch sounds like and is not."""
    letters = _letters(said)
    for entry in _sounding(said, names, language, known) if heard(said) else ():
        if entry.surface != said and _letters(entry.surface) == letters:
            yield entry


def _sounding(said: str, names: Alike, language: str, known: bool) -> Iterator[Entry]:
    key = heard(said)
    found = chain(names.by_sound.get(key, ()), _words(language).get(key, ()), () if known else _stopped(said))
    yield from (e for e in found if alike(said, e.surface) and not _is_slight(said, e, known))
    if not known and not is_han(said[0]):
        yield from names.nearly(said)


def _stopped(said: str) -> Iterator[Entry]:
    """Particles, and verbs with one, that are heard with a stop behind: ``turn oft``."""
    if said[-1:] not in STOPS:
        return
    for entry in _words("en").get(heard(said[:-1]), ()):
        if entry.kind in {"particle", "verb"} and entry.surface.rpartition(" ")[2] in _particles():
            yield entry


def _letters(text: str) -> list[str]:
    """The letters of a name that stand alone: they tell it from its like, so none is heard as another."""
    return [word for word in text.split() if len(word) == 1 and word.isascii()]


def _is_slight(said: str, entry: Entry, known: bool) -> bool:
    """Whether too little is alike: one character needs its own sound, and is no word that says nothing.

    Nor are characters that are words by themselves.
    """
    if not is_han(said[0]):
        return False
    says_nothing = entry.kind in SLIGHT or (known and entry.kind.startswith(("part", "conj")))
    return (says_nothing and (known or len(said) == 1)) or (len(said) == 1 and _differs(said, entry.surface))


def _differs(said: str, surface: str) -> bool:
    """Whether two words of one key are told apart by who has no accent."""
    return is_han(said[0]) and syllables(said) != syllables(surface)


def _dearer(sense: Sense, cost: float) -> Sense:
    """The reading at a higher price; only an article is passed over, for what else it may be nobody knows."""
    symbols = sense.symbols[:-1] if sense.any else sense.symbols
    dear = tuple((symbol, bit, price + cost) for symbol, bit, price in symbols)
    return sense._replace(symbols=dear, skip=sense.skip + cost if _is_article(sense) else UNTOLD, any=False)
