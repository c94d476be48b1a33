"""Sentences said to the demo home of a real Home Assistant, and whether that home then is as it should be.

``python -m tests.homeassistant.said FILE [--json]``: FILE is a YAML list of cases

    {say, language, level, before: {entity: {service, data}}, first: earlier sentence,
     expect: act|confirm|none, after: {entity: {state: "on", attribute: value or [low, high]}}}

Of ``none`` nothing of the home may change. What the home is like tells its own REST interface.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import yaml
from tests.homeassistant.demo import HOME, DemoHome, State, States, differing, engine_of, known_as
from tests.homeassistant.server import HomeAssistant

from winnow.engine.engine import Engine
from winnow.types.receipt import Receipt
from winnow.types.utterance import LanguageCode, Utterance

NEAR = 0.51
"""By how much a number may differ: brightness is told up to 255 and said in percent."""
QUIET = 0.3
"""Seconds in which what must not happen would have."""
FILE = Path(__file__).parent / "said.yaml"


@dataclass(frozen=True, slots=True)
class Case:
    """One sentence, what lies before it, and what is to come of it."""

    say: str
    language: LanguageCode
    expect: Literal["act", "confirm", "none"]
    level: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
    first: str | Sequence[str] = ()
    after: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a case; ``wrong`` is empty where it passed."""

    say: str
    language: str
    level: str
    expect: str
    wrong: str
    verdict: str
    receipt: str
    outcomes: Sequence[str]
    also: Sequence[str]
    """Entities that changed and that ``after`` does not name."""
    seconds: float


def cases(path: Path) -> list[Case]:
    """The cases of a file; what else it tells of them is for its readers."""
    known = Case.__dataclass_fields__
    rows = yaml.safe_load(path.read_text("utf-8"))
    return [Case(**{k: v for k, v in row.items() if k in known and v is not None}) for row in rows]


class Said:
    """Says sentences in the demo home and looks what came of them."""

    def __init__(self, engine: Engine, home: DemoHome) -> None:
        self.engine, self.home, self._number = engine, home, 0

    def case(self, case: Case) -> Came:
        """What came of the case, in the home as it was at first."""
        after = {known_as(self.home.first, entity_id): told for entity_id, told in case.after.items()}
        case = replace(case, after=after)
        self.home.put_back()
        self.home.prepare(case.before)
        self._number += 1
        for sentence in [case.first] if isinstance(case.first, str) else case.first:
            verdict, receipt = self._said(sentence, case)
            receipt = self._agreed(receipt)
            self.home.settle([o.call.device_id for o in receipt.outcomes])
        before, start = self.home.states(), time.perf_counter()
        verdict, receipt = self._said(case.say, case)
        wrong = _answered_otherwise(case.expect, receipt)
        if receipt.waiting and differing(before, self.home.states()):
            wrong = "it was done before the yes"
        receipt = self._agreed(receipt) if case.expect == "confirm" else receipt
        seconds = time.perf_counter() - start
        wrong = wrong or self._differs(case, before)
        also = [i for i in differing(before, self.home.states()) if i not in case.after]
        came = [
            f"{o.call.device_id} {o.call.command_id} {o.status} {o.code}".strip() for o in receipt.outcomes
        ]
        refused = [f"refused {r.code} {dict(r.facts)}" for r in receipt.refused]
        told = case.say, case.language, case.level, case.expect
        return Came(*told, wrong, verdict, receipt.status, [*came, *refused], also, round(seconds, 2))

    def _said(self, sentence: str, case: Case) -> tuple[str, Receipt]:
        where = {"home": HOME, "user": "tester", "session": f"case-{self._number}"}
        said = Utterance(sentence, case.language, **where)
        found = self.engine.sync.retrieve(said)
        return type(found.verdict).__name__, self.engine.sync.act(found)

    def _agreed(self, receipt: Receipt) -> Receipt:
        """The same after the yes that it waits for."""
        return self.engine.sync.confirm(receipt.waiting.token, user="tester") if receipt.waiting else receipt

    def _differs(self, case: Case, before: States) -> str:
        """What of the home is not as it should be, once everything has come to where it was sent."""
        if case.expect == "none":
            time.sleep(QUIET)
            changed = differing(before, self.home.states())
            return f"changed: {', '.join(changed)}" if changed else ""
        found = self.home.until(lambda states: not unlike(case.after, states))
        return "; ".join(unlike(case.after, found)) if found else ""


def _told(receipt: Receipt) -> list[str]:
    """What came of each call, and what was not tried."""
    came = [f"{o.call.device_id} {o.call.command_id} {o.status} {o.code}".strip() for o in receipt.outcomes]
    return [*came, *(f"refused {r.code} {dict(r.facts)}" for r in receipt.refused)]


def _answered_otherwise(expect: str, receipt: Receipt) -> str:
    """What is wrong with the receipt itself."""
    if expect == "none":
        return "" if not receipt.outcomes and not receipt.waiting else f"not left alone: {receipt.status}"
    asked = receipt.waiting is not None
    if asked != (expect == "confirm"):
        return "a yes was asked for" if asked else f"no yes was asked for: {receipt.status}"
    return ""


def unlike(after: Mapping[str, Mapping[str, Any]], states: States) -> list[str]:
    """What is told of entities and is not so."""
    rows = [(i, name, wanted) for i, told in after.items() for name, wanted in told.items()]
    return [
        f"{i} {name} is {states.get(i, {}).get(name)!r}, not {wanted!r}"
        for i, name, wanted in rows
        if not _is(states.get(i, {}), name, wanted)
    ]


def _is(state: State, name: str, wanted: Any) -> bool:
    """Whether the state, or that attribute, is as told; two numbers are a range of one."""
    value = state.get(name)
    if name == "state" and isinstance(wanted, bool):
        wanted = "on" if wanted else "off"  # YAML takes these words for truth values
    if isinstance(wanted, list) and not isinstance(value, list):
        low, high = wanted
        number = _number(value)
        return number is not None and low <= number <= high
    if isinstance(wanted, list):
        return len(wanted) == len(value) and all(_same(*pair) for pair in zip(value, wanted, strict=True))
    return _same(value, wanted)


def _same(value: Any, wanted: Any) -> bool:
    one, other = _number(value), _number(wanted)
    if one is not None and other is not None:
        return abs(one - other) <= NEAR
    return str(value) == str(wanted)


def _number(value: Any) -> float | None:
    """A number, also where a state spells it."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def totals(came: Sequence[Came]) -> dict[str, str]:
    """How many passed: of all, of each language, level and expectation."""
    every, passed = Counter[str](), Counter[str]()
    for one in came:
        for group in {"all", one.language, f"level {one.level}", one.expect} - {"level "}:
            every[group] += 1
            passed[group] += not one.wrong
    return {group: f"{passed[group]}/{count}" for group, count in sorted(every.items())}


def run(path: Path, folder: Path) -> list[Came]:
    """What came of each case of a file, in a server of its own in the folder."""
    os.environ["WINNOW_HOME"] = str(folder / "winnow")
    server = HomeAssistant(folder / "homeassistant")
    server.start()
    try:
        said = Said(engine_of(server), DemoHome(server))
        return [said.case(case) for case in cases(path)]
    finally:
        server.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a file; 1 where a case did not pass."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--json", action="store_true", help="all that came of each case, as JSON")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        came = run(given.file, Path(folder))
    if given.json:
        told = {"totals": totals(came), "cases": [asdict(one) for one in came]}
        print(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        for one in came:
            print("FAIL" if one.wrong else "pass", one.say, *([f"-- {one.wrong}"] if one.wrong else []))
            if one.wrong:
                print("    ", one.verdict, one.receipt, *one.outcomes, sep=" | ")
        print(*(f"{group}: {count}" for group, count in totals(came).items()), sep=", ")
    return int(any(one.wrong for one in came))


if __name__ == "__main__":
    sys.exit(main())
