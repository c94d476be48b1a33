"""``python -m tests.guards [--only words] [--jobs 2]``.

Runs the tests that both pages name, on the code as it is and with each guard taken out, in copies of the
repository; 1 where a test does not pass, or still passes without its guard, or fails for another reason.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from tests.guards.table import PAGES, Guard, guards
from tests.mutation.changes import ROOT

SECONDS = 300
"""A test that takes longer is given up, which notices nothing."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
NOTICED, STILL_PASSES, OTHERWISE, FAILS_ANYWAY, NOT_RUN = ENDS = (
    "noticed",
    "still passes",
    "fails otherwise",
    "fails as it is",
    "not run",
)
"""What may come of a guard that is taken out; all but the first and the last are faults."""
Cases = Sequence[str | None]
"""For each case of a test that ran how its failure begins; None: it passed."""


class Tree:
    """A copy of the repository, in which guards are taken out and put back."""

    def __init__(self, where: Path) -> None:
        self.root = Path(shutil.copytree(ROOT, where, ignore=LEFT_OUT))
        git = subprocess.run(
            ["git", "rev-parse", "--absolute-git-dir"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if git.returncode == 0:  # who looks through all files that git knows looks through those of the copy
            (self.root / ".git").write_text(f"gitdir: {git.stdout}", "utf-8")
        first = os.pathsep.join(map(str, (self.root / "src", self.root)))
        self.env = {**os.environ, "PYTHONPATH": first, "HYPOTHESIS_PROFILE": "mutants"}

    def cases(self, tests: Sequence[str], *options: str) -> Mapping[str, Cases]:
        """What came of these tests; of one that is not among them nothing is known."""
        told = self.root.with_suffix(".xml")
        told.unlink(missing_ok=True)
        quiet = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", f"--junitxml={told}")
        named = [f"tests/{test}" for test in tests]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [sys.executable, "-m", "pytest", *quiet, *options, *named],
                cwd=self.root,
                env=self.env,
                check=False,
                capture_output=True,
                timeout=SECONDS * len(tests),
            )
        return cases_in(told) if told.exists() else {}

    @contextmanager
    def without(self, guard: Guard) -> Iterator[None]:
        """The guard is taken out meanwhile."""
        before = {change.file: (self.root / change.file).read_bytes() for change in guard.changes}
        for file, text in guard.without(self.root).items():
            (self.root / file).write_text(text, "utf-8")
        try:
            yield
        finally:
            for file, data in before.items():
                (self.root / file).write_bytes(data)


def cases_in(told: Path) -> Mapping[str, Cases]:
    """What a report of pytest says of each test, whatever its cases are called."""
    found: dict[str, list[str | None]] = {}
    for case in ElementTree.parse(told).iter("testcase"):
        test = f"{case.get('classname', '').removeprefix('tests.').replace('.', '/')}.py::{case.get('name')}"
        ended = [part for part in case if part.tag in ("failure", "error", "skipped")]
        if not any(part.tag == "skipped" for part in ended):
            # An error is one of a fixture, which no test noticed.
            why = next((f"{'' if p.tag == 'failure' else 'error: '}{p.get('message')}" for p in ended), None)
            found.setdefault(test.partition("[")[0], []).append(why)
    return found


def tried(guard: Guard, as_it_is: Cases, trees: SimpleQueue[Tree]) -> tuple[str, str]:
    """What came of the guard's test without it, and what is told beside that."""
    if not as_it_is:
        return NOT_RUN, "skipped, or it took too long"
    if failures := [why for why in as_it_is if why is not None]:
        return FAILS_ANYWAY, failures[0]
    tree = trees.get()
    try:
        with tree.without(guard):
            cases = tree.cases([guard.test], "--maxfail=1").get(guard.test)
    finally:
        trees.put(tree)
    if cases is None:
        return OTHERWISE, "it could not be loaded, or took too long"
    why = next((why for why in cases if why is not None), None)
    if why is None:
        return STILL_PASSES, ""
    return NOTICED if why.startswith(guard.fails_with) else OTHERWISE, why


def main() -> int:
    """Take out each guard, print a line of each and a table of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="pages, rows or tests in whose names this stands")
    parser.add_argument("--jobs", type=int, default=2, help="tests at a time, each in a copy of its own")
    options = parser.parse_args()
    chosen = [guard for guard in guards() if options.only in f"{guard.page} {guard.row} {guard.test}"]
    if not chosen:
        sys.exit(f"No page, row or test is called '{options.only}': see the first columns of docs/faults.md")
    if problems := [why for guard in chosen for change in guard.changes if (why := change.problem())]:
        sys.exit("\n".join(problems))
    with TemporaryDirectory(prefix="winnow-guards-") as folder:
        trees = [Tree(Path(folder) / str(number)) for number in range(options.jobs)]
        free = SimpleQueue[Tree]()
        for tree in trees:
            free.put(tree)
        tests = list(dict.fromkeys(guard.test for guard in chosen))
        print(f"{len(tests)} tests on the code as it is ...", file=sys.stderr, flush=True)
        as_it_is = trees[0].cases(tests, "-n", str(options.jobs))
        with ThreadPoolExecutor(options.jobs) as pool:
            came = pool.map(lambda guard: tried(guard, as_it_is.get(guard.test, ()), free), chosen)
            ends = [_told(guard, *end) for guard, end in zip(chosen, came, strict=True)]
    return _table(chosen, ends)


def _told(guard: Guard, end: str, why: str) -> str:
    """Prints one line."""
    beside = "" if end == STILL_PASSES else f": {' '.join(why.split())[:100]}"
    print(f"{guard.page}, {guard.row}\n  {guard.test} without {guard.files}: {end}{beside}", flush=True)
    return end


def _table(chosen: Sequence[Guard], ends: Sequence[str]) -> int:
    """Prints how many of each page there were; 1 where anything is as it should not be."""
    print(f"\n{'':14}{'rows':>6}{'tests':>7}{'guards':>8}" + "".join(f"{end:>17}" for end in ENDS))
    for page in PAGES:
        both = [(guard, end) for guard, end in zip(chosen, ends, strict=True) if guard.page == page]
        counted = Counter(end for _, end in both)
        sizes = (len({guard.row for guard, _ in both}), len({guard.test for guard, _ in both}), len(both))
        told = "".join(f"{size:>{width}}" for size, width in zip(sizes, (6, 7, 8), strict=True))
        print(f"{page:14}{told}" + "".join(f"{counted[end]:>17}" for end in ENDS))
    return int(not {NOTICED, NOT_RUN}.issuperset(ends))


if __name__ == "__main__":
    sys.exit(main())
