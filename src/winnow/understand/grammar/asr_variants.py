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
from winnow.language.gazetteer import GazetteerEntry, Stretch
from winnow.language.normalize import is_han
from winnow.language.pinyin import alike, phrase_sound_key, syllables
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind, of_kind
from winnow.understand.grammar.lattice import SOUND_PRICE, UNKNOWN_SKIP
from winnow.understand.grammar.rulebook import Rulebook, load_rulebook
from winnow.understand.grammar.senses import Sense, SenseCache, SpanReading
from winnow.understand.words.vocabulary import EntriesBySound, SimilarNames, Vocabulary, entries_by_sound

ACCENT_PRICE = 0.15
"""What a word costs besides that only an accent makes alike."""
KNOWN_WORD_PRICE = 0.25
"""What it costs besides where every word it takes the place of is one by itself."""
MAX_CHINESE_CHARS = 8
"""Characters of the longest stretch of Chinese that is heard as one."""
MAX_VARIANT_WORDS = 2
"""Words of one sentence that are heard otherwise."""
MAX_ENGLISH_WORDS = 5
"""Words of the longest stretch of English."""
MAX_SENTENCE_WORDS = 40
"""Words of the longest sentence that is listened to again."""
EXCLUDED_KINDS = frozenset({"hostile", "domain", "number", "floor", "mark"})
"""Kinds of words nothing is heard as."""
ARTICLE_KIND = "article"
ACTION_KINDS = frozenset({"verb", "step", "particle", "mode", "way"})
"""Kinds of words that say what is to be done."""
SLIGHT_KINDS = frozenset({"filler", "condition", "comment", "confirm", "quantifier"})
"""Kinds of words that one character is not heard as: what says nothing, or that all are meant."""
UNEXPLAINING_KINDS = frozenset({"word", "way"})
"""Kinds of words that leave what nobody knows unknown: a way of saying is cut out of anything."""
NAMING_KINDS = DEVICE_KINDS | PLACE_KINDS
"""Kinds of words that name."""
FIXED_KINDS = frozenset(
    {"mark", "number", "negation", "except", "question", "correction", "hostile", "media"}
)
"""Kinds of words that are never taken for something else, being what they are."""
CONTINUING_KINDS = frozenset({"conj"})
"""Kinds of words behind which more was to come: at its end, they tell that a sentence is not whole."""
KINDS_IN_NAMES = frozenset({"condition", "conj", "quantifier", "timing"})
"""Kinds whose single characters may be part of a name: ``台等``."""
FINAL_STOPS = frozenset("td")
"""Letters that are heard behind a word that ends without them."""
_WORD = re.compile("[a-z']+")


class AsrVariant(NamedTuple):
    """What a stretch sounds like, and what it costs to hear it so."""

    start: int
    end: int
    entry: GazetteerEntry
    cost: float


def asr_variants(
    text: str, tokens: Sequence[Token], vocabulary: Vocabulary, language: str
) -> Iterator[AsrVariant]:
    """What stretches of a normalised text sound like."""
    if len(tokens) > MAX_SENTENCE_WORDS:
        return
    loose = _strange_positions(tokens)
    for start, end in _variant_stretches(text, tokens, loose):
        said, known = text[start:end], loose.isdisjoint(range(start, end))
        letters = _single_letters(said)
        for entry in (
            _sound_matches(said, vocabulary.alike, language, known) if phrase_sound_key(said) else ()
        ):
            if entry.surface != said and _single_letters(entry.surface) == letters:
                price = SOUND_PRICE + KNOWN_WORD_PRICE * known + ACCENT_PRICE * _differs(said, entry.surface)
                yield AsrVariant(start, end, entry, price)


def variant_readings(
    sounds: Iterable[AsrVariant], vocabulary: Vocabulary, book: Rulebook
) -> list[SpanReading]:
    """Each of its readings by a rulebook as one dearer reading of the stretch."""
    senses: SenseCache = vocabulary.senses.setdefault(id(book), SenseCache(book))
    out = []
    for sound in sounds:
        for sense in senses.entry_senses(sound.entry):
            symbols = sense.symbols[:-1] if sense.any else sense.symbols
            dear = tuple((symbol, bit, price + sound.cost) for symbol, bit, price in symbols)
            # Only an article is passed over, for what else it may be nobody knows.
            skip = sense.skip + sound.cost if _is_article(sense) else UNKNOWN_SKIP
            out.append((sound.start, sound.end, sense._replace(symbols=dear, skip=skip, any=False)))
    return out


def variant_text(text: str, words: Iterable[Token], tokens: Sequence[Token], *, doubted: bool) -> str:
    """The text with what was heard in it, where it is ``doubted`` or made of what nobody knows; else nothing.

    It is asked about: another act may have been said that nobody taught us.
    """
    heard_words = sorted((w for w in words if "heard" in w.data), key=lambda w: w.start)
    # Whether a heard word changes what is meant and may as well be another: an act, a but
    if not doubted and not any(
        w.data.get("is") == "but"
        if w.kind == "conj"
        else w.kind in ACTION_KINDS and _is_made_up(w, text, tokens)
        for w in heard_words
    ):
        return ""
    pieces, at = [], 0
    for word in heard_words:
        pieces += [text[at : word.start], word.text]
        at = word.end
    return "".join([*pieces, text[at:]])


def _is_made_up(word: Token, text: str, tokens: Sequence[Token]) -> bool:
    """Whether nothing of an act was said as it is: ``loft`` for ``lift``."""
    inside = [t for t in tokens if t.start < word.end and word.start < t.end]
    said = text[word.start : word.end]
    return not has_kind(inside, *ACTION_KINDS) and not _is_said_in_part(word, said, tokens)


def _is_said_in_part(word: Token, said: str, tokens: Sequence[Token]) -> bool:
    """Whether a heard act begins as it was said, 打凯 for 打开, or its particle or its verb was said.

    What a Chinese one ends with, as 了 in 洗了, ends any act.
    """
    if is_han(word.text[:1]):
        return len(word.text) > 1 and said[:1] == word.text[0]
    if word.text.rpartition(" ")[2] in _particle_words() and has_kind(tokens, "light_verb"):
        return True
    return not _particle_words().isdisjoint({*said.split()} & {*word.text.split()})


def _particle_words() -> Set[str]:
    return lexicon.surfaces("particle").keys()


def is_whole_variant(words: Iterable[Token], tokens: Sequence[Token], sounds: Iterable[SpanReading]) -> bool:
    """Whether something was heard, not much of it, and nothing is left that nobody knows."""
    read = list(words)
    heard_words = [w for w in read if "heard" in w.data]
    if not _is_little(heard_words) or _is_denied(heard_words, read) or _joins_nothing(heard_words, read):
        return False
    strange, articles, told = _strange_positions(tokens), _article_positions(sounds), _known_positions(read)
    return bool(heard_words or strange & articles) and strange <= articles | told


def _known_positions(words: Iterable[Token]) -> set[int]:
    """Where words are that are known."""
    return {n for w in words if w.kind not in UNEXPLAINING_KINDS for n in range(w.start, w.end)}


def _article_positions(sounds: Iterable[SpanReading]) -> set[int]:
    """Where an article may have been said."""
    return {n for start, end, sense in sounds if _is_article(sense) for n in range(start, end)}


def _is_denied(heard_words: Iterable[Token], words: Iterable[Token]) -> bool:
    """Whether a heard word goes on a Chinese negation: 不是 is one word."""
    denied = {w.end for w in of_kind(words, "negation") if is_han(w.text[:1])}
    return any(w.start in denied for w in heard_words)


def _joins_nothing(heard_words: Iterable[Token], words: Sequence[Token]) -> bool:
    """Whether a Chinese and was heard that does not stand between names."""
    begins = {w.start for w in of_kind(words, *NAMING_KINDS)}
    ends = {w.end for w in of_kind(words, *NAMING_KINDS)}
    joins = (w for w in of_kind(heard_words, "conj") if is_han(w.text[:1]))
    return any(w.start not in ends or w.end not in begins for w in joins)


def _is_little(heard_words: Sequence[Token]) -> bool:
    """Whether it is not much that was heard: a word nobody knows is not heard character by character."""
    side_by_side = ((a, b) for a, b in pairwise(heard_words) if a.end == b.start and is_han(a.text[:1]))
    torn = any(min(a.end - a.start, b.end - b.start) == 1 for a, b in side_by_side)
    return len(heard_words) <= MAX_VARIANT_WORDS and not torn


def _strange_positions(tokens: Sequence[Token]) -> set[int]:
    """Where words stand that nobody knows."""
    return {n for t in tokens if is_strange(t) for n in range(t.start, t.end)}


def _is_article(sense: Sense) -> bool:
    return sense.kind == "filler" and sense.meaning == ARTICLE_KIND


def is_strange(token: Token) -> bool:
    """Whether a word, as it is written, is known to nobody."""
    return token.kind == "word" or "heard" in token.data


@cache
def _words_by_sound(language: str) -> EntriesBySound:
    """The words of the lexicon and of the grammar by their sound."""
    own = (e for e in lexicon.entries() if e.kind not in EXCLUDED_KINDS)
    return entries_by_sound([*own, *load_rulebook(language, remarks=False).own])


def _variant_stretches(text: str, tokens: Sequence[Token], loose: set[int]) -> Iterator[Stretch]:
    """Where it may have been heard wrong: characters or words in a row that are no words that stay.

    One character is heard otherwise only where it is unknown, ``loose``, or may be part of a name.
    """
    stays = _kind_positions(tokens, FIXED_KINDS) | _kind_positions(tokens[-1:], CONTINUING_KINDS)
    short = loose | _kind_positions(tokens, KINDS_IN_NAMES)
    for row, longest in _character_rows(text):
        for at, (start, _) in enumerate(row):
            for _, end in row[at : at + longest]:
                if (end - start > 1 or start in short) and stays.isdisjoint(range(start, end)):
                    yield start, end


def _kind_positions(tokens: Sequence[Token], kinds: Collection[str]) -> set[int]:
    """Where words of these kinds stand."""
    return {n for t in tokens if t.kind in kinds for n in range(t.start, t.end)}


def _character_rows(text: str) -> Iterator[tuple[list[Stretch], int]]:
    """Characters that stand in a row, and the words, each with how many are heard as one."""
    for chinese, run in groupby(range(len(text)), key=lambda n: is_han(text[n])):
        if chinese:
            yield [(n, n + 1) for n in run], MAX_CHINESE_CHARS
    yield [m.span() for m in _WORD.finditer(text)], MAX_ENGLISH_WORDS


def _sound_matches(said: str, names: SimilarNames, language: str, known: bool) -> Iterator[GazetteerEntry]:
    key = phrase_sound_key(said)
    found = chain(
        names.by_sound.get(key, ()),
        _words_by_sound(language).get(key, ()),
        () if known else _final_stop_entries(said),
    )
    yield from (e for e in found if alike(said, e.surface) and not _is_slight(said, e, known))
    if not known and not is_han(said[0]):
        yield from names.near_names(said)


def _final_stop_entries(said: str) -> Iterator[GazetteerEntry]:
    """Particles, and verbs with one, that are heard with a stop behind: ``turn oft``."""
    if said[-1:] not in FINAL_STOPS:
        return
    for entry in _words_by_sound("en").get(phrase_sound_key(said[:-1]), ()):
        if entry.kind in {"particle", "verb"} and entry.surface.rpartition(" ")[2] in _particle_words():
            yield entry


def _single_letters(text: str) -> list[str]:
    """The letters of a name that stand alone: they tell it from its like, so none is heard as another."""
    return [word for word in text.split() if len(word) == 1 and word.isascii()]


def _is_slight(said: str, entry: GazetteerEntry, known: bool) -> bool:
    """Whether too little is alike: one character needs its own sound, and is no word that says nothing.

    Nor are characters that are words by themselves.
    """
    if not is_han(said[0]):
        return False
    says_nothing = entry.kind in SLIGHT_KINDS or (known and entry.kind.startswith(("part", "conj")))
    return (says_nothing and (known or len(said) == 1)) or (len(said) == 1 and _differs(said, entry.surface))


def _differs(said: str, surface: str) -> bool:
    """Whether two words of one key are told apart by who has no accent."""
    return is_han(said[0]) and syllables(said) != syllables(surface)
