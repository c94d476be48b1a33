"""The mis-control suite: sentences whose danger is acting wrongly, and what is allowed on each.

A file is one class of danger: home -> list of sentences::

    home40:
    - {say: 别去碰显示器, want: none}
    - {say: 那一盏也关掉, after: [打开次卧的灯, 好了], want: act | clarify, may: {off: 次卧/吸顶灯}}

``want`` is the preferred decision (several with ``|``). ``may`` is what acting may do: a verb of
``verbs.yaml``, with a value if it takes one (``level 30``), and its devices: ``room/name``, a name, or a set
of ``sets.yaml``, joined by ``+`` and ``-``; what ends in ``~`` may be left out. Without ``may`` nothing may
be done. ``after`` is the talk before, in turns, user first. ``pending: true`` marks what still acts wrongly.
``python -m tests.scenarios.careful.judge`` tells what is wrong, what is answered otherwise than preferred,
and which pending sentences are right by now.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.homes import engine, home
from tests.scenarios.runner import DECISIONS, _equal, device_id

from winnow.language.tables import parse_yaml
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Call, Verdict, named_calls

HERE = Path(__file__).parent
_TABLES = ("sets.yaml", "verbs.yaml")
_FIELDS = {"say", "room", "after", "want", "may", "why", "pending"}
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """One sentence, and what is allowed on it."""

    kind: str
    number: int
    home: str
    said: Utterance
    want: tuple[str, ...]
    may: Mapping[str, str] = field(default_factory=dict, hash=False)
    pending: bool = False

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.number}-{self.said.text[:30]}"


@lru_cache(maxsize=2)
def table(name: str) -> Any:
    """One of the tables beside the sentences."""
    return parse_yaml((HERE / name).read_text("utf-8"))


def cases() -> list[Case]:
    """Every sentence of the suite."""
    files = sorted(p for p in HERE.glob("*.yaml") if p.name not in _TABLES)
    return [case for path in files for case in read(path)]


def read(path: Path) -> list[Case]:
    """The sentences of one file."""
    homes = parse_yaml(path.read_text("utf-8"))
    rows = [(name, row) for name, rows in homes.items() for row in rows]
    return [_case(path.stem, number, name, row) for number, (name, row) in enumerate(rows, 1)]


def _case(kind: str, number: int, where: str, row: dict[str, Any]) -> Case:
    assert set(row) <= _FIELDS, f"{kind}-{number}: unknown fields {set(row) - _FIELDS}"
    turns = tuple(Turn("assistant" if i % 2 else "user", text) for i, text in enumerate(row.get("after", ())))
    said = Utterance(row["say"], room=row.get("room"), history=turns)
    want = tuple(row["want"].split(" | "))
    assert set(want) <= set(DECISIONS.values()), f"{kind}-{number}: no such decision: {want}"
    assert row.get("may") or "act" not in want, f"{kind}-{number}: acting is wanted, but nothing may be done"
    return Case(kind, number, where, said, want, row.get("may", {}), row.get("pending", False))


@lru_cache(maxsize=2048)
def verdict(case: Case) -> Verdict:
    """What the engine makes of the sentence."""
    return engine(case.home).sync.retrieve(case.said).verdict


def wrong(case: Case) -> list[str]:
    """Every call that would be made and must not be, one line each."""
    got = verdict(case)
    if DECISIONS[type(got)] != "act":
        return []
    return [f"must not be done: {told(c, case)}" for c in named_calls(got) if not _allowed(c, case)]


def complete(case: Case) -> bool:
    """Whether the preferred decision was taken, and done in full when it was to act.

    A refusal is as good as doing nothing.
    """
    got = verdict(case)
    decision = DECISIONS[type(got)]
    wanted = {*case.want, "reject"} if "none" in case.want else {*case.want}
    if decision not in wanted or wrong(case):
        return False
    calls: tuple[Call, ...] = named_calls(got)
    if decision == "act":
        return {one for _, one in _pairs(case, needed=True)} <= {c.device_id for c in calls}
    return decision != "confirm" or all(_allowed(c, case) for c in calls) or not case.may


def told(call: Call, case: Case) -> str:
    """A call in words."""
    where = home(case.home)
    rooms = {r.id: r.name for r in where.rooms}
    names = {d.id: f"{rooms.get(d.room_id or '', '')}/{d.name}" for d in where.devices} | {
        s.id: s.name for s in where.scenes
    }
    return (
        f"{names.get(call.device_id, call.device_id)} {call.command_id} {dict(call.arguments) or ''}".strip()
    )


def _allowed(call: Call, case: Case) -> bool:
    return any(call.device_id == one and _does(call, verb) for verb, one in _pairs(case, needed=False))


@lru_cache(maxsize=4096)
def _pairs(case: Case, needed: bool) -> Pairs:
    return frozenset(
        (verb, one) for verb, text in case.may.items() for one in devices(text, case.home, needed)
    )


def devices(text: str, where: str, needed: bool) -> frozenset[str]:
    """Ids of the devices an expression of ``may`` names; ``needed`` leaves out those marked ``~``."""
    found: set[str] = set()
    adding = True
    for term in text.replace(" + ", "\x00+").replace(" - ", "\x00-").split("\x00"):
        adding = not term.startswith("-")
        ids = _term(term.lstrip("+-"), where, needed and adding)
        found = found | ids if adding else found - ids
    return frozenset(found)


def _term(term: str, where: str, needed: bool) -> set[str]:
    if term.endswith("~"):
        return set() if needed else _term(term[:-1], where, needed)
    name, _, place = term.partition("@")
    listed = table("sets.yaml")[where].get(name)
    if listed is None:
        return _ids([term], where, needed)
    return {i for i in _ids(listed, where, needed) if not place or place in _places(i, where)}


def _ids(names: Iterable[str], where: str, needed: bool) -> set[str]:
    return {device_id(n.rstrip("~"), home(where)) for n in names if not (needed and n.endswith("~"))}


@lru_cache(maxsize=512)
def _places(device: str, where: str) -> frozenset[str]:
    at = home(where)
    room = next(r for d in at.devices if d.id == device for r in at.rooms if r.id == d.room_id)
    return frozenset({room.name, *(f.name for f in at.floors if f.id == room.floor_id)})


def _does(call: Call, verb: str) -> bool:
    name, _, value = verb.partition(" ")
    return any(
        fnmatch.fnmatchcase(call.command_id, row[0]) and _fits(call, row[1:], value)
        for row in table("verbs.yaml")[name]
    )


def _fits(call: Call, rest: list[Any], value: str) -> bool:
    """Whether the arguments are what the verb says.

    None, the value written in the table, or the value said (``=``).
    """
    got = list(call.arguments.values())
    if not rest:
        return not got
    wanted = _value(value) if rest[0] == "=" and value else rest[0]
    if wanted in ("=", "any"):
        return True
    if isinstance(wanted, dict):
        return got != [wanted["not"]]
    return len(got) == 1 and _equal(got[0], wanted)


def _value(text: str) -> Any:
    """``30``, ``[30, 33]``, ``> 30`` or a word."""
    return text if text[0] in "<>" else parse_yaml(text)


def main() -> None:
    """Tell what acts wrongly, what is answered otherwise than preferred, and what is right by now."""
    for case in cases():
        faults = wrong(case)
        if faults or case.pending:
            print(
                "WRONG" if faults else "RIGHT NOW",
                case.id,
                case.home,
                *faults,
                sep="\n    " if faults else "  ",
            )
        elif not complete(case):
            print(
                "otherwise",
                case.id,
                case.home,
                f"wanted {' | '.join(case.want)}, got {DECISIONS[type(verdict(case))]}",
                sep="  ",
            )


if __name__ == "__main__":
    main()
