"""A file -> its messages, as they stand in it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import IO

from winnow.errors import MessagesUnread, Phrase, Problem
from winnow.remember.exports.forms import Forms, Found, is_talk
from winnow.remember.exports.ids import Ids
from winnow.remember.exports.values import values
from winnow.text.clocks import Clocks
from winnow.types.catalog import Note
from winnow.types.message import Message

IN_ARCHIVE = "conversations*.json"
"""Where the messages are in the archive that ChatGPT sends."""


def read_export(file: IO[bytes], clocks: Clocks) -> Iterator[Found]:
    """The messages of one file, each with an id that is the same whenever it is read, and notes on the rest.

    A note's ``id`` is its place: the line, and the number within it where several messages stand there.
    """
    forms, ids = Forms(clocks), Ids()
    for value in values(file):
        if isinstance(value, Note):
            yield value
            continue
        if is_talk(value.data):
            ids.restart()
        for each in forms.found(value.data, str(value.line)):
            yield replace(each, id=ids.of(each)) if isinstance(each, Message) else each


@contextmanager
def opened(path: Path) -> Iterator[tuple[list[tuple[str, IO[bytes]]], int]]:
    """The files of an export by name, and their bytes together: the one at ``path``, or those in the archive.

    Raises MessagesUnread, OSError.
    """
    if path.suffix.lower() != ".zip":
        with path.open("rb") as file:
            yield [(path.name, file)], path.stat().st_size
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if fnmatch(Path(name).name, IN_ARCHIVE))
            if not names:
                raise _nothing(path, Phrase("holds no {name}", name=IN_ARCHIVE))
            size = sum(archive.getinfo(name).file_size for name in names)
            yield [(name, archive.open(name)) for name in names], size
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise _nothing(path, Phrase("is no archive that can be read: {why}", why=error)) from error


def _nothing(path: Path, why: Phrase) -> MessagesUnread:
    return MessagesUnread([Problem(path.name, "", why)])
