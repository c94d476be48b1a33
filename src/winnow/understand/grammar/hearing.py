"""What a sentence may have been, where it was heard wrong: words that sound like stretches of it.

Only for a sentence that orders nothing as it is written. The grammar chooses among them, so a word is heard
otherwise only where the whole then says something.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from winnow.language import lexicon
from winnow.language.gazetteer import Entry
from winnow.language.normalise import is_han
from winnow.language.pinyin import syllables
from winnow.language.sounds import alike, heard
from winnow.types.query import Token
from winnow.understand.grammar.lattice import HEARD
from winnow.understand.grammar.rulebook import Rulebook, rulebook
from winnow.understand.grammar.senses import Sense, Senses
from winnow.understand.grammar.ways import Spoken
from winnow.understand.words.alike import Alike, Table, by_sound
from winnow.understand.words.vocabulary import Vocabulary

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
STAYS = frozenset({"mark", "number", "negation", "except", "question", "correction", "hostile", "media"})
"""Kinds of words that are never taken for something else, being what they are."""
IN_NAMES = frozenset({"condition", "conj", "quantifier", "timing"})
"""Kinds that are taken for something else only together with what nobody knows: ``抬等``."""
_WORD = re.compile("[a-z']+")
_HAN = re.compile("[\u3007\u4e00-\u9fff]+")


def heard_otherwise(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, book: Rulebook
) -> list[Spoken]:
    """What stretches of a normalised text sound like, each as one dearer reading of its span."""
    if len(tokens) > MOST:
        return []
    senses = vocabulary.senses.setdefault(id(book), Senses(book))
    loose = {n for t in tokens if is_strange(t) for n in range(t.start, t.end)}
    found: list[Spoken] = []
    for start, end in _stretches(text, tokens, loose):
        said, known = text[start:end], loose.isdisjoint(range(start, end))
        for entry in _alike(said, vocabulary.alike, book.language, known):
            cost = HEARD + KNOWN * known + ACCENT * _differs(said, entry.surface)
            found += [(start, end, _dearer(sense, cost)) for sense in senses.of(entry)]
    return found


def is_strange(token: Token) -> bool:
    """Whether a word, as it is written, is known to nobody."""
    return token.kind == "word" or "heard" in token.data


@cache
def _words(language: str) -> Table:
    """The words of the lexicon and of the grammar by their sound."""
    own = (e for e in lexicon.entries() if e.kind not in NOT_HEARD)
    return by_sound([*own, *rulebook(language).own])


def _stretches(text: str, tokens: Sequence[Token], loose: Collection[int]) -> Iterator[tuple[int, int]]:
    """Where it may have been heard wrong: characters or words in a row that are no words that stay.

    One character is heard otherwise only where it is unknown, ``loose``.
    """
    stays = _places(tokens, STAYS)
    doubtful = _places(tokens, IN_NAMES)
    for row in (*_runs(text), [m.span() for m in _WORD.finditer(text)]):
        longest = LONGEST if row and is_han(text[row[0][0]]) else WORDS
        for at, (start, _) in enumerate(row):
            for _, end in row[at : at + longest]:
                inside = range(start, end)
                if not stays.isdisjoint(inside):
                    break
                unknown = not loose.isdisjoint(inside)
                if (unknown or end - start > 1) and (unknown or doubtful.isdisjoint(inside)):
                    yield start, end


def _places(tokens: Sequence[Token], kinds: Collection[str]) -> set[int]:
    """Where words of these kinds stand."""
    return {n for t in tokens if t.kind in kinds for n in range(t.start, t.end)}


def _runs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Characters that stand in a row."""
    for run in _HAN.finditer(text):
        yield [(n, n + 1) for n in range(*run.span())]


def _alike(said: str, names: Alike, language: str, known: bool) -> Iterator[Entry]:
    """What a stretch sounds like and is not."""
    key = heard(said)
    for table in (names.by_sound, _words(language)):
        for entry in table.get(key, ()):
            if entry.surface != said and alike(said, entry.surface) and not _is_slight(said, entry):
                yield entry
    if not known and key and not is_han(said[0]):
        yield from names.nearly(said)


def _is_slight(said: str, entry: Entry) -> bool:
    """Whether too little is alike: one character needs its own sound, and is no word that says nothing."""
    return is_han(said[0]) and len(said) == 1 and (entry.kind == "filler" or _differs(said, entry.surface))


def _differs(said: str, surface: str) -> bool:
    """Whether two words of one key are told apart by who has no accent."""
    return is_han(said[0]) and syllables(said) != syllables(surface)


def _dearer(sense: Sense, cost: float) -> Sense:
    """The reading at a higher price, passed over as well."""
    symbols = sense.symbols[:-1] if sense.any else sense.symbols
    dear = tuple((symbol, bit, price + cost) for symbol, bit, price in symbols)
    return sense._replace(symbols=dear, skip=sense.skip + cost, any=False)
