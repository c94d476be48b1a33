"""What earlier turns mentioned, and what stands beside it: ``it``, ``both``, ``the other one``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from winnow.recall.home.able import ablest
from winnow.recall.home.devices import Match, fitting, fitting_ids, inferred
from winnow.recall.home.index import HomeIndex
from winnow.recall.home.standpoint import Standpoint
from winnow.types.catalog import Device
from winnow.types.query import Mention, Quantifier, QueryIR

ALIKE = 0.6
"""How much of the longer of two names is the same in names that tell one pair of things apart."""
BEHIND = 0.1
"""How far devices of one mention may stay behind the best of it, in coverage and exactness together."""


def spoken_of(query: QueryIR, here: Standpoint) -> list[Match]:
    """What earlier turns mentioned.

    The last that can do it, all of them for ``both``, its fellows for ``the other one``.
    """
    if query.other_than is not None:
        return _fellows(query, query.other_than, here)
    able = _able_of_each(query, here)
    if query.quantifier is Quantifier.ALL:
        return [m for found in able for m in found]
    if _bare_number(query):  # a shade is set in percent, and whoever means that says so
        able.sort(key=lambda found: _all_covers(found, here.index))
    return next((found for found in able if found), [])


def _able_of_each(query: QueryIR, here: Standpoint) -> list[list[Match]]:
    """Of each earlier mention, the last first, the devices that can do what is asked now."""
    if not query.target.tokens:
        return [_ablest_of(fitting(m.tokens, here), query, here.index) for m in query.antecedents]
    named = fitting_ids(query.target.tokens, here)
    mentioned = ([m for m in fitting(a.tokens, here) if m.device_id in named] for a in query.antecedents)
    return [_ablest_of(found, query, here.index) for found in mentioned]


def _ablest_of(found: list[Match], query: QueryIR, index: HomeIndex) -> list[Match]:
    """Those that fit about as well as the first, and of them the ablest."""
    if not found:
        return []
    least = found[0].coverage + found[0].exact - BEHIND
    best = [m for m in found if m.coverage + m.exact >= least]
    if not query.action_cluster:
        return best
    able = ablest([m.device_id for m in best], query, index)
    return [m for m in best if m.device_id in able]


def _bare_number(query: QueryIR) -> bool:
    """Whether a number was said, and neither its unit nor what it is of."""
    value = query.value
    if value is None or value.kind != "absolute":
        return False
    return value.number is not None and not value.unit and not query.property


def _all_covers(found: list[Match], index: HomeIndex) -> bool:
    return all("cover" in index.view.devices[m.device_id].kinds for m in found)


def _fellows(query: QueryIR, other: Mention, here: Standpoint) -> list[Match]:
    """What ``the other one`` of a thing may be, without the thing itself."""
    meant = fitting(other.tokens, here)
    if not meant:
        return []
    device = here.index.view.devices[meant[0].device_id]
    fellows = _beside(device, here.index) if query.references else _of_its_kind(device, here.index)
    return inferred(ablest(_likest(device, fellows, here.index), query, here.index))


def _likest(device: Device, fellows: Sequence[str], index: HomeIndex) -> Sequence[str]:
    """Those called as it is but for a part, as the right downlight beside the left one; else all."""
    names = {i: index.view.devices[i].name for i in fellows}
    near = [i for i in fellows if _alike(device.name, names[i])]
    return near or fellows


def _alike(name: str, other: str) -> bool:
    """Whether most of two names is the same, from the beginning and from the end."""
    same = _same(name, other)
    return same + _same(name[same:][::-1], other[same:][::-1]) >= ALIKE * max(len(name), len(other))


def _same(one: str, other: str) -> int:
    """With how many characters two texts begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _of_its_kind(device: Device, index: HomeIndex) -> list[str]:
    """Devices of the same kind, of its room when there are some."""
    alike = (i for kind in device.kinds[:1] for i in index.spoken(index.by_kind.get(kind, ())))
    same = [i for i in alike if i != device.id]
    return [i for i in same if index.view.devices[i].room_id == device.room_id] or same


def _beside(device: Device, index: HomeIndex) -> list[str]:
    """What stands in its room and is of its sort in the widest sense: the blinds for the curtains."""
    near = index.spoken(index.by_room.get(device.room_id or "", ())) - {device.id}
    return [i for i in near if not set(device.kinds).isdisjoint(index.view.devices[i].kinds)]
