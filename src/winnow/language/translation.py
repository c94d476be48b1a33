"""English texts of errors, hints and help in a person's language.

The English stands in the code, where it is read with what it is about. What it is in another language stands
in the tables beside this module, under the English with its facts still open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from winnow.errors import Phrase, fact_text
from winnow.language.tables import table
from winnow.types.utterance import LanguageCode

FRAMEWORK = "usage"
TABLES = (
    "errors",
    "vectors",
    "host",
    "program",
    FRAMEWORK,
    "help",
    "history",
    "messages",
    "context",
    "facts",
    "knowledge",
    "feedback",
    "acting",
    "audit",
    "persons",
)
"""What the texts are about."""


def translate_text(text: str, language: LanguageCode) -> str:
    """The text in that language; as it is, where it is nobody's phrase or no translation is known."""
    if language == "en":
        return text
    if not isinstance(text, Phrase):
        return _chinese_phrase(text) or text

    def fact_phrase(fact: str) -> str:
        return translate_text(fact, language)

    known = _chinese_phrase(text.template) or text.template
    return known.format_map({name: fact_text(fact, "、", fact_phrase) for name, fact in text.facts.items()})


def _chinese_phrase(english: str) -> str:
    """The Chinese of a text or template; empty when it is not known."""
    return next((chinese for name in TABLES if (chinese := _table(name).get(english, ""))), "")


def framework_phrases() -> Collection[str]:
    """What the library under the command line says of wrong use, as templates."""
    return _table(FRAMEWORK).keys()


def translations() -> Mapping[str, str]:
    """English -> Chinese."""
    return {english: chinese for name in TABLES for english, chinese in _table(name).items()}


def _table(name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = table("winnow.language", f"wording/{name}.zh.yaml")
    return found
