"""``make bench``: run the evaluations of ``evaluations.yaml`` and compare every figure with the stored one.

    make bench                          # all that run offline: twenty minutes at most on two idle cores
    make bench ONLY=devices,garbled     # some
    make bench KEEP=1                   # store the figures, and write pages and charts anew

Each evaluation runs in a process of its own, two at a time; those whose times are figures run alone, in the
end. What it measures goes to ``build/bench/NAME.json``, what it prints to ``NAME.log`` beside it. One that
fails does not stop the others. Evaluations with a command of their own are not run: named in ONLY, what that
command left is compared and stored. Exit status 1 where anything failed or a figure lies outside its spread.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from benchmarks import pages, places

if TYPE_CHECKING:
    from rich.console import Console

TOLERANCE = 0.05
"""By how much a figure that is no time may differ, unless its evaluation says otherwise."""
SPREAD = 2.0
"""How many times as long, or as short, a time may be."""
AT_ONCE = 2
BUSY = 0.5
"""Load from which on times are no longer those of an idle machine."""
MOST_SECONDS = 900
TIME = re.compile(
    r"(^|[_ ,/@])(ms|s|mb|cpu|seconds|bytes|rss)($|[_ ,/])|/(straightness|cost)/|times_winnow"
    r"|^(speed|strategies|turns)/.*_(p50|p95|max)$"
)
"""Paths of figures that differ from run to run."""
COUNTED = re.compile(r"/tokens/")
BY_PROCESSOR = re.compile(r"cpu_p50$|_cpu$|_mb$")
"""Times that the load of a machine changes little, and memory."""
BY_CLOCK = re.compile(r"(p50|p95|_ms|_mb|_cpu)$")
"""Times that are judged where nothing else runs."""
NAMES = ("home", "file", "weather", "store", "messages")
"""Keys by which a row of a list is told from the others."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, as stored and as measured now."""

    path: str
    stored: Any
    now: Any
    is_judged: bool
    within: bool

    @property
    def difference(self) -> str:
        """In points, of times as a factor."""
        if not isinstance(self.now, int | float) or not isinstance(self.stored, int | float):
            return "" if self.now == self.stored else "≠"
        if _is_time(self.path) and self.stored:
            return f"× {self.now / self.stored:.2f}"
        return f"{self.now - self.stored:+.4g}" if self.now != self.stored else "0"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an evaluation."""

    name: str
    seconds: float
    trouble: str = ""
    """Why there are no figures: it failed, or was skipped."""
    failed: bool = False
    figures: tuple[Figure, ...] = ()
    missing: tuple[str, ...] = ()
    """Figures that are stored and were not measured."""
    lacking: str = ""
    """Public sets that it measures besides and that are not there."""

    @property
    def outside(self) -> list[Figure]:
        """Figures that are not within their spread."""
        return [figure for figure in self.figures if not figure.within]

    @property
    def verdict(self) -> str:
        """In a few words."""
        if self.trouble:
            return self.trouble
        told = [f"{len(self.outside)} outside"] if self.outside else ["within"]
        told += [f"{len(self.missing)} not measured"] if self.missing else []
        told += [f"without {self.lacking}"] if self.lacking else []
        return f"{', '.join(told)} ({len(self.figures)} figures)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run, compare, print, and store where that is wanted."""
    from rich.console import Console

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="names, with commas between")
    parser.add_argument("--keep", action="store_true", help="store the figures and write the pages anew")
    given = parser.parse_args(argv)
    known, console = pages.registry()["evaluations"], Console(width=max(120, Console().width))
    names = given.only.split(",") if given.only else [name for name, one in known.items() if "run" in one]
    if strange := set(names) - known.keys():
        console.print(f"No evaluation is called {', '.join(sorted(strange))}. There are: {', '.join(known)}.")
        return 2
    here = environment()
    console.print(*(f"{key} {text}" for key, text in here.items()), sep=", ")
    if here["load"] > BUSY:
        console.print("The machine is at work: times will be longer than on an idle one.")
    start = perf_counter()
    found = run_all({name: known[name] for name in names}, here, console)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = used.ru_utime + used.ru_stime
    console.print(f"{perf_counter() - start:.0f} s in all, {spent:.0f} s of the processor")
    report(found, console)
    if given.keep:
        keep(found, here, console)
    failed = any(one.failed for one in found)
    return int(failed or (not given.keep and any(one.outside for one in found)))


def environment() -> dict[str, Any]:
    """What the figures are measured on and of."""
    git = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(git, cwd=places.ROOT, capture_output=True, text=True, check=False)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit.stdout.strip() or "unknown",
        "python": platform.python_version(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "load": round(os.getloadavg()[0], 1),
    }


def _cpu() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.is_file() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def run_all(chosen: Mapping[str, Row], here: Row, console: Console) -> list[Outcome]:
    """Every evaluation, the longest first; those that are timed alone, in the end."""
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    runs = places.result("runs")
    order = sorted(chosen, key=lambda name: -(runs.get(name, {}).get("seconds") or 0))
    found: dict[str, Outcome] = {}
    with Progress(SpinnerColumn(), "{task.description}", TimeElapsedColumn(), console=console) as progress:

        def one(name: str) -> None:
            task = progress.add_task(name)
            found[name] = evaluated(name, chosen[name], here)
            progress.remove_task(task)
            progress.console.print(
                f"{name:20}{found[name].seconds:7.0f} s  {found[name].verdict}", soft_wrap=True
            )

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(one, [name for name in order if not chosen[name].get("timed")]))
        for name in order:
            if chosen[name].get("timed"):
                one(name)
    return [found[name] for name in chosen]


def evaluated(name: str, one: Row, here: Row) -> Outcome:
    """Run one evaluation and compare what it measured."""
    if lacking := absent(one.get("sets", ())):
        return Outcome(name, 0, f"skipped: not below {places.further()}: {lacking} (docs/benchmarks.md)")
    start = perf_counter()
    if "run" in one:
        places.MEASURED.mkdir(parents=True, exist_ok=True)
        (places.MEASURED / f"{name}.json").unlink(missing_ok=True)
        if trouble := started(name, one["run"]):
            return Outcome(name, perf_counter() - start, trouble, failed=True)
    seconds, now = perf_counter() - start, places.measured(name)
    if not now:
        why = f"skipped: run `{one['own']}` first" if "own" in one else "failed: nothing was measured"
        return Outcome(name, seconds, why, failed="run" in one)
    kept = places.result("runs").get(name, {})
    times = judged_times(kept, here) if one.get("timed") else re.compile("$^")
    told, old = dict(leaves(name, now)), dict(leaves(name, places.result(name)))
    varies = re.compile(one.get("varies", "$^"))
    figures = tuple(
        Figure(path, old[path], told[path], is_judged=False, within=True)
        if varies.search(path)
        else compared(path, old[path], told[path], one.get("tolerance", TOLERANCE), times)
        for path in told
        if path in old
    )
    missing = tuple(path for path in old if path not in told)
    return Outcome(name, seconds, figures=figures, missing=missing, lacking=absent(one.get("also", ())))


def judged_times(kept: Row, here: Row) -> re.Pattern[str]:
    """Which times are judged: of the processor on the same one, of the clock where both runs were alone."""
    if (kept.get("cpu"), kept.get("cores")) != (here["cpu"], here["cores"]):
        return re.compile("$^")
    return BY_CLOCK if max(kept.get("load", BUSY + 1), here["load"]) <= BUSY else BY_PROCESSOR


def absent(sets: Sequence[str]) -> str:
    """The public sets that are not there, each with its page and licence."""
    known = pages.registry()["sets"]
    return ", ".join(
        f"{name} (https://github.com/{known[name]['page']}, licence: {known[name]['licence']})"
        for name in sets
        if not all((places.further() / file).exists() for file in known[name]["files"])
    )


def started(name: str, command: str) -> str:
    """Run ``python -m COMMAND``; what went wrong, if anything."""
    log = places.MEASURED / f"{name}.log"
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with log.open("w", encoding="utf-8") as out:
        try:
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                cwd=places.ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                timeout=MOST_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"failed: not done after {MOST_SECONDS} s ({log.relative_to(places.ROOT)})"
    if not done.returncode:
        return ""
    last = (log.read_text("utf-8").strip().splitlines() or [""])[-1]
    return f"failed: exit status {done.returncode}, {last[:200]} ({log.relative_to(places.ROOT)})"


def leaves(path: str, data: Any) -> Iterator[tuple[str, Any]]:
    """(path, figure) of everything in a result; the texts of lists of texts too."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(f"{path}/{key}", value)
    elif isinstance(data, list):
        yield f"{path}/length", len(data)
        for at, value in enumerate(data):
            yield from leaves(f"{path}/{_named(value, at)}", value)
    elif data is not None and not path.endswith(("/winnow", "/python")):
        yield path, data


def _named(row: Any, at: int) -> str:
    """What a row of a list is told by, as a path has it; else its place."""
    named = {key: row[key] for key in NAMES if key in row} if isinstance(row, dict) else {}
    return ",".join(f"{key}={name}" for key, name in named.items()) or str(at)


def compared(path: str, stored: Any, now: Any, tolerance: float, times: re.Pattern[str]) -> Figure:
    """The figure, and whether it lies within its spread; of times those are judged that match."""
    if _is_time(path):
        is_judged = bool(times.search(path)) and bool(stored) and bool(now)
        return Figure(path, stored, now, is_judged, not is_judged or 1 / SPREAD <= now / stored <= SPREAD)
    if isinstance(stored, int | float) and isinstance(now, int | float):
        return Figure(path, stored, now, True, abs(now - stored) <= tolerance + 1e-9)
    return Figure(path, stored, now, True, now == stored)


def _is_time(path: str) -> bool:
    return bool(TIME.search(path)) and not COUNTED.search(path)


def report(found: Sequence[Outcome], console: Console) -> None:
    """Print what the goals are about and what lies outside; all figures go to ``build/bench/figures.md``."""
    from rich.table import Table

    from benchmarks.tables import cell, markdown

    headline = {path for goal in pages.registry()["goals"] for path in goal["figures"]}
    every = [figure for one in found for figure in one.figures]
    rows = {
        figure: [
            figure.path,
            cell(figure.stored),
            cell(figure.now),
            figure.difference,
            ("yes" if figure.within else "no") if figure.is_judged else "not judged",
        ]
        for figure in every
    }
    heads = ("figure", "stored", "now", "difference", "within spread")
    if every:
        places.MEASURED.mkdir(parents=True, exist_ok=True)
        (places.MEASURED / "figures.md").write_text(markdown(heads, rows.values()) + "\n", "utf-8")
    table = Table(title="What the goals are about, and what lies outside", title_justify="left")
    for at, head in enumerate(heads):
        table.add_column(head, justify="right" if at else "left", overflow="fold")
    for figure, row in rows.items():
        if figure.path in headline or not figure.within:
            table.add_row(*row, style="" if figure.within else "bold red")
    console.print(table)
    console.print(
        f"{len(every)} figures compared, {sum(not figure.within for figure in every)} outside their spread: a"
        f" figure may differ by {TOLERANCE} unless its evaluation says otherwise, a time that is judged be"
        f" {SPREAD:g} times as long or as short. All of them: build/bench/figures.md"
    )


def keep(found: Sequence[Outcome], here: Row, console: Console) -> None:
    """Store what was measured whole, and write the pages anew."""
    runs = places.result("runs")
    for one in found:
        if one.trouble or one.lacking:
            console.print(f"{one.name} is not stored: {one.trouble or one.lacking}", soft_wrap=True)
            continue
        places.keep(one.name, places.measured(one.name), places.RESULTS)
        runs[one.name] = {**here, "seconds": round(one.seconds, 1)}
    places.keep("runs", dict(sorted(runs.items())), places.RESULTS)
    pages.write()


if __name__ == "__main__":
    sys.exit(main())
