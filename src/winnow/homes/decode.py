"""From the bytes of a file to JSON: encodings, lines of JSON, and what no honest export holds."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from winnow.errors import Phrase
from winnow.text import decode

DEEPEST = 64
"""How many lists and objects may lie in each other. Exports need fewer than 20."""
_HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


class Unreadable(Exception):  # noqa: N818 - reads as the sentence it is
    """The bytes are no JSON: ``path`` is the line where lines were read, the message says why."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message, self.path = message, path


def decoded(raw: bytes) -> tuple[str, str]:
    """The text, and its encoding where that had to be guessed. Raises Unreadable."""
    try:
        return decode.decoded(raw, json.detect_encoding(raw))
    except decode.NotText as error:
        raise Unreadable(error.why) from None


def parsed(text: str, *, lines: bool = False) -> object:
    """What the text holds; several values, or ``lines``, become a list. Raises Unreadable."""
    if lines and not text.lstrip().startswith("["):
        return _lines(text)
    try:
        return _value(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            # Several values are lines where the first one is a list or an object by itself.
            with suppress(ValueError, RecursionError):
                if isinstance(json.loads(text.lstrip().partition("\n")[0]), (dict, list)):
                    return _lines(text)
        where = {"line": error.lineno, "column": error.colno}
        not_json = Phrase("not JSON: {why} at line {line} column {column}", why=error.msg, **where)
        raise Unreadable(not_json) from None


def _lines(text: str) -> list[object]:
    """One value a line; empty lines do not count."""
    values = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.strip():
                values.append(_value(line))
        except json.JSONDecodeError as error:
            raise Unreadable(Phrase("not JSON: {why}", why=error.msg), f"line {number}") from None
    return values


def _value(text: str) -> object:
    """One JSON value. What JSON does not know (NaN, Infinity) is nothing; half characters are replaced."""
    try:
        value: object = json.loads(text, parse_constant=lambda _: None)
        if _HALF_A_CHARACTER.search(text):
            # Pairs are joined by the parser; what is left alone could be neither stored nor printed.
            whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            value = json.loads(whole)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise Unreadable(Phrase("is nested more than {most} deep", most=DEEPEST)) from None
    except ValueError as error:
        raise Unreadable(Phrase("not JSON: {why}", why=str(error))) from None
    if text.count("[") + text.count("{") > DEEPEST:
        level = [value]
        for _ in range(DEEPEST):
            level = [inner for outer in level for inner in _inside(outer)]
        if level:
            raise Unreadable(Phrase("is nested more than {most} deep", most=DEEPEST))
    return value


def _inside(value: object) -> list[object]:
    """The lists and objects in a list or an object."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [member for member in members if isinstance(member, dict | list)]
