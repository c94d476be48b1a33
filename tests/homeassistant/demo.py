"""The demo home of a real Home Assistant, arranged as people arrange theirs, and put back again and again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from tests.homeassistant.server import HomeAssistant

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_engine, open_store, save_override
from winnow.app.wiring.live_homes import import_live, open_links
from winnow.engine.engine import Engine
from winnow.ports.services import run_blocking
from winnow.types.home import Override
from winnow.types.state import Link

FOLDER = Path(__file__).parent
HOME = "demo"
TOKEN_ENV = "HA_TOKEN"
ON_THEIR_WAY = frozenset(
    {"opening", "closing", "locking", "unlocking", "arming", "pending", "returning", "unavailable"}
)
"""States that another one follows by itself."""
SETTLED = 25.0
"""Seconds after which a cover or lock has come to where it was sent."""
RESTLESS = ("media_position", "media_position_updated_at", "access_token", "entity_picture")
"""Attributes that change though nobody does anything."""
DOMAINS = frozenset(
    (
        *("light", "switch", "fan", "cover", "valve", "lock", "climate", "water_heater", "humidifier"),
        *("media_player", "vacuum", "siren", "alarm_control_panel", "number", "select", "text", "remote"),
        *("input_boolean", "input_number", "input_select", "input_text"),
    )
)
"""What can be told to do something. Sensors change by themselves."""
HELPERS: Mapping[str, tuple[str, str]] = {
    "input_boolean": ("turn_{state}", ""),
    "input_number": ("set_value", "value"),
    "input_select": ("select_option", "option"),
    "input_text": ("set_value", "value"),
}
"""Domain -> the service that brings about a state, and where it wants it told. They are set up but once."""
SLOW = ("cover", "valve")
"""What moves for a while, whatever its state says."""
STILL = 1.3
"""Seconds without a change after which a thing that moves second by second has come to its end."""

State = Mapping[str, Any]
States = Mapping[str, State]


def arrange(server: HomeAssistant, setup: Mapping[str, Any]) -> Mapping[str, Override]:
    """Give the demo home its areas, and its things their places and other names.

    What is not in Home Assistant's registry cannot be told to it; that is left for Winnow.
    """
    ids = {}
    for key, (name, *aliases) in setup["areas"].items():
        ids[key] = server.ask("config/area_registry/create", name=name, aliases=aliases)["area_id"]
    registered = {entry["entity_id"] for entry in server.ask("config/entity_registry/list")}
    left = {}
    states = server.states()
    entities = {known_as(states, entity_id): about for entity_id, about in setup["entities"].items()}
    for entity_id, about in entities.items():
        area, aliases = ids[about["area"]], about["aliases"]
        if entity_id in registered:
            place = {"area_id": area, "aliases": aliases}
            server.ask("config/entity_registry/update", entity_id=entity_id, **place)
        else:
            left[entity_id] = Override(entity_id, aliases=tuple(aliases), room_id=area)
    spoken_to = {"assistants": ["conversation"], "entity_ids": list(entities), "should_expose": True}
    server.ask("homeassistant/expose_entity", **spoken_to)
    return left


def engine_of(server: HomeAssistant) -> Engine:
    """An engine on the arranged demo home as Winnow imports it, which acts there."""
    os.environ[TOKEN_ENV] = server.token
    setup = yaml.safe_load((FOLDER / "demo_setup.yaml").read_text("utf-8"))
    left = arrange(server, setup)
    settings, link = load_settings(), Link(server.url, "homeassistant", TOKEN_ENV)
    storage = open_store(settings).storage
    run_blocking(import_live(settings.scope, link, storage, HOME), waits=True)
    open_links(settings).keep(settings.scope.at(HOME), link)
    home = run_blocking(storage.homes.load_home(settings.scope.at(HOME)))
    for entity_id, override in left.items():
        save_override(settings, home, entity_id, override)
    return open_engine(settings=settings, live=True)


class DemoHome:
    """The home as its server tells it over REST: how it was at first, and how it is."""

    def __init__(self, server: HomeAssistant) -> None:
        self.server = server
        self._entry = next(e["entry_id"] for e in server.ask("config_entries/get", domain="demo"))
        self.first = self.states()

    def states(self) -> States:
        """Everything that can be told to do something, as it is."""
        told = self.server.states()
        return {i: _still(state) for i, state in told.items() if i.partition(".")[0] in DOMAINS}

    def put_back(self) -> None:
        """As it was at first. The demo home is set up anew, which takes Home Assistant no restart."""
        self.server.call("homeassistant", "reload_config_entry", entry_id=self._entry)
        for entity_id in differing(self.first, self.states()):
            domain, _, _ = entity_id.partition(".")
            if domain in HELPERS:
                self._help(domain, entity_id, self.first[entity_id]["state"])
        left = self.until(lambda states: not differing(self.first, states))
        assert left is None, f"the demo home is not as it was: {differing(self.first, left)}"

    def prepare(self, before: Mapping[str, Any]) -> None:
        """Call the services that are told of each entity, and wait until nothing moves any more."""
        for entity_id, told in before.items():
            for step in told if isinstance(told, list) else [told]:
                domain, _, service = str(step["service"]).rpartition(".")
                data = step.get("data") or {}
                self.server.call(domain or entity_id.partition(".")[0], service, entity_id=entity_id, **data)
        self.settle(before)

    def settle(self, entity_ids: Collection[str]) -> None:
        """Wait until these move no more."""
        self.until(lambda states: not any(states[i]["state"] in ON_THEIR_WAY for i in entity_ids))
        moving = [i for i in entity_ids if i.startswith(SLOW)]
        last, since = self.states(), time.monotonic()
        while moving and time.monotonic() < since + STILL:
            time.sleep(0.1)
            now = self.states()
            if any(last[i] != now[i] for i in moving):
                last, since = now, time.monotonic()

    def _help(self, domain: str, entity_id: str, state: str) -> None:
        service, name = HELPERS[domain]
        data = {name: state} if name else {}
        self.server.call(domain, service.format(state=state), entity_id=entity_id, **data)

    def until(self, settled: Callable[[States], bool], seconds: float = SETTLED) -> States | None:
        """None once it is so; after so many seconds, the states as they are."""
        ends = time.monotonic() + seconds
        while not settled(states := self.states()):
            if time.monotonic() > ends:
                return states
            time.sleep(0.05)
        return None


def known_as(states: Collection[str], entity_id: str) -> str:
    """The id of the entity in this home: of some things, later releases put more before the name."""
    if entity_id in states:
        return entity_id
    domain, _, name = entity_id.partition(".")
    return next(i for i in states if i.startswith(f"{domain}.") and i.endswith(f"_{name}"))


def differing(one: States, other: States) -> Sequence[str]:
    """The entities that are not the same."""
    return [i for i in {**one, **other} if one.get(i) != other.get(i)]


def _still(state: State) -> State:
    """What of a state stays as it is while nobody does anything."""
    attributes = {name: value for name, value in state["attributes"].items() if name not in RESTLESS}
    return {"state": state["state"], **attributes}
