"""Every sentence Winnow says to a person, by code and language.

A code has one template or several, most telling first; the first whose facts are all known is used, and the
last needs none. So a stage may always say what it knows, and a missing fact never breaks an answer. Facts are
data: they pass through the encoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from string import Formatter

from winnow.errors import Phrase
from winnow.language.encode import encode_text
from winnow.language.tables import table
from winnow.types.utterance import LanguageCode

_AND: dict[LanguageCode, tuple[str, str]] = {"zh": ("、", "、"), "en": (", ", " and ")}
_OR: dict[LanguageCode, tuple[str, str]] = {"zh": ("、", "还是"), "en": (", ", " or ")}


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
    return _join_with_marks(list(items), _AND[language])


def codes(language: LanguageCode) -> frozenset[str]:
    """Every code of one language's table."""
    return frozenset(_table(language))


@cache
def _table(language: LanguageCode) -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    """Code -> its templates, each with the facts it needs."""
    raw: dict[str, str | list[str]] = table("winnow.language", f"sentences_data/{language}.yaml")
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
        marks = _OR if name == "options" else _AND
        return _join_with_marks([_fact_text("", item, language) for item in value], marks[language])
    return encode_text(str(value))


def _join_with_marks(items: list[str], marks: tuple[str, str]) -> str:
    if len(items) < 2:
        return "".join(items)
    comma, last = marks
    return comma.join(items[:-1]) + last + items[-1]
