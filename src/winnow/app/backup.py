"""A backup of everything Winnow keeps in files: the store, the settings, the archives of audit logs.

It is one zip: ``backup.json`` (what made it), ``winnow.db`` (the store at one moment), the settings files of
the data folder, and ``audit/``. Keys and passwords of the environment are not in it, nor models, which can be
fetched again. Whoever can read it can read all that persons said.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj

from winnow import __version__
from winnow.app.config.settings import CONFIG_FILE, STORE_FILE, Settings
from winnow.app.wiring.engine import check_store, copy_store, open_store
from winnow.errors import Phrase, StoreError

ABOUT_FILE = "backup.json"
SETTINGS_FILES = (CONFIG_FILE, "acting.yaml", "history.yaml", "knowledge.yaml")
AUDIT_FOLDER = "audit"
OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds: which version of Winnow made it, when, the names of its files, and its bytes."""

    version: str
    made_at: float
    """Seconds since 1970."""
    files: tuple[str, ...]
    size: int


def write_backup(settings: Settings, target: Path) -> Backup:
    """Write a new backup, which only its owner may read; nothing is overwritten. Raises StoreError."""
    store = _store_file(settings)
    if not store.is_file():
        raise StoreError(
            Phrase("There is no store at {path}.", path=store),
            hint="Set WINNOW_HOME to the data folder that is meant; winnow doctor names it.",
        )
    partial = target.with_name(f"{target.name}.part")
    if target.exists() or not target.parent.is_dir():
        raise StoreError(
            Phrase("{path} is there already, or its folder is not.", path=target), hint="Name another file."
        )
    try:
        with tempfile.TemporaryDirectory() as folder, os.fdopen(_owned(partial), "wb") as file:
            copy = Path(folder) / STORE_FILE
            copy_store(store, copy, settings.wait)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(copy, STORE_FILE)
                for name, path in _beside(settings.data):
                    archive.write(path, name)
                about = {"winnow": __version__, "made_at": open_store(settings).storage.clock.now()}
                archive.writestr(ABOUT_FILE, json.dumps(about))
        partial.rename(target)
    finally:
        partial.unlink(missing_ok=True)
    return read_backup(target)


def read_backup(path: Path) -> Backup:
    """What a backup holds. Raises StoreError where it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read(ABOUT_FILE))
            files = tuple(name for name in archive.namelist() if _is_ours(name))
            return Backup(str(about["winnow"]), float(about["made_at"]), files, path.stat().st_size)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise StoreError(
            Phrase("{path} is no backup: {why}.", path=path, why=getattr(error, "strerror", None) or error),
            hint="Name a file that winnow backup wrote.",
        ) from error


def restore_backup(settings: Settings, path: Path) -> Backup:
    """Put a backup in the place of the store, its settings and archives. Raises StoreError.

    It is looked through, and brought up to this version, before anything is replaced. What else is in the
    data folder stays.
    """
    about, store = read_backup(path), _store_file(settings)
    settings.data.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory(dir=settings.data) as folder:
        taken = [(name, _taken_out(archive, name, Path(folder))) for name in about.files]
        copy = Path(folder) / STORE_FILE
        check_store(copy)
        copy_store(copy, store, settings.wait)
        for name, file in taken:
            if name != STORE_FILE:
                (settings.data / name).parent.mkdir(exist_ok=True)
                file.replace(settings.data / name)
    return about


def _store_file(settings: Settings) -> Path:
    """The file of the store. Raises StoreError where it is a server, whose own tools copy it."""
    place = settings.store_location
    if isinstance(place, str):
        raise StoreError(
            "The store is a database of a server, which this does not copy.",
            hint="Use the server's own tools, pg_dump and pg_restore (docs/install.md).",
        )
    return place


def _beside(data: Path) -> Iterator[tuple[str, Path]]:
    paths = [data / name for name in SETTINGS_FILES] + sorted((data / AUDIT_FOLDER).glob("*"))
    yield from ((path.relative_to(data).as_posix(), path) for path in paths if path.is_file())


def _is_ours(name: str) -> bool:
    """Whether a name in a zip is one that a backup has; no other is ever taken out of it."""
    folder, _, file = name.rpartition("/")
    plain = file not in ("", ".", "..") and "\\" not in file and ":" not in file
    return name in (STORE_FILE, *SETTINGS_FILES) or (folder == AUDIT_FOLDER and plain)


def _taken_out(archive: zipfile.ZipFile, name: str, folder: Path) -> Path:
    target = folder / name
    target.parent.mkdir(exist_ok=True)
    with archive.open(name) as source, os.fdopen(_owned(target), "wb") as file:
        copyfileobj(source, file)
    return target


def _owned(path: Path) -> int:
    """A new file that nobody else may read."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
