"""Every sentence Winnow says to a person, by code and language.

A code has one template or several, most telling first; the first whose facts are all known is used, and the
last needs none. So a stage may always say what it knows, and a missing fact never breaks an answer. Facts are
data: they pass through the encoder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter

from winnow.errors import Phrase, fact_text
from winnow.language.encode import encode_text
from winnow.language.registry import LANGUAGES, own_table
from winnow.types.utterance import LanguageCode


class MessageText(str):
    """Text that is a sentence's part already: its names went through the encoder."""


def message(code: str, language: LanguageCode, **facts: object) -> str:
    """The sentence for ``code``.

    Facts: text, numbers, lists of text (``options`` are joined by "or", others by "and"). Raises KeyError.
    """
    known = {name: text for name, value in facts.items() if (text := _fact_text(name, value, language))}
    for template, needs in _table(language)[code]:
        if needs <= known.keys():
            return template.format_map(known)
    raise KeyError(f"no template of {code!r} in {language!r} goes without {sorted(needs - known.keys())}")


def join_items(items: Sequence[str], language: LanguageCode) -> str:
    """The items as one phrase: ``a, b and c``."""
    return _join_with_marks(list(items), LANGUAGES[language].and_marks)


def codes(language: LanguageCode) -> frozenset[str]:
    """Every code of one language's table."""
    return frozenset(_table(language))


@cache
def _table(language: LanguageCode) -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    """Code -> its templates, each with the facts it needs."""
    like = LANGUAGES[language].like
    raw: dict[str, str | list[str]] = own_table(language, "messages.yaml")
    if like:
        raw = {**own_table(like, "messages.yaml"), **raw}
    found: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for code, texts in raw.items():
        templates = [texts] if isinstance(texts, str) else texts
        fields = [{name for _, name, _, _ in Formatter().parse(template) if name} for template in templates]
        found[code] = tuple(zip(templates, map(frozenset, fields), strict=True))
    return found


def _fact_text(name: str, value: object, language: LanguageCode) -> str:
    """The fact as text, encoded; empty when there is nothing to say."""
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Phrase | MessageText):  # our own words, not data
        return str(value)
    if isinstance(value, str):
        return encode_text(value) if value.strip() else ""
    if isinstance(value, Iterable):
        row = LANGUAGES[language]
        marks = row.or_marks if name == "options" else row.and_marks
        return _join_with_marks([_fact_text("", item, language) for item in value], marks)
    return encode_text(str(value))


def _join_with_marks(items: list[str], marks: tuple[str, str]) -> str:
    if len(items) < 2:
        return "".join(items)
    comma, last = marks
    return comma.join(items[:-1]) + last + items[-1]


# The English of errors and help stands in the code, where it is read with what it is about; what it is in
# another language in ``wording`` of its folder, under the English with its facts still open.


def translate_text(text: str, language: LanguageCode) -> str:
    """The text in that language; as it is, where it is nobody's phrase or no translation is known."""
    known = translations(language)
    if not known or not isinstance(text, Phrase):
        return known.get(text, text)
    facts = {
        name: fact_text(fact, LANGUAGES[language].and_marks[0], lambda one: translate_text(one, language))
        for name, fact in text.facts.items()
    }
    return known.get(text.template, text.template).format_map(facts)


def framework_phrases() -> Collection[str]:
    """What the library under the command line says of wrong use, as templates."""
    return frozenset(own_table("zh", "wording/usage.yaml"))


@cache
def translations(language: LanguageCode = "zh") -> Mapping[str, str]:
    """English -> what it is in a language; nothing for the language of the code, or one without tables."""
    folder = files(LANGUAGES[language].package).joinpath("wording")
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return {
        english: said for name in names for english, said in own_table(language, f"wording/{name}").items()
    }
