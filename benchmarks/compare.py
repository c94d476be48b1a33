"""``python -m benchmarks.compare OTHER``: whole turns of this tree beside those of another, in one run.

``OTHER`` is the root of another checkout of Winnow. Each tree answers in a process of its own; every sentence
is said to one and to the other in turn, so what else the machine does slows both alike. Times are
milliseconds of processor time, the best of the rounds for each sentence.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "examples" / "homes" / "home150"
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
    chosen = parser.parse_args(arguments)
    texts = chosen.texts.read_text("utf-8").splitlines() if chosen.texts else spoken()
    with ExitStack() as stack:
        trees = [_started(stack, tree, chosen.home.resolve()) for tree in (chosen.other.resolve(), ROOT)]
        for label, said in (("sentences", texts), ("five clauses", FIVE)):
            other, this = compared(trees, said, chosen.rounds)
            for share in (50, 95):
                before, now = at(other, share), at(this, share)
                sys.stdout.write(
                    f"{label} ({len(said)}) p{share}: other {before:.2f} ms, this {now:.2f} ms, "
                    f"{now / before:.2f} times\n"
                )
    return 0


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
    else:
        sys.exit(main())
