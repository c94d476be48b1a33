"""The homes that come with the package, by name: ``example:cottage``."""

from __future__ import annotations

from pathlib import Path

from winnow.errors import HomeImportError, Phrase, Problem

FOLDER = Path(__file__).parents[1] / "examples" / "homes"
MARK = "example:"


def names() -> tuple[str, ...]:
    """What they are called, in order."""
    return tuple(sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))


def located(source: Path | str) -> Path:
    """The folder that is meant: that of an example, else the path as it is.

    Raises HomeImportError for an example that there is not.
    """
    path, called = Path(source), str(source)
    if path.exists() or not called.startswith(MARK):
        return path
    name = called.removeprefix(MARK)
    if name not in names():
        known = [MARK + known for known in names()]
        raise HomeImportError(
            (Problem(called, "", "no such example"),), hint=Phrase("There are {known}.", known=known)
        )
    return FOLDER / name


def alike(path: Path) -> str:
    """A hint when a folder that is not there is called like an example; empty when it is not."""
    if path.name not in names():
        return ""
    return Phrase("An example of that name comes along: {example}", example=MARK + path.name)
