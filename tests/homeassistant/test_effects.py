"""What the table of effects says of services, beside what they make of a real Home Assistant."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE, figures
from tests.homeassistant.demo import HOME, DemoHome, engine_of
from tests.homeassistant.server import HASS, HomeAssistant

from winnow.act.effects.expected import observed_effect
from winnow.engine.engine import Engine
from winnow.types.home import Command, HomeView, Parameter, Profile, Scalar
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import Snapshot
from winnow.types.verdict import Call

SCOPE = Scope(home=HOME)
REFUSED = {
    "alarm_control_panel": "want a code, which nobody says",
    "camera.snapshot": "wants the name of a file on the server",
    "vacuum.clean_area": "only later servers have it",
    "update.install": "there is nothing to install, or it takes no such order",
}
"""Domain or service -> why Home Assistant refuses it."""
STILL = {"vacuum.pause": "nothing pauses that does nothing"}
MOVING = ("cover", "valve", "lock")
UNANSWERED = {"media_player.play_media"}
"""What the demo home breaks at: a group of players wants ids of its own."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[HomeAssistant]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = HomeAssistant(tmp_path)
    server.start()
    yield server
    server.stop()


def test_every_service_does_what_the_table_of_effects_says(home: HomeAssistant) -> None:
    engine = engine_of(home)
    demo, view = DemoHome(home), engine.sync.load_home(HOME).view
    came: dict[str, list[str]] = {}
    for device_id, command in different(view):
        said = _tried(engine, demo, device_id, command, view.profile(device_id))
        came.setdefault(said, []).append(f"{device_id} {command.key}")
    figures["services of the demo home"] = ", ".join(f"{how} {len(rows)}" for how, rows in came.items())
    assert set(came) <= {"yes", "coming", "silent", "refused"}, came
    assert len(came["yes"]) > 120


def different(view: HomeView) -> Iterator[tuple[str, Command]]:
    """One device for each command of each profile; what only sends keys shows nothing."""
    seen = set[tuple[str, str, str]]()
    for device in view.devices.values():
        for command in view.profile(device.id).commands:
            key = device.profile_id, command.id, command.trait
            if key not in seen and command.id not in UNANSWERED:
                seen.add(key)
                yield device.id, command


def _tried(engine: Engine, demo: DemoHome, device_id: str, command: Command, profile: Profile) -> str:
    """What the home shows of the command, said to a home as it was at first."""
    demo.put_back()
    before = _looked(engine, device_id)
    call = _call(device_id, command, before)
    outcome = _did(engine, call)
    if outcome.status != "sent":
        known = {command.id, device_id.partition(".")[0]} & REFUSED.keys()
        return "refused" if known else f"{outcome.status}: {outcome.facts}"
    demo.settle([device_id] if device_id.startswith(MOVING) else [])
    told = observed_effect(call, profile, before.of(device_id), _looked(engine, device_id).of(device_id))
    return "silent" if command.id in STILL and told == "no" else told


def _call(device_id: str, command: Command, now: Snapshot) -> Call:
    given = {p.name: _value(p, now.value(device_id, p.name)) for p in command.parameters}
    return Call(device_id, command.id, {**given, **command.fixed})


def _value(parameter: Parameter, now: Scalar) -> Scalar:
    """A value that is allowed and, where one can choose, another than now."""
    match parameter.kind:
        case "number":
            low, high = parameter.minimum or 0.0, parameter.maximum or 100.0
            return round((low + (high - low) * 0.6) * parameter.scale, 2 if parameter.scale != 1 else None)
        case "choice":
            values = [c.value for c in parameter.choices]
            return next((value for value in values if value != now), values[0])
        case "boolean":
            return True
        case "color":
            return "red"
    return "hello"


def _did(engine: Engine, call: Call) -> Outcome:
    hands = engine.acting.actuator
    assert hands is not None

    async def done() -> Outcome:
        try:
            return (await hands.do(SCOPE, [call]))[0]
        finally:
            await engine.aclose()

    return asyncio.run(done())


def _looked(engine: Engine, device_id: str) -> Snapshot:
    hands = engine.acting.actuator
    assert hands is not None

    async def looked() -> Snapshot:
        try:
            return await hands.look(SCOPE, [device_id])
        finally:
            await engine.aclose()

    return asyncio.run(looked())
