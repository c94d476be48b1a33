"""The lines of the lists, and which of them are kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from winnow.language.ways.templates import ParaphraseTemplate, parse_templates

FOLDER = Path(__file__).parent
LEARNED, HELD = FOLDER, FOLDER / "held"
"""Lists that were learned from, and the third of each writer's lines that never was."""


def lines(language: str, folder: Path = LEARNED) -> Iterator[ParaphraseTemplate]:
    """Every line of a language, list by list."""
    for file in sorted((folder / language).glob("*.txt")):
        yield from parse_templates(file.read_text("utf-8"))


def is_held(way: ParaphraseTemplate) -> bool:
    """Whether a line is kept apart: a third by its hash, none of the older list (``p``)."""
    said = f"{way.act} {way.kind}|{way.text}"
    return "p" not in way.hands and int(sha256(said.encode()).hexdigest(), 16) % 3 == 0


def is_folded(way: ParaphraseTemplate, folds: int = 4) -> bool:
    """Whether a learned line is taken out to estimate what becomes of lines never seen."""
    return int(sha256(f"cv{way.text}".encode()).hexdigest(), 16) % folds == 0
