"""Where cases, homes and results lie."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from benchmarks.evaluation.cases import case_files
from winnow.adapters.platforms import bundle as examples
from winnow.app.wiring.engine import read_home
from winnow.types.state import ImportedHome

ROOT = Path(__file__).resolve().parents[1]
DATA, RESULTS = ROOT / "benchmarks" / "data", ROOT / "benchmarks" / "results"
HOMES = examples.EXAMPLES_FOLDER
MEASURED = ROOT / "build" / "bench"
"""What was measured last; ``make bench KEEP=1`` makes results of it."""


def further() -> Path:
    """The folder with further cases (``dev/devices``) and homes (``homes``).

    ``WINNOW_BENCH``, else beside the repository.
    """
    chosen = os.environ.get("WINNOW_BENCH")
    return Path(chosen).expanduser() if chosen else ROOT.parent / "shared" / "bench"


def further_files() -> tuple[Path, ...]:
    """The case files of that folder that are not committed here; none when there is no such folder."""
    own = {path.name for path in case_files(DATA)}
    return tuple(path for path in case_files(further() / "dev" / "devices") if path.name not in own)


def example_home(name: str) -> ImportedHome:
    """One of the homes that come along, described in Chinese, with what its devices report."""
    return read_home(HOMES / name, name, "zh", HOMES / "spec.zh.jsonl")


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def result(name: str) -> Any:
    """What a stored result holds; empty when there is none yet."""
    return _read(RESULTS / f"{name}.json")


def measured(name: str) -> Any:
    """What the last run of an evaluation measured; empty when it was not run here."""
    return _read(MEASURED / f"{name}.json")


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def keep(name: str, data: Any, folder: Path | None = None) -> None:
    """Write what was measured into ``MEASURED``, or into another folder."""
    folder = folder or MEASURED
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
