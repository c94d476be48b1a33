"""What was kept and what was cut, as the caller is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from winnow.assemble.compress.choose import Count, Draft
from winnow.assemble.compress.joined import Run, runs
from winnow.types.compression import Compressed, Item, Kept, Level
from winnow.types.shortlist import Dropped


def level_of(rate: float) -> Level:
    """The level for the share that must go, 0..1 (seed 004: 0.3, 0.6, 0.8)."""
    if rate <= 0:
        return "none"
    return "light" if rate < 0.3 else "medium" if rate < 0.6 else "heavy" if rate < 0.8 else "extreme"


def everything(items: Sequence[Item], count: Count) -> Compressed:
    """All items as they are."""
    kept = tuple(Kept(item, item.text, count(item.text)) for item in items)
    return Compressed(kept, "none", 1.0, 1.0, count("\n".join(item.text for item in items)))


def reported(found: Draft, total: int) -> Compressed:
    """What a draft keeps of ``total`` tokens."""
    own, kept = dict(runs(found.units, found.taken)), {}
    for at, text in found.texts.items():
        method = found.methods.get(at) or _method(found, at, own.get(at, []))
        kept[at] = Kept(found.units.items[at], text, found.count(text), method)
    tokens = found.count("\n".join(one.text for one in kept.values()))
    asked, reached = min(1.0, max(0, found.budget) / max(1, total)), tokens / max(1, total)
    level = level_of(1 - (asked if asked < 1 else reached))
    support = min(1.0, float(found.shares[found.order].sum())) if found.order else 0.0
    return Compressed(tuple(kept.values()), level, asked, reached, tokens, tuple(_cut(found, kept)), support)


def _method(found: Draft, at: int, own: Sequence[Run]) -> str:
    """How an item was made smaller, as its pieces tell."""
    item = found.units.items[at]
    if len(own) == 1 and own[0].text.strip() == item.text.strip():
        return "whole"
    if not all(run.begins and run.ends for run in own):
        return "clauses"
    has_form = found.units.texts[at] != item.text or not all(run.first.prose for run in own)
    return "structure" if has_form else "sentences"


def _cut(found: Draft, kept: Mapping[int, Kept]) -> Iterator[Dropped]:
    for at, item in enumerate(found.units.items):
        firsts = [found.units.all[start] for start in found.units.starts]
        others = [firsts[other].item for one, other in found.repeated.items() if firsts[one].item == at]
        for other in dict.fromkeys(others):
            said = found.units.items[other].id
            yield Dropped(item.id, "repeats", f"{others.count(other)} sentences said by {said}")
        if at not in kept:
            yield Dropped(item.id, "room", "nothing of it fits beside what answers better")
        elif kept[at].method != "whole":
            of = found.count(item.text)
            yield Dropped(item.id, kept[at].method, f"{kept[at].tokens} of {of} tokens kept")
