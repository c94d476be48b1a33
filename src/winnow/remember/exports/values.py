"""Bytes -> JSON values, one after another, however large the file is."""

from __future__ import annotations

import json
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any

from winnow.types.catalog import Note

CHUNK = 1 << 20
"""Bytes read at a time from a list."""
_NEAR_THE_END = 16
"""An error so few characters before the end of what was read may only mean that more is to come."""
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Value:
    """One JSON value and the line it begins in, from 1."""

    line: int
    data: Any


def values(file: IO[bytes]) -> Iterator[Value | Note]:
    """The values of a file: those of each line, or the elements of a list, or the one there is.

    A line that is no JSON is noted, and so is where a list breaks off.
    """
    line, first = 1, file.readline(CHUNK).removeprefix(BOM_UTF8)
    while first and not first.strip():
        line, first = line + first.count(b"\n"), file.readline(CHUNK)
    if first.lstrip()[:1] == b"[":
        yield from _Elements(file, first, line).values()
        return
    if first and not first.endswith(b"\n"):
        first += file.readline()
    # An object that begins in a line and does not end in it was laid out for people: it is the only one.
    start = first.strip()
    if start[:1] == b"{" and start[-1:] in b"{[,:":
        yield _parsed(first + file.read(), line)
        return
    for number, each in enumerate(chain([first], file), line):
        if each.strip():
            yield _parsed(each, number)


def _parsed(data: bytes, line: int) -> Value | Note:
    try:
        return Value(line, json.loads(data))
    except UnicodeDecodeError:
        return _note("bad_text", line)
    except (ValueError, RecursionError) as error:
        return _note("bad_json", line, _why(error))


def _note(code: str, line: int, detail: str = "") -> Note:
    return Note(code, str(line), detail=detail)


def _why(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__


class _Elements:
    """The elements of lists, while no more of the file is held than the longest of them takes."""

    def __init__(self, file: IO[bytes], first: bytes, line: int) -> None:
        self._file, self._decoder = file, getincrementaldecoder("utf-8")()
        self._parse = json.JSONDecoder().raw_decode
        self._unread: bytes | None = first
        self._text, self._at, self._line = "", 0, line
        self._whole = False

    def values(self) -> Iterator[Value | Note]:
        try:
            while self._next_begins():
                yield Value(self._line, self._element())
        except UnicodeDecodeError:
            yield _note("bad_text", self._line)
        except (ValueError, RecursionError) as error:
            yield _note("broken_off", self._line, _why(error))

    def _next_begins(self) -> bool:
        """Go to the next element; whether there is one."""
        while True:
            signs = _SPACE + ",[]"
            start = self._at
            while self._at < len(self._text) and self._text[self._at] in signs:
                self._at += 1
            self._line += self._text.count("\n", start, self._at)
            if self._at < len(self._text):
                return True
            if not self._more():
                return False

    def _element(self) -> Any:
        """The element that begins here. Raises ValueError, RecursionError."""
        while True:
            try:
                found, end = self._parse(self._text, self._at)
            except json.JSONDecodeError as error:
                if not (
                    (error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR_THE_END)
                    and self._more()
                ):
                    raise
            else:
                self._line += self._text.count("\n", self._at, end)
                self._at = end
                return found

    def _more(self) -> bool:
        """Read on, twice as much as is held; whether there was anything."""
        rest = self._text[self._at :]
        data, self._unread = self._unread or self._file.read(max(CHUNK, len(rest))), None
        if not data and self._whole:
            return False
        self._whole = not data
        self._text, self._at = rest + self._decoder.decode(data, final=self._whole), 0
        return bool(data)
