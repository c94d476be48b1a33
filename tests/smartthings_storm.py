"""Orders said to a home whose cloud fails by seed, and what became of every command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any
from unittest.mock import patch

from tests.smartthings_doing import Doing
from tests.smartthings_stand_in import TOKEN, Reply, Request, SmartThings, smartthings, too_many, trouble

import winnow
from winnow.act.effects.thing import repeatable
from winnow.adapters.platforms.live.rest_client import AccessTokens, RequestEffort
from winnow.adapters.platforms.live.server import parse_address
from winnow.adapters.platforms.registry import load_home_documents
from winnow.adapters.platforms.smartthings.live_home import (
    SCENE_COMMAND,
    SmartThingsActuator,
    SmartThingsHome,
    command_body,
    device_of,
)
from winnow.engine.engine import Engine
from winnow.ports.services import run_blocking
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome, Receipt
from winnow.types.verdict import Act, Call, Confirm

QUICK = RequestEffort(seconds=3.0, tries=4, patience=0.5, first_pause=0.005)
LOOKING = RequestEffort(seconds=3.0, tries=10, patience=5.0, first_pause=0.005)
RULES = ActingRules(call_seconds=6.0, act_seconds=30.0)
ORDERS = (
    "把客厅主灯关了",
    "打开客厅的灯",
    "set every light in the living room to 30%",
    "关掉所有的灯",
    "turn on all the lights on the first floor",
    "把客厅主灯调成红色",
    "窗帘都拉上",
    "客厅电视音量大一点",
    "客厅空调调到25度",
    "turn off all the lights",
    "关掉所有空调",
    "电视下一个台",
    "next channel on the TV",
    "回家模式",
)
"""Orders and sets in both languages, steps among them."""
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True)
class Weather:
    """How often what goes wrong, as shares of the commands; looks at the home fare half as badly."""

    many: float = 0.0
    """429, with the headers that tell when to come back."""
    trouble: float = 0.0
    """5xx, half of them after it was done."""
    lost: float = 0.0
    """Connections that end without an answer, or in the middle of one; half of them after it was done."""
    slow: float = 0.0
    """No answer in time, half of them after it was done."""
    offline: float = 0.0
    """Share of the devices that are off line."""
    deaf: float = 0.0
    """Share of the devices that fail at what the cloud takes for them."""
    refused: float = 0.0
    """422."""


STORM = Weather(many=0.3, trouble=0.15, lost=0.1, slow=0.01, offline=0.05, deaf=0.05, refused=0.03)


@dataclass
class Tally:
    """What became of commands, counted."""

    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """What may never be: done twice though a step, told failed and done, told done and never sent."""
    again: int = 0
    """Settings that were sent twice, for nobody knew: they do the same twice."""
    shown: int = 0
    """Not sent, for the home showed what was wanted, or that it was on its way, all the same."""
    requests: int = 0
    faults: int = 0

    def of(self, receipt: Receipt, calls: Sequence[Call], did: Sequence[object], engine: Engine) -> None:
        """Count one act."""
        reached, wanted = Counter(did), Counter(_did(o.call) for o in receipt.outcomes)
        refused = {i for refusal in receipt.refused for i in refusal.device_ids}
        acted = {o.call.device_id for o in receipt.outcomes} | refused
        self.wrong += [f"never told of: {c}" for c in calls if receipt.outcomes and c.device_id not in acted]
        self.wrong += [f"not in the receipt: {d}" for d in reached if d not in wanted]
        view = run_blocking(engine.load_home()).view
        for outcome in receipt.outcomes:
            self.outcomes[outcome.status] += 1
            times = reached[_did(outcome.call)]
            once = outcome.call.device_id in view.scenes or not repeatable(
                outcome.call, view.profile(outcome.call.device_id)
            )
            self._one(outcome, times, once=once)

    def _one(self, outcome: Outcome, times: int, *, once: bool) -> None:
        if times and outcome.status in ("failed", "skipped"):
            self.wrong.append(f"told {outcome.status} and done: {outcome}")
        shows = outcome.status == "done" or outcome.code == "under_way"
        if not times and outcome.status == "sent" and not shows:
            self.wrong.append(f"told sent and not done: {outcome}")
        if times > 1 and once:
            self.wrong.append(f"done {times} times: {outcome}")
        self.again += times > 1 and not once
        self.shown += not times and shows


def _did(call: Call) -> Any:
    if call.command_id == SCENE_COMMAND:
        return (SCENE_COMMAND, call.device_id)
    body = command_body(call)
    assert body is not None
    arguments = tuple(_hashable(value) for value in body["arguments"])  # type: ignore[attr-defined]
    names = (str(body[name]) for name in ("component", "capability", "command"))
    return (device_of(call), *names, arguments)


def _hashable(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


def _reached(doing: Doing) -> list[Any]:
    """What reached the home since the last time, and is forgotten now."""
    commands = [
        (d.device, d.component, d.capability, d.command, tuple(map(_hashable, d.arguments)))
        for d in doing.did
    ]
    reached = [*commands, *((SCENE_COMMAND, scene) for scene in doing.scenes)]
    doing.did.clear()
    doing.scenes.clear()
    return reached


def brew(server: SmartThings, weather: Weather, seed: int) -> Counter[str]:
    """Make the server fail like that, the same for the same seed whoever comes first; what it did."""
    happened, tries, lock = Counter[str](), Counter[str](), Lock()
    ids = sorted(device["deviceId"] for device in server.devices)
    chance = Random(seed)
    server.offline |= {i for i in ids if chance.random() < weather.offline}
    server.doing.deaf |= {i for i in ids if chance.random() < weather.deaf}

    def fault(request: Request) -> Reply | None:
        with lock:
            tries[request.path] += 1
            dice = Random(f"{seed} {request.method} {request.path} {tries[request.path]}")
        found = _drawn(weather, dice, share=1.0 if request.method == "POST" else 0.5)
        if found is None:
            return None
        with lock:
            happened[found[0]] += 1
        return found[1]

    server.faults.append(fault)
    return happened


def _drawn(weather: Weather, dice: Random, share: float) -> tuple[str, Reply] | None:
    """What goes wrong with one request; None where nothing does."""
    after, moving = dice.random() < 0.5, share == 1.0
    when = AFTER if after else BEFORE
    kinds: list[tuple[float, str, Reply]] = [
        (weather.many, "429", too_many(dice.randint(1, 40), dice.choice(["", "0"]))),
        (weather.trouble, f"5xx {when}", _after(trouble(dice.choice([500, 502, 503, 504])), after)),
        (weather.lost / 2, f"hung up {when}", _after(Reply(status=0), after)),
        (weather.lost / 2, f"cut {when}", _after(Reply({"results": []}, cut=9), after)),
        (weather.slow, f"slow {when}", _after(Reply({}, delay=QUICK.seconds * 1.5), after)),
        (weather.refused * moving, "422", Reply({"error": {"code": "ConstraintViolationError"}}, 422)),
    ]
    at = dice.random() / share
    for chance, name, reply in kinds:
        if at < chance:
            return name, reply
        at -= chance
    return None


def _after(reply: Reply, after: bool) -> Reply:
    return Reply(reply.body, reply.status, reply.headers, reply.delay, reply.cut, after)


@contextmanager
def home(folder: Path, seen_seconds: float = 0.5) -> Iterator[tuple[SmartThings, Engine]]:
    """A home that runs, and an engine that acts on it without long pauses."""
    with (
        smartthings(folder=folder) as server,
        patch("winnow.act.execute.FIRST", 0.005),
        patch("winnow.act.checks.FIRST", 0.02),
        patch("winnow.act.checks.GATHER", 0.002),
    ):
        engine = winnow.open(folder, acting=replace(RULES, seen_seconds=seen_seconds))
        link = SmartThingsHome(parse_address(server.url), AccessTokens("T", TOKEN), _states, LOOKING)
        engine.acting.actuator = SmartThingsActuator(link, engine.storage.clock, QUICK)
        yield server, engine


def _states(documents: Any) -> Any:
    return load_home_documents(documents, "home").states


def said(engine: Engine, text: str) -> tuple[Receipt, Sequence[Call]] | None:
    """What came of a sentence, with a person's yes where one is asked for; None where it is no order."""
    found = engine.sync.retrieve(text)
    if not isinstance(found.verdict, Act | Confirm):
        return None
    calls = found.verdict.calls if isinstance(found.verdict, Act) else found.verdict.proposed
    receipt = engine.sync.act(found)
    return (engine.sync.confirm(receipt.waiting.token) if receipt.waiting else receipt), calls


def stormed(folder: Path, weather: Weather, seed: int, orders: Sequence[str] = ORDERS) -> Tally:
    """What became of all commands of these orders in that weather."""
    tally = Tally()
    with home(folder) as (server, engine):
        happened = brew(server, weather, seed)
        for text in orders:
            if came := said(engine, text):
                tally.of(*came, _reached(server.doing), engine)
        tally.requests, tally.faults = len(server.asked), happened.total()
    return tally
