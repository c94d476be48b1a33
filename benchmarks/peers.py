"""What Winnow is measured against: injecting every device, and ranking all device texts by BM25."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.language.encode import compact_json
from winnow.language.tokens import count_tokens
from winnow.retrieve.bm25 import LexicalIndex, lexical_terms
from winnow.types.home import Command, Device, Home, HomeView, Scalar
from winnow.types.state import ImportedHome

Floats = npt.NDArray[Any]
Ranker = Callable[[str], list[str]]
"""A sentence -> device ids, best first."""
DEPTH = 10


def every_device(imported: ImportedHome, *, full: bool) -> int:
    """Tokens of all devices as compact JSON lines: id, name and room.

    ``full`` adds kind, command ids and states.
    """
    view, states = HomeView.of(imported.home), imported.states
    told = (states.of(d.id) if full else None for d in view.devices.values())
    lines = (_line(d, view, now) for d, now in zip(view.devices.values(), told, strict=True))
    return count_tokens("\n".join(lines))


def _line(device: Device, view: HomeView, now: Mapping[str, Scalar] | None) -> str:
    room = view.room(device.id)
    data: dict[str, object] = {"id": device.id, "name": device.name, "room": room.name if room else None}
    if now is not None:
        commands = [c.id for c in view.profile(device.id).commands]
        data |= {"kind": device.kinds[:1], "do": commands, "now": dict(now)}
    return compact_json(data)


def texts(home: Home) -> list[tuple[str, str]]:
    """(device id, text) of every command of every device: room, name and what the command says."""
    view = HomeView.of(home)
    return [(device.id, text) for device in home.devices for text in _texts(device, view)]


def _texts(device: Device, view: HomeView) -> list[str]:
    room = view.room(device.id)
    base = " ".join(filter(None, [room.name if room else "", device.name, *device.aliases]))
    commands: tuple[Command | None, ...] = view.profile(device.id).commands or (None,)
    return [f"{base} {command.text if command else ''}" for command in commands]


def rankers(home: Home) -> dict[str, Ranker]:
    """The rankers at hand: Winnow's own postings over all device texts, and ``rank_bm25`` if installed."""
    documents = texts(home)
    found: dict[str, Ranker] = {"BM25 (array postings)": _postings(documents)}
    if find_spec("rank_bm25"):
        found["BM25 (rank_bm25)"] = _rank_bm25(documents)
    return found


def _postings(documents: list[tuple[str, str]]) -> Ranker:
    index = LexicalIndex.build([text for _, text in documents])
    return lambda sentence: _best(index.scores(sentence), documents)


def _rank_bm25(documents: list[tuple[str, str]]) -> Ranker:
    index = import_module("rank_bm25").BM25Okapi([lexical_terms(text) for _, text in documents])
    return lambda sentence: _best(index.get_scores(lexical_terms(sentence)), documents)


def _best(scores: Floats, documents: list[tuple[str, str]]) -> list[str]:
    order = np.argsort(-scores, kind="stable")[: DEPTH * 8]
    return list(dict.fromkeys(documents[i][0] for i in order))[:DEPTH]
