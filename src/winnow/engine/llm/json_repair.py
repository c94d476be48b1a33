"""Reads the objects of a text that should be JSON and is not quite.

Full-width or typographic punctuation, single quotes, bare words, comments, lost or doubled brackets, quotes
inside of text, an end cut off: one pass reads all of that, in time linear in the length of the text, and
never raises. What is valid JSON is read as JSON, down to a depth of 64. Own work, see docs/decisions/0015.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from winnow.engine.llm.schema import conform_to_schema

MAX_JSON_DEPTH = 64
"""Brackets inside of brackets that are read; what lies deeper is skipped."""
MAX_NUMBER_DIGITS = 300
"""Digits of a number; what is longer is text."""
QUOTE_CLOSERS = {
    '"': '"',
    "'": "'",
    "“": '”“"',
    "”": "”",
    "‘": "’‘'",
    "’": "’",
    "＂": '＂"',
    "＇": "＇'",
    "「": "」",
    "`": "`'",
}
"""An opening quote -> what may close it."""
INVISIBLE_CHARACTERS = "\ufeff\u200b\u200c\u200d\u2060"
_STOPS = {opener: re.compile(f"[{closers}\\\\]") for opener, closers in QUOTE_CLOSERS.items()}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
JSON_CONSTANTS = {
    "true": True,
    "false": False,
    **dict.fromkeys(("null", "none", "nan", "infinity", "-infinity", "undefined")),
}

_BLANK = re.compile(rf"[\s{INVISIBLE_CHARACTERS}]*")
_BRACE = re.compile("[{｛]")
_AFTER_KEY = re.compile(r"\s*(?:[:：=,，}｝]|\Z)")
_AFTER_VALUE = re.compile(
    r"""[^\S\n]*(?:\n|[}｝\]］]|//|/\*|\#|\Z
      |[,，]\s*(?:["'“”‘＂「{｛\[［}｝\]］/\#]|-?\d|\w{1,40}\s*[:：=]|(?:true|false|null|none)\b|\Z)
      |["'“”‘＂「][^"'“”‘’＂」\n]{1,64}["'“”’＂」]\s*[:：])""",
    re.VERBOSE | re.IGNORECASE,
)
_BARE_KEY = re.compile(r"[^:：=,，{}｛｝\[\]［］\"“\n]+")
_BARE_VALUE = re.compile(r"(?:(?!\s(?://|/\*|\#))[^,，{}｛｝\[\]［］\"“\n])+")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(slots=True)
class ParsedObject:
    """One object as it is being read."""

    value: dict[str, Any] = field(default_factory=dict)
    cut: bool = False
    """Whether a text or a number of it is still open where the text ends."""


class _NestingTooDeep(Exception):  # noqa: N818 - never leaves this module
    """Brackets are nested deeper than anything a model is asked for."""


class JsonReader:
    """Reads one text once, from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.cut = text, 0, False
        self.depth = self.arrays = 0
        self.seen: list[ParsedObject] = []

    def read_objects(self) -> list[ParsedObject]:
        """Every object of the text, outer before inner, in the order they begin."""
        while start := _BRACE.search(self.text, self.at):
            self.at, self.depth, self.arrays = start.start(), 0, 0
            before = len(self.seen)
            try:
                self.read_object()
            except _NestingTooDeep:
                del self.seen[before:]
        return self.seen

    def read_object(self) -> dict[str, Any]:
        """The object that begins here."""
        entry = ParsedObject()
        self.seen.append(entry)
        self._enter()
        while (here := self._next()) and here not in "}｝":
            if here in "]］" and self.arrays:
                break
            self._member(entry.value, here)
        self._leave(here, "}｝")
        entry.cut = not here and self.cut
        return entry.value

    def _member(self, members: dict[str, Any], here: str) -> None:
        """One key and its value; a key without a value, and a value without a key, leave nothing."""
        if here in "{｛[［":
            self.read_value(here)
            return
        key = self.read_quoted(_AFTER_KEY) if here in QUOTE_CLOSERS else self._bare(_BARE_KEY)
        if self._next() not in tuple(":：="):
            return
        self.at += 1
        if here := self._next():
            if here in "}｝,，":
                members[key] = None
            else:
                members[key] = self.read_value(here)

    def read_array(self) -> list[Any]:
        """The array that begins here."""
        items: list[Any] = []
        self._enter()
        self.arrays += 1
        while (here := self._next()) and here not in "]］}｝":
            items.append(self.read_value(here))
        self.arrays -= 1
        self._leave(here, "]］")
        return items

    def read_value(self, here: str) -> Any:
        """The value that begins here, whatever its kind."""
        if here in "{｛":
            return self.read_object()
        if here in "[［":
            return self.read_array()
        if here in QUOTE_CLOSERS:
            return self.read_quoted(_AFTER_VALUE)
        word = self._bare(_BARE_VALUE)
        self.cut = self.cut or (self.at >= len(self.text) and word.casefold() not in JSON_CONSTANTS)
        return _bare_constant(word)

    def read_quoted(self, after: re.Pattern[str]) -> str:
        """The text in quotes that begins here, up to a quote after which JSON goes on (``after``)."""
        stop = _STOPS[self.text[self.at]]
        self.at += 1
        parts: list[str] = []
        while mark := stop.search(self.text, self.at):
            parts.append(self.text[self.at : mark.start()])
            self.at = mark.end()
            if mark[0] == "\\":
                parts.append(self._escape())
            elif after.match(self.text, self.at):
                return _without_surrogates("".join(parts))
            else:
                parts.append(mark[0])
        parts.append(self.text[self.at :])
        self.at, self.cut = len(self.text), True
        return _without_surrogates("".join(parts))

    def _escape(self) -> str:
        """What the letters after a backslash stand for; an escape that JSON does not know, for itself."""
        letter = self.text[self.at : self.at + 1]
        self.at += len(letter)
        digits = self.text[self.at : self.at + 4]
        if letter == "u" and re.fullmatch("[0-9a-fA-F]{4}", digits):
            self.at += 4
            return chr(int(digits, 16))
        if letter in ESCAPES:
            return ESCAPES[letter]
        return letter if letter in tuple("\"'/\\“”‘’＂`") else "\\" + letter.strip("\n")

    def _bare(self, pattern: re.Pattern[str]) -> str:
        """A word without quotes; never nothing, so that reading goes on."""
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at + 1
        return _without_surrogates(found[0].strip().strip(INVISIBLE_CHARACTERS)) if found else ""

    def _next(self) -> str:
        """The next character that says something, after blanks, comments and commas; empty at the end."""
        while True:
            blank = _BLANK.match(self.text, self.at)
            self.at = blank.end() if blank else self.at
            two = self.text[self.at : self.at + 2]
            if two == "/*":
                end = self.text.find("*/", self.at + 2)
                self.at = end + 2 if end >= 0 else len(self.text)
            elif two == "//" or two[:1] == "#":
                end = self.text.find("\n", self.at)
                self.at = end if end >= 0 else len(self.text)
            elif two[:1] in (",", "，"):
                self.at += 1
            else:
                return two[:1]

    def _enter(self) -> None:
        self.at += 1
        self.depth += 1
        if self.depth > MAX_JSON_DEPTH:
            raise _NestingTooDeep

    def _leave(self, here: str, closers: str) -> None:
        """Past the bracket, unless it closes something further out."""
        self.depth -= 1
        self.at += bool(here) and here in closers


def _bare_constant(word: str) -> Any:
    """What a word without quotes stands for: a constant of JSON or Python, a number, else text."""
    if word.casefold() in JSON_CONSTANTS:
        return JSON_CONSTANTS[word.casefold()]
    if len(word) > MAX_NUMBER_DIGITS or not _NUMBER.fullmatch(word):
        return word
    number = float(word)
    if math.isinf(number):
        return word
    return int(word) if word.lstrip("+-").isdecimal() else number


def _without_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced: it can be written anywhere."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# What a language model meant as JSON: the first object of its output that is valid under a schema.


MAX_JSON_OBJECTS = 64
"""Objects of one output that are looked at."""

_THOUGHT = "(?:think|thinking|thought|reasoning|reflection)"
_THOUGHT_BEGINS = re.compile(rf"<{_THOUGHT}>|<\|channel\|>analysis", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"</{_THOUGHT}>|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_KEY_AHEAD = re.compile(r"""\s*["'“”‘＂「][^"'“”‘’＂」\n]{1,64}["'“”’＂」]\s*[:：]""")
_QUOTED_ONCE_MORE = re.compile(r"[^{]*\{\s*\\\"")


@dataclass(frozen=True, slots=True)
class JsonResult:
    """What an output holds.

    ``value`` is None when nothing in it is valid; ``problems`` then says why, empty without any object.
    """

    value: dict[str, Any] | None
    problems: tuple[str, ...] = ()
    cut: bool = False
    """Whether a text or a number of it was still open where the output ends: it may go on otherwise."""


def parse_output(output: str, schema: Mapping[str, object]) -> JsonResult:
    """The first object that is valid under ``schema``, in the types the schema asks for.

    Raises ValueError for a schema it cannot check.
    """
    first: JsonResult | None = None
    for candidate in _json_objects(output):
        value, problems = conform_to_schema(candidate.value, schema)
        if not problems and isinstance(value, dict):
            return JsonResult(value, (), candidate.cut)
        first = first or JsonResult(None, problems, candidate.cut)
    return first or JsonResult(None)


def first_object(output: str) -> dict[str, Any]:
    """The first object of an output as it stands, whatever it holds; empty where there is none."""
    return next((candidate.value for candidate in _json_objects(output)), {})


def _json_objects(output: str) -> Iterator[ParsedObject]:
    """Objects in order, empty ones last. Where there are fences that hold some, the others are chatter."""
    said = _without_thoughts(output.strip())
    found = [o for part in _fenced_parts(said) for o in JsonReader(part).read_objects()] or JsonReader(
        said
    ).read_objects()
    yield from [o for o in found if o.value][:MAX_JSON_OBJECTS]
    yield from [o for o in found if not o.value][:1]


def _without_thoughts(output: str) -> str:
    """What follows the model's thoughts. Thoughts that never end are followed by nothing."""
    ends = list(_THOUGHT_ENDS.finditer(output))
    said = output[ends[-1].end() :] if ends and not _is_json(output) else output
    begins = None if _is_json(said) else _THOUGHT_BEGINS.search(said)
    said = said[: begins.start()] if begins else said
    if _QUOTED_ONCE_MORE.match(said):
        said = said.replace('\\"', '"').replace("\\n", "\n")
    if "{" not in said and "｛" not in said and _KEY_AHEAD.match(said):
        said = "{" + said
    return said


def _is_json(text: str) -> bool:
    """Whether the text is JSON as it stands, so that what looks like a thought is a part of it."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _fenced_parts(text: str) -> list[str]:
    """What stands between lines that begin with a fence."""
    marks = list(_FENCE.finditer(text))
    ends = [*(m.start() for m in marks[1::2]), *([len(text)] if len(marks) % 2 else [])]
    return [text[mark.end() : end] for mark, end in zip(marks[::2], ends, strict=True)]
