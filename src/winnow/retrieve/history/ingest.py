"""Imports messages from export files into the message store, and deletes them."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import IO, cast

from winnow.errors import NOT_UTF8, MessagesUnread, Phrase, Problem
from winnow.language.clocks import Clocks
from winnow.ports.stores import Messages, MessageStore, Storage
from winnow.retrieve.history.export_formats import ExportForms, ExportItem, MessageIds, is_talk, json_values
from winnow.types.document import MessagesReport, Read
from winnow.types.home import Note
from winnow.types.message import Message
from winnow.types.scope import Scope
from winnow.types.vector import text_key

# Reads one export file, or each file of an archive.


ARCHIVE_PATTERN = "conversations*.json"
"""Where the messages are in the archive that ChatGPT sends."""


def read_export(file: IO[bytes], clocks: Clocks) -> Iterator[ExportItem]:
    """The messages of one file, each with an id that is the same whenever it is read, and notes on the rest.

    A note's ``id`` is its place: the line, and the number within it where several messages stand there.
    """
    forms, ids = ExportForms(clocks), MessageIds()
    for value in json_values(file):
        if isinstance(value, Note):
            yield value
            continue
        if is_talk(value.data):
            ids.restart()
        for each in forms.messages_in(value.data, str(value.line)):
            yield replace(each, id=ids.id_of(each)) if isinstance(each, Message) else each


@contextmanager
def open_export(path: Path) -> Iterator[tuple[list[tuple[str, IO[bytes]]], int]]:
    """The files of an export by name, and their bytes together: the one at ``path``, or those in the archive.

    Raises MessagesUnread, OSError.
    """
    if path.suffix.lower() != ".zip":
        with path.open("rb") as file:
            yield [(path.name, file)], path.stat().st_size
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if fnmatch(Path(name).name, ARCHIVE_PATTERN))
            if not names:
                raise _unreadable_export(path, Phrase("holds no {name}", name=ARCHIVE_PATTERN))
            size = sum(archive.getinfo(name).file_size for name in names)
            yield [(name, archive.open(name)) for name in names], size
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise _unreadable_export(path, Phrase("is no archive that can be read: {why}", why=error)) from error


def _unreadable_export(path: Path, why: Phrase) -> MessagesUnread:
    return MessagesUnread([Problem(path.name, "", why)])


BATCH_MESSAGES = 500
"""Messages stored at a time: what was stored stays when an import ends early, and the next one goes on."""
FAULTS = {
    "bad_json": Phrase("is not JSON"),
    "bad_text": Phrase(NOT_UTF8),
    "broken_off": Phrase("the list breaks off here"),
    "no_role": Phrase("says nothing of who said it"),
    "not_message": Phrase("is no message"),
}
"""Notes of what should have been a message -> what is said of it where nothing else was found."""


def ignore_progress(done: int, size: int) -> None:
    """A progress that nobody follows."""


async def import_messages(
    scope: Scope, path: str, store: MessageStore, clocks: Clocks, progress: Read = ignore_progress
) -> MessagesReport:
    """Store what persons said in the file, the archive or (``-``) the standard input, for the scope's user.

    Messages that are there already stay as they are. Raises MessagesUnread, StoreError, OSError.
    """
    found = added = 0
    notes: list[Note] = []
    for name, batch in _batches(path, clocks, progress):
        messages = [each for each in batch if isinstance(each, Message)]
        added += await store.add(scope, messages)
        found += len(messages)
        notes += (replace(each, id=f"{name}:{each.id}") for each in batch if isinstance(each, Note))
    if not found and (faults := list(_faults(notes, path))):
        raise MessagesUnread(faults)
    return MessagesReport(scope.user, found, added, (await store.stamp(scope)).count, tuple(notes))


async def all_messages(messages: Messages, scope: Scope) -> AsyncIterator[Message]:
    """The user's messages, oldest first. Raises StoreError."""
    async for page in messages.stream(scope):
        for message in page:
            yield message


async def forget_messages(scope: Scope, storage: Storage, ids: Collection[str] | None = None) -> int:
    """Delete these messages of the user, or all, and the vectors of what they say; how many there were.

    A vector that another message of the tenant needs is made anew when it is. Raises StoreError.
    """
    said = {
        text_key(m.content) async for m in all_messages(storage.messages, scope) if ids is None or m.id in ids
    }
    gone = await storage.messages.forget(scope, ids)
    await storage.vectors.forget(scope, said)
    return gone


def _batches(path: str, clocks: Clocks, progress: Read) -> Iterator[tuple[str, list[ExportItem]]]:
    """What stands in each file of the export, some at a time, with the file's name."""
    with _files(path) as (files, size):
        done = 0
        for name, file in files:
            counted = CountedFile(file)
            for batch in message_batches(read_export(cast("IO[bytes]", counted), clocks)):
                progress(done + counted.read_so_far, size)
                yield name, batch
            done += counted.read_so_far


@contextmanager
def _files(path: str) -> Iterator[tuple[Sequence[tuple[str, IO[bytes]]], int]]:
    """The files by name, and how many bytes they take together; 0: nobody knows."""
    if path == "-":
        yield [("-", sys.stdin.buffer)], 0
        return
    with open_export(Path(path)) as (files, size):
        yield files, size


def message_batches(found: Iterable[ExportItem]) -> Iterator[list[ExportItem]]:
    """So many at a time as are stored together."""
    left = iter(found)
    while batch := list(islice(left, BATCH_MESSAGES)):
        yield batch


class CountedFile:
    """A file that knows how much of it was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.read_so_far = file, 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        return self._count(self._file.read(size))

    def readline(self, size: int = -1) -> bytes:
        """The next line, or so many bytes of it."""
        return self._count(self._file.readline(size))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _count(self, data: bytes) -> bytes:
        self.read_so_far += len(data)
        return data


def _faults(notes: Sequence[Note], path: str) -> Iterator[Problem]:
    """What is wrong with a file in which nothing was found; nothing is, where nobody said anything in it."""
    faults = [note for note in notes if note.code in FAULTS]
    if not notes:
        yield Problem(path, "", "holds nothing")
    for note in faults:
        file, _, line = note.id.rpartition(":")
        yield Problem(file, line, FAULTS[note.code])
