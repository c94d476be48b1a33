"""The home that the sentences of a language are said to, opened once."""

from __future__ import annotations

from functools import cache

from winnow import Engine
from winnow.opened import Opened
from winnow.types.dialogue import Language
from winnow.understand.sentence.reader import Reader
from winnow.wiring import open_engine

HOMES: dict[Language, str] = {"zh": "example:home40", "en": "example:cottage"}
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@cache
def engine(language: Language) -> Engine:
    """The engine over that home."""
    return open_engine(HOMES[language])


@cache
def home(language: Language) -> Opened:
    """That home, with its words."""
    return engine(language).sync.opened()


def reader(language: Language) -> Reader:
    """The grammar over its words."""
    return Reader(language, home(language).vocabulary)
