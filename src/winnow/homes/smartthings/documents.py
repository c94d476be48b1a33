"""Which documents are SmartThings', and which answer of the API each part of them is, by what it holds.

An answer may be a page (``{"items": [...]}``), a bare list, one thing, or a map of things by device; several
may lie in one document under names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from winnow.homes.bundle import Document
from winnow.homes.fields import Problems, Row, each

Answer = Literal["device", "status", "health", "room", "location", "scene", "profile", "level"]
"""``profile`` is a row of a command specification, ``level`` says which floor a room is on."""

_DEEPEST = 3
_MARKS: Mapping[str, Answer] = {
    "components": "device",
    "profileId": "profile",
    "healthState": "status",
    "healthStatus": "status",
    "sceneId": "scene",
    "roomId": "room",
    "locationId": "location",
    "floor": "level",
}
"""The fields that tell what a thing is; the first one counts."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The things of one answer."""

    answer: Answer
    rows: tuple[Row, ...]
    page: Row
    """The object that holds them under ``items``; empty when they are no page."""
    key: str
    """The name they stand under in their document."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a document and where it is."""

    data: object
    at: str = ""
    key: str = ""

    def inner(self, key: object, value: object) -> _Piece:
        """What stands under the key."""
        return _Piece(value, f"{self.at}.{key}" if self.at else str(key), str(key))


def is_smartthings(document: Document) -> bool:
    """Whether it holds devices, rooms, scenes or locations; a status alone tells nobody's home."""
    found = _answers(_Piece(document.data), 0)
    return any(answer in ("device", "room", "scene", "location") for answer, _ in found)


def batches(document: Document, problems: Problems) -> Iterator[Batch]:
    """Every answer in the document."""
    for answer, piece in _answers(_Piece(document.data), 0):
        yield _batch(answer, piece, document.name, problems)


def _answers(piece: _Piece, depth: int) -> Iterator[tuple[Answer, _Piece]]:
    answer = _answer(piece.data)
    if answer:
        yield answer, piece
    elif isinstance(piece.data, dict) and depth < _DEEPEST:
        for key, value in piece.data.items():
            yield from _answers(piece.inner(key, value), depth + 1)


def _answer(data: object) -> Answer | None:
    """What a page, a list or one thing is; None for what is none of these."""
    if isinstance(data, list):
        return _told_by(data)
    if not isinstance(data, dict):
        return None
    items = data.get("items")
    if not isinstance(items, list):
        return _is(data)
    is_empty_page = not items and "_links" in data
    return "device" if is_empty_page else _told_by(items)


def _told_by(items: list[object]) -> Answer | None:
    """What the items are, by the first that tells."""
    told = (_is(item) for item in items if isinstance(item, dict))
    return next(filter(None, told), None)


def _is(item: Mapping[str, object]) -> Answer | None:
    """What one object is."""
    parts = item.get("components")
    if isinstance(parts, dict):
        return "status"
    if isinstance(parts, list) and any(isinstance(part, str) for part in parts):
        return None  # Home Assistant's configuration, which names its integrations so
    if "deviceId" in item:
        return "health" if "components" not in item and isinstance(item.get("state"), str) else "device"
    return next((answer for mark, answer in _MARKS.items() if mark in item), None)


def _batch(answer: Answer, piece: _Piece, file: str, problems: Problems) -> Batch:
    """The rows of the piece."""
    nothing = Row({}, file, piece.at, problems)
    if isinstance(piece.data, list):
        return Batch(answer, tuple(each(piece.data, file, piece.at, problems)), nothing, piece.key)
    whole = Row(piece.data, file, piece.at, problems) if isinstance(piece.data, dict) else nothing
    if isinstance(whole.data.get("items"), list):
        return Batch(answer, tuple(whole.rows("items")), whole, piece.key)
    return Batch(answer, (whole,), nothing, piece.key)
