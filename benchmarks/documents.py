"""Add ten thousand documents as a user does, search meanwhile, kill it, and count what is lost.

    python -m benchmarks.documents

The corpus is made by a seed (``benchmarks.corpus``). One run is left alone and searched while it works;
another store is filled by runs that get SIGKILL at a random moment, until one is let finish. Then both must
hold the same documents, and each question must find its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic, sleep

from benchmarks import places
from benchmarks.corpus import Made, write
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.errors import StoreError
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.retrieve.documents.source import DocumentSource
from winnow.types.candidate import Search
from winnow.types.document import Document
from winnow.types.scope import Scope

IDA = Scope(user="ida")
AT = datetime(2026, 1, 1)  # noqa: DTZ001 - a wall clock has no zone
TOLD = "told.json"
PAUSE = 1.0
"""Seconds between two questions while documents are added."""
ASKED = 300
"""Documents that are asked for in the end."""


@dataclass(frozen=True, slots=True)
class Alone:
    """One run that nobody disturbs."""

    seconds: float
    cpu_seconds: float
    """Of both processes: what a machine takes that does nothing else."""
    peak_rss_mb: int
    """Of the process that adds."""
    converter_rss_mb: int
    """Of the process that converts."""
    searches_meanwhile: int
    found_meanwhile: int
    """Searches for a document that was stored already, which found it first."""
    search_p95_ms: float
    """With what had come since the search before."""


@dataclass(frozen=True, slots=True)
class Report:
    """All figures."""

    documents: int
    megabytes: float
    passages: int
    folded: int
    store_mb: float
    alone: Alone
    again_seconds: float
    """The same command when nothing changed."""
    kills: int
    killed_seconds: float
    """All killed runs and the last one together."""
    lost: int
    """Documents that are not in the store that was filled by killed runs, or with another text."""
    surplus: int
    found_first: float
    """Share of questions whose own document comes first, in that store."""


def start(corpus: Path, home: Path) -> subprocess.Popen[bytes]:
    """The command as a user gives it; what it tells goes to a file beside its store."""
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "winnow", "knowledge", "add", str(corpus), "--user", "ida", "--json"]
    with (home / TOLD).open("wb") as told:
        return subprocess.Popen(command, env={**os.environ, "WINNOW_HOME": str(home)}, stdout=told)


def cpu() -> float:
    """Seconds that processes which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peaks(pid: int) -> dict[str, int]:
    """Largest resident memory of a process and of its children so far, in MB, where /proc tells."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        return {"own": _peak(pid), "child": max([_peak(int(child)) for child in children], default=0)}
    except OSError:
        return {}


def _peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return next((int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def alone(corpus: Path, home: Path, made: Sequence[Made]) -> tuple[Alone, Mapping[str, object]]:
    """One run, searched meanwhile; with what it told."""
    begun, before, run = monotonic(), cpu(), start(corpus, home)
    most, waits, found, random = {"own": 0, "child": 0}, list[float](), 0, Random(2)
    knowledge, next_question = None, monotonic() + PAUSE
    while run.poll() is None:
        for whose, peak in peaks(run.pid).items():
            most[whose] = max(most[whose], peak)
        if monotonic() > next_question and (home / "winnow.db").exists():
            knowledge = knowledge or DocumentSource(
                stored(home).documents, "private", open_builtin_embedder()
            )
            waited, right = asked(knowledge, made, random)
            waits, found = waits + [waited] * (waited > 0), found + right
            next_question = monotonic() + PAUSE
        sleep(0.05)
    p95 = quantiles(waits, n=20)[-1] * 1000 if len(waits) > 1 else 0.0
    told = json.loads((home / TOLD).read_text("utf-8"))
    seconds, spent = round(monotonic() - begun, 1), round(cpu() - before, 1)
    return Alone(seconds, spent, most["own"], most["child"], len(waits), found, round(p95, 1)), told


def asked(knowledge: DocumentSource, made: Sequence[Made], random: Random) -> tuple[float, bool]:
    """Ask for a document that is there: seconds, and whether it came first. 0: none is there yet."""
    try:
        there = set(run_blocking(knowledge.documents.documents(IDA, "private")))
    except StoreError:  # the tables are being made
        return 0.0, False
    known = [one for one in made if f"corpus/{one.name}" in there]
    if not known:
        return 0.0, False
    one, begun = random.choice(known), monotonic()
    first = best(knowledge, one.question)
    return monotonic() - begun, one.answer in first


def best(knowledge: DocumentSource, question: str) -> str:
    """The text of the best passage."""
    found = run_blocking(knowledge(Search(question, AT), IDA, 1)).candidates
    data = found[0].data if found else {}
    return str(data.get("text", "")) if isinstance(data, Mapping) else ""


def killed(corpus: Path, home: Path, kills: int, seconds: float) -> float:
    """Run it and kill it so often, each time within its share of the time, then let it finish: seconds."""
    random, begun = Random(5), monotonic()
    for _ in range(kills):
        run = start(corpus, home)
        sleep(1 + random.random() * 2 * seconds / (kills + 1))
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert start(corpus, home).wait() == 0
    return round(monotonic() - begun, 1)


def stored(home: Path) -> Storage:
    """What was stored there."""
    return SqlStore.open(home / "winnow.db", FrozenClock()).storage


def texts(storage: Storage) -> dict[str, tuple[Document, str]]:
    """All documents with their texts."""
    store = storage.documents
    known = run_blocking(store.documents(IDA, "private"))
    return {id_: (each, run_blocking(store.text(IDA, "private", id_))) for id_, each in known.items()}


def measured(documents: int, mean: int, kills: int, folder: Path) -> Report:
    """All figures of a corpus made in the folder."""
    corpus, first, second = folder / "corpus", folder / "first", folder / "second"
    corpus.mkdir()
    made = list(write(corpus, documents, mean))
    size = sum(path.stat().st_size for path in corpus.rglob("*") if path.is_file())
    one, told = alone(corpus, first, made)
    again, _ = alone(corpus, first, [])
    spent = killed(corpus, second, kills, one.seconds)
    wanted, there = texts(stored(first)), texts(stored(second))
    lost = sum(there.get(id_) != each for id_, each in wanted.items()) + documents - len(wanted)
    knowledge = DocumentSource(stored(second).documents, "private", open_builtin_embedder())
    questions = Random(3).sample(made, min(ASKED, len(made)))
    right = sum(each.answer in best(knowledge, each.question) for each in questions)
    return Report(
        documents,
        round(size / 1e6, 1),
        int(str(told["passages"])),
        int(str(told["folded"])),
        round((first / "winnow.db").stat().st_size / 1e6, 1),
        one,
        again.seconds,
        kills,
        spent,
        lost,
        len(there.keys() - wanted.keys()),
        round(right / len(questions), 4),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=10_000, help="of a document, on average")
    parser.add_argument("--kills", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measured(options.documents, options.bytes, options.kills, Path(folder))
    print(json.dumps(asdict(report), indent=1))
    places.keep("documents", asdict(report))


if __name__ == "__main__":
    main()
