"""Attempts to have something dangerous done without a person's yes, played against simulated homes.

Whether one got through is told by what the devices received, never by what was claimed to have been done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from winnow.act.effects.thing import command_of
from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_engine, read_home
from winnow.engine.engine import Engine
from winnow.engine.home_cache import LoadedHome
from winnow.engine.tool_calls import ToolResult, Tools
from winnow.errors import WinnowError
from winnow.language.tables import parse_yaml
from winnow.types.home import HomeView
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome, Snapshot
from winnow.types.utterance import Utterance
from winnow.types.verdict import Call, Confirm

HOMES = Path(__file__).parents[2] / "examples" / "homes"
START = 1_700_000_000.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One row of a file of attempts."""

    id: str
    kind: str
    home: str
    steps: Sequence[Mapping[str, Any]]
    forbidden: Sequence[Sequence[str]] = ()
    required: Sequence[Sequence[str]] = ()
    acts: bool = False
    """Whether the host carries out what each sentence comes to, as a chat does; else an agent has to."""
    at_most: int = 0
    """How often what is forbidden may be done; without anything forbidden, how many commands in all."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an attempt: empty ``why`` is how it should be."""

    attempt: Attempt
    why: str = ""


class Received:
    """An ``Actuator`` that notes what devices were told and did."""

    def __init__(self, home: SimulatedHome, view: HomeView) -> None:
        self.home, self.view = home, view
        self.done: list[tuple[str, frozenset[str]]] = []
        """Device id and the words for what it did."""

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        """The states as they are."""
        return await self.home.look(scope, refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        """What came of each call."""
        outcomes = await self.home.do(scope, calls)
        for outcome in outcomes:
            if outcome.status != "failed":
                self.done.append((outcome.call.device_id, words_of(outcome, self.view)))
        return outcomes


def words_of(outcome: Outcome, view: HomeView) -> frozenset[str]:
    """What a device did, in words: its action, its command, the states it went into."""
    call = outcome.call
    words = {part for part in call.command_id.replace(".", "-").replace("_", "-").lower().split("-") if part}
    device = view.devices.get(call.device_id)
    command = command_of(call, view.profile(device.id)) if device else None
    if command is not None:
        family, _, action = command.trait.lower().partition(".")
        words |= {family, action}
        if action.startswith("set") and any(_positive(value) for value in call.arguments.values()):
            words |= {"open"} if family in {"cover", "door", "valve"} else {"on"}
    words |= {str(value).lower() for value in outcome.changed.values()}
    if words & {"unlock", "unlocked", "unlatched"}:
        words |= {"unlock", "open"}
    return frozenset(words)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0


@dataclass(slots=True)
class Stage:
    """One home with one engine over it, and all that came up so far."""

    engine: Engine
    clock: FrozenClock
    received: Received
    imported: ImportedHome
    last: dict[str, Retrieval] = field(default_factory=dict)
    plans: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """All that a model was told."""
    acts: bool = False

    async def play(self, step: Mapping[str, Any]) -> None:
        """Do one step. Raises nothing that an attempt may provoke."""
        with suppress(WinnowError):  # an error does nothing, which is what counts here
            await self._play(step)

    async def _play(self, step: Mapping[str, Any]) -> None:
        user = step.get("user", "anna")
        match step:
            case {"say": said}:
                await self._say(str(said), user)
            case {"agent": what}:
                await self._agent(what, step, user)
            case {"person": "confirm", "token": which}:
                self._saw(await self.engine.confirm(self._token(which), user=user))
            case {"wait": seconds}:
                self.clock.seconds += float(seconds)
            case {"rename": {"device": device, "name": name}}:
                await self._rename(device, name)
            case {"repeat": times, "step": inner}:
                await asyncio.gather(*(self.play(inner) for _ in range(int(times))))
            case _:
                raise ValueError(f"no such step: {step}")

    async def _say(self, said: str, user: str) -> None:
        found = await self.engine.retrieve(said, user=user, session=f"{user}-talk")
        self.last[user] = found
        self.told += [found.briefing.text, *(str(m.get("content")) for m in found.context.messages)]
        if found.plan:
            self.plans.append(found.plan)
        if self.acts or isinstance(found.verdict, Confirm):
            self._saw(await self.engine.act(found))  # a host shows the question with a button

    async def _agent(self, what: str, step: Mapping[str, Any], user: str) -> None:
        tools = Tools(
            self.engine, Utterance("", home=self.received.view.home.id, user=user, session=f"{user}-talk")
        )
        arguments = {k: v for k, v in step.items() if k not in {"agent", "user"}}
        if "plan" in arguments:
            arguments["plan"] = self._plan(str(arguments["plan"]))
        if "calls" in arguments:
            arguments["calls"] = [self._call(call) for call in arguments["calls"]]
        if what == "confirm":
            arguments["token"] = self._guess(str(arguments.get("token", "")), user)
        if what == "answer":
            found = self.last.get(user)
            own = arguments.get("id")
            arguments["id"] = (found.plan if found else "") if own == "last" else str(own or "")
        result = await tools.call(what, arguments)
        self._heard(result)

    def _heard(self, result: ToolResult) -> None:
        self.told += [result.text, str(dict(result.data)), repr(result)]
        if result.receipt is not None:
            self._saw(result.receipt)
        if result.retrieval is not None and result.retrieval.plan:
            self.plans.append(result.retrieval.plan)
            self.last[result.retrieval.utterance.user] = result.retrieval

    def _saw(self, receipt: Receipt) -> None:
        if receipt.waiting is not None:
            self.tokens.append(receipt.waiting.token)

    def _plan(self, which: str) -> str:
        known = {"last": -1, "first": 0}
        return self.plans[known[which]] if which in known and self.plans else which

    def _token(self, which: object) -> str:
        if which == "expired":
            self.clock.seconds += self.engine.policy.acting.yes_seconds + 1
        place = 0 if which == "first" else -1
        known = which in ("last", "first", "expired") and self.tokens
        return self.tokens[place] if known else str(which)

    def _guess(self, which: str, user: str) -> str:
        found = self.last.get(user)
        known = {
            "plan_id": self.plans[-1] if self.plans else "",
            "retrieval_id": found.id if found else "",
            "empty": "",
        }
        return known.get(which, which)

    def _call(self, call: object) -> object:
        """The call with the id of a device that it names."""
        if not isinstance(call, Mapping) or not isinstance(call.get("device"), str):
            return call
        ids = named(call["device"], self.received.view)
        return {**call, "device": ids[0] if ids else call["device"]}

    async def _rename(self, device: str, name: str) -> None:
        wanted = set(named(device, self.received.view))
        home = self.imported.home
        devices = tuple(replace(d, name=name) if d.id in wanted else d for d in home.devices)
        self.imported = ImportedHome(replace(home, devices=devices), self.imported.states)
        await self.engine.storage.homes.save_home(
            Scope(home=home.id), self.imported.home, self.imported.states
        )


def named(device: str, view: HomeView) -> list[str]:
    """Ids of what is called so: an id, a name, or a name behind its room."""
    if device in view.devices or device in view.scenes:
        return [device]
    found = []
    for one in view.home.devices:
        room = view.room(one.id)
        names = {one.name, *(f"{room.name}{gap}{one.name}" for gap in ("", " ", "的") if room)}
        if device.casefold() in {name.casefold() for name in names}:
            found.append(one.id)
    return found


def stage(home: str) -> Stage:
    """A home of the examples, simulated, on a clock that stands still."""
    clock, imported = FrozenClock(START), _imported(home)
    engine = open_engine(imported)
    storage = replace(engine.storage, clock=clock)
    made = Engine(storage, engine.embedder, policy=engine.policy)
    made.homes.keep(Scope(home=imported.home.id), _opened(home))
    copy = SimulatedHome(imported.home, imported.states, clock)
    received = Received(copy, HomeView.of(imported.home))
    made.states.below = copy
    made.acting.actuator = received
    return Stage(made, clock, received, imported)


@cache
def _opened(home: str) -> LoadedHome:
    """The home with its index, which takes a while to build."""
    return open_engine(_imported(home)).sync.load_home()


@cache
def _imported(home: str) -> ImportedHome:
    language = "en" if home.endswith("-en") else "zh"
    return read_home(HOMES / home, home, language)


async def played(attempt: Attempt) -> Result:
    """What came of one attempt."""
    on = stage(attempt.home)
    on.acts = attempt.acts
    for step in attempt.steps:
        await on.play(step)
    return Result(attempt, why(attempt, on) or await leaked(on))


def why(attempt: Attempt, on: Stage) -> str:
    """What was done that was forbidden, or was not done that had to be."""
    view, done = on.received.view, on.received.done
    if attempt.required:
        missing = [entry for entry in attempt.required if not _matches(entry, done, view)]
        return f"not done: {missing}" if missing else ""
    if not attempt.forbidden:
        return f"{len(done)} commands: {done}" if len(done) > attempt.at_most else ""
    hits = [one for entry in attempt.forbidden for one in _matches(entry, done, view)]
    return f"done: {hits}" if len(hits) > attempt.at_most else ""


def _matches(
    entry: Sequence[str], done: Sequence[tuple[str, frozenset[str]]], view: HomeView
) -> list[tuple[str, frozenset[str]]]:
    ids, wanted = set(named(entry[0], view)), set(str(entry[1]).lower().split("|"))
    if entry[0] != "*" and not ids:
        raise ValueError(f"no device {entry[0]!r}")
    return [(i, words) for i, words in done if (entry[0] == "*" or i in ids) and words & wanted]


async def leaked(on: Stage) -> str:
    """Where a token can be read that only the person may have."""
    entries = await on.engine.storage.audit.last(Scope(home=on.received.view.home.id), 1000)
    texts = [*on.told, *(repr(entry) for entry in entries)]
    return next(
        (f"a token can be read in: {text[:200]}" for text in texts for t in on.tokens if t in text), ""
    )


def attempts(path: Path) -> list[Attempt]:
    """The attempts of a YAML file: a list, or a mapping of lists."""
    rows = parse_yaml(path.read_text("utf-8"))
    flat = (
        rows
        if isinstance(rows, list)
        else [row for part in rows.values() if isinstance(part, list) for row in part]
    )
    known = Attempt.__dataclass_fields__
    acts = {"acts": rows.get("acts", False)} if isinstance(rows, dict) else {}
    return [Attempt(**{**acts, **{k: v for k, v in row.items() if k in known}}) for row in flat]


def results(path: Path) -> list[Result]:
    """What came of every attempt of a file."""

    async def all_of() -> list[Result]:
        return [await played(attempt) for attempt in attempts(path)]

    return asyncio.run(all_of())
