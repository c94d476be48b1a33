"""The same in fewer words, by rules of the language: nothing is said that the text does not say.

Where a text has to be cut, wordy phrases and words that only add weight go first, what enumerates becomes a
list whose entries are kept or cut one by one, and a thing with two names is given under one. A sentence that
``not``, ``only`` and their like turn round or limit is left as it is, and so is what is quoted. The rules are
the table ``brief.yaml`` of each language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from winnow.context.compress.units import JSON_OPENS, split_blocks
from winnow.language.registry import LANGUAGES, language_of, own_table
from winnow.language.scope_words import is_limited
from winnow.language.segment import segment_words
from winnow.types.utterance import LanguageCode

_SENTENCE_END = re.compile(r"[.!?。！？；\n]")
_BEGINNING = re.compile(r"(?:^|[.;:。；：\n])\s*\Z")
"""What stands before a sentence or a part of one."""
_SENTENCE_BREAK = re.compile(r"[.!?]\s+|[。！？\n]\s*")
_ENTRIES = re.compile(
    r"(?:^|(?<=[.!?。！？\n])) *(?P<head>[^:：;；.。!！?？\n]+(?::(?=\s)|：)) *"
    r"(?P<entries>[^:：.。!！?？\n]*[;；][^:：.。!！?？\n]*)(?:。|\.(?=\s|$)|(?=\n|$)) *"
)
"""A sentence that enumerates behind a colon."""
_BETWEEN = re.compile(r"\s*[;；]\s*(?:and\s+|以及|和)?")
_HEAD = re.compile(r"(?<=[.!?。！？])\s*(?=[^.!?。！？]*[:：]$)")
LEAST_ENTRIES = 3
"""Entries of the shortest list that prose becomes."""
MAX_ROUNDS = 8
"""How often a text is gone through until nothing changes: a phrase may come about where another went."""


@dataclass(frozen=True, slots=True)
class BriefRules:
    """The rules of one language."""

    verbatim: re.Pattern[str]
    phrases: re.Pattern[str]
    shorter: Mapping[str, str]
    patterns: Sequence[tuple[re.Pattern[str], str]]
    idle: re.Pattern[str]
    names: Sequence[re.Pattern[str]]
    sequences: Sequence[Sequence[re.Pattern[str]]]
    numbered: str
    pointing: re.Pattern[str]
    tying: re.Pattern[str]
    announcing: Sequence[tuple[re.Pattern[str], re.Pattern[str]]]
    hanging: re.Pattern[str]


@cache
def brief_rules(language: LanguageCode) -> BriefRules:
    """The rules of a language, or of the one it is like."""
    row = own_table(language, "brief.yaml")
    if not row:
        return brief_rules(LANGUAGES[language].like)
    start = r"(?P<start>^\s*|(?<=[.!?。！？\n])\s*)"
    return BriefRules(
        re.compile(row["verbatim"]),
        _phrases_pattern(row["shorter"], r"\b" if LANGUAGES[language].is_spaced else ""),
        row["shorter"],
        [(re.compile(asked.replace("STRESS", row["stress"])), put) for asked, put in row["patterns"]],
        re.compile(rf"{start}(?:{row['idle']})\s*(?P<next>\w)", re.IGNORECASE),
        list(map(re.compile, row["names"])),
        [
            [re.compile(rf"(?:{mark})\s*", re.IGNORECASE) for mark in (*one, row["closing"])]
            for one in row["sequences"]
        ],
        row["numbered"],
        *_connective_patterns(row),
        re.compile(rf"(?:{row['hanging']})\s*$"),
    )


def _phrases_pattern(phrases: Iterable[str], edge: str) -> re.Pattern[str]:
    """Any of these, the longest first, begun in a capital or not."""
    first = [f"[{p[0].upper()}{p[0]}]{re.escape(p[1:])}" for p in sorted(phrases, key=len, reverse=True)]
    return re.compile(f"{edge}(?:{'|'.join(first)}){edge}")


def _connective_patterns(
    row: Mapping[str, Any],
) -> tuple[re.Pattern[str], re.Pattern[str], Sequence[tuple[re.Pattern[str], re.Pattern[str]]]]:
    """What points at a sentence before, what ties a clause, and what announces one with how that begins."""
    pointing, tying = (re.compile(row[name], re.IGNORECASE) for name in ("pointing", "tying"))
    told = [(re.compile(a, re.IGNORECASE), re.compile(b, re.IGNORECASE)) for a, b in row["announcing"]]
    return pointing, tying, told


@lru_cache(maxsize=2048)  # a passage is asked about in many turns
def brief_text(text: str) -> str:
    """The text in fewer words and, where it enumerates, as a list; tables, code and JSON as they are."""
    rules, made, at = brief_rules(language_of(text)), list[str](), 0
    for block in split_blocks(text) if text[:1] not in JSON_OPENS else ():
        if block.cuttable:
            brief = _brief_prose(block.text, rules, block.kind == "prose")
            made, at = [*made, text[at : block.start], brief], block.start + len(block.text)
    return "".join([*made, text[at:]])


def _brief_prose(text: str, rules: BriefRules, lists: bool) -> str:
    for _ in range(MAX_ROUNDS):
        before, text = text, _in_fewer_words(text, rules)
        if lists:
            text = "\n".join(_numbered_list(line, rules) for line in text.split("\n"))
            text = _ENTRIES.sub(_listed_entries, text)
        if text == before:
            break
    return text


def _in_fewer_words(text: str, rules: BriefRules) -> str:
    text = _replaced(text, rules.idle, lambda m: m["start"] + m["next"].upper(), rules)
    text = _replaced(text, rules.phrases, lambda m: _like(m[0], rules.shorter[m[0].lower()]), rules)
    for asked, template in rules.patterns:
        text = _replaced(text, asked, template, rules)
    return text


def _replaced(
    text: str, asked: re.Pattern[str], put: Callable[[re.Match[str]], str] | str, rules: BriefRules
) -> str:
    """The text with other words for what was found, but for what is quoted, denied, excepted or limited."""

    def replacement(found: re.Match[str]) -> str:
        start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, found.start())), default=0)
        end = _SENTENCE_END.search(text, found.end())
        if is_limited(text[start : end.end() if end else len(text)]) or _is_verbatim(found, rules):
            return found[0]
        return found.expand(put) if isinstance(put, str) else put(found)

    return asked.sub(replacement, text)


def _is_verbatim(found: re.Match[str], rules: BriefRules) -> bool:
    spans = rules.verbatim.finditer(found.string)
    return any(one.start() < found.end() and found.start() < one.end() for one in spans)


def _like(said: str, put: str) -> str:
    """Begun in a capital where what was said is."""
    return put[:1].upper() + put[1:] if said[:1].isupper() else put


# What enumerates becomes a list: each entry is kept or cut by itself, under what introduces it.


def _listed_entries(found: re.Match[str]) -> str:
    """A line for each entry of ``You need: bread; salt; and a knife.``"""
    entries, text = _BETWEEN.split(found["entries"]), found.string
    if len(entries) < LEAST_ENTRIES or is_limited(found[0]):
        return found[0]
    before = "" if text[: found.start()][-1:] in ("", "\n") else "\n"
    behind = "" if text[found.end() : found.end() + 1] in ("", "\n") else "\n"
    return before + "\n".join([found["head"].strip(), *(one.strip() for one in entries)]) + behind


def _numbered_list(text: str, rules: BriefRules) -> str:
    """A numbered line for each thing that is told behind ``first``, ``second``, ``third``."""
    for marks in rules.sequences:
        found = list(_marks_in_order(text, marks))
        if len(found) < LEAST_ENTRIES:
            continue
        last = _SENTENCE_END.search(text, found[-1].end())
        start, end = found[0].start(), last.end() if last else len(text)
        told = _told_behind(text, found, end)
        # More than a sentence is no entry of a list
        if all(one and not _SENTENCE_END.search(one) for one in told) and not is_limited(text[start:end]):
            entries = (f"{rules.numbered.format(at)}{one}" for at, one in enumerate(told, 1))
            # What introduces them begins a line too: it stands over each of them
            head = _HEAD.sub("\n", text[:start].rstrip())
            return "\n".join(filter(None, (head, *entries, text[end:].lstrip())))
    return text


def _told_behind(text: str, marks: Sequence[re.Match[str]], end: int) -> list[str]:
    """What stands behind each mark, up to the next one."""
    ends = [*(one.start() for one in marks[1:]), end]
    return [text[one.end() : stop].strip(" \t\u3000.;。；，,") for one, stop in zip(marks, ends, strict=True)]


def _marks_in_order(text: str, marks: Sequence[re.Pattern[str]]) -> Iterator[re.Match[str]]:
    *numbers, closing = marks
    at = 0
    for mark in numbers:
        found = _mark_from(text, mark, at)
        if found is None:
            break
        yield found
        at = found.end()
    if at and (found := _mark_from(text, closing, at)):
        yield found


def _mark_from(text: str, mark: re.Pattern[str], at: int) -> re.Match[str] | None:
    """The first such mark from there on that begins a sentence or a part of one."""
    return next((one for one in mark.finditer(text, at) if _BEGINNING.search(text, 0, one.start())), None)


# What was cut out of a sentence is to read as one.


@lru_cache(maxsize=4096)  # the same piece is joined many times while more is chosen
def whole_clause(text: str, begins: bool, ends: bool, follows: bool) -> str:
    """A stretch of a text without the connectives that point at what was cut, and what hangs at its end.

    ``begins``, ``ends``: whether its sentence does there; ``follows``: whether something was cut before it.
    Word for word where a word turns round or limits any of it.
    """
    before = piece = text.strip()
    if is_limited(text):
        return piece
    rules = brief_rules(language_of(text))
    if not begins:
        piece = rules.tying.sub("", piece, count=1) if rules.tying.match(piece) else piece
    elif follows and (found := rules.pointing.match(piece)):
        piece = _like(piece, piece[found.end() :])
    if not ends:
        piece = rules.hanging.sub("", piece)
        torn = max((end.end() for end in _SENTENCE_BREAK.finditer(piece)), default=0)
        for announces, comes in rules.announcing:
            if (found := announces.match(piece, torn)) and not comes.search(piece, found.end()):
                piece = piece[:torn] + _like(piece[torn:], piece[found.end() :])
    return piece or before


# A thing that is called by two names is given under one.


def single_names(texts: Sequence[str]) -> list[str]:
    """The texts of one context; behind where one says both names of a thing, it has the shorter one.

    ``National Park Service (NPS)``, 上海交通大学（以下简称“上交大”）: that place stays as it is.
    """
    names, made = dict[str, str](), list[str]()
    for text in texts:
        rules, starts = brief_rules(language_of(text)), dict.fromkeys(names, 0)
        told = [found for pattern in rules.names for found in pattern.finditer(text)]
        for found in told:
            # A short name of two things stays that of the first
            if (long := _long_name(found[1], found[2])) and found[2] not in names.values():
                names[long], starts[long] = found[2], found.end()
        made.append(_with_short_names(text, names, starts, [one.span() for one in told]))
    return made


def _long_name(said: str, short: str) -> str:
    """The end of what stands before a short name that is the long one; empty where it is not told."""
    if short.isupper():
        words = re.split(r"(?<=[ -])", said)
        for at in reversed(range(len(words))):
            capitals = "".join(word[0] for word in words[at:] if word[0].isupper())
            if words[at][0].isupper() and capitals == short.replace("&", ""):
                return "".join(words[at:])
        return ""
    for at in reversed([word.start for word in segment_words(said)]):
        rest = iter(said[at:])
        if said[at] == short[0] and len(said) - at > len(short) and all(sign in rest for sign in short):
            return said[at:]
    return ""


def _with_short_names(
    text: str, names: Mapping[str, str], starts: Mapping[str, int], told: Sequence[tuple[int, int]]
) -> str:
    """The text with the short names, each from its start on; not where it is told, nor where it is quoted."""
    rules = brief_rules(language_of(text))
    places = [
        (found.start(), found.end(), short)
        for long, short in names.items()
        for found in re.finditer(rf"(?<![A-Za-z]){re.escape(long)}(?![A-Za-z])", text)
        if found.start() >= starts[long] and not _is_verbatim(found, rules)
    ]
    made, at = "", 0
    for start, end, short in sorted(places):
        if start >= at and not any(begin <= start < stop for begin, stop in told):
            made, at = f"{made}{text[at:start]}{short}", end
    return made + text[at:]
