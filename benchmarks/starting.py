"""How long it takes to begin: importing, and a first answer from a cold process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.places import HOMES

TIMES = 5
MOST = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
RUN = "from winnow.app.cli.program import main; main()"


def starts() -> dict[str, float]:
    """Milliseconds, median of five, and megabytes.

    Python alone, ``import winnow``, its engine, and ``winnow ask`` of a stored home of 150 devices.
    """
    with tempfile.TemporaryDirectory() as data:
        env = {**os.environ, "WINNOW_HOME": data, "LANG": "C.UTF-8"}
        python = [sys.executable, "-c"]
        winnow = [*python, RUN]
        _run([*winnow, "home", "import", str(HOMES / "home150"), "--spec", str(HOMES / "spec.zh.jsonl")], env)
        return {
            "python_ms": _median([*python, "pass"], env),
            "import_winnow_ms": _median([*python, "import winnow"], env),
            "import_engine_ms": _median([*python, "from winnow import Engine"], env),
            "ask_ms": _median([*winnow, "ask", "打开厨房的灯"], env),
            "ask_mb": _most_mb([*winnow, "ask", "打开厨房的灯"], env),
            "help_ms": _median([*winnow, "--help"], env),
        }


def _most_mb(command: Sequence[str], env: Mapping[str, str]) -> float:
    """The most memory that a process holds; a small one starts it, else it would inherit the most of this."""
    run = [sys.executable, "-c", MOST, *command]
    told = subprocess.run(run, check=True, capture_output=True, env=dict(env), cwd=Path.home())
    return round(int(told.stdout.splitlines()[-1]) / 1024, 1)


def _median(command: Sequence[str], env: Mapping[str, str]) -> float:
    _run(command, env)
    return round(median(_run(command, env) for _ in range(TIMES)), 1)


def _run(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Milliseconds; raises CalledProcessError when the command fails."""
    start = perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=dict(env), cwd=Path.home())
    return (perf_counter() - start) * 1000
