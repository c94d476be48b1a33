"""What words say of a thing: its kind, function, colour and mode (``words/heads.yaml``, ``called.yaml``).

A thing is what its last word says: ``Oven Light`` and 烤箱灯 are lamps. A word that only says how it gets its
power is passed over: ``Water Heater Plug`` and 热水器插座 heat water.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

from winnow.language.en import plural
from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, best_cover
from winnow.language.lexicon import surfaces, type_words
from winnow.language.normalize import fold, is_han, normalise
from winnow.language.registry import LANGUAGES, own_table, rows_for, words_table
from winnow.language.segment import segment_words
from winnow.language.tables import table
from winnow.types.utterance import LanguageCode

# Arming modes of an alarm: by what was said, and by what a command does.


Modes = Mapping[str, Mapping[str, Sequence[str]]]
_WORD = re.compile("[a-z]+")


def mode_of_command(command_id: str) -> str:
    """``away`` for ``alarm_arm_away`` and ``securitySystem-armAway``; empty where the id tells none."""
    parts = _WORD.findall(re.sub("([a-z])([A-Z])", r"\1 \2", command_id).lower())
    return next((mode for mode, row in _modes().items() if not set(row["ids"]).isdisjoint(parts)), "")


def mode_said(text: str) -> str:
    """The mode that words or a part of a sentence mean; empty where they mean none, or two."""
    padded = f" {text} "
    found = {
        mode
        for word, mode in _words().items()
        if (word in text if is_han(word[0]) else f" {word} " in padded)
    }
    return found.pop() if len(found) == 1 else ""


def mode_name(mode: str, language: LanguageCode) -> str:
    """What a mode is called."""
    return rows_for(_modes()[mode], language)[0]


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    """What a person says -> the mode."""
    return {
        word: mode
        for mode, row in _modes().items()
        for language in LANGUAGES
        for word in row.get(language, ())
    }


def _modes() -> Modes:
    return cast("Modes", words_table("arming.yaml"))


# Colloquial names of devices, rooms and functions beside the lexicon: ``called.yaml``, ``words/called``.


ANY = "_"
"""What is said of things of any kind."""
NAMELESS = frozenset({"cover", "climate", "media_player"})
"""Kinds that say what moves, heats or plays and not what it is."""


@dataclass(frozen=True, slots=True)
class KindNaming:
    """What the things of one type are called."""

    of: frozenset[str]
    """Kinds of device that are such things."""
    same: tuple[str, ...]
    """Words that say no more than the type."""
    makes: tuple[str, ...]
    """Words that say which make; of a thing whose name tells of no other."""
    tells: frozenset[str]
    """What of a name tells of a make: those words, and what may be said of any thing."""
    deeds: tuple[str, ...]
    """What it does, as the file has it: said behind ``the thing that`` or before ``的那个``."""


@lru_cache(maxsize=1)
def kind_names() -> Mapping[str, KindNaming]:
    """Type word -> what things of it are called, in both languages."""
    files = [own_table(language, "called.yaml") for language in LANGUAGES]
    names = dict.fromkeys(name for rows in files for name in rows if name != ANY)
    before = [word for rows in files for word in rows.get(ANY, {}).get("before", ())]
    return {name: _kind_name_row(name, [rows.get(name, {}) for rows in files], before) for name in names}


def _kind_name_row(name: str, rows: list[dict[str, list[str]]], before: list[str]) -> KindNaming:
    kinds = type_words()[name].kinds
    of = frozenset(_all(rows, "of")) or frozenset(kinds[:1]) | NAMELESS.intersection(kinds)
    makes = _all(rows, "makes")
    return KindNaming(of, _all(rows, "same"), makes, frozenset((*makes, *before)), _all(rows, "deeds"))


def _all(rows: list[dict[str, list[str]]], part: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for row in rows for word in row.get(part, ())))


@lru_cache(maxsize=1)
def naming() -> Mapping[str, tuple[str, ...]]:
    """Word in a name -> the types it names: those of the lexicon and what things are called."""
    named: dict[str, list[str]] = {word: [kind] for word, kind in surfaces("type").items()}
    for name, row in kind_names().items():
        for word in (*row.same, *row.makes):
            for form in (word,) if is_han(word[-1]) else (word, plural(word)):
                if name not in named.setdefault(form, []):
                    named[form].append(name)
    return {word: tuple(kinds) for word, kinds in named.items()}


@lru_cache(maxsize=1)
def functions_called() -> Mapping[str, tuple[str, ...]]:
    """Function of appliances -> what people call it, in both languages: a property of ``actions.yaml``."""
    rows = words_table("called/functions.yaml")
    return {name: tuple(words) for name, words in cast("dict[str, list[str]]", rows).items()}


@lru_cache(maxsize=1)
def rooms_called() -> Mapping[str, tuple[str, ...]]:
    """Kind of room -> what people call such a room besides the lexicon's words, in both languages."""
    rows = words_table("called/rooms.yaml")
    return {kind: tuple(words) for kind, words in cast("dict[str, list[str]]", rows).items()}


# Colours by their canonical names (``red``), as platforms want to have them told.


def rgb(name: str) -> tuple[int, int, int] | None:
    """Red, green and blue from 0 to 255; None for a colour that the table does not hold."""
    known = colours().get(name)
    return (known[0], known[1], known[2]) if known else None


def hue_and_saturation(name: str) -> tuple[float, float] | None:
    """Both from 0 to 100, as SmartThings counts them; None for a colour that the table does not hold."""
    parts = rgb(name)
    if parts is None:
        return None
    hue, saturation, _ = rgb_to_hsv(*(part / 255 for part in parts))
    return round(hue * 100, 2), round(saturation * 100, 2)


def colours() -> Mapping[str, list[int]]:
    """Name -> red, green and blue: the names of CSS."""
    return cast("Mapping[str, list[int]]", table("winnow.language", "colours.yaml"))


# A device may be named by its function: ``the thing that heats the bath``, ``烧水的那个``.


@lru_cache(maxsize=1)
def _frames() -> Mapping[str, Mapping[str, Any]]:
    return cast("Mapping[str, Mapping[str, Any]]", words_table("called/deeds.yaml"))


@lru_cache(maxsize=1)
def function_pattern() -> re.Pattern[str]:
    """What a sentence holds that may name a thing by what it does: looked for before the deeds themselves."""
    return re.compile("|".join(frame["sign"] for frame in _frames().values()))


@lru_cache(maxsize=128)
def deeds(name: str) -> re.Pattern[str] | None:
    """How things of a type are named by what they do, in either language; None where nothing is known."""
    framed: list[str] = []
    for language, frame in _frames().items():
        own = [deed for deed in kind_names()[name].deeds if is_han(deed[0]) == (language == "zh")]
        own.sort(key=lambda deed: (-deed.count(">"), deed))  # those of most parts first
        joined = "|".join(_alternatives(deed, frame["gap"], frame["articles"]) for deed in own)
        if joined:
            framed.append(str(frame["frame"]).replace("{deed}", f"(?:{joined})"))
    return re.compile("|".join(framed)) if framed else None


def _alternatives(deed: str, gap: str, articles: str) -> str:
    """A deed of the file as an expression: its parts one after the other, ``~`` with articles before it."""
    made = ""
    for at, part in enumerate(deed.split(">")):
        words = sorted((word.strip() for word in part.split("|")), key=len, reverse=True)
        held = "|".join(re.escape(word.removeprefix("~")) for word in words if word)
        one = f"{articles if any(w.startswith('~') for w in words) else ''}(?:{held})"
        one = f"{gap if at else ''}{one}"
        made += f"(?:{one})?" if "" in words else one
    return made


CARRIERS = frozenset({"carrier", "plug", "switch", "device"})
"""What only says how a thing gets its power."""
_BESIDE = CARRIERS | {"place", "way_out", "fluid", "supply", "other"}
"""What says no more than how it gets its power, which of several it is, where it leads, what flows in it."""


class NameHint(NamedTuple):
    """What a word of a name says."""

    what: str
    """A canonical kind, or a class of ``heads.yaml``: ``hot``, ``alarm``, ``carrier``, ``none`` ..."""
    word: str


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[NameHint, ...]:
    """What the words of the name say, in order: of its first part that says what the thing is.

    What stands behind ``in``, ``by`` or a bracket counts only when nothing before it tells.
    """
    passed: tuple[NameHint, ...] = ()
    for part in _behind().split(normalise(name)):
        told = tuple(_part_hints(part))
        if any(word.what not in _BESIDE for word in told):
            return told
        passed += told
    return passed


def head(name: str) -> NameHint | None:
    """What the name says the thing is: its last word that is no carrier, else its last word."""
    told = words_of(name)
    return next((word for word in reversed(told) if word.what not in _BESIDE), told[-1] if told else None)


def only_powers(name: str) -> bool:
    """Whether the name says no more than how a thing gets its power: 电源, ``Power``, ``Socket``."""
    told = head(name)
    return told is not None and told.what in CARRIERS


def only_tells_apart(name: str) -> bool:
    """Whether the name says no more than that, or which of several it is: ``Power``, ``Left``, 第二路."""
    told = words_of(name)
    known = bool(told) and all(word.what in CARRIERS | {"place"} for word in told)
    return known or not any(map(str.isalpha, name))


def _heads() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", words_table("heads.yaml"))


@lru_cache(maxsize=1)
def _behind() -> re.Pattern[str]:
    """What splits a name: a bracket, a comma, an English preposition."""
    words = "|".join(_heads()["before"])
    return re.compile(rf"[()\[\]（）【】,;:/|]|\b(?:{words})\b")


def _part_hints(part: str) -> Iterator[NameHint]:
    """What the words of this part of a name say, in order; what no word explains may tell by its stem."""
    names = _words_heads()
    for found in best_cover(part, [names.matches(part, at) for at in range(len(part))]):
        start, end = found[:2]
        if isinstance(found, GazetteerMatch) and _ends_a_word(part, found):
            if what := str(found.entry.data["is"]):
                yield NameHint(what, found.entry.surface)
            continue
        for stem in _stems().finditer(part, start, end):
            yield NameHint(str(stem.lastgroup), stem[0])


def _ends_a_word(text: str, found: GazetteerMatch) -> bool:
    """Whether the match is a word, or ends one: 器 of 热水器 is none, 热水器 ends 电热水器.

    台灯 does not stand in 阳台灯, nor 灯 in 灯塔.
    """
    if not any(map(is_han, found.entry.surface)):
        return True
    crossing = (w for w in segment_words(text) if w.start < found.end and found.start < w.end)
    # each word of the text lies within the match or ends with it
    return all(w.end <= found.end and (found.start <= w.start or w.end == found.end) for w in crossing)


@lru_cache(maxsize=1)
def _stems() -> re.Pattern[str]:
    """Stems of English with their endings, whole words; those of Chinese wherever they stand."""
    classes: list[str] = []
    for what, row in _heads()["stems"].items():
        english = rf"\b(?:{'|'.join(row['en'])})(?:{'|'.join(row['endings'])})?\b"
        classes.append(f"(?P<{what}>{english}|{'|'.join(row['zh'])})")
    return re.compile("|".join(classes))


@lru_cache(maxsize=1)
def _words_heads() -> Gazetteer:
    """The lexicon's words of types and rooms, and those of ``heads.yaml``."""
    # Type of the lexicon -> the kind that a name with its word means; empty for ``everything``
    first = {name: name if name in word.kinds else word.kinds[0] for name, word in type_words().items()}
    kinds = {**first, **_heads()["kinds"]}
    said = dict.fromkeys(surfaces("room"), "")
    said |= {surface: kinds[name].replace("*", "") for surface, name in surfaces("type").items()}
    said |= dict(_own_words())
    return Gazetteer(GazetteerEntry(surface, "told", {"is": what}) for surface, what in said.items())


def _own_words() -> Iterator[tuple[str, str]]:
    for what, languages in _heads()["words"].items():
        for language, words in languages.items():
            plural = LANGUAGES[language].plural
            several = map(plural, words) if plural else ()
            yield from ((normalise(word), what) for word in (*words, *several))


# Modes, levels and programmes in groups of one meaning (``words/modes.yaml``): makers name them differently.


@lru_cache(maxsize=1)
def _table_modes() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", words_table("modes.yaml"))


def near(group: str) -> tuple[str, ...]:
    """The groups that may stand for one where a device takes none of its own, nearest first."""
    return tuple(_table_modes()["groups"].get(group, {}).get("near", ()))


@lru_cache(maxsize=1)
def _word_kinds() -> Mapping[str, str]:
    groups = _table_modes()["groups"].items()
    makers = {fold(str(word)): name for name, row in groups for word in row.get("named", ())}
    return {**{fold(word): name for word, name in surfaces("mode").items()}, **makers}


def group_of(choice: str) -> str:
    """The group of a choice as a maker writes it (``energy_saving``); empty when it is in none."""
    return _word_kinds().get(fold(choice), "")


@lru_cache(maxsize=128)
def said_modes(group: str) -> tuple[str, ...]:
    """Every way to say a group, as ``normalise`` leaves it."""
    row = _table_modes()["groups"].get(group, {})
    found: dict[str, None] = {}
    for part, endings in _table_modes()["endings"].items():
        for word in map(normalise, row.get(part, ())):
            # an ending goes with words of its own language; a single character needs one
            fits = [e for e in endings if (len(word) > 1 and not e) or (e and word.isascii() == e.isascii())]
            found |= dict.fromkeys(word + ending for ending in fits)
    return tuple(found)


@lru_cache(maxsize=128)
def qualifying_words(group: str) -> tuple[str, ...]:
    """The words of a group that also tell how people and things are: they count only behind what sets."""
    return tuple(map(normalise, _table_modes()["groups"].get(group, {}).get("told", ())))


@lru_cache(maxsize=128)
def wanted_for(group: str) -> tuple[str, ...]:
    """The groups whose words may mean a choice of this one: itself and those it stands for."""
    groups = _table_modes()["groups"]
    return (group, *(name for name in groups if group in near(name) and name != group))
