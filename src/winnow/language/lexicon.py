"""The languages as data: their words and those of ``words/*.yaml`` as gazetteer entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple, cast

from winnow.language.content_words import phrases
from winnow.language.gazetteer import GazetteerEntry
from winnow.language.language import Language
from winnow.language.registry import LANGUAGES, mixed_with, own_table, own_text, words_table
from winnow.language.tables import prepared, table_text
from winnow.types.utterance import LanguageCode

OBJECTS = "objects"
"""Section of verbs that name their object: ``锁门`` is said of doors, ``light up`` of lamps."""
PURPOSE = "purpose"
"""Section of what a kind of thing does: ``everything that glows`` is said of lamps."""
_SEVERAL = {"is": "are", "has": "have"}


class LexiconRow(NamedTuple):
    """One word of a language's file, or a form of it."""

    section: str
    canonical: str
    surface: str
    is_plural: bool = False
    form: str = ""
    """``gerund`` or ``past``, of verbs only."""


@dataclass(frozen=True, slots=True)
class TypeWord:
    """What a type word may mean: canonical kinds, and how far a kind alone explains it (1.0: fully)."""

    kinds: tuple[str, ...]
    specific: float = 1.0
    like: tuple[str, ...] = ()


def _load(name: str) -> dict[str, Any]:
    return cast("dict[str, Any]", words_table(name))


@lru_cache(maxsize=1)
def sections() -> Mapping[str, Any]:
    """What is made of the sections of the languages' files, of ``words/sections.yaml``."""
    return _load("sections.yaml")


@lru_cache(maxsize=1)
def type_words() -> Mapping[str, TypeWord]:
    """Type name -> what it may mean."""
    return {
        name: TypeWord(tuple(row["kinds"]), row.get("specific", 1.0), tuple(row.get("like", ())))
        for name, row in _load("types.yaml").items()
    }


def _rows_of(language: LanguageCode) -> Iterator[LexiconRow]:
    """The words of a language's files that are said as they stand there."""
    files = (own_table(language, "words.yaml"), own_table(language, "values.yaml"))
    for section, words_of in chain.from_iterable(file.items() for file in files):
        if section not in {PURPOSE, OBJECTS}:
            groups = words_of.items() if isinstance(words_of, dict) else [("", words_of)]
            for canonical, words in groups:
                spoken = chain.from_iterable(map(phrases, words))
                yield from (LexiconRow(section, str(canonical), word) for word in spoken)


@cache
def _rows(language: LanguageCode) -> tuple[LexiconRow, ...]:
    purposes = _purposes(own_table(language, "words.yaml").get(PURPOSE, {}))
    row = LANGUAGES[language]
    return (*purposes, *chain.from_iterable(_forms(word, row) for word in _rows_of(language)))


def _forms(row: LexiconRow, language: Language) -> Iterator[LexiconRow]:
    """The word, and what its language makes of it."""
    if _is_past(row, language.code):
        yield row._replace(form="past")
        return
    yield row
    ending = language.endings.get(row.section, "")
    if ending and len(row.surface) > 1 and not row.surface.endswith(ending):
        yield row._replace(surface=row.surface + ending)
    if language.plural and row.section in sections()["plural"]:
        yield row._replace(surface=language.plural(row.surface), is_plural=True)
    if language.gerunds and row.section in sections()["verbs"]:
        yield from (row._replace(surface=form, form="gerund") for form in language.gerunds(row.surface))


def _is_past(row: LexiconRow, language: LanguageCode) -> bool:
    """Whether the word, as listed, is the past form of another listed beside it: ``turned on``."""
    return _pasts(language).get(row, row.surface) != row.surface


@cache
def _pasts(language: LanguageCode) -> Mapping[LexiconRow, str]:
    """The past forms of the verbs, as the file would list them -> the verb itself."""
    pasts = LANGUAGES[language].pasts
    if pasts is None:
        return {}
    verbs = [row for row in _rows_of(language) if row.section in sections()["verbs"]]
    return {row._replace(surface=form): row.surface for row in verbs for form in pasts(row.surface)}


def _purposes(table: Mapping[str, list[str]]) -> Iterator[LexiconRow]:
    """Types said by what they do: ``whatever glows``, ``all things that glow``."""
    for canonical, deeds in table.items():
        for deed in deeds:
            verb, _, rest = deed.partition(" ")
            several = f"{_SEVERAL.get(verb, verb.removesuffix('s'))} {rest}".strip()
            yield from (LexiconRow("type", canonical, f"{lead} {deed}", True) for lead in sections()["each"])
            yield from (
                LexiconRow("type", canonical, f"{lead} {several}", True) for lead in sections()["several"]
            )


def _prepared(kind: str, languages: Sequence[LanguageCode], make: Callable[[], Any]) -> Any:
    """What is made of the words of languages, which takes a tenth of a second, as it was prepared."""
    own = [own_text(code, name) for code in languages for name in ("words.yaml", "values.yaml")]
    words = "".join((kind, *own, table_text("winnow.language", "words/sections.yaml")))
    return prepared(kind, words, lambda _text: make())


@cache
def entries(language: LanguageCode = "") -> tuple[GazetteerEntry, ...]:
    """Every word known in a sentence of a language, of those that mix without one; one entry a surface.

    ``data["is"]`` is its meaning, or class, within the section that is its kind, and ``data["form"]`` is
    ``gerund`` or ``past`` where it is one. ``data["also"]`` holds section -> meaning for the other sections
    it stands in, ``data["also_form"]`` section -> form.
    """
    codes = mixed_with(language)
    rows = _prepared("entries", codes, lambda: _entry_rows(codes))
    return tuple(GazetteerEntry(text, kind, data, (), weight) for text, kind, data, weight in rows)


@cache
def by_surface() -> Mapping[str, GazetteerEntry]:
    """Each of them by its surface."""
    return {entry.surface: entry for entry in entries()}


def _entry_rows(languages: Sequence[LanguageCode]) -> list[list[Any]]:
    rows: dict[str, list[LexiconRow]] = {}
    for row in chain.from_iterable(map(_rows, languages)):
        rows.setdefault(row.surface, []).append(row)
    return [_entry(surface, found) for surface, found in rows.items()]


@cache
def past_entries(language: LanguageCode) -> tuple[GazetteerEntry, ...]:
    """The past forms of a language's verbs that ``entries`` lacks, one entry a surface.

    ``shut`` is among them, being both the verb and its past. Whoever takes these for orders acts on what
    was told.
    """
    rows = _prepared("past entries", (language,), lambda: _past_entry_rows(language))
    return tuple(GazetteerEntry(text, kind, data, (), weight) for text, kind, data, weight in rows)


def _past_entry_rows(language: LanguageCode) -> list[list[Any]]:
    rows: dict[str, list[LexiconRow]] = {}
    # past forms that stand in the file itself
    listed = frozenset(row for row in _rows_of(language) if _is_past(row, language))
    for row, verb in _pasts(language).items():
        if not {row, row._replace(surface=verb)} & listed:
            rows.setdefault(row.surface, []).append(row._replace(form="past"))
    return [_entry(surface, found) for surface, found in rows.items()]


def _entry(surface: str, found: list[LexiconRow]) -> list[Any]:
    """Its surface, kind, data and weight."""
    priority = sections()["priority"].index
    first, *others = sorted(found, key=lambda row: priority(row.section))
    data: dict[str, object] = {"is": first.canonical}
    if first.is_plural:
        data["plural"] = True
    if first.form:
        data["form"] = first.form
    also = {row.section: row.canonical for row in others if row.section != first.section}
    if also:
        data["also"] = also
    also_form = {row.section: row.form for row in others if row.form and row.section != first.section}
    if also_form:
        data["also_form"] = also_form
    return [surface, first.section, data, sections()["weight"].get(first.section, 1.0)]


def surfaces(section: str = "type", language: LanguageCode = "") -> Mapping[str, str]:
    """Surface -> canonical name of one section, of one language or of all."""
    return _by_section(language).get(section, {})


@cache
def _by_section(language: LanguageCode) -> Mapping[str, Mapping[str, str]]:
    codes = (language,) if language else tuple(LANGUAGES)
    kind = f"surfaces {language}"
    return cast(
        "Mapping[str, Mapping[str, str]]", _prepared(kind, codes, lambda: _surfaces_by_section(codes))
    )


def _surfaces_by_section(languages: Sequence[LanguageCode]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for code in languages:
        for row in _rows(code):
            # What a language that does not mix has a word for takes no word from those that do.
            if len(languages) == 1 or LANGUAGES[code].mixes or row.surface not in found.get(row.section, ()):
                found.setdefault(row.section, {})[row.surface] = row.canonical
    return found


def _first_words(language: str) -> dict[str, str]:
    """Type -> the first word of the language for one such thing."""
    types = [row for row in _rows(language) if row.section == "type" and not row.is_plural]
    return {row.canonical: row.surface for row in reversed(types)}


@cache
def kind_words(language: LanguageCode) -> Mapping[str, str]:
    """Canonical kind -> the word for it.

    That of the type of its name, else of the first type that means this kind first.
    """
    first: dict[str, str] = _prepared("first words", (language,), lambda: _first_words(language))
    words: dict[str, str] = {}
    for name, word in type_words().items():
        if name in first and (name == word.kinds[0] or word.kinds[0] not in words):
            words[word.kinds[0]] = first[name]
    return words


@lru_cache(maxsize=1)
def wider_rooms() -> Mapping[str, tuple[str, ...]]:
    """Room kind -> the other kinds of room its words may also mean."""
    return {kind: tuple(rows) for kind, rows in _load("rooms.yaml").items()}


@lru_cache(maxsize=1)
def clusters() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The parts of ``words/actions.yaml``: name -> ``Trait.Action`` pairs, best first.

    Under ``preferred`` they are kinds.
    """
    return {
        part: {name: tuple(traits) for name, traits in rows.items()}
        for part, rows in _load("actions.yaml").items()
    }


@lru_cache(maxsize=1)
def objects() -> Mapping[str, str]:
    """Verb surface -> the type word it names without saying it."""
    return {
        word: kind
        for language in LANGUAGES
        for kind, words in own_table(language, "words.yaml").get(OBJECTS, {}).items()
        for word in words
    }


@dataclass(frozen=True, slots=True)
class Quantity:
    """What answers a question (``words/questions.yaml``): quantities, or classes of sensors, and kinds."""

    tells: tuple[str, ...]
    otherwise: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    ambient: bool = False
    """Any one sensor of a room answers for the room."""
    state: bool = False
    """A bare state, asked for only when no other quantity is named."""


@lru_cache(maxsize=1)
def question_words() -> Mapping[str, Any]:
    """The whole of ``words/questions.yaml``."""
    return _load("questions.yaml")


@lru_cache(maxsize=1)
def quantities() -> Mapping[str, Quantity]:
    """What may be asked -> what answers it; in order of precedence."""
    lists = ("tells", "otherwise", "prefer", "unplaced", "only")
    return {
        name: Quantity(
            **{k: tuple(row.get(k, ())) for k in lists},
            ambient=row.get("ambient", False),
            state=row.get("state", False),
        )
        for name, row in question_words()["quantities"].items()
    }


_QUESTION_PARTS = {
    "sets": ("set", 1.05),
    "rooms": ("each_room", 1.05),
    "between": ("conj", 1.05),
    "fillers": ("filler", 0.62),
    "narrowing": ("word", 0.9),
}
"""Part of the words of questions -> the kind of its entries and their weight."""


@cache
def question_entries(language: LanguageCode = "") -> tuple[GazetteerEntry, ...]:
    """The words of questions of a language and those it mixes with.

    Their kinds are ``cue``, whose ``data["is"]`` names the quantity, ``type``, and those of the parts above.
    """
    words = question_words()
    out: dict[str, GazetteerEntry] = {}
    for code in mixed_with(language):
        for quantity, found in words["cues"].get(code, {}).items():
            out.update({s: GazetteerEntry(s, "cue", {"is": quantity}, weight=1.2) for s in found})
        for name, found in words["types"].get(code, {}).items():
            out.update({s: GazetteerEntry(s, "type", {"is": name, "plural": True}) for s in found})
        for part, (kind, weight) in _QUESTION_PARTS.items():
            for surface in words[part].get(code, ()):
                out.setdefault(surface, GazetteerEntry(surface, kind, {"is": kind}, weight=weight))
    return tuple(out.values())


@lru_cache(maxsize=1)
def states() -> Mapping[str, tuple[str, str]]:
    """State word -> (quantity that shows it, how it should be), of ``words/states.yaml``."""
    return {
        word: (quantity, wanted)
        for quantity, rows in _load("states.yaml").items()
        if quantity != "reported"
        for wanted, words in rows.items()
        for word in words
    }


@lru_cache(maxsize=1)
def reported_states() -> Mapping[str, str]:
    """What a device reports, in lower case -> ``on`` or ``off``."""
    return {word: wanted for wanted, words in _load("states.yaml")["reported"].items() for word in words}


# Where words end in Chinese: ``台灯`` is none of ``阳台灯``, which is the lamp of a balcony.


MAX_EDGE_CHARS = 4
"""Characters of the longest word that is looked for across a border."""


def holds_word(name: str, word: str) -> bool:
    """Whether the characters of ``word`` stand in ``name`` and no other word is cut by them."""
    at = name.find(word)
    while at >= 0:
        if not _cuts_words(name, at, at + len(word)):
            return True
        at = name.find(word, at + 1)
    return False


def _cuts_words(name: str, start: int, end: int) -> bool:
    """Whether a word goes on across either end, and what it leaves of the stretch is a word as well."""
    words = _kind_and_room_words()
    for at in range(start + 1, end):
        before = range(max(0, at - MAX_EDGE_CHARS), start)
        if name[at:end] in words and any(name[begin:at] in words for begin in before):
            return True
        behind = range(end + 1, min(len(name), at + MAX_EDGE_CHARS) + 1)
        if name[start:at] in words and any(name[at:stop] in words for stop in behind):
            return True
    return False


@lru_cache(maxsize=1)
def _kind_and_room_words() -> frozenset[str]:
    return frozenset((*surfaces("type"), *surfaces("room"), *words_table("little.yaml")["benches"]))
