"""``python -m benchmarks.scale``: a million messages are loaded and 2,000 persons' histories asked.

``--part`` runs one part; each puts its figures beside the others'. Databases
are kept in the folder for temporary files, so that the parts after ``load`` need not load them again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that it runs from anywhere

import sqlalchemy as sa

from benchmarks import places
from benchmarks.scale import asking, databases, filling, isolation, loading
from winnow import __version__

R = TypeVar("R")
Figures = Iterator[tuple[str, Any]]
"""Title -> what was measured, as soon as it is."""
SMALL_BOUND = 32 * 1024 * 1024
"""What open histories may take in the run that shows that they do not take more."""


def main(argv: Sequence[str] | None = None) -> None:
    wanted = _parser().parse_args(argv)
    with databases.server() as postgres:
        for name in wanted.part or PARTS:
            for title, told in PARTS[name](wanted, postgres):
                _keep(wanted, name, title, told)
                print(name, title, told, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--persons", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--asked", type=int, default=2000)
    parser.add_argument("--requests", type=int, default=100_000, help="with hostile names, to each database")
    parser.add_argument("--kind", action="append", choices=databases.KINDS)
    return parser


def _keep(wanted: argparse.Namespace, part: str, title: str, told: Any) -> None:
    """Put figures beside those that are kept."""
    data = places.measured("scale")
    data[part] = data.get(part, {}) | {title: told}
    head = {
        "winnow": __version__,
        "python": platform.python_version(),
        "persons": wanted.persons,
        "messages": wanted.messages,
    }
    places.keep("scale", head | {name: data[name] for name in PARTS if name in data})


def load(wanted: argparse.Namespace, postgres: sa.URL) -> Figures:
    """Both adapters' rows into both databases."""
    yield "text_bytes", loading.text_bytes(wanted.persons, wanted.messages)
    for kind in wanted.kind or databases.KINDS:
        for adapter, work in (("store", loading.load_store), ("host", loading.load_host)):
            url = databases.emptied(kind, adapter, postgres)
            with databases.hasty(postgres):
                yield f"{kind} {adapter}", apart(work, url, wanted.persons, wanted.messages)


def ask(wanted: argparse.Namespace, postgres: sa.URL) -> Figures:
    """Questions by every person alike, and by those who say more; fewer of a host's table."""
    for adapter, share in (("store", 1), ("host", 4)):
        for kind in wanted.kind or databases.KINDS:
            url = databases.where(kind, adapter, postgres)
            asked = wanted.asked // share
            run = asking.Run(url, adapter, wanted.persons, wanted.messages, asked, anew=1)
            yield f"{kind} {adapter}", apart(asking.asked, run)
            more = replace(run, draw="messages", asked=asked // 10, anew=0)
            yield f"{kind} {adapter}, by messages", apart(asking.asked, more)


def bound(wanted: argparse.Namespace, postgres: sa.URL) -> Figures:
    """The same with little room for open histories: what they hold at most, and the memory of the process."""
    url = databases.where("sqlite", "store", postgres)
    run = asking.Run(url, "store", wanted.persons, wanted.messages, wanted.asked // 4, most_bytes=SMALL_BOUND)
    yield "sqlite store", apart(asking.asked, run)


def isolate(wanted: argparse.Namespace, postgres: sa.URL) -> Figures:
    """Hostile names on both databases: 100,000 requests to each."""
    for kind in wanted.kind or databases.KINDS:
        store, host = (databases.emptied(kind, f"hostile-{name}", postgres) for name in ("store", "host"))
        yield kind, apart(isolation.attacked, store, host, wanted.requests)


def fill(wanted: argparse.Namespace, postgres: sa.URL) -> Figures:
    """Vectors made by several processes, by the table and by a slow server."""
    for kind in wanted.kind or databases.KINDS:
        url = databases.emptied(kind, "fill", postgres)
        told = apart(filling.talked, url, wanted.messages // 5000, wanted.messages // 50)
        told["table"] = [_filled(filling.by_table, kind, wanted, postgres, n) for n in (1, 2)]
        told |= apart(filling.vector_bytes, url)
        told["server"] = [_filled(filling.by_server, kind, wanted, postgres, n) for n in (1, 2)]
        yield kind, told


def _filled(
    work: Callable[[str, int], dict[str, Any]],
    kind: str,
    wanted: argparse.Namespace,
    postgres: sa.URL,
    workers: int,
) -> dict[str, Any]:
    url = databases.where(kind, "fill", postgres)
    apart(filling.forgotten, url)
    return apart(work, url, workers)


def apart(work: Callable[..., R], *args: Any) -> R:
    """What the work returns, done in a process of its own, so that nothing of others counts."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


PARTS: dict[str, Callable[[argparse.Namespace, sa.URL], Figures]] = {
    "load": load,
    "ask": ask,
    "bound": bound,
    "isolate": isolate,
    "fill": fill,
}

if __name__ == "__main__":
    main()
