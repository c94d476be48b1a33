"""Carry out every order that was understood, on a simulated home, and look what it did there.

    python -m benchmarks.acting                        # every row; then 20 % of the devices fail
    python -m benchmarks.acting --sample 100           # of each file
    python -m benchmarks.acting --faults 0.4 --seeds 8 # more of it

The rows are those that expect an act and that the verdict gets right. What they should change is told twice:
by ``acting.yaml``, which knows commands and attributes and nothing of the program, and by the expected calls
given to a second simulated home. Waiting takes no time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import places, tables
from benchmarks.deeds import Row, does, matching, near, spelled
from benchmarks.evaluation.cases import DeviceCase, case_files, device_case, read_cases
from benchmarks.evaluation.devices import DevicePredictor, prediction
from benchmarks.scoring import exact, paired
from winnow import __version__
from winnow.act.effects.expected import consequences
from winnow.act.effects.thing import repeatable
from winnow.adapters.platforms.simulated.home import Faults
from winnow.adapters.testing.fakes import run_at_once
from winnow.app.wiring.engine import simulated_copy
from winnow.engine.engine import Engine
from winnow.language.tables import parse_yaml
from winnow.types.home import HomeView
from winnow.types.receipt import Outcome, Receipt
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Act, Call

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8"))


@dataclass(slots=True)
class Figures:
    """Of one file."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Ids of rows whose state is not as it should be."""


@dataclass(frozen=True, slots=True)
class Done:
    """One row, carried out."""

    row: Row
    view: HomeView
    calls: tuple[Call, ...]
    receipt: Receipt
    before: Snapshot
    after: Snapshot
    executed: tuple[Call, ...]

    @property
    def calls_by_name(self) -> dict[str, Call]:
        """The calls, each once."""
        return {repr(call): call for call in self.calls}


async def carried_out(engine: Engine, case: DeviceCase, row: Row, share: float, seed: int) -> Done | None:
    """What came of a row; None where the verdict was no act, or not the right one."""
    scope = Scope(engine.policy.tenant, home=case.home)
    before = await engine.states.read(scope)
    found = await engine.retrieve(case.utterance)
    if not isinstance(found.verdict, Act) or not exact(paired(row, prediction(found, 0.0))):
        return None
    opened = await engine.homes.load_named(found.scope)
    copy = simulated_copy(opened.home, before, Faults(share, seed))
    engine.acting.actuator = copy
    receipt = await engine.act(found)
    executed = tuple(copy.executed)
    after = await copy.read(found.scope)
    return Done(row, opened.view, found.verdict.calls, receipt, before, after, executed)


# what should have changed


def gold_lists(done: Done) -> Iterator[Sequence[Row]]:
    """The lists of calls that are right and that these are."""
    expect = done.row["expect"]
    made = [{"device": c.device_id, "command": c.command_id, "args": dict(c.arguments)} for c in done.calls]
    for calls in [expect["calls"], *(expect.get("alternatives") or ())]:
        did, unwanted = matching(made, calls, expect.get("optional") or ())
        if calls and did == len(calls) and not unwanted:
            yield calls


def chosen(wanted: Row, done: Done) -> Call | None:
    """The call that does what is wanted; None where none does."""
    made = (
        (c, {"device": c.device_id, "command": c.command_id, "args": dict(c.arguments)}) for c in done.calls
    )
    return next((call for call, row in made if does(row, wanted)), None)


def told(wanted: Row, done: Done) -> dict[str, Any] | None:
    """How an expected call shows, by the table: attribute -> value; None where it is not in it."""
    call = chosen(wanted, done)
    commands = [call.command_id] if call and call.command_id in wanted["commands"] else wanted["commands"]
    return next((way for c in commands if (way := _way(wanted, c, done.view)) is not None), None)


def _way(wanted: Row, command: str, view: HomeView) -> dict[str, Any] | None:
    source = view.home.source
    name, args = spelled(wanted["device"], command, wanted.get("args"))
    component, _, rest = name.partition("-") if source == "smartthings" else ("", "", name)
    known = TABLE[source].get(rest)
    if not known:
        return None
    values = {_full(component, a): _value(v, args) for a, v in known.items()}
    more = TABLE["arguments"].get(rest, {}) if source == "homeassistant" else {}
    for argument, attribute in more.items():
        if argument in args:
            percent = argument == "brightness_pct"
            values[attribute] = float(args[argument]) * 2.55 if percent else args[argument]
    return None if None in values.values() or set(args) & {"step", "direction"} else values


def _full(component: str, attribute: str) -> str:
    return f"{component}-{attribute}" if component else attribute


def _value(value: object, args: Mapping[str, Any]) -> Any:
    if value == "$":
        return next(iter(args.values()), None) if len(args) == 1 else None
    return args.get(value[1:]) if isinstance(value, str) and value.startswith("$") else value


def shows(way: Mapping[str, Any], states: Mapping[str, Any]) -> bool:
    """Whether the device tells all of it, of what it tells at all."""
    return all(_same(value, states[name], name) for name, value in way.items() if name in states)


def _same(wanted: Any, now: Any, name: str) -> bool:
    return (
        abs(wanted - now) <= 2.6 if name == "brightness" and not isinstance(now, str) else near(wanted, now)
    )


def second(done: Done, calls: Sequence[Row]) -> Snapshot | None:
    """The home after the expected calls; None where they cannot be given to it as they are written."""
    states = {i: dict(v) for i, v in done.before.values.items()}
    for wanted in calls:
        if wanted["device"] in done.view.scenes:
            continue
        call = _mine(wanted, done)
        if call is None:
            return None
        profile = done.view.profile(call.device_id)
        states.setdefault(call.device_id, {}).update(
            consequences(call, profile, states.get(call.device_id, {}))
        )
    return Snapshot(states)


def _mine(wanted: Row, done: Done) -> Call | None:
    """The expected call in the home's own spelling, what is left open as it was called; None without one."""
    call = chosen(wanted, done)
    args = dict(wanted.get("args") or {})
    if call is None or set(args) & {"step", "direction"}:
        return None
    if len(args) == len(call.arguments) == 1:
        args = dict(zip(call.arguments, args.values(), strict=True))
    name, args = spelled(wanted["device"], call.command_id, {**call.arguments, **args})
    has = {c.id for c in done.view.profile(wanted["device"]).commands}
    return Call(wanted["device"], name, args) if name in has else None


def count_state(done: Done, figures: Figures) -> None:
    """Count whether the home is as the expected calls make it."""
    figures.counts["acted"] += 1
    lists = list(gold_lists(done))
    by_table = [_by_table(done, calls) for calls in lists]
    by_home = [_by_home(done, calls) for calls in lists]
    figures.counts["by table"] += any(found is not None for found in by_table)
    figures.counts["by home"] += any(found is not None for found in by_home)
    judged = [f for f in (*by_table, *by_home) if f is not None]
    if not judged:
        figures.counts["unjudged"] += 1
    elif any(found is not None and found for found in by_table) or (
        all(found is None for found in by_table) and any(by_home)
    ):
        figures.counts["equal"] += 1
    else:
        figures.wrong.append(str(done.row["id"]))
    figures.counts["home equal"] += any(found is True for found in by_home)


def _by_table(done: Done, calls: Sequence[Row]) -> bool | None:
    """Whether all expected calls show as the table says, one after the other; None where one is not in it."""
    ways = [told(wanted, done) for wanted in calls]
    things: dict[str, dict[str, Any]] = {}
    for wanted, way in zip(calls, ways, strict=True):
        if way is None:
            return None
        things.setdefault(wanted["device"], {}).update(way)
    return all(shows(way, done.after.of(i)) for i, way in things.items())


def _by_home(done: Done, calls: Sequence[Row]) -> bool | None:
    """Whether every device they are about is as in a second home; None where that cannot be made."""
    other = second(done, calls)
    if other is None:
        return None
    things = {wanted["device"] for wanted in calls}
    return all(
        _same(value, done.after.value(i, name), name) for i in things for name, value in other.of(i).items()
    )


# what is told of it when devices fail


def count_faults(done: Done, figures: Figures) -> None:
    """Count what was done twice, what was told of it that is not so, and what is not told."""
    counts, ran = figures.counts, Counter(map(repr, done.executed))
    by_call = {repr(o.call): o for o in done.receipt.outcomes}
    refused = {i for refusal in done.receipt.refused for i in refusal.device_ids}
    counts["rows"] += 1
    for call in dict.fromkeys(done.calls_by_name):
        outcome = by_call.get(call)
        counts["calls"] += 1
        if outcome is None:
            counts["not done"] += 1
            counts["named" if done.calls_by_name[call].device_id in refused else "unnamed"] += 1
            continue
        again = outcome.call.device_id in done.view.devices and repeatable(
            outcome.call, done.view.profile(outcome.call.device_id)
        )
        counts["set again" if again else "twice"] += max(0, ran[call] - 1)
        is_so = ran[call] > 0 or _was_so(outcome, done)
        counts["false done"] += outcome.status == "done" and not is_so
        if not is_so:
            counts["not done"] += 1
            counts["named" if outcome.code else "untold" if outcome.status == "sent" else "unnamed"] += 1


def _was_so(outcome: Outcome, done: Done) -> bool:
    """Whether the device was that way already."""
    call = outcome.call
    if call.device_id not in done.view.devices:
        return False
    now = done.before.of(call.device_id)
    changes = consequences(call, done.view.profile(call.device_id), now)
    told_of = {name: value for name, value in changes.items() if now.get(name) is not None}
    return bool(told_of) and told_of.items() <= now.items()


# all of it


async def file_figures(
    cases: Sequence[tuple[DeviceCase, Row]],
    homes: DevicePredictor,
    share: float,
    seeds: Sequence[int],
    tick: Any,
) -> tuple[Figures, Figures]:
    """Of one file: the states without faults, and what was told with them."""
    states, faulty = Figures(), Figures()
    for case, row in cases:
        engine = homes.engine(case)
        done = await carried_out(engine, case, row, 0.0, 0)
        if done is not None:
            count_state(done, states)
            for seed in seeds:
                if failed := await carried_out(engine, case, row, share, seed):
                    count_faults(failed, faulty)
        tick()
    return states, faulty


def rows_of(path: Path, sample: int, seed: int = 0) -> list[tuple[DeviceCase, Row]]:
    """The rows that expect an act, or so many of them."""
    rows: dict[str, Row] = {str(r["id"]): r for r in places.rows(path) if r["expect"]["decision"] == "act"}
    found = [(case, rows[case.id]) for case in read_cases(path, device_case) if case.id in rows]
    return sorted(random.Random(seed).sample(found, sample), key=str) if 0 < sample < len(found) else found


def main(argv: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--faults", type=float, default=0.2)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--only", default="")
    asked = options.parse_args(argv)
    from rich.progress import Progress

    found: dict[str, Any] = {}
    sources = [
        (places.DATA, places.HOMES),
        (places.further() / "dev" / "devices", places.further() / "homes"),
    ]
    seen: set[str] = set()
    with Progress() as progress:
        for folder, homes in sources:
            for path in case_files(folder) if folder.is_dir() else ():
                if path.name in seen or asked.only not in path.name:
                    continue
                seen.add(path.name)
                cases = rows_of(path, asked.sample)
                if not cases:
                    continue
                task = progress.add_task(path.stem, total=len(cases))
                made = file_figures(
                    cases,
                    DevicePredictor(homes),
                    asked.faults,
                    range(asked.seeds),
                    lambda t=task: progress.advance(t),
                )
                states, faulty = run_at_once(made)
                found[path.stem] = {
                    "rows": len(cases),
                    "states": dict(states.counts),
                    "wrong": states.wrong,
                    "faults": dict(faulty.counts),
                }
    print(tables.acting(found, asked.faults, asked.seeds))
    if asked.only:
        return
    places.keep(
        "acting", {"winnow": __version__, "share": asked.faults, "seeds": asked.seeds, "files": found}
    )


if __name__ == "__main__":
    main()
