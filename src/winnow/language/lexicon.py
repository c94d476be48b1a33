"""The language as data: the words of ``words/*.yaml`` as gazetteer entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple, cast

from winnow.language.content_words import gerunds, pasts, phrases, plural
from winnow.language.gazetteer import GazetteerEntry
from winnow.language.tables import prepared, table, table_text

LANGUAGES = ("zh", "en")
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
    return cast("dict[str, Any]", table("winnow.language", f"words/{name}"))


@lru_cache(maxsize=1)
def sections() -> Mapping[str, Any]:
    """What is made of the sections of both languages' files, of ``words/sections.yaml``."""
    return _load("sections.yaml")


@lru_cache(maxsize=1)
def type_words() -> Mapping[str, TypeWord]:
    """Type name -> what it may mean."""
    return {
        name: TypeWord(tuple(row["kinds"]), row.get("specific", 1.0), tuple(row.get("like", ())))
        for name, row in _load("types.yaml").items()
    }


def _rows_of(language: str) -> Iterator[LexiconRow]:
    """The words of a language's files that are said as they stand there."""
    names = (f"{language}.yaml", f"{language}_values.yaml")  # its words, and those for values
    for section, words_of in chain.from_iterable(_load(name).items() for name in names):
        if section not in {PURPOSE, OBJECTS}:
            groups = words_of.items() if isinstance(words_of, dict) else [("", words_of)]
            for canonical, words in groups:
                spoken = chain.from_iterable(map(phrases, words))
                yield from (LexiconRow(section, str(canonical), word) for word in spoken)


@cache
def _rows(language: str) -> tuple[LexiconRow, ...]:
    forms = _forms if language == "en" else _with_ending
    purposes = _purposes(_load(f"{language}.yaml").get(PURPOSE, {}))
    return (*purposes, *chain.from_iterable(map(forms, _rows_of(language))))


def _with_ending(row: LexiconRow) -> Iterator[LexiconRow]:
    """The word, and with the ending that words of its section may take: 藏青, 藏青色."""
    yield row
    ending = sections()["ending"].get(row.section, "")
    if ending and len(row.surface) > 1 and not row.surface.endswith(ending):
        yield row._replace(surface=row.surface + ending)


def _forms(row: LexiconRow) -> Iterator[LexiconRow]:
    """The word, and what English makes of it."""
    if _is_past(row):
        yield row._replace(form="past")
        return
    yield row
    if row.section in sections()["plural"]:
        yield row._replace(surface=plural(row.surface), is_plural=True)
    if row.section in sections()["verbs"]:
        yield from (row._replace(surface=form, form="gerund") for form in gerunds(row.surface))


def _is_past(row: LexiconRow) -> bool:
    """Whether the word, as listed, is the past form of another listed beside it: ``turned on``."""
    return _pasts().get(row, row.surface) != row.surface


@lru_cache(maxsize=1)
def _pasts() -> Mapping[LexiconRow, str]:
    """The past forms of the English verbs, as the file would list them -> the verb itself."""
    verbs = [row for row in _rows_of("en") if row.section in sections()["verbs"]]
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


_WRITTEN = ("zh.yaml", "zh_values.yaml", "en.yaml", "en_values.yaml", "sections.yaml")


def _prepared(kind: str, make: Callable[[], Any]) -> Any:
    """What is made of all words, which takes a tenth of a second, as it was prepared."""
    words = "".join(table_text("winnow.language", f"words/{name}") for name in _WRITTEN)
    return prepared(kind, words, lambda _text: make())


@lru_cache(maxsize=1)
def entries() -> tuple[GazetteerEntry, ...]:
    """Every word of both languages, one entry a surface.

    ``data["is"]`` is its meaning, or class, within the section that is its kind, and ``data["form"]`` is
    ``gerund`` or ``past`` where it is one. ``data["also"]`` holds section -> meaning for the other sections
    it stands in, ``data["also_form"]`` section -> form.
    """
    return tuple(_entry_of_row(*row) for row in _prepared("entries", _entry_rows))


def _entry_rows() -> list[list[Any]]:
    rows: dict[str, list[LexiconRow]] = {}
    for row in chain.from_iterable(map(_rows, LANGUAGES)):
        rows.setdefault(row.surface, []).append(row)
    return [_entry(surface, found) for surface, found in rows.items()]


def _entry_of_row(surface: str, section: str, data: dict[str, object], weight: float) -> GazetteerEntry:
    return GazetteerEntry(surface, section, data, weight=weight)


@lru_cache(maxsize=1)
def past_entries() -> tuple[GazetteerEntry, ...]:
    """The past forms of the English verbs that ``entries`` lacks, one entry a surface.

    ``shut`` is among them, being both the verb and its past. Whoever takes these for orders acts on what
    was told.
    """
    return tuple(_entry_of_row(*row) for row in _prepared("past entries", _past_entry_rows))


def _past_entry_rows() -> list[list[Any]]:
    rows: dict[str, list[LexiconRow]] = {}
    listed = frozenset(filter(_is_past, _rows_of("en")))  # past forms that stand in the file itself
    for row, verb in _pasts().items():
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


def surfaces(section: str = "type") -> Mapping[str, str]:
    """Surface -> canonical name of one section, both languages."""
    return _by_section().get(section, {})


@lru_cache(maxsize=1)
def _by_section() -> Mapping[str, Mapping[str, str]]:
    return cast("Mapping[str, Mapping[str, str]]", _prepared("surfaces", _surfaces_by_section))


def _surfaces_by_section() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for row in chain.from_iterable(map(_rows, LANGUAGES)):
        found.setdefault(row.section, {})[row.surface] = row.canonical
    return found


def _first_words(language: str) -> dict[str, str]:
    """Type -> the first word of the language for one such thing."""
    types = [row for row in _rows(language) if row.section == "type" and not row.is_plural]
    return {row.canonical: row.surface for row in reversed(types)}


@cache
def kind_words(language: str) -> Mapping[str, str]:
    """Canonical kind -> the word for it.

    That of the type of its name, else of the first type that means this kind first.
    """
    first: dict[str, str] = _prepared(f"first words {language}", lambda: _first_words(language))
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
        for kind, words in _load(f"{language}.yaml").get(OBJECTS, {}).items()
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


@lru_cache(maxsize=1)
def question_entries() -> tuple[GazetteerEntry, ...]:
    """The words of questions.

    Their kinds are ``cue``, whose ``data["is"]`` names the quantity, ``type``, and those of the parts above.
    """
    words = question_words()
    out: dict[str, GazetteerEntry] = {}
    for language in LANGUAGES:
        for quantity, found in words["cues"][language].items():
            out.update({s: GazetteerEntry(s, "cue", {"is": quantity}, weight=1.2) for s in found})
        for name, found in words["types"][language].items():
            out.update({s: GazetteerEntry(s, "type", {"is": name, "plural": True}) for s in found})
        for part, (kind, weight) in _QUESTION_PARTS.items():
            for surface in words[part][language]:
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
