"""Write the zip that installs Winnow into Home Assistant: the integration, and the library beside it.

    python scripts/home_assistant_zip.py FILE

It is to be unpacked into ``custom_components/winnow`` of a configuration, which is what HACS does with the
file of a release (``hacs.json``). The same sources give the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PROJECT = Path(__file__).resolve().parents[1]
INTEGRATION, LIBRARY = PROJECT / "custom_components" / "winnow", PROJECT / "src" / "winnow"
VENDOR = "vendor/winnow"
"""Where the integration looks for the library."""
LEFT_OUT = ("app/cli", "app/mcp", "app/server", "examples", "integrations")
"""Parts of the library that nothing in Home Assistant calls."""
LEGAL = ("LICENSE", "NOTICE")
EPOCH = (2020, 1, 1, 0, 0, 0)
"""The time of every file, so that two zips of the same sources are equal."""


def members() -> Iterator[tuple[str, Path]]:
    """Name in the zip and file on the disk, in order."""
    for name in LEGAL:
        yield name, PROJECT / name
    for name, path in _files(INTEGRATION):
        yield name, path
    for name, path in _files(LIBRARY):
        if not name.startswith(tuple(f"{part}/" for part in LEFT_OUT)):
            yield f"{VENDOR}/{name}", path


def write(target: Path) -> int:
    """Write the zip; how many files it holds."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in members():
            about = ZipInfo(name, EPOCH)
            about.compress_type, about.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(about, path.read_bytes())
        return len(archive.namelist())


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path


if __name__ == "__main__":
    target = Path(sys.argv[1])
    count = write(target)
    print(f"{target}: {count} files, {target.stat().st_size / 1e6:.1f} MB")
