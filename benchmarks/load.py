"""One ``winnow serve`` under load on this machine, beside the same engine called in a process of its own.

    python -m benchmarks.load                         # one worker, 200 connections, 60 seconds of each
    python -m benchmarks.load --connections 50 --seconds 10

Every connection is a person of their own who looks up (60 %), has something done (20 %) and has messages kept
(20 %). The server and the engine take turns of a few seconds each, so that both see the same machine; whoever
does not have the turn does nothing. Figures are errors, requests a second, how long the
event loop of the server kept others waiting (its own ``winnow_loop_delay_seconds``), memory before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from benchmarks import places
from benchmarks.scoring import percentile
from benchmarks.sentences import orders
from winnow.app.access import Access
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import import_path, open_engine, open_store, read_home, rehearse_on_copies
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope

HOME = "example:cottage"
KINDS = ("retrieve", "act", "messages")
SHARES = (6, 2, 2)
QUESTIONS = (
    "where did I park the car?",
    "what did I say about the boiler?",
    "when is my dentist appointment?",
    "which wine did Okafor like?",
    "how warm is it in the bedroom?",
    "is the front door locked?",
)
SAID = (
    "I parked the car on level {n} today, next to the lift.",
    "The boiler was serviced by Hansen, invoice {n}.",
    "My dentist appointment moved to room {n} on Tuesday.",
    "Okafor liked the wine from cellar number {n} best.",
)
WARM = 10.0
"""Seconds before anything is measured."""
COME_WITHIN = 1.0
"""Seconds within which everybody has come."""
LIMIT_MS = 50.0
"""What the event loop may keep others waiting, in 99 of 100 cases."""
Work = Callable[[str, Mapping[str, Any]], Awaitable[bool]]
"""Does one thing of a kind with the fields of its request; whether it went as it should."""


@dataclass(slots=True)
class Person:
    """What one connection asks for: the same for the same number."""

    number: int
    orders: Sequence[str]
    rng: Random = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.rng = Random(self.number)

    def next(self) -> tuple[str, dict[str, Any]]:
        """Kind and fields of the next request."""
        (kind,), user = self.rng.choices(KINDS, SHARES), f"person{self.number}"
        self.count += 1
        if kind == "messages":
            said = self.rng.choice(SAID).format(n=self.count)
            told = [{"id": f"{user}-{self.count}", "role": "user", "content": said}]
            return kind, {"user": user, "messages": told}
        words = QUESTIONS if kind == "retrieve" and self.rng.random() < 0.5 else self.orders
        return kind, {"user": user, "session": "load", "text": self.rng.choice(words)}


@dataclass(slots=True)
class Tally:
    """What came of all requests of one side."""

    ms: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.ms) / self.seconds if self.seconds else 0.0

    def figures(self) -> dict[str, Any]:
        """The same as it is kept."""
        asked = {"requests": len(self.ms), "errors": self.errors, "kinds": dict(self.kinds)}
        times = {f"ms_p{p}": round(percentile(self.ms, p) or 0, 1) for p in (50, 95, 99)}
        return {**asked, "a_second": round(self.rate, 1), **times}


async def drive(people: Sequence[Person], works: Sequence[Work], seconds: float, tally: Tally) -> None:
    """Let everybody ask, one thing after the other, until the time is up and all are answered."""
    start = perf_counter()

    async def one(person: Person, work: Work) -> None:
        await asyncio.sleep(COME_WITHIN * person.number / len(people))
        while perf_counter() - start < seconds:
            kind, body = person.next()
            begun = perf_counter()
            if not await work(kind, body):
                tally.errors += 1
            tally.ms.append(1000 * (perf_counter() - begun))
            tally.kinds[kind] += 1

    await asyncio.gather(*map(one, people, works))
    tally.seconds += perf_counter() - start


# Over HTTP: connections that are kept, and as little work as can be on this side of them.


class Connection:
    """One connection; what comes back is only looked at for its status."""

    def __init__(self, host: str, port: int, secret: str) -> None:
        self._address = host, port
        self._head = f"Host: {host}:{port}\r\nAuthorization: Bearer {secret}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __call__(self, kind: str, body: Mapping[str, Any]) -> bool:
        """Whether the answer to the request is what it should be."""
        status, told = await self.send("POST", f"/v1/{kind}", json.dumps(body).encode())
        if not 200 <= status < 300:
            print(kind, status, told[:300], file=sys.stderr)
        return 200 <= status < 300

    async def send(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Status and body of the answer; 0 where there is none."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection(*self._address)
            reader, writer = self._streams
            head = f"{method} {path} HTTP/1.1\r\n{self._head}Content-Length: {len(body)}\r\n"
            writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            told = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", told)
            return int(told[9:12]), await reader.readexactly(int(length[1]) if length else 0)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            return 0, b""

    def close(self) -> None:
        """Nothing more is asked."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


@contextmanager
def serving(data: Path, *options: str) -> Iterator[tuple[str, int, int]]:
    """Host, port and process of a ``winnow serve`` over the data folder, which ends with the block."""
    command = [sys.executable, "-m", "winnow", "serve", "--port", "0", "--rate", "0", *options]
    env = {**os.environ, "WINNOW_HOME": str(data), "LANG": "C.UTF-8"}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://([\d.]+):(\d+)", line)
        if not found:
            raise SystemExit(line + process.stderr.read())
        try:
            yield found[1], int(found[2]), process.pid
        finally:
            process.terminate()


def prepare(data: Path) -> str:
    """A store with a home in that folder, and the secret of a key of all its persons."""
    opened = open_store(load_settings({}, data)).storage
    import_path(Scope(), HOME, opened.homes)
    return run_blocking(Access(opened).add("default", "load")).secret


def memory_mb(pid: int) -> float:
    """Megabytes that the process holds in memory."""
    told = Path(f"/proc/{pid}/status").read_text("utf-8")
    found = re.search(r"VmRSS:\s*(\d+)", told)
    return round(int(found[1]) / 1024, 1) if found else 0.0


def cpu_seconds(pid: int) -> float:
    """Seconds of a processor that the process had."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


DELAY = re.compile(r'^winnow_loop_delay_seconds_bucket\{le="([^"]+)".*\} ([\d.e+]+)$', re.MULTILINE)


def delays(metrics: str) -> dict[float, float]:
    """How often the event loop kept others waiting at most so long: seconds -> count, summed up."""
    return {float(le): float(count) for le, count in DELAY.findall(metrics)}


def delay_figures(looks: Mapping[float, float]) -> dict[str, Any]:
    """The limits in milliseconds below which half, 95 and 99 of 100 delays lie, and the share below 50."""
    counts = dict(sorted(looks.items()))
    total = counts[max(counts)]
    below = {p: next(le for le, count in counts.items() if count >= total * p / 100) for p in (50, 95, 99)}
    share = counts[LIMIT_MS / 1000] / total if total else 1.0
    figures = {f"loop_delay_ms_p{p}_below": 1000 * le for p, le in below.items()}
    return {**figures, "loop_delays_within_50_ms": round(share, 5)}


# In this process.


def engine_work(data: Path) -> Work:
    """The engine that the server has, and the same requests as calls of it."""
    engine = open_engine(settings=load_settings({}, data))
    rehearse_on_copies(engine)

    async def work(kind: str, body: Mapping[str, Any]) -> bool:
        if kind == "messages":
            await engine.add_messages(body["messages"], user=body["user"])
            return True
        found = await engine.retrieve(body["text"], user=body["user"], session=body["session"])
        if kind == "act":
            await engine.act(found)
        return True

    return work


def run_engine(data: Path, connections: int) -> None:
    """Drive the engine for as many seconds as each line that is read says, and tell what came of it."""
    work, people, tally = engine_work(data), persons(connections), Tally()
    for line in sys.stdin:
        if seconds := float(line):
            asyncio.run(drive(people, [work] * connections, seconds, tally))
        pid = os.getpid()
        own = {"memory_mb": memory_mb(pid), "cpu_seconds": cpu_seconds(pid)}
        print(json.dumps({**tally.figures(), "seconds": tally.seconds, **own}), flush=True)


def persons(connections: int) -> list[Person]:
    """Everybody who asks."""
    home = read_home(HOME, "cottage").home
    words = [said.utterance.text for said in orders(home, "en", draws=3) if not said.utterance.room]
    return [Person(number, words) for number in range(connections)]


# Both, in turns.


def measure(seconds: float, connections: int, turn: float) -> dict[str, Any]:
    """Both sides for so many seconds each, in turns of ``turn`` seconds."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        secret, _ = prepare(Path(one)), prepare(Path(other))
        command = [sys.executable, "-m", "benchmarks.load", "--in-process", other]
        command += ["--connections", str(connections)]
        with (
            serving(Path(one), "--simulate") as (host, port, pid),
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine,
        ):
            assert engine.stdin is not None
            assert engine.stdout is not None

            def engine_turn(length: float) -> dict[str, Any]:
                assert engine.stdin is not None
                assert engine.stdout is not None
                print(length, file=engine.stdin, flush=True)
                found: dict[str, Any] = json.loads(engine.stdout.readline())
                return found

            figures = asyncio.run(
                _turns(
                    [Connection(host, port, secret) for _ in range(connections)],
                    pid,
                    engine_turn,
                    seconds,
                    turn,
                )
            )
            engine.stdin.close()
        stored = run_blocking(open_store(load_settings({}, Path(one))).storage.messages.users(Scope()))
        return {**figures, "messages_kept": sum(stored.values())}


async def _turns(
    connections: Sequence[Connection],
    pid: int,
    engine_turn: Callable[[float], dict[str, Any]],
    seconds: float,
    turn: float,
) -> dict[str, Any]:
    people, warm, tally = persons(len(connections)), Tally(), Tally()
    await drive(people, connections, WARM, warm)  # what is only loaded by the first requests
    inside = await asyncio.to_thread(engine_turn, WARM)
    inside_before = inside
    memory = [memory_mb(pid)]
    looks: Counter[float] = Counter()
    cpu = cpu_seconds(pid)
    for number in range(max(1, round(seconds / turn))):
        # Only the delays of its own turn: while the other side has it, the server is idle.
        looks.subtract(delays((await connections[0].send("GET", "/metrics"))[1].decode()))
        await drive(people, connections, turn, tally)
        looks.update(delays((await connections[0].send("GET", "/metrics"))[1].decode()))
        memory.append(memory_mb(pid))
        inside = await asyncio.to_thread(engine_turn, turn)
        print(f"{number + 1}: {tally.rate:.0f} a second over HTTP", file=sys.stderr, flush=True)
    used = cpu_seconds(pid) - cpu
    for one in connections:
        one.close()
    asked = inside["requests"] - inside_before["requests"]
    engine_cpu = inside["cpu_seconds"] - inside_before["cpu_seconds"]
    figures = {"memory_mb": memory, **delay_figures(looks)}
    served = {**tally.figures(), "cpu_ms_each": round(1000 * used / max(1, len(tally.ms)), 2)}
    called = {**inside, "cpu_ms_each": round(1000 * engine_cpu / max(1, asked), 2)}
    shares = {
        "throughput_ratio": round(tally.rate * (inside["seconds"] - inside_before["seconds"]) / asked, 3),
        "cpu_ratio": round(called["cpu_ms_each"] / served["cpu_ms_each"], 3),
    }
    sent = tally.kinds["messages"] + warm.kinds["messages"]
    return {
        "connections": len(connections),
        "server": {**served, **figures},
        "engine": called,
        **shares,
        "messages_sent": sent,
    }


def main() -> int:
    """Measure, and keep what was measured; exit status 1 where anything went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--turn", type=float, default=6, help="seconds of one turn of a side")
    parser.add_argument("--in-process", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.in_process:
        run_engine(args.in_process, args.connections)
        return 0
    found = measure(args.seconds, args.connections, args.turn)
    print(json.dumps(found, indent=1))
    places.keep("load", found)
    return 1 if found["server"]["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
