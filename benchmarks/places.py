"""Where cases, homes, results and pages lie."""

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
PAGES = {"en": ROOT / "docs" / "evaluation.md", "zh": ROOT / "docs" / "evaluation.zh.md"}
SOURCES = (
    "BITHLP/HomeBench", "home-assistant/intents", "OHF-Voice/intents", "allenporter/home-assistant-datasets",
    "Drizzt321/ha-voiceagent-llm-benchmark",
)  # fmt: skip
"""Public repositories with further sentences and homes; they have licences of their own and are not part of
this one."""


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


def result(name: str) -> dict[str, Any]:
    """What a result file holds; empty when it has not been written yet."""
    path = RESULTS / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def keep(name: str, data: dict[str, Any]) -> None:
    """Write a result file."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
