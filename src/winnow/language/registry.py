"""The languages that Winnow reads and speaks, a row each, and what is looked up by their code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from winnow.language.en import ENGLISH
from winnow.language.language import Language
from winnow.language.tables import parse_yaml, prepared, table
from winnow.language.zh import CHINESE
from winnow.types.utterance import LANGUAGE_CODES, LanguageCode

LANGUAGES: dict[LanguageCode, Language] = {row.code: row for row in (CHINESE, ENGLISH)}
LANGUAGE_CODES.update(LANGUAGES)

_Rows = TypeVar("_Rows")


def language_of(text: str) -> LanguageCode:
    """The code of the language that claims the text, else of the one that takes what nobody claims."""
    rows = LANGUAGES.values()
    claimed = next((row.code for row in rows if row.claims and row.claims(text)), "")
    return claimed or next(row.code for row in rows if row.claims is None)


def mixed_with(code: LanguageCode = "") -> tuple[LanguageCode, ...]:
    """The languages whose words are known in a sentence of this one; of one that mixes without a code."""
    if code and not LANGUAGES[code].mixes:
        return (code,)
    return tuple(row.code for row in LANGUAGES.values() if row.mixes)


def own_text(code: LanguageCode, name: str) -> str:
    """The text of a table of a language's folder; empty where it has none of this name."""
    file = files(LANGUAGES[code].package).joinpath(*name.split("/"))
    return file.read_text("utf-8") if file.is_file() else ""


@cache
def own_table(code: LanguageCode, name: str) -> Any:
    """A table of a language's folder; empty where it has none of this name."""
    return prepared("yaml", text, parse_yaml) if (text := own_text(code, name)) else {}


@cache
def prompt_text(purpose: str, code: LanguageCode) -> str:
    """The prompt of that purpose: of the language, or of the one it is like."""
    file = files(LANGUAGES[code].package).joinpath("prompts", f"{purpose}.md")
    return file.read_text("utf-8").strip() if file.is_file() else prompt_text(purpose, LANGUAGES[code].like)


@cache
def words_table(name: str) -> Any:
    """A table of ``words`` that all languages share, with what the folder of each adds to it."""
    found = table("winnow.language", f"words/{name}")
    for code in LANGUAGES:
        if own := own_table(code, name):
            found = _merged(found, own)
    return found


def _merged(shared: Any, own: Any) -> Any:
    if isinstance(shared, Mapping):
        rows = {key: _merged(shared[key], row) if key in shared else row for key, row in own.items()}
        return {**shared, **rows}
    return [*shared, *own] if isinstance(shared, list) else own


def rows_for(rows: Mapping[str, _Rows], code: LanguageCode) -> _Rows:
    """The rows of a table for a language; those of the language it is like where the table has none."""
    return rows[code] if code in rows else rows[LANGUAGES[code].like]
