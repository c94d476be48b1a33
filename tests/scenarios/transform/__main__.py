"""Print the figures of every transformation.

``python -m tests.scenarios.transform [--show 10] [--only noun] [--keep]``: for each kind and language how
many orders it takes, how many sentences come of them, how many of these break the law; ``--show`` prints so
many of these, ``--keep`` writes the figures of the sample into ``limits.yaml``.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from time import perf_counter

from tests.scenarios.transform import limits
from tests.scenarios.transform.frames import LANGUAGES
from tests.scenarios.transform.judge import Outcome, changed, fits, is_right, kinds, orders, outcome

from winnow.types.verdict import named_calls

HEAD = f"{'law':6} {'kind':11}" + "".join(
    f" | {lang}: orders  sentences  broken     %  acts" for lang in LANGUAGES
)


def main() -> None:
    """Judge and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--show", type=int, default=0, help="print so many broken sentences of each kind")
    asked.add_argument("--only", default="", help="one kind")
    asked.add_argument("--keep", action="store_true", help="write the figures of the sample as limits")
    given = asked.parse_args()
    if given.keep:
        limits.keep()
        return
    start = perf_counter()
    total: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    print(HEAD)
    for law, kind in kinds():
        if given.only in {"", kind}:
            row = {lang: _judged(kind, lang) for lang in LANGUAGES}
            _print(law, kind, row, [f"{fits(kind, lang)[0]:10}" for lang in LANGUAGES])
            _show([one for lang in LANGUAGES for one in row[lang] if one.bad], given.show)
            for lang in LANGUAGES:
                total[law, lang] += row[lang]
    for law in dict.fromkeys(law for law, _ in kinds()):
        _print(law, "total", {lang: total[law, lang] for lang in LANGUAGES}, [f"{'':10}"] * len(LANGUAGES))
    right = sum(is_right(case) for case in orders())
    print(f"{len(orders())} orders, {right} of them right as written, {perf_counter() - start:.0f} s")


def _judged(kind: str, language: str) -> list[Outcome]:
    return [found for row in changed(kind, language) if (found := outcome(row)) is not None]


def _print(law: str, kind: str, row: dict[str, Sequence[Outcome]], taken: Sequence[str]) -> None:
    cells = [f"{law:6} {kind:11}"]
    for fitting, outcomes in zip(taken, row.values(), strict=True):
        broken, acts = sum(one.bad for one in outcomes), sum(one.acts for one in outcomes)
        share = 100 * broken / max(1, len(outcomes))
        cells.append(f"{fitting} {len(outcomes):10} {broken:7} {share:5.1f} {acts:5}")
    print(" | ".join(cells), flush=True)


def _show(broken: Sequence[Outcome], count: int) -> None:
    for one in broken[:: max(1, len(broken) // max(1, count))][:count]:
        case = one.changed.of[0]
        did = ", ".join(f"{call.device_id} {call.command_id}" for call in named_calls(one.verdict)[:3])
        mark = "acts" if one.acts else "lost"
        kind = type(one.verdict).__name__
        print(f"    {mark} {case.home}: {one.changed.text}  ({case.utterance.text}) -> {kind} {did}")


if __name__ == "__main__":
    main()
