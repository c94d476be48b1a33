"""Entries of a chain that were put aside: files of JSON lines, one behind the other."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from winnow.errors import Phrase, StoreError
from winnow.stores.chain import entry_of, line
from winnow.types.audit import AuditEntry

ENDING = ".jsonl.gz"


class ArchiveError(Exception):
    """A file of an archive that cannot be read."""


class Archive:
    """The files of one chain in its folder, each named by the number of its first entry."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / name

    def write(self, entries: Sequence[AuditEntry]) -> Path:
        """Keep these; the file is whole, or not there at all. Raises StoreError."""
        path = self.folder / f"{entries[0].number:010d}{ENDING}"
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                with gzip.open(file, "wt", encoding="utf-8", errors="surrogatepass") as lines:
                    lines.writelines(f"{line(entry)}\n" for entry in entries)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise StoreError(
                Phrase("Nothing can be archived in {folder}: {why}.", folder=self.folder, why=error.strerror),
                hint="Check the folder and its permissions, then: winnow audit rotate.",
            ) from error
        # The new name of the file must outlast a loss of power, where the system can do that.
        with suppress(OSError):
            here = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(here)
            finally:
                os.close(here)
        return path

    def read(self, end: int, after: int = 0, *, skip_damaged: bool = False) -> Iterator[AuditEntry]:
        """Entries after that number and before ``end``, in order, as far as their files are here.

        Raises ArchiveError for a damaged file; with ``skip_damaged`` what can be read of it is told instead.
        """
        files = sorted(
            (int(path.name.removesuffix(ENDING)), path) for path in self.folder.glob(f"[0-9]*{ENDING}")
        )
        ends = [*(first for first, _ in files[1:]), end]
        # Without any file there is an end but nothing to read.
        for (_, path), stop in zip(files, ends, strict=False):
            if stop <= after + 1:
                continue
            try:
                with gzip.open(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
                    for entry in (entry_of(json.loads(one)) for one in lines):
                        if after < entry.number < min(stop, end):
                            yield entry
            except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
                if not skip_damaged:
                    raise ArchiveError(path) from error

    def forget(self) -> None:
        """Delete them all."""
        shutil.rmtree(self.folder, ignore_errors=True)
