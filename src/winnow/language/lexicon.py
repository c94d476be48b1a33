"""The language as data: the words of ``words/*.yaml`` as gazetteer entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from winnow.language.gazetteer import Entry
from winnow.text.tables import table

LANGUAGES = ("zh", "en")
PRIORITY = (
    "hostile", "domain", "correction", "except", "negation", "condition", "reference", "quantifier", "zone", "room", "type", "verb", "step",
    "particle", "light_verb", "mode", "white", "color", "extreme", "property", "compare", "timing", "question", "to", "by", "conj",
    "confirm", "statement", "comment", "dark", "filler",
)  # fmt: skip
"""When one word stands in several sections the first of these is its kind; the others are kept as
``data["also"]``."""
OBJECTS = "objects"
"""Section of verbs that name their object: ``锁门`` is said of doors, ``light up`` of lamps."""
PURPOSE = "purpose"
"""Section of what a kind of thing does: ``everything that glows`` is said of lamps."""
_WHICHEVER = (
    "everything that",
    "everything which",
    "anything that",
    "anything which",
    "whatever",
    "all that",
    "every device that",
)
_WHICH = (
    "all things that",
    "all the things that",
    "the things that",
    "all devices that",
    "all the devices that",
    "all of the things that",
)
_SEVERAL = {"is": "are", "has": "have"}
_PLURAL_SECTIONS = {"type", "room"}
_WEIGHTS = {"filler": 0.6, "question": 0.9, "confirm": 0.8, "step": 1.02, "hostile": 1.2}


@dataclass(frozen=True, slots=True)
class TypeWord:
    """What a type word may mean: canonical kinds, and how far a kind alone explains it (1.0: fully)."""

    kinds: tuple[str, ...]
    specific: float = 1.0
    like: tuple[str, ...] = ()


def _load(name: str) -> dict[str, Any]:
    return cast("dict[str, Any]", table("winnow.language", f"words/{name}"))


@lru_cache(maxsize=1)
def type_words() -> Mapping[str, TypeWord]:
    """Type name -> what it may mean."""
    return {
        name: TypeWord(tuple(row["kinds"]), row.get("specific", 1.0), tuple(row.get("like", ())))
        for name, row in _load("types.yaml").items()
    }


def plural(word: str) -> str:
    """The regular English plural of the last word."""
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def gerund(phrase: str) -> str:
    """The phrase with its first word in -ing: ``turning on``.

    Regular forms; a wrong one does no harm, nobody says it.
    """
    first, _, rest = phrase.partition(" ")
    if first.endswith("e") and not first.endswith("ee"):
        first = first[:-1]
    elif (
        len(first) > 2
        and first[-1] in "tpnm"
        and first[-2] in "aeiou"
        and first[-3] not in "aeiou"
        and first not in {"open", "lighten", "darken", "brighten"}
    ):
        first += first[-1]
    return f"{first}ing {rest}".strip()


def _rows(language: str) -> Iterator[tuple[str, str, str, bool]]:
    """(section, canonical, surface, whether it is an English plural)."""
    for section, words_of in _load(f"{language}.yaml").items():
        if section == OBJECTS:
            continue
        if section == PURPOSE:
            yield from _purposes(words_of)
            continue
        groups = words_of.items() if isinstance(words_of, dict) else [("", words_of)]
        for canonical, words in groups:
            for word in words:
                yield section, str(canonical), word, False
                if language == "en" and section in _PLURAL_SECTIONS:
                    yield section, str(canonical), plural(word), True
                if language == "en" and section in {"verb", "step", "light_verb"}:
                    yield section, str(canonical), gerund(word), False


def _purposes(table: Mapping[str, list[str]]) -> Iterator[tuple[str, str, str, bool]]:
    """Types said by what they do: ``whatever glows``, ``all things that glow``."""
    for canonical, deeds in table.items():
        for deed in deeds:
            verb, _, rest = deed.partition(" ")
            several = f"{_SEVERAL.get(verb, verb.removesuffix('s'))} {rest}".strip()
            yield from (("type", canonical, f"{lead} {deed}", True) for lead in _WHICHEVER)
            yield from (("type", canonical, f"{lead} {several}", True) for lead in _WHICH)


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every word of both languages, one entry a surface."""
    rows: dict[str, list[tuple[str, str, bool]]] = {}
    for language in LANGUAGES:
        for section, canonical, surface, is_plural in _rows(language):
            rows.setdefault(surface, []).append((section, canonical, is_plural))
    return tuple(_entry(surface, found) for surface, found in rows.items())


def _entry(surface: str, found: list[tuple[str, str, bool]]) -> Entry:
    found = sorted(found, key=lambda row: PRIORITY.index(row[0]))
    section, canonical, is_plural = found[0]
    data: dict[str, object] = {"is": canonical}
    if is_plural:
        data["plural"] = True
    also = {s: c for s, c, _ in found[1:] if s != section}
    if also:
        data["also"] = also
    return Entry(surface, section, data, weight=_WEIGHTS.get(section, 1.0))


@cache
def surfaces(section: str = "type") -> Mapping[str, str]:
    """Surface -> canonical name of one section, both languages."""
    return {s: c for language in LANGUAGES for sec, c, s, _ in _rows(language) if sec == section}


@cache
def kind_words(language: str) -> Mapping[str, str]:
    """Canonical kind -> the word for it.

    That of the type of its name, else of the first type that means this kind first.
    """
    first: dict[str, str] = {}
    for section, canonical, surface, is_plural in _rows(language):
        if section == "type" and not is_plural:
            first.setdefault(canonical, surface)
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
    """The parts of ``words/actions.yaml``: name -> ``Trait.Action`` pairs, best first (for ``preferred``.

    Kinds).
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
    """What answers a question (``words/questions.yaml``).

    Quantities, or the class a source gives its sensor, and kinds.
    """

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
    "sets": "set",
    "rooms": "each_room",
    "between": "conj",
    "fillers": "filler",
    "narrowing": "word",
}
_QUESTION_WEIGHTS = {"filler": 0.62, "word": 0.9}


@lru_cache(maxsize=1)
def question_entries() -> tuple[Entry, ...]:
    """The words of questions.

    Kinds ``cue`` (``data["is"]`` names the quantity), ``set``, ``each_room``, ``conj``, ``type``, ``filler``.
    """
    words = question_words()
    out: dict[str, Entry] = {}
    for language in LANGUAGES:
        for quantity, found in words["cues"][language].items():
            out.update({s: Entry(s, "cue", {"is": quantity}, weight=1.2) for s in found})
        for name, found in words["types"][language].items():
            out.update({s: Entry(s, "type", {"is": name, "plural": True}) for s in found})
        for part, kind in _QUESTION_PARTS.items():
            for surface in words[part][language]:
                out.setdefault(
                    surface, Entry(surface, kind, {"is": kind}, weight=_QUESTION_WEIGHTS.get(kind, 1.05))
                )
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
