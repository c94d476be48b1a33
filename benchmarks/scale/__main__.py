"""``python -m benchmarks.scale``: a million messages are loaded and 2,000 persons' histories asked.

``--part`` runs one part; each puts its figures into ``results/scale.json`` beside the others'. Databases
are kept in the folder for temporary files, so that the parts after ``load`` need not load them again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that it runs from anywhere

import sqlalchemy as sa

from benchmarks import places
from benchmarks.scale import asking, databases, loading
from winnow import __version__

R = TypeVar("R")
SMALL_BOUND = 32 * 1024 * 1024
"""What open histories may take in the run that shows that they do not take more."""


def main(argv: Sequence[str] | None = None) -> None:
    wanted = _parser().parse_args(argv)
    with databases.server() as postgres:
        for name in wanted.part or PARTS:
            told = PARTS[name](wanted, postgres)
            data = places.result("scale") | {name: told}
            places.keep("scale", _headed(data, wanted))
            print(name, told)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--persons", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--asked", type=int, default=2000)
    parser.add_argument("--kind", action="append", choices=databases.KINDS)
    return parser


def _headed(data: dict[str, Any], wanted: argparse.Namespace) -> dict[str, Any]:
    head = {
        "winnow": __version__,
        "python": platform.python_version(),
        "persons": wanted.persons,
        "messages": wanted.messages,
    }
    return head | {name: data[name] for name in PARTS if name in data}


def load(wanted: argparse.Namespace, postgres: sa.URL) -> dict[str, Any]:
    """Both adapters' rows into both databases."""
    told: dict[str, Any] = {"text_bytes": loading.text_bytes(wanted.persons, wanted.messages)}
    for kind in wanted.kind or databases.KINDS:
        for adapter, work in (("store", loading.load_store), ("host", loading.load_host)):
            url = databases.emptied(kind, adapter, postgres)
            with databases.hasty(postgres):
                told[f"{kind} {adapter}"] = apart(work, url, wanted.persons, wanted.messages)
    return told


def ask(wanted: argparse.Namespace, postgres: sa.URL) -> dict[str, Any]:
    """Questions by every person alike, and by those who say more."""
    told: dict[str, Any] = {}
    for kind in wanted.kind or databases.KINDS:
        for adapter in ("store", "host"):
            url = databases.where(kind, adapter, postgres)
            run = asking.Run(url, adapter, wanted.persons, wanted.messages, wanted.asked)
            told[f"{kind} {adapter}"] = apart(asking.asked, run)
            more = replace(run, draw="messages", asked=wanted.asked // 4)
            told[f"{kind} {adapter}, by messages"] = apart(asking.asked, more)
    return told


def bound(wanted: argparse.Namespace, postgres: sa.URL) -> dict[str, Any]:
    """The same with little room for open histories: what they hold at most, and the memory of the process."""
    url = databases.where("sqlite", "store", postgres)
    run = asking.Run(url, "store", wanted.persons, wanted.messages, wanted.asked, most_bytes=SMALL_BOUND)
    found = apart(asking.asked, run)
    kept = ("held", "held_bytes", "most_held_bytes", "bound_bytes", "rss_before", "rss_after")
    return {name: found[name] for name in kept}


def apart(work: Callable[..., R], *args: Any) -> R:
    """What the work returns, done in a process of its own, so that nothing of others counts."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, args)


PARTS: dict[str, Callable[[argparse.Namespace, sa.URL], dict[str, Any]]] = {
    "load": load,
    "ask": ask,
    "bound": bound,
}

if __name__ == "__main__":
    main()
