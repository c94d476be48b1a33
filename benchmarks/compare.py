"""``python -m benchmarks.compare OTHER``: turns and starting of this tree beside those of another.

``OTHER`` is the root of another checkout of Winnow. Each tree answers in a process of its own; every sentence
is said to one and to the other in turn, so what else the machine does slows both alike. Times are
milliseconds of processor time, the best of the rounds for each sentence. Starting is measured in processes
that begin one after the other, of one tree and the other in turn, with bytecode as an installed package has
it: the least and the median of ``--starts`` of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "examples" / "homes" / "home150"
FIRST = (
    *("turn on the kitchen light", "is the front door locked", "what did I say about the boiler"),
    *("打开厨房的灯", "if it is colder than 18 degrees turn on the heating", "我昨天说了什么"),
    *("turn off all the lights except the kitchen", "set the bedroom to 21 degrees", "open it a bit"),
    *("close the blinds and lock the front door", "dim the lamp", "what is the weather in Paris"),
    *("turn on the fan", "good night", "make it warmer", "who painted the Mona Lisa", "turn it off"),
    *("remind me to water the plants", "play some music", "where is my dog"),
)
"""What a process is told first: orders, questions of the home and of others, in both languages."""
FIVE = (
    "打开客厅主灯，把空调调到26度，关掉电视，拉上窗帘，再把走廊灯调到30%",
    "关掉书房的台灯，打开加湿器，把主卧的窗帘拉上，空调调到24度，客厅的灯调暗一点",
    "先关掉餐厅的灯，再打开书房的灯，把客厅窗帘拉上，空调调到25度，最后关掉电视",
)
"""Five clauses each."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A process that answers sentences with the code of one checkout."""

    name: str
    ask: IO[str]
    told: IO[str]

    def ms(self, text: str) -> float:
        """Processor time of one whole turn."""
        self.ask.write(json.dumps(text) + "\n")
        self.ask.flush()
        return float(self.told.readline())


def main(arguments: Sequence[str] | None = None) -> int:
    """The times of both trees, and how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="root of another checkout")
    parser.add_argument("--home", type=Path, default=HOME)
    parser.add_argument("--texts", type=Path, help="a file with a sentence a line")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--starts", type=int, default=7, help="processes of each tree that are begun")
    chosen = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    texts = chosen.texts.read_text("utf-8").splitlines() if chosen.texts else spoken()
    with ExitStack() as stack:
        trees = [_started(stack, tree, chosen.home.resolve()) for tree in (chosen.other.resolve(), ROOT)]
        for label, said in (("sentences", texts), ("five clauses", FIVE)):
            other, this = compared(trees, said, chosen.rounds)
            for share in (50, 95):
                before, now = at(other, share), at(this, share)
                found[f"{label} ({len(said)}) p{share}, ms"] = {
                    "other": round(before, 2),
                    "this": round(now, 2),
                    "times": round(now / before, 2),
                }
    found |= starting(chosen.other.resolve(), chosen.starts)
    for name, row in found.items():
        sys.stdout.write(f"{name}: other {row['other']}, this {row['this']}, {row['times']} times\n")
    from benchmarks import places

    kept = {"environment": environment(chosen.other), "rounds": chosen.rounds, "starts": chosen.starts}
    places.keep("compare", {**kept, "figures": found})
    return 0


def environment(other: Path) -> dict[str, object]:
    """What the figures were measured on and between."""
    commits = [
        subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=tree, capture_output=True, text=True, check=False
        )
        for tree in (other, ROOT)
    ]
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        **dict(zip(("other", "this"), (done.stdout.strip() for done in commits), strict=True)),
    }


def starting(other: Path, times: int) -> dict[str, Any]:
    """Importing, a cold question, opening, the slowest of the first turns and memory; both trees in turn."""
    rows: list[dict[str, list[float]]] = [{}, {}]
    with TemporaryDirectory() as data:
        for n in range(times + 1):
            for tree, figures in zip((other, ROOT), rows, strict=True):
                for name, value in _started_once(tree, Path(data) / tree.name).items():
                    if n:  # the first writes bytecode
                        figures.setdefault(name, []).append(value)
    return {
        name: {
            **dict(zip(("other", "this"), (_least_and_median(row[name]) for row in rows), strict=True)),
            "times": round(median(rows[1][name]) / median(rows[0][name]), 2),
        }
        for name in rows[0]
    }


def _least_and_median(values: Sequence[float]) -> dict[str, float]:
    return {"min": round(min(values), 1), "median": round(median(values), 1)}


def _started_once(tree: Path, data: Path) -> Mapping[str, float]:
    env = {k: v for k, v in os.environ.items() if k not in {"PYTHONDONTWRITEBYTECODE", "WINNOW_STORE"}}
    env |= {"PYTHONPATH": str(tree / "src"), "WINNOW_HOME": str(data / "home"), "LANG": "C.UTF-8"}
    env["PYTHONPYCACHEPREFIX"] = str(data / "bytecode")
    if not data.is_dir():
        _processor_ms([sys.executable, "-m", "winnow", "home", "import", "example:cottage"], env)
    ask = [sys.executable, "-m", "winnow", "ask", FIRST[0]]
    first = [sys.executable, str(Path(__file__).resolve()), "first"]
    told = subprocess.run(first, env=env, check=True, capture_output=True, text=True)
    return {
        "from winnow import Engine, ms": _processor_ms(
            [sys.executable, "-c", "from winnow import Engine"], env
        ),
        "winnow ask, ms": _processor_ms(ask, env),
        **json.loads(told.stdout),
    }


def _processor_ms(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Processor time of a process; raises CalledProcessError where it fails."""
    run = subprocess.Popen(command, env=dict(env), stdout=subprocess.DEVNULL, cwd=Path.home())
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)
    return (used.ru_utime + used.ru_stime) * 1000


def first_turns() -> None:
    """What a process that opens a home and answers its first turns has to tell of them, as JSON."""
    from winnow import Engine

    begun, memory = process_time(), 0.0
    engine = Engine.open("example:cottage")
    told = {"opening in memory, ms": (process_time() - begun) * 1000}
    turns = []
    for n, text in enumerate(FIRST, 1):
        begun = process_time()
        engine.sync.retrieve(text)
        turns.append((process_time() - begun) * 1000)
        if n == 10:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
            memory = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    told |= {"slowest of the first 20 turns, ms": max(turns), "memory after 10 turns, MB": memory}
    sys.stdout.write(json.dumps(told))


def spoken() -> list[str]:
    """Orders for devices and for sets of the home that times are measured on."""
    sys.path.insert(0, str(ROOT))
    from benchmarks import places
    from benchmarks.sentences import mixed

    return [said.utterance.text for _, said in mixed(places.example_home("home150").home, None, 4)]


def compared(trees: Sequence[Tree], texts: Sequence[str], rounds: int) -> list[list[float]]:
    """For each tree the best time of each sentence; both hear a sentence right after one another."""
    best = [[float("inf")] * len(texts) for _ in trees]
    for _ in range(rounds + 1):
        for at_text, text in enumerate(texts):
            for tree, times in zip(trees, best, strict=True):
                times[at_text] = min(times[at_text], tree.ms(text))
    return best


def at(times: Sequence[float], share: int) -> float:
    """The time that ``share`` of 100 turns do not exceed."""
    return sorted(times)[min(len(times) - 1, len(times) * share // 100)]


def _started(stack: ExitStack, tree: Path, home: Path) -> Tree:
    made = subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve()), "serve", str(home)],
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    stack.callback(made.wait)
    assert made.stdin is not None
    assert made.stdout is not None
    stack.callback(made.stdin.close)
    return Tree(tree.name, made.stdin, made.stdout)


def serve(home: str) -> None:
    """Answer sentences from standard input, a JSON text a line, with the time each takes."""
    import winnow

    engine = winnow.open(home)
    for line in sys.stdin:
        text = json.loads(line)
        begun = process_time()
        engine.sync.retrieve(text)
        sys.stdout.write(f"{(process_time() - begun) * 1000}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    elif sys.argv[1:2] == ["first"]:
        first_turns()
    else:
        sys.exit(main())
