"""The task ``devices``: predictions for single sentences, and how they compare with the gold."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.evaluation.cases import DeviceCase
from winnow.app.wiring import engine as wiring
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.errors import Phrase
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.retrieval import Retrieval
from winnow.types.state import ImportedHome
from winnow.types.verdict import (
    Act,
    Clarify,
    Confirm,
    Nothing,
    NotUnderstood,
    Query,
    Refuse,
    Verdict,
    named_calls,
    named_reads,
)

DECISIONS: dict[type[Verdict], str] = {
    Act: "act",
    Confirm: "confirm",
    Clarify: "clarify",
    Refuse: "reject",
    Query: "query",
    Nothing: "none",
    NotUnderstood: "reject",
}
MAX_ENGINES = 256
"""Homes kept ready at once."""


def prediction(retrieval: Retrieval, ms: float) -> dict[str, Any]:
    """One line of a prediction file, without its id. ``ms`` is what ``retrieve`` took."""
    verdict = retrieval.verdict
    return {
        "decision": DECISIONS[type(verdict)],
        "calls": [
            {"device": c.device_id, "command": c.command_id, "args": dict(c.arguments)}
            for c in named_calls(verdict)
        ],
        "shortlist": [
            _short(c) for c in (*ranked_candidates(retrieval.shortlists), *retrieval.attempt.mentioned)
        ],
        "reads": [
            {"device": r.device_id, **({"attribute": r.attribute_id} if r.attribute_id else {})}
            for r in named_reads(verdict)
        ],
        "candidates": list(_candidates(verdict)),
        "rejected": _refusal_count(verdict),
        "context": retrieval.briefing.text,
        "named": [*(section.name for section in retrieval.briefing.sections), *retrieval.briefing.offered],
        "ms": round(ms, 3),
    }


def ranked_candidates(shortlists: tuple[HomeShortlist, ...]) -> tuple[DeviceCandidate, ...]:
    """The candidates of all instructions, each one's best before anyone's second best."""
    depth = max((len(s.candidates) for s in shortlists), default=0)
    return tuple(s.candidates[n] for n in range(depth) for s in shortlists if n < len(s.candidates))


@dataclass(slots=True)
class DevicePredictor:
    """Engines over the homes of a folder, built once per home, language and setup."""

    folder: Path
    _ready: dict[tuple[str, str, str], Engine] = field(default_factory=dict)

    def predict(self, case: DeviceCase) -> dict[str, Any]:
        """The prediction for one case; opening its home is not timed. Raises CaseError, HomeImportError."""
        engine = self.engine(case)
        start = perf_counter()
        retrieval = engine.sync.retrieve(case.utterance)
        return prediction(retrieval, (perf_counter() - start) * 1000)

    def engine(self, case: DeviceCase) -> Engine:
        """An engine over the case's home, its index warm. Raises CaseError when there is no such home."""
        key = (case.home, case.language, json.dumps(case.setup, sort_keys=True))
        if key not in self._ready:
            if len(self._ready) >= MAX_ENGINES:
                del self._ready[next(iter(self._ready))]
            path = self.folder / case.home
            if Path(case.home).name != case.home or not path.is_dir():
                raise case.error(
                    "home", Phrase("no folder {home!r} in {folder}", home=case.home, folder=self.folder)
                )
            if not case.setup:
                home = self._read(path, case)
            else:
                with tempfile.TemporaryDirectory() as scratch:
                    home = self._read(_payloads_with_states(path, case, Path(scratch)), case)
            engine = open_engine(home)
            engine.sync.load_home()
            self._ready[key] = engine
        return self._ready[key]

    def _read(self, path: Path, case: DeviceCase) -> ImportedHome:
        spec = self.folder / f"spec.{case.language}.jsonl"
        return wiring.read_home(path, case.home, case.language, spec if spec.is_file() else None)


def _payloads_with_states(path: Path, case: DeviceCase, scratch: Path) -> Path:
    """A copy of the payloads with the case's states; what follows from them follows too."""
    source = path / "states.json"
    if not source.is_file():
        why = Phrase("the home {home!r} has no states.json to lay states over", home=case.home)
        raise case.error("setup", why)
    states = json.loads(source.read_text("utf-8-sig"))
    known = {s["entity_id"]: s for s in states}
    for entity, change in case.setup.items():
        if entity not in known:
            raise case.error(f"setup.{entity}", "no such entity in states.json")
        state = known[entity]
        if "state" in change:
            state["state"] = change["state"]
        state["attributes"] = {**state.get("attributes", {}), **change.get("attributes", {})}
    for file in path.iterdir():
        shutil.copyfile(file, scratch / file.name)
    (scratch / source.name).write_text(json.dumps(states, ensure_ascii=False), "utf-8")
    return scratch


def _short(candidate: DeviceCandidate) -> dict[str, str]:
    command = candidate.command_key.partition("#")[0]
    return {"device": candidate.device_id, **({"command": command} if command else {})}


def _candidates(verdict: Verdict) -> tuple[str, ...]:
    """The devices a question offers, or those that cannot do what was asked."""
    if isinstance(verdict, Clarify):
        offered = (i for option in verdict.options for i in option.device_ids)
        return tuple(dict.fromkeys((*offered, *verdict.more)))
    if isinstance(verdict, Refuse):
        return tuple(dict.fromkeys(i for refusal in verdict.refusals for i in refusal.device_ids))
    return ()


def _refusal_count(verdict: Verdict) -> int:
    if isinstance(verdict, Refuse):
        return len(verdict.refusals)
    return len(verdict.refused) if isinstance(verdict, Act | Confirm) else 0


# Figures against the gold of the cases that no single verdict tells.


NUMBER_TOLERANCE = 0.5
"""By how much a number of a call may differ from that of the gold."""
Gold = Mapping[str, Any]
Prediction = Mapping[str, Any]


class Share(NamedTuple):
    """How many cases hold, of how many it can be said of."""

    hits: int
    of: int


def gold_shares(cases: Sequence[DeviceCase], predictions: Sequence[Prediction]) -> dict[str, Share]:
    """``context_recall``, ``text_recall`` and ``one_yes_away`` of cases with their predictions, in one order.

    Context recall: all devices, sensors or scenes that the gold needs are in the shortlist or the text to
    inject, whatever the verdict, of the cases that need any; text recall: in the text alone, where a plan or
    a reading stands for each of its members. One yes away: a question for a yes proposes
    exactly the calls of a gold that acts, of the cases whose gold acts. Empty where no case has a gold.
    """
    rows = [(case.expect, told) for case, told in zip(cases, predictions, strict=True) if case.expect]
    wanting = [(gold, told) for gold, told in rows if _needed_ids(gold)]
    needing = [_is_recalled(gold, told, ("shortlist", "calls", "reads")) for gold, told in wanting]
    named = [_is_recalled(gold, told, ("calls", "reads")) for gold, told in wanting]
    acting = [_is_one_yes_away(gold, told) for gold, told in rows if gold.get("decision") == "act"]
    found = {"context_recall": needing, "text_recall": named, "one_yes_away": acting}
    return {name: Share(sum(held), len(held)) for name, held in found.items() if held}


def _right_answers(gold: Gold, first: str, others: str) -> list[list[Mapping[str, Any]]]:
    """The lists of calls or reads that are right, each by itself; those that hold none are none."""
    return [way for way in (gold.get(first), *(gold.get(others) or ())) if way]


def _needed_ids(gold: Gold) -> list[list[frozenset[str]]]:
    """Each way to be right: for each thing it needs, the ids any one of which will do."""
    ways = _right_answers(gold, "calls", "alternatives") or _right_answers(gold, "reads", "read_alternatives")
    return [[frozenset({str(one["device"]), *map(str, one.get("or") or ())}) for one in way] for way in ways]


def _is_recalled(gold: Gold, told: Prediction, where: Sequence[str]) -> bool:
    """Whether all that one way needs stands in those lists or in a line of the text to inject."""
    seen = {str(row["device"]) for name in where for row in told[name]} | set(told["named"])
    return any(all(not serving.isdisjoint(seen) for serving in way) for way in _needed_ids(gold))


def _is_one_yes_away(gold: Gold, told: Prediction) -> bool:
    """Whether a yes to what is asked does what the gold does, and nothing else."""
    ways = _right_answers(gold, "calls", "alternatives")
    asked = told["decision"] == "confirm" and "confirm" not in (gold.get("decision_also") or ())
    return asked and any(_are_the_same(told["calls"], way) for way in ways)


def _are_the_same(calls: Sequence[Mapping[str, Any]], gold: Iterable[Mapping[str, Any]]) -> bool:
    """Whether each wanted call is among the calls, and no other is."""
    left = list(calls)
    for wanted in gold:
        match = next((call for call in left if _is_wanted_call(call, wanted)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _is_wanted_call(call: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether one call does what is wanted: its device, one of its commands, the arguments that are told."""
    if call["device"] != wanted["device"] or call["command"] not in wanted["commands"]:
        return False
    told, meant = dict(call["args"]), dict(wanted.get("args") or {})
    if len(told) == len(meant) == 1:  # a sole argument may go by another name
        return _equal(next(iter(told.values())), next(iter(meant.values())))
    return all(name in told and _equal(told[name], value) for name, value in meant.items())


def _equal(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= NUMBER_TOLERANCE
    return str(one).casefold() == str(other).casefold()
