"""The home that the sentences of a language are said to, opened once, and how they are parsed there."""

from __future__ import annotations

from functools import cache

from winnow import Engine
from winnow.app.wiring.engine import open_engine
from winnow.engine.home_cache import LoadedHome
from winnow.types.utterance import LanguageCode
from winnow.understand.meaning.parses import Parse, is_whole
from winnow.understand.meaning.reader import GrammarReader, Interpretation
from winnow.understand.reading import MAX_TEXT_CHARS, tokens_of
from winnow.understand.words.text_cleanup import expand_contractions
from winnow.understand.words.vocabulary import Vocabulary

HOMES: dict[LanguageCode, str] = {"zh": "example:home40", "en": "example:cottage"}
LANGUAGES: tuple[LanguageCode, ...] = ("zh", "en")


@cache
def engine(language: LanguageCode) -> Engine:
    """The engine over that home."""
    return open_engine(HOMES[language])


@cache
def home(language: LanguageCode) -> LoadedHome:
    """That home, with its words."""
    return engine(language).sync.load_home()


def reader(language: LanguageCode) -> GrammarReader:
    """The grammar over its words."""
    return GrammarReader(language, home(language).vocabulary)


def parsed(said: str, language: LanguageCode) -> Parse | None:
    """The best parse of what was said; None when nothing covers it whole."""
    return parsed_in(home(language).vocabulary, said, language)


def parsed_in(vocabulary: Vocabulary, said: str, language: LanguageCode) -> Parse | None:
    """The same over the words of any home."""
    text = expand_contractions(said, MAX_TEXT_CHARS)
    heard = [t for t in tokens_of(text, vocabulary, reading=False) if is_whole(t)]
    return GrammarReader(language, vocabulary).parses_of(text).written_parse(heard)


def meant(said: str, language: LanguageCode) -> Interpretation:
    """What the sentence may order."""
    text = expand_contractions(said, MAX_TEXT_CHARS)
    return reader(language).interpret(text, tokens_of(text, home(language).vocabulary, reading=False))
