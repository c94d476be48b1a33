"""Let one ``winnow serve`` work for half an hour: does its memory stay, does it answer the same in the end?

    python -m benchmarks.soak                  # 30 minutes, 8 persons
    python -m benchmarks.soak --minutes 5

Persons look up, have things done on a copy of the home and have messages kept, which they have deleted again
after a while; beside them one imports the home again with a lamp more and a lamp less, reports states, and
adds and deletes documents and facts. So what is stored stays as much as it is, and memory has to as well.
The same texts come again, so that what is remembered of texts, up to so many of them, is full early. What is
asked before and after is answered the same; SIGTERM ends the server; the store is sound then.
Exit status 1 where anything of that is not so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.damage import files_of, packed

from benchmarks import places
from benchmarks.growth import straightness
from benchmarks.load import QUESTIONS, Connection, Tally, drive, memory_mb, persons, prepare
from winnow.adapters.platforms.bundle import example_path
from winnow.app.wiring.engine import check_store

PERSONS = 8
LOOKS = 60
"""How often memory is looked at, at most every second."""
WARM = 8000
"""Requests that are left out: caches fill until then, whatever time that takes on a machine."""
LEAST_LOOKS = 10
"""Fewer looks after that tell no slope."""
MOST_PER_HOUR, NOISE_MB = 0.1, 6.0
"""Part of its size by which the memory may grow in an hour, and what a line through minutes errs by."""
ENDED = (0, -signal.SIGTERM)
"""Exit statuses of a server that was told to end, and had done what was under way."""
KEPT_MESSAGES = 12
ASKED = (
    *QUESTIONS[-2:],
    "turn off the reading lamp",
    "unlock the front door",
    "turn on all lights in the study",
)
HOME = "/v1/homes/cottage"
Home = Mapping[str, bytes]


class Cleaning(Connection):
    """A person who has messages deleted again after a while."""

    kept = 0

    async def __call__(self, kind: str, body: Mapping[str, Any]) -> bool:
        """Whether the answer to the request is what it should be."""
        if kind == "messages":
            self.kept += 1
            body = {**body, "messages": [self._again(one) for one in body["messages"]]}
        if self.kept > KEPT_MESSAGES:
            self.kept = 0
            if not await super().__call__("messages/forget", {"user": body["user"], "all": True}):
                return False
        return await super().__call__(kind, body)

    def _again(self, message: Mapping[str, str]) -> Mapping[str, str]:
        """The message under the id and with the number of one that was deleted: no text is new for ever."""
        number, user = str(self.kept), message["id"].partition("-")[0]
        return {**message, "id": f"{user}-{number}", "content": re.sub(r"\d+", number, message["content"])}


def homes() -> tuple[bytes, bytes]:
    """The home, and the same with a lamp more."""
    files: dict[str, bytes] = files_of(Path(example_path("example:cottage")))
    more = dict(files)
    for name in ("states.json", "entity_registry.json"):
        rows = json.loads(files[name])
        row = next(row for row in rows if row["entity_id"].startswith("light."))
        added = json.loads(json.dumps(row).replace(row["entity_id"], "light.visitors_lamp"))
        added.get("attributes", {})["friendly_name"] = "Visitors Lamp"
        more[name] = json.dumps([*rows, added]).encode()
    return packed(files), packed(more)


async def change(one: Connection, seconds: float, tally: Tally) -> None:
    """Change the home, its states, documents and facts until the time is up; all is as it was then."""
    start, (plain, more), number = perf_counter(), homes(), 0
    while perf_counter() - start < seconds:
        number += 1
        held, lit = number % KEPT_MESSAGES, "on" if number % 2 else "off"
        text = f"The boiler has the number {held}. " * 40
        document = {"id": "soak", "title": f"Note {held}", "text": text}
        steps: Sequence[tuple[str, str, Any]] = (
            ("POST", HOME, more if number % 2 else plain),
            (
                "POST",
                f"{HOME}/states",
                {"states": {"light.reading_lamp": {"state": lit}}},
            ),
            ("POST", "/v1/documents", {"documents": [document], "public": True}),
            ("POST", "/v1/facts", {"user": "gardener", "text": f"My locker has the number {held}."}),
            ("POST", "/v1/documents/forget", {"all": True, "public": True}),
            ("POST", "/v1/facts/forget", {"all": True, "user": "gardener"}),
        )
        for method, path, body in steps:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            status, told = await one.send(method, path, data)
            if not 200 <= status < 300:
                tally.errors += 1
                print(method, path, status, told[:300], file=sys.stderr)
            await asyncio.sleep(0.5)
    await one.send("POST", HOME, plain)


async def watch(pid: int, seconds: float, tally: Tally, looks: list[tuple[float, float, int]]) -> None:
    """Note the memory of the process again and again: seconds since the start, megabytes, requests so far."""
    start, pause = perf_counter(), max(1.0, seconds / LOOKS)
    while (now := perf_counter() - start) < seconds:
        looks.append((now, memory_mb(pid), len(tally.ms)))
        await asyncio.sleep(pause)


async def answers(one: Connection) -> list[Any]:
    """What the same sentences come to: what is done, read or asked, whatever things report by then."""
    one.close()  # a server hangs up on who says nothing for long
    found = []
    for text in ASKED:
        body = json.dumps({"text": text, "user": "judge"}).encode()
        _, told = await one.send("POST", "/v1/retrieve", body)
        verdict = json.loads(told)["verdict"]
        reads = [(read["device_id"], read["attribute_id"]) for read in verdict.get("reads", ())]
        found.append([reads, *(verdict.get(name) for name in ("kind", "calls", "question"))])
    return found


async def soaked(address: tuple[str, int, int], secret: str, seconds: float) -> dict[str, Any]:
    """Let everybody work so long, and tell what came of it."""
    host, port, pid = address
    people, tally, looks = persons(PERSONS), Tally(), list[tuple[float, float, int]]()
    judge, changer = Connection(host, port, secret), Connection(host, port, secret)
    works = [Cleaning(host, port, secret) for _ in people]
    before = await answers(judge)
    await asyncio.gather(
        drive(people, works, seconds, tally),
        change(changer, seconds, tally),
        watch(pid, seconds, tally, looks),
    )
    after = await answers(judge)
    for one in (judge, changer, *works):
        one.close()
    late = [(at, size) for at, size, answered in looks if answered >= WARM]
    judged = len(late) >= LEAST_LOOKS
    # straightness gives a slope per thousand items and in thousandths
    slope = round(straightness(late)["ms_per_1000"] / 1e6 * 3600, 1) if judged else None
    return {
        "minutes": round(seconds / 60, 1),
        **tally.figures(),
        "other_answers": [(a, b) for a, b in zip(before, after, strict=True) if a != b],
        "memory_mb": {"first": looks[0][1], "warm": late[0][1] if late else None, "last": looks[-1][1]},
        "memory_mb_on_the_way": [size for _, size, _ in looks[:: max(1, len(looks) // 12)]],
        "hours_judged": round((late[-1][0] - late[0][0]) / 3600, 3) if judged else 0.0,
        "mb_per_hour": slope,
    }


def ended(process: subprocess.Popen[str]) -> int:
    """The exit status after SIGTERM."""
    process.send_signal(signal.SIGTERM)
    return process.wait(60)


def measure(minutes: float) -> dict[str, Any]:
    """One server over a store of its own for so long."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        secret = prepare(data)
        command = [sys.executable, "-m", "winnow", "serve", "--port", "0", "--rate", "0", "--simulate"]
        env = {**os.environ, "WINNOW_HOME": folder, "LANG": "C.UTF-8"}
        log = data / "log.txt"
        with log.open("w") as out, subprocess.Popen(command, env=env, stderr=out, text=True) as process:
            try:
                while not (found := re.search(r"http://([\d.]+):(\d+)", log.read_text("utf-8"))):
                    if process.poll() is not None:
                        raise SystemExit(log.read_text("utf-8"))
                address = found[1], int(found[2]), process.pid
                figures = asyncio.run(soaked(address, secret, minutes * 60))
                figures["exit_status"] = ended(process)
            finally:
                process.kill()
        figures["tracebacks"] = log.read_text("utf-8", "replace").count("Traceback")
        check_store(data / "winnow.db")
        return figures


def faults(figures: Mapping[str, Any]) -> list[str]:
    """What is not as it should be."""
    slope, hours = figures["mb_per_hour"], figures["hours_judged"]
    grew = slope is not None and slope > MOST_PER_HOUR * figures["memory_mb"]["warm"] + NOISE_MB / hours
    wrong = {
        f"{figures['errors']} errors": figures["errors"],
        f"other answers than before: {figures['other_answers']}": figures["other_answers"],
        f"grew by {slope} MB an hour": grew,
        f"ended with {figures['exit_status']}": figures["exit_status"] not in ENDED,
        f"{figures['tracebacks']} tracebacks in the log": figures["tracebacks"],
    }
    return [what for what, holds in wrong.items() if holds]


def main() -> int:
    """Measure, and keep what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    given = parser.parse_args()
    figures = measure(given.minutes)
    print(json.dumps(figures, indent=1))
    places.keep("soak", figures)
    print(*faults(figures), sep="\n", file=sys.stderr)
    if figures["mb_per_hour"] is None:
        print(f"Too short to tell whether memory grows: {WARM} requests fill the caches.", file=sys.stderr)
    return int(bool(faults(figures)))


if __name__ == "__main__":
    sys.exit(main())
