"""What predictions are worth beside the gold of their cases, in figures that no single verdict tells.

A case of ``devices`` may hold ``expect``: ``calls`` ([{device, commands, args}]) with ``alternatives``, lists
of calls that serve as well; ``reads`` ([{device, or}]) with ``read_alternatives``; the ``decision``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from winnow.surfaces.cases import DeviceCase
from winnow.text.encode import compact_json

CLOSE = 0.5
"""By how much a number of a call may differ from that of the gold."""
Gold = Mapping[str, Any]
Prediction = Mapping[str, Any]


class Share(NamedTuple):
    """How many cases hold, of how many it can be said of."""

    held: int
    of: int


def shares(cases: Sequence[DeviceCase], predictions: Sequence[Prediction]) -> dict[str, Share]:
    """``context_recall`` and ``one_yes_away`` of cases with their predictions, in the same order.

    Context recall: all devices, sensors or scenes that the gold needs are in the shortlist or the text to
    inject, whatever the verdict, of the cases that need any. One yes away: a question for a yes proposes
    exactly the calls of a gold that acts, of the cases whose gold acts. Empty where no case has a gold.
    """
    rows = [(case.expect, told) for case, told in zip(cases, predictions, strict=True) if case.expect]
    needing = [_is_recalled(gold, told) for gold, told in rows if _needed(gold)]
    acting = [_is_one_yes_away(gold, told) for gold, told in rows if gold.get("decision") == "act"]
    found = {"context_recall": needing, "one_yes_away": acting}
    return {name: Share(sum(held), len(held)) for name, held in found.items() if held}


def _ways(gold: Gold, first: str, others: str) -> list[list[Mapping[str, Any]]]:
    """The lists of calls or reads that are right, each by itself; those that hold none are none."""
    return [way for way in (gold.get(first), *(gold.get(others) or ())) if way]


def _needed(gold: Gold) -> list[list[frozenset[str]]]:
    """Each way to be right: for each thing it needs, the ids any one of which will do."""
    ways = _ways(gold, "calls", "alternatives") or _ways(gold, "reads", "read_alternatives")
    return [[frozenset({str(one["device"]), *map(str, one.get("or") or ())}) for one in way] for way in ways]


def _is_recalled(gold: Gold, told: Prediction) -> bool:
    """Whether all that one way needs is in the shortlist or in the text to inject."""
    listed = {str(row["device"]) for name in ("shortlist", "calls", "reads") for row in told[name]}
    ids = {i for way in _needed(gold) for serving in way for i in serving}
    seen = listed | {i for i in ids if compact_json(i) in told["context"]}
    return any(all(not serving.isdisjoint(seen) for serving in way) for way in _needed(gold))


def _is_one_yes_away(gold: Gold, told: Prediction) -> bool:
    """Whether a yes to what is asked does what the gold does, and nothing else."""
    ways = _ways(gold, "calls", "alternatives")
    asked = told["decision"] == "confirm" and "confirm" not in (gold.get("decision_also") or ())
    return asked and any(_are_the_same(told["calls"], way) for way in ways)


def _are_the_same(calls: Sequence[Mapping[str, Any]], gold: Iterable[Mapping[str, Any]]) -> bool:
    """Whether each wanted call is among the calls, and no other is."""
    left = list(calls)
    for wanted in gold:
        match = next((call for call in left if _serves(call, wanted)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _serves(call: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether one call does what is wanted: its device, one of its commands, the arguments that are told."""
    if call["device"] != wanted["device"] or call["command"] not in wanted["commands"]:
        return False
    told, meant = dict(call["args"]), dict(wanted.get("args") or {})
    if len(told) == len(meant) == 1:  # a sole argument may go by another name
        return _equal(next(iter(told.values())), next(iter(meant.values())))
    return all(name in told and _equal(told[name], value) for name, value in meant.items())


def _equal(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= CLOSE
    return str(one).casefold() == str(other).casefold()
