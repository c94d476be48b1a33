"""What was kept and what was cut, as the caller is told."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.assemble.compress.choose import Count, Draft
from winnow.assemble.compress.joined import Run, runs
from winnow.types.compression import Compressed, Item, Kept, Level
from winnow.types.shortlist import Dropped


def everything(items: Sequence[Item], count: Count) -> Compressed:
    """All items as they are."""
    kept = tuple(Kept(item, item.text, count(item.text)) for item in items)
    return Compressed(kept, "none", 1.0, 1.0, count("\n".join(item.text for item in items)))


def reported(found: Draft, level: Level, total: int) -> Compressed:
    """What a draft keeps of ``total`` tokens."""
    methods = {at: _method(found, at, of) for at, of in runs(found.units, found.taken)}
    kept = {at: _kept(found, at, text, methods[at]) for at, text in found.texts.items()}
    tokens = found.count("\n".join(one.text for one in kept.values()))
    asked = max(0, found.budget) / total
    return Compressed(tuple(kept.values()), level, asked, tokens / total, tokens, tuple(_cut(found, kept)))


def _kept(found: Draft, at: int, text: str, method: str) -> Kept:
    item = found.units.items[at]
    return Kept(item, text, found.count(text), method)


def _method(found: Draft, at: int, of: Sequence[Run]) -> str:
    if len(of) == 1 and of[0].text.strip() == found.units.items[at].text.strip():
        return "whole"
    if not all(run.begins and run.ends for run in of):
        return "clauses"
    lines = any(not unit.prose for unit in found.units.all if unit.item == at)
    return "structure" if lines else "sentences"


def _cut(found: Draft, kept: dict[int, Kept]) -> list[Dropped]:
    cut: list[Dropped] = []
    for at, item in enumerate(found.units.items):
        if at not in kept:
            cut.append(Dropped(item.id, "compress", "no room"))
        elif kept[at].method != "whole":
            cut.append(
                Dropped(
                    item.id, kept[at].method, f"{kept[at].tokens} of {found.count(item.text)} tokens kept"
                )
            )
    return cut
