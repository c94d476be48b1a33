"""What was decided about one sentence, and what would be injected.

The predictions of the task ``devices``.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from winnow import wiring
from winnow.engine import Engine
from winnow.errors import Phrase
from winnow.surfaces.cases import DeviceCase
from winnow.types.briefing import Retrieval
from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.imports import Imported
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
from winnow.wiring import open_engine

DECISIONS: dict[type[Verdict], str] = {
    Act: "act",
    Confirm: "confirm",
    Clarify: "clarify",
    Refuse: "reject",
    Query: "query",
    Nothing: "none",
    NotUnderstood: "reject",
}
KEPT = 256
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
        "shortlist": [_short(c) for c in (*ranked(retrieval.shortlists), *retrieval.attempt.mentioned)],
        "reads": [
            {"device": r.device_id, **({"attribute": r.attribute_id} if r.attribute_id else {})}
            for r in named_reads(verdict)
        ],
        "candidates": list(_candidates(verdict)),
        "rejected": _rejected(verdict),
        "context": retrieval.briefing.text,
        "ms": round(ms, 3),
    }


def ranked(shortlists: tuple[HomeShortlist, ...]) -> tuple[DeviceCandidate, ...]:
    """The candidates of all instructions, each one's best before anyone's second best."""
    depth = max((len(s.candidates) for s in shortlists), default=0)
    return tuple(s.candidates[n] for n in range(depth) for s in shortlists if n < len(s.candidates))


@dataclass(slots=True)
class Homes:
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
            if len(self._ready) >= KEPT:
                del self._ready[next(iter(self._ready))]
            engine = open_engine(self._home(case))
            engine.sync.opened()
            self._ready[key] = engine
        return self._ready[key]

    def _home(self, case: DeviceCase) -> Imported:
        path = self.folder / case.home
        if Path(case.home).name != case.home or not path.is_dir():
            raise case.wrong(
                "home", Phrase("no folder {home!r} in {folder}", home=case.home, folder=self.folder)
            )
        if not case.setup:
            return self._read(path, case)
        with tempfile.TemporaryDirectory() as scratch:
            return self._read(_laid_over(path, case, Path(scratch)), case)

    def _read(self, path: Path, case: DeviceCase) -> Imported:
        spec = self.folder / f"spec.{case.language}.jsonl"
        return wiring.read_home(path, case.home, case.language, spec if spec.is_file() else None)


def _laid_over(path: Path, case: DeviceCase, scratch: Path) -> Path:
    """A copy of the payloads with the case's states; what follows from them follows too."""
    source = path / "states.json"
    if not source.is_file():
        why = Phrase("the home {home!r} has no states.json to lay states over", home=case.home)
        raise case.wrong("setup", why)
    states = json.loads(source.read_text("utf-8-sig"))
    known = {s["entity_id"]: s for s in states}
    for entity, change in case.setup.items():
        if entity not in known:
            raise case.wrong(f"setup.{entity}", "no such entity in states.json")
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


def _rejected(verdict: Verdict) -> int:
    if isinstance(verdict, Refuse):
        return len(verdict.refusals)
    return len(verdict.refused) if isinstance(verdict, Act | Confirm) else 0
