"""One engine in this Home Assistant, and everything that hangs on it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED, EVENT_STATE_CHANGED
from homeassistant.core import Context, Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.debounce import Debouncer

from winnow.config import load_settings
from winnow.config.acting import load_acting
from winnow.engine import Engine
from winnow.errors import WinnowError
from winnow.types.acting import Answer, Rules
from winnow.types.dialogue import Language, Utterance
from winnow.types.view import HomeView
from winnow.wiring import open_engine

from .actuator import HassActuator
from .const import (
    ASSISTANT,
    AUTO,
    BUDGET,
    CONF_ALLOWED,
    CONF_BUDGET,
    CONF_LANGUAGE,
    CONF_MANY,
    CONF_NEVER,
    FOLDER,
    HOME,
)
from .homes import Homes
from .issues import report
from .states import HassStates
from .thread import EngineThread

LOGGER = logging.getLogger(__package__)
QUIET = 1.0
"""Seconds after a change before the home is built anew: registries change in bursts."""
REARRANGING = (
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    ar.EVENT_AREA_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
    lr.EVENT_LABEL_REGISTRY_UPDATED,
    EVENT_HOMEASSISTANT_STARTED,
)
ABILITIES = ("friendly_name", "supported_features", "device_class", "unit_of_measurement", "entity_id")
"""Attributes of a state that tell what the entity is, and not how it is."""


@dataclass
class Runtime:
    """What the entry's platforms share."""

    hass: HomeAssistant
    engine: Engine
    homes: Homes
    thread: EngineThread
    language: Language | None
    """``zh`` or ``en``; None: that of each sentence."""
    sentences: Mapping[str, Mapping[str, str]]
    """Language -> code -> what is said where Winnow itself cannot be asked."""

    def sorry(self, code: str, language: str) -> str:
        """What is said where Winnow could not answer, by its code."""
        return self.sentences[self.language or ("zh" if language.startswith("zh") else "en")][code]

    async def heard(self, text: str, talk: str, context: Context | None, device_id: str | None) -> Utterance:
        """What was said as Winnow takes it, by whom and where. Raises WinnowError.

        A talk is one person's: whoever else knows its id has another one, and answers nothing for them.
        """
        user_id = (context.user_id if context else None) or ""
        home = await self.homes.of(user_id)
        return Utterance(
            text,
            self.language,
            home,
            _room(self.hass, device_id),
            user_id,
            f"{talk} {user_id}" if talk else "",
            tenant=self.engine.policy.tenant,
        )

    async def view(self, home_id: str) -> HomeView:
        """The things of the home. Raises WinnowError."""
        return (await self.thread.run(self.engine.opened(home_id))).view

    async def rebuild(self) -> None:
        """Build the home anew, and report what is wrong with it."""
        try:
            await self.homes.build()
        except WinnowError as error:
            LOGGER.error("The home could not be built: %s", error)
            report(self.hass, None)
            return
        report(self.hass, self.homes.built[HOME])


WinnowConfigEntry = ConfigEntry[Runtime]


async def opened(hass: HomeAssistant, entry: WinnowConfigEntry, sentences: Mapping[str, Any]) -> Runtime:
    """The engine of the entry over the home as it is. Raises WinnowError."""
    folder = Path(hass.config.path(FOLDER))
    engine = await hass.async_add_executor_job(_engine, folder, dict(entry.options))
    states = HassStates(hass)
    engine.states.below, engine.acting.actuator = states, HassActuator(hass, states)
    language = entry.options.get(CONF_LANGUAGE, AUTO)
    thread = EngineThread()
    homes = Homes(hass, engine, states, thread)
    try:
        await homes.build()
    except WinnowError:
        thread.stop()
        raise
    entry.async_on_unload(thread.stop)
    report(hass, homes.built[HOME])
    runtime = Runtime(hass, engine, homes, thread, None if language == AUTO else language, sentences)
    _follow(hass, entry, runtime)
    return runtime


def _engine(folder: Path, options: Mapping[str, Any]) -> Engine:
    """The engine, with its store in the folder. Blocks: for an executor."""
    folder.mkdir(exist_ok=True)
    settings = replace(load_settings({}, folder), home=HOME)
    filed = load_acting(settings, {})
    # Who may see a part of the home has one of its own, for which the same rules count.
    rules = _rules(options).over(filed.homes.get(HOME, Rules())).over(filed.rules)
    budget = int(options.get(CONF_BUDGET, BUDGET))
    return open_engine(settings=settings, budget=budget, acting=replace(filed, rules=rules))


def _rules(options: Mapping[str, Any]) -> Rules:
    """What is done about danger, as the options say."""
    dangers: dict[str, Answer] = dict.fromkeys(options.get(CONF_ALLOWED, ()), "allow")
    dangers |= dict.fromkeys(options.get(CONF_NEVER, ()), "never")
    return Rules(dangers, many=int(options.get(CONF_MANY, 0)))


def _follow(hass: HomeAssistant, entry: WinnowConfigEntry, runtime: Runtime) -> None:
    """Build the home anew whenever what it consists of may have changed."""
    later = Debouncer(hass, LOGGER, cooldown=QUIET, immediate=False, function=runtime.rebuild)

    @callback
    def changed(*_: object) -> None:
        later.async_schedule_call()

    @callback
    def state_changed(event: Event[EventStateChangedData]) -> None:
        if _is_another(event.data["old_state"], event.data["new_state"]):
            later.async_schedule_call()

    for kind in REARRANGING:
        entry.async_on_unload(hass.bus.async_listen(kind, changed))
    entry.async_on_unload(hass.bus.async_listen(EVENT_STATE_CHANGED, state_changed))
    entry.async_on_unload(async_listen_entity_updates(hass, ASSISTANT, changed))
    entry.async_on_unload(later.async_shutdown)


def _room(hass: HomeAssistant, device_id: str | None) -> str | None:
    """The area in which the device stands that was spoken to."""
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    return device.area_id if device else None


def _is_another(before: State | None, after: State | None) -> bool:
    """Whether what the entity is has changed, and not only how it is."""
    if before is None or after is None:
        return before is not after
    return any(before.attributes.get(name) != after.attributes.get(name) for name in ABILITIES)
