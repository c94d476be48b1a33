"""Answer evaluation cases and write predictions: what was decided, what would be injected, how long retrieval took."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from winnow import wiring
from winnow.engine import Engine
from winnow.surfaces.cases import Case, case_files, read_cases
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Home
from winnow.types.shortlist import Candidate, Shortlist
from winnow.types.verdict import Bulk, Chosen, Clarify, Confirm, Nothing, Query, Read, Refuse, Verdict

DECISIONS: dict[type[Verdict], str] = {
    Chosen: "act",
    Bulk: "act",
    Confirm: "confirm",
    Clarify: "clarify",
    Refuse: "reject",
    Query: "query",
    Nothing: "none",
}
KEPT = 256
"""Homes kept ready at once."""


def evaluate(cases: Path, homes: Path, out: Path, advance: Callable[[], None] = lambda: None) -> int:
    """Answer every case of a file or folder and write predictions to a file, or to one file per case file in a folder; how many.

    Raises CaseError before anything is answered, HomeImportError.
    """
    by_file = {path: read_cases(path) for path in case_files(cases)}
    ready = Homes(homes)
    separate = out.is_dir() or (cases.is_dir() and not out.suffix)
    if separate:
        out.mkdir(parents=True, exist_ok=True)
        for path, rows in by_file.items():
            _write(out / path.name, _predictions(rows, ready, advance))
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        _write(out, (p for rows in by_file.values() for p in _predictions(rows, ready, advance)))
    return sum(map(len, by_file.values()))


def prediction(case_id: str, retrieval: Retrieval, ms: float) -> dict[str, Any]:
    """One line of a prediction file. ``ms`` is what ``retrieve`` took."""
    verdict = retrieval.verdict
    calls = verdict.calls if isinstance(verdict, Chosen | Bulk | Confirm) else ()
    return {
        "id": case_id,
        "decision": DECISIONS[type(verdict)],
        "calls": [{"device": c.device_id, "command": c.command_id, "args": dict(c.arguments)} for c in calls],
        "shortlist": [_short(c) for c in ranked(retrieval.shortlists)],
        "reads": [{"device": r.device_id, **({"attribute": r.attribute_id} if r.attribute_id else {})} for r in _reads(verdict)],
        "candidates": list(_candidates(verdict)),
        "rejected": _rejected(verdict),
        "context": retrieval.briefing.text,
        "ms": round(ms, 3),
    }


def ranked(shortlists: tuple[Shortlist, ...]) -> tuple[Candidate, ...]:
    """The candidates of all instructions, each one's best before anyone's second best."""
    depth = max((len(s.candidates) for s in shortlists), default=0)
    return tuple(s.candidates[n] for n in range(depth) for s in shortlists if n < len(s.candidates))


@dataclass(slots=True)
class Homes:
    """Engines over the homes of a folder, built once per home, language and setup."""

    folder: Path
    _ready: dict[tuple[str, str, str], Engine] = field(default_factory=dict)

    def engine(self, case: Case) -> Engine:
        """An engine over the case's home, its index warm. Raises CaseError when there is no such home."""
        key = (case.home, case.language, json.dumps(case.setup, sort_keys=True))
        if key not in self._ready:
            if len(self._ready) >= KEPT:
                del self._ready[next(iter(self._ready))]
            engine = Engine.open(self._home(case))
            engine.opened()
            self._ready[key] = engine
        return self._ready[key]

    def _home(self, case: Case) -> Home:
        path = self.folder / case.home
        if Path(case.home).name != case.home or not path.is_dir():
            raise case.wrong("home", f"no folder {case.home!r} in {self.folder}")
        if not case.setup:
            return self._read(path, case)
        with tempfile.TemporaryDirectory() as scratch:
            return self._read(_laid_over(path, case, Path(scratch)), case)

    def _read(self, path: Path, case: Case) -> Home:
        spec = self.folder / f"spec.{case.language}.jsonl"
        return wiring.read_home(path, case.home, case.language, spec if spec.is_file() else None)


def _laid_over(path: Path, case: Case, scratch: Path) -> Path:
    """A copy of the payloads with the case's states, so that what follows from them (commands, abilities) follows too."""
    source = path / "states.json"
    if not source.is_file():
        raise case.wrong("setup", f"the home {case.home!r} has no states.json to lay states over")
    states = json.loads(source.read_text("utf-8-sig"))
    known = {s["entity_id"]: s for s in states}
    for entity, change in case.setup.items():
        if entity not in known:
            raise case.wrong(f"setup.{entity}", "no such entity in states.json")
        _lay(known[entity], change)
    for file in path.iterdir():
        shutil.copyfile(file, scratch / file.name)
    (scratch / source.name).write_text(json.dumps(states, ensure_ascii=False), "utf-8")
    return scratch


def _lay(state: dict[str, Any], change: Mapping[str, Any]) -> None:
    if "state" in change:
        state["state"] = change["state"]
    state["attributes"] = {**state.get("attributes", {}), **change.get("attributes", {})}


def _predictions(cases: Iterable[Case], homes: Homes, advance: Callable[[], None]) -> Iterator[dict[str, Any]]:
    for case in cases:
        engine = homes.engine(case)
        start = perf_counter()
        retrieval = engine.sync.retrieve(case.utterance)
        yield prediction(case.id, retrieval, (perf_counter() - start) * 1000)
        advance()


def _write(path: Path, predictions: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for p in predictions:
            out.write(json.dumps(p, ensure_ascii=False) + "\n")


def _short(candidate: Candidate) -> dict[str, str]:
    command = candidate.command_key.partition("#")[0]
    return {"device": candidate.device_id, **({"command": command} if command else {})}


def _reads(verdict: Verdict) -> tuple[Read, ...]:
    if isinstance(verdict, Query):
        return verdict.reads
    if isinstance(verdict, Clarify):
        return ()
    return tuple(dict.fromkeys(r for judged in verdict.conditions for r in judged.reads))


def _candidates(verdict: Verdict) -> tuple[str, ...]:
    """The devices a question offers, or those that cannot do what was asked."""
    if isinstance(verdict, Clarify):
        return tuple(dict.fromkeys(i for option in verdict.options for i in option.device_ids))
    if isinstance(verdict, Refuse):
        return tuple(dict.fromkeys(i for refusal in verdict.refusals for i in refusal.device_ids))
    return ()


def _rejected(verdict: Verdict) -> int:
    if isinstance(verdict, Refuse):
        return len(verdict.refusals)
    return len(verdict.refused) if isinstance(verdict, Chosen | Bulk | Confirm) else 0
