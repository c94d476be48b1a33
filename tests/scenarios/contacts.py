"""How much of what somebody wrote without sight of the engine comes out right.

    python -m tests.scenarios.contacts [tests/scenarios/contact/messy_zh.yaml ...]

**exact**: all that was expected and nothing else. **completed**: the same, of what was to be done.
**wrong acts**: something was done at once that was not to be done. **one yes away**: exact, or asked about
in a question for a yes that does exactly what was to be done. **silent**: an order taken for talk.
**in the text**: what is to be acted on or read stands in the text for a model, whatever the verdict.
Without a file, all that were written are answered as they are by now. A first run is kept for good
(``--keep``, with who wrote it and from what) in ``benchmarks/results/first_contact.json``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import places
from tests.homes import home
from tests.scenarios.runner import DOING, HERE, Scenario, answered, device_id, explained, faults, read

from winnow.types.retrieval import Retrieval
from winnow.types.verdict import Act, Confirm, Nothing, named_calls

KEPT = places.RESULTS / "first_contact.json"
WRITTEN = [*sorted((HERE / "contact").glob("*.yaml")), *sorted((HERE / "unlearned").glob("*.yaml"))]


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence and what came of it; ``named`` is None where nothing is to be acted on or read."""

    said: Scenario
    faults: tuple[str, ...]
    wrong_act: bool
    one_yes_away: bool
    silent: bool
    named: bool | None

    @property
    def to_be_done(self) -> bool:
        """Whether something is to be done, at once or after a yes."""
        return bool(_decisions(self.said) & DOING)


def judged(said: Scenario) -> Judged:
    """The sentence, answered."""
    try:
        wrong = faults(said)
    except AssertionError as error:  # the home has no such thing as the expectation names
        wrong = [str(error)]
    got = answered(said)
    asked = isinstance(got.verdict, Confirm) and "calls" in said.expect
    return Judged(
        said,
        tuple(wrong),
        bool(wrong) and acted_wrongly(said),
        not wrong or (asked and all(fault.startswith("decision:") for fault in wrong)),
        isinstance(got.verdict, Nothing) and bool(_decisions(said)) and "none" not in _decisions(said),
        _named(said, got),
    )


def _named(said: Scenario, got: Retrieval) -> bool | None:
    things = [
        row if isinstance(row, str) else row[0] for k in ("calls", "reads") for row in said.expect.get(k, ())
    ]
    if not things:
        return None
    briefing = got.briefing
    shown = {section.name for section in briefing.sections} | set(briefing.offered)
    shown |= {call.device_id for call in named_calls(got.verdict)}
    shown |= {read.device_id for read in getattr(got.verdict, "reads", ())}
    return {_id(said, thing) for thing in things} <= shown


def acted_wrongly(said: Scenario, answer: Retrieval | None = None) -> bool:
    """Whether something was done at once that was not to be done; what was left undone is another fault."""
    verdict = (answer or answered(said)).verdict
    if not isinstance(verdict, Act) or not verdict.calls:
        return False
    if "act" not in _decisions(said):
        return True
    wanted = {(_id(said, row[0]), command) for row in said.expect["calls"] for command in row[1].split(" | ")}
    done = {(call.device_id, call.command_id) for call in verdict.calls}
    return not done <= wanted or any("call too many" in fault for fault in faults(said, answer))


def figures(rows: Sequence[Judged]) -> dict[str, float | int]:
    """The figures in percent, and of how many sentences."""
    doing = [row for row in rows if row.to_be_done]
    return {
        "sentences": len(rows),
        "exact": _percent(not row.faults for row in rows),
        "to be done": len(doing),
        "completed": _percent(not row.faults for row in doing),
        "wrong acts": _percent(row.wrong_act for row in rows),
        "one yes away": _percent(row.one_yes_away for row in rows),
        "silent": _percent(row.silent for row in doing),
        "in the text": _percent(row.named for row in rows if row.named is not None),
    }


def _id(said: Scenario, named: str) -> str:
    try:
        return device_id(named, home(said.home))
    except AssertionError:
        return named


def _decisions(said: Scenario) -> set[str]:
    return set(said.expect["decision"].split(" | "))


def _percent(held: Iterable[bool]) -> float:
    found = list(held)
    return round(100 * sum(found) / max(1, len(found)), 1)


def main() -> None:
    """Print the figures of each file, with ``--show`` what was wrong, and ``--keep`` them."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("files", nargs="*", type=Path)
    asked.add_argument("--show", action="store_true", help="print every fault with how it was read")
    asked.add_argument("--keep", default="", help="keep the figures under this brief")
    given = asked.parse_args()
    now: dict[str, dict[str, float | int]] = {}
    for file in given.files or WRITTEN:
        rows = [judged(said) for said in read(file)]
        now[file.stem] = figures(rows)
        print(file.stem, json.dumps(now[file.stem]))
        if given.show:
            print("\n".join(_shown(row) for row in rows if row.faults))
        if given.keep:
            _keep(file, rows, given.keep)
    if not given.files:
        places.keep("contacts", now)


def _shown(row: Judged) -> str:
    mark = " WRONG ACT" if row.wrong_act else ""
    return "\n  ".join([f"{row.said.id}{mark}", *row.faults, explained(row.said)])


def _keep(file: Path, rows: Sequence[Judged], brief: str) -> None:
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else []
    homes = sorted({row.said.home for row in rows})
    entry = {"file": file.stem, "date": datetime.now(UTC).date().isoformat(), "homes": homes, "brief": brief}
    KEPT.write_text(
        json.dumps([*known, {**entry, **figures(rows)}], indent=1, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
