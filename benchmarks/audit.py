"""Kills processes in the middle of acts, and looks what their audit log says.

    python -m benchmarks.audit --kills 200

Children act on a played home through the engine, which keeps a true account of what it was really told, and
are killed (SIGKILL) at random moments. Afterwards: the chain holds; whatever the home was told had been put
on record before; each call has an outcome, or is listed as one of which nobody knows what came; and nothing
is said to be done that the home was never told.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import import_path, open_engine, open_store, simulated_copy
from winnow.engine.engine import Engine
from winnow.ports.services import Actuator, run_blocking
from winnow.types.receipt import AuditEntry, Outcome, recorded_calls
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

HOME = "cottage"
HERE = Scope(home=HOME)
SAID = ("turn on the crane", "turn off all lights in the sitting room", "turn off the crane",
        "turn on all lights in the sitting room")  # fmt: skip
OK = ("done", "sent")
Told = Counter[tuple[str, str]]
"""Device and command -> how often."""


class Witness:
    """An ``Actuator`` that writes down what it is told before it is done."""

    def __init__(self, inner: Actuator, account: int, marks: int) -> None:
        self.inner, self.account, self.marks = inner, account, marks

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """How they are."""
        os.write(self.marks, b".")
        return await self.inner.look(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """Each, once it is written down."""
        os.write(self.marks, b".")
        told = "".join(f"{json.dumps([call.device_id, call.command_id])}\n" for call in calls)
        os.write(self.account, told.encode())
        outcomes = await self.inner.do(scope, calls)
        os.write(self.marks, b".")
        return outcomes


@dataclass
class Found:
    """What was found after all kills."""

    kills: int = 0
    acts: int = 0
    entries: int = 0
    unknown: int = 0
    """Calls of which the log says that nobody knows what came of them."""
    told: int = 0
    """Calls that the home was told."""
    wrong: list[str] = field(default_factory=list)


def killed(kills: int, seed: int, most: int, data: Path) -> Found:
    """Kill so many children one after the other, all over one store."""
    settings = Settings(data, audit_key="k" * 32, audit_keep=400)
    store = open_store(settings)
    import_path(Scope(), f"example:{HOME}", store.storage.homes, HOME)
    store.close()
    moments, found = random.Random(seed), Found()
    open_engine(settings=settings).sync.retrieve(SAID[0])  # what children inherit is warm
    for n in range(kills):
        _kill(settings, data / "told", n, moments.randint(1, most), moments.uniform(0, 0.004))
        found.kills += 1
        found.wrong += [f"kill {n}: {flaw.kind} {flaw.first}" for flaw in _look(settings).broken]
    _compare(settings, data / "told", found)
    return found


def _look(settings: Settings):
    store = open_store(settings)
    try:
        return run_blocking(store.storage.audit.verification(HERE))
    finally:
        store.close()


def _kill(settings: Settings, told: Path, n: int, marks: int, after: float) -> None:
    """One child: it acts until it is killed, so many seconds after it came so far."""
    began, begins = os.pipe()
    child = os.fork()
    if not child:
        try:
            _act(settings, told, n, begins)
        finally:
            os._exit(1)
    for _ in range(marks):
        os.read(began, 1)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(began)
    os.close(begins)


def _act(settings: Settings, told: Path, n: int, begins: int) -> None:
    engine = open_engine(settings=settings)
    home = engine.sync.load_home(HOME).home
    states = run_blocking(engine.storage.states.read(HERE))
    account = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    played = simulated_copy(home, states)
    engine.states.below = played
    engine.acting.actuator = Witness(played, account, begins)
    for k in range(1000):
        _once(engine, SAID[(n + k) % len(SAID)])


def _once(engine: Engine, said: str) -> None:
    engine.sync.act(engine.sync.retrieve(said, user="ida"))


def _compare(settings: Settings, told: Path, found: Found) -> None:
    """The log beside what the home was really told."""
    rows = told.read_text("utf-8").splitlines() if told.is_file() else []
    real: Told = Counter((device, command) for device, command in map(json.loads, rows))
    entries, looked = _all(settings), _look(settings)
    found.entries, found.told = len(entries), sum(real.values())
    begun = _calls(entries, "begun")
    came = _calls(entries, "outcome")
    done = _calls(entries, "outcome", OK)
    unknown: Told = Counter((c.device_id, c.command_id) for one in looked.unknown for c in one.calls)
    found.unknown = sum(unknown.values())
    found.acts = sum(entry.record.kind == "begun" for entry in entries)
    found.wrong += [f"told without a record: {call}" for call in real - begun]
    found.wrong += [f"neither known nor unknown: {call}" for call in begun - (came + unknown)]
    found.wrong += [f"both known and unknown: {call}" for call in (came + unknown) - begun]
    found.wrong += [f"said to be done, and never told: {call}" for call in done - real]


def _all(settings: Settings) -> list[AuditEntry]:
    store = open_store(settings)
    entries = list(run_blocking(store.storage.audit.entries(HERE, 0, 1_000_000)))
    store.close()
    return entries


def _calls(entries: Sequence[AuditEntry], kind: str, statuses: Collection[str] = ()) -> Told:
    found: Told = Counter()
    for record in (entry.record for entry in entries if entry.record.kind == kind):
        body = dict(record.body)
        if statuses:
            outcomes = body["outcomes"]
            assert isinstance(outcomes, list)
            body["outcomes"] = [one for one in outcomes if one["status"] in statuses]
        found.update((call.device_id, call.command_id) for call in recorded_calls(body))
    return found


def main() -> int:
    """Print what was found; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=40, help="steps of acts until a child is killed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed(asked.kills, asked.seed, asked.most, Path(folder))
    print(
        f"{found.kills} kills, {found.acts} acts, {found.entries} entries, {found.told} calls told, "
        f"{found.unknown} of which nobody knows, {len(found.wrong)} wrong"
    )
    print(*found.wrong[:20], sep="\n")
    return 1 if found.wrong or not found.told else 0


if __name__ == "__main__":
    sys.exit(main())
