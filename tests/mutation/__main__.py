"""``python -m tests.mutation [--count 200] [--seed 1] [--room understand/intent] [--least 80]``.

Draws mutants at random, prints those that no test noticed, and fails when too few were noticed.
With ``--room each`` as many are drawn in every room, and each room must reach the share.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from tests.mutation.changes import ROOMS, ROOT, SOURCE, Mutant, compiled, modules, mutants
from tests.mutation.moved import Moved, function_bits, layout
from tests.mutation.reach import places
from tests.mutation.trial import Task, Trial

BUILD = ROOT / "build" / "mutants"
NOTES = BUILD / "reach.json"
TESTS = ("tests/scenarios", "tests/unit", "tests/property", "tests/contract", "tests/adversary")
PARALLEL = ("-n", "auto", "--dist", "worksteal")
KEPT = 0.9
"""Share of the functions that must be as they were for what was noted of them to be used again."""
QUIET = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not e2e")


@dataclass(frozen=True)
class Reach:
    """What each test reached, as bits in the order of ``places``, and what each cache holds answers of."""

    tests: dict[str, tuple[float, int]]
    caches: dict[str, int]
    loading: int = 0
    """What was reached while modules were loaded."""

    def task(self, mutant: Mutant) -> Task:
        bit = 1 << places()[mutant.path, mutant.statement]
        folders = mutant.path.split("/")[:-1]

        def apart(name: str) -> int:
            """How many of its folders the test does not share: what tests ``app/cli`` stands in ``app``."""
            own = name.partition("::")[0].removeprefix("tests/unit/").split("/")[:-1]
            many = len(folders)
            return next((n for n in range(many) if folders[: many - n] == own[: many - n]), many)

        # The tests of the same folder first: beside thousands of others that reach it they would be left out
        reaching = {name: both for name, both in self.tests.items() if both[1] & bit}
        nearest = sorted(reaching, key=lambda name: (apart(name), reaching[name][0]))
        # Of a hundred rows that go the same way through the function the second tells little more
        function = function_bits(places()[mutant.path, mutant.statement])
        seen = Counter[int]()
        turn = {name: _next(seen, reaching[name][1] & function) for name in nearest}
        tests = [(name, reaching[name][0]) for name in sorted(nearest, key=turn.__getitem__)]
        caches = frozenset(name for name, reached in self.caches.items() if reached & bit)
        return Task(mutant, tuple(tests), caches, bool(self.loading & bit) and not tests)


def reach() -> Reach:
    """As noted before; tests that have changed since are run anew, and all when much of the program has."""
    functions, files = layout(), test_files()
    noted = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
    before = [(path, name, text, many) for path, name, text, many in noted.get("functions", ())]
    if len({*before} & {*functions}) < KEPT * len(functions):
        noted = {"files": {}, "tests": {}, "caches": {}}
    elif before != functions:
        moved = Moved(before, functions)
        noted["tests"] = {name: (s, moved(reached)) for name, (s, reached) in noted["tests"].items()}
        noted["caches"] = {name: moved(reached) for name, reached in noted["caches"].items()}
        noted["loading"] = moved(noted["loading"])
    noted["functions"] = functions
    stale = [name for name, known in files.items() if noted["files"].get(name) != known]
    if stale:
        fresh = _record(stale)
        kept = {n: t for n, t in noted["tests"].items() if n.partition("::")[0] in files.keys() - set(stale)}
        noted["tests"] = kept | fresh["tests"]
        for name, reached in fresh["caches"].items():
            noted["caches"][name] = _both(noted["caches"].get(name), reached)
        noted["loading"] = _both(noted.get("loading"), fresh["loading"])
        noted["files"] = files
        NOTES.write_text(json.dumps(noted), "utf-8")
    tests = {name: (seconds, int(reached, 16)) for name, (seconds, reached) in noted["tests"].items()}
    caches = {name: int(reached, 16) for name, reached in noted["caches"].items()}
    return Reach(tests, caches, int(noted.get("loading", "0"), 16))


def _next(seen: Counter[int], way: int) -> int:
    """How many went this way before."""
    seen[way] += 1
    return seen[way]


def _both(some: str | None, others: str) -> str:
    """What is in either of two sets of statements, written as hexadecimal numbers."""
    return f"{int(some or '0', 16) | int(others, 16):x}"


def test_files() -> dict[str, str]:
    """Each file of tests, with a digest of it and of the tables beside it and in folders without tests."""
    found = sorted(p for folder in TESTS for p in (ROOT / folder).rglob("test_*.py"))
    folders = {p.parent for p in found}
    tables = {
        folder: [p for p in folder.rglob("*.yaml") if not folders & {*p.parents} - {folder, *folder.parents}]
        for folder in folders
    }
    return {p.relative_to(ROOT).as_posix(): digest([p, *tables[p.parent]]) for p in found}


def digest(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"\0".join(p.read_bytes() for p in sorted(files))).hexdigest()


def _record(files: Sequence[str]) -> dict[str, Any]:
    print(f"noting what the tests of {len(files)} files reach ...", file=sys.stderr, flush=True)
    parts = BUILD / "reach"
    for old in parts.glob("*.json"):
        old.unlink()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:]])}
    command = [
        sys.executable,
        "-m",
        "pytest",
        *QUIET,
        "-p",
        "tests.mutation.reach",
        "--reach-into",
        str(parts),
    ]
    done = subprocess.run(
        [*command, *(PARALLEL if len(files) > 3 else ()), *files],
        cwd=ROOT,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        sys.exit(f"The tests do not run:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    for line in re.findall("(?m)^FAILED .*", done.stdout):
        print(f"left out, for it fails without any mutant: {line}")
    told: dict[str, Any] = {"tests": {}, "caches": {}, "loading": "0"}
    for part in parts.glob("*.json"):
        found = json.loads(part.read_text("utf-8"))
        told["tests"].update(found["tests"])
        for name, reached in found["caches"].items():
            told["caches"][name] = _both(told["caches"].get(name), reached)
        told["loading"] = _both(told["loading"], found["loading"])
    return told


def drawn(count: int, seed: int, room: str) -> list[Mutant]:
    """So many mutants at random; none of them compiles to what was there before."""
    paths = [p for p in modules() if p.startswith(room)]
    every = [m for path in paths for m in mutants(path)]
    random.Random(seed).shuffle(every)
    before = {path: compiled_from(path) for path in paths}
    found: list[Mutant] = []
    for mutant in every:
        if len(found) == count:
            break
        if mutant.code() != before[mutant.path]:
            found.append(mutant)
    return found


def compiled_from(path: str) -> object:
    return compiled(ast.parse((SOURCE / path).read_text("utf-8")), path)


def report(trial: Trial, least: float, each: bool) -> int:
    """Prints the survivors and the shares; 1 when too few were noticed, of all or in one room."""
    tasks = sorted(trial.tasks, key=lambda t: (t.mutant.path, t.mutant.line) if t.mutant else ("", 0))
    lines = []
    for task in tasks:
        if task.mutant and task.mutant not in trial.noticed.keys() | trial.untried:
            reached = f"reached by {len(task.tests)} tests" if task.tests else "reached by no test"
            lines.append(
                f"src/winnow/{task.mutant.path}:{task.mutant.line}: {task.mutant.what}   ({reached})"
            )
    (BUILD / "survivors.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print(*lines, sep="\n")
    drawn_of = Counter(t.mutant.room for t in tasks if t.mutant and t.mutant not in trial.untried)
    noticed = Counter(m.room for m in trial.noticed)
    drawn_of["all"], noticed["all"] = drawn_of.total(), noticed.total()
    shares = {room: 100 * noticed[room] / max(1, many) for room, many in drawn_of.items()}
    for room, many in drawn_of.items():
        print(f"{room:12} {noticed[room]:4} of {many:4} noticed  {shares[room]:.1f}%")
    print(f"not tried, since they run while modules are loaded, or are compiled: {len(trial.untried)}")
    print(f"at least {least:g} % wanted{' in each room' if each else ''}")
    return int((min(shares.values()) if each else shares["all"]) < least)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", default="", help="a folder below src/winnow, several, or each")
    parser.add_argument("--least", type=float, default=80.0, help="percent that must be noticed")
    options = parser.parse_args()
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    os.chdir(ROOT)
    known = reach()
    each = options.room == "each"
    rooms = [f"{room}/" for room in ROOMS] if each else options.room.split(",")
    some = [drawn(options.count, options.seed, room) for room in rooms]
    # One of each room in turn, so that a run that is cut short still tells of all
    tasks = [known.task(m) for several in zip_longest(*some) for m in several if m is not None]
    (log := BUILD / "tried.txt").unlink(missing_ok=True)
    trial = Trial(tasks, (os.cpu_count() or 1) + 1, log)
    files = sorted({name.partition("::")[0] for task in tasks for name, _ in task.tests})
    code = pytest.main([*QUIET, "--no-header", "--no-summary", *files], plugins=[trial])
    print(file=sys.stderr)
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit("The tests could not be collected.")
    for name in sorted(trial.unsound):
        print(
            f"left out, for without any mutant it fails or takes too long when the caches are empty: {name}"
        )
    return report(trial, options.least, each)


if __name__ == "__main__":
    sys.exit(main())
