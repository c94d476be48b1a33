"""How well a thing is found by meaning when it is named by words that the home lacks.

    python -m benchmarks.nearness                     the embedder of the package
    python -m benchmarks.nearness --table FOLDER      another table of the static embedder
    python -m benchmarks.nearness --each              what each mention is offered at the embedder's threshold

``data/nearness.yaml`` holds 60 mentions a language: half of things that the example home has under other
names, half of things that no home has. A mention is answered with at most three things
(``retrieve/home/devices.py``). ``recall``: share of the first half whose answer holds the right thing.
``precision``: share of all answers that do. ``false``: share of the second half that get an answer at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks import places
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.retrieve.home.devices import similar_things
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.retrieve.home.search import ShortlistLimits
from winnow.types.candidate import DeviceCandidate

MOST = ShortlistLimits().near
DATA = places.DATA / "nearness.yaml"
THRESHOLDS = tuple(round(0.3 + 0.05 * n, 2) for n in range(9))
Row = dict[str, Any]


def sets() -> dict[str, Any]:
    """Language -> the example home and what is ``said`` in it, with what it ``means``."""
    loaded: dict[str, Any] = yaml.safe_load(DATA.read_text("utf-8"))
    return loaded


def indexed(embedder: StaticEmbedder) -> dict[str, HomeIndex]:
    """Language -> the home its mentions are said in."""
    return {
        language: build_index(places.example_home(part["home"]).home, embedder)
        for language, part in sets().items()
    }


def right(row: Row, offered: Sequence[DeviceCandidate], index: HomeIndex) -> bool:
    """Whether one of the things offered is what was meant."""
    means = set(row.get("means", ()))
    return any(means & known_as(candidate.device_id, index) for candidate in offered)


def measure(language: str, index: HomeIndex, least: float) -> dict[str, float]:
    """``recall``, ``precision`` and ``false`` in percent at one threshold."""
    rows = sets()[language]["said"]
    answers = [similar_things(row["said"], HomePosition(index), least)[:MOST] for row in rows]
    hits = sum(right(row, offered, index) for row, offered in zip(rows, answers, strict=True))
    there = sum("means" in row for row in rows)
    false = sum(bool(offered) for row, offered in zip(rows, answers, strict=True) if "means" not in row)
    shares = {
        "recall": hits / there,
        "precision": hits / max(1, sum(map(bool, answers))),
        "false": false / (len(rows) - there),
    }
    return {name: round(100 * share, 1) for name, share in shares.items()}


def known_as(thing_id: str, index: HomeIndex) -> set[str]:
    """Name and kinds of a device, name of a scene."""
    device = index.view.devices.get(thing_id)
    return {device.name, *device.kinds} if device else {index.view.scenes[thing_id].name}


def _each(language: str, index: HomeIndex, least: float) -> None:
    for row in sets()[language]["said"]:
        offered = similar_things(row["said"], HomePosition(index), least)[:MOST]
        names = ", ".join(
            f"{min(known_as(c.device_id, index))} {c.score:.2f} ({c.evidence[0].detail})" for c in offered
        )
        mark = "+" if right(row, offered, index) else "!" if offered or "means" in row else " "
        print(f"{mark} {row['said']}: {names}")


def main(arguments: Sequence[str] | None = None) -> None:
    """A line a language and threshold; the embedder's own is marked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", type=Path)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args(arguments)
    embedder = StaticEmbedder(options.table) if options.table else StaticEmbedder()
    homes = indexed(embedder)
    if options.each:
        for language, index in homes.items():
            _each(language, index, embedder.alike)
        return
    print(f"{embedder.name} {embedder.version}")
    print(f"{'':4s}{'cosine':>8s}{'recall':>9s}{'precision':>11s}{'false':>8s}")
    for language, index in homes.items():
        for least in THRESHOLDS:
            found = measure(language, index, least)
            mark = " *" if least == embedder.alike else ""
            print(
                f"{language:4s}{least:8.2f}{found['recall']:9.1f}{found['precision']:11.1f}{found['false']:8.1f}{mark}"
            )


if __name__ == "__main__":
    main()
