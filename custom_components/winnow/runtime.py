"""One engine in this Home Assistant, and everything that hangs on it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.helpers import device_registry as dr

from winnow.app.config.files import load_acting
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_engine
from winnow.engine.engine import Engine
from winnow.errors import WinnowError
from winnow.types.home import HomeView
from winnow.types.plan import DangerRule, Rules
from winnow.types.utterance import LanguageCode, Utterance

from .actuator import HassActuator
from .const import (
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
from .following import follow
from .homes import Homes
from .issues import report
from .states import HassStates
from .thread import EngineStopped, EngineThread, TurnInterrupted

LOGGER = logging.getLogger(__package__)


@dataclass
class Runtime:
    """What the entry's platforms share."""

    hass: HomeAssistant
    engine: Engine
    homes: Homes
    thread: EngineThread
    language: LanguageCode | None
    """``zh`` or ``en``; None: that of each sentence."""
    sentences: Mapping[str, Mapping[str, str]]
    """Language -> code -> what is said where Winnow itself cannot be asked."""

    def sorry(self, code: str, language: str) -> str:
        """What is said where Winnow could not answer, by its code."""
        return self.sentences[self.language or ("zh" if language.startswith("zh") else "en")][code]

    def apology(self, error: WinnowError, language: str) -> str:
        """What is said where a turn ended with the error: whether anything may have been done."""
        return self.sorry("interrupted" if isinstance(error, TurnInterrupted) else "not_ready", language)

    async def heard(self, text: str, talk: str, context: Context | None, device_id: str | None) -> Utterance:
        """What was said as Winnow takes it, by whom and where. Raises WinnowError.

        A talk is one person's: whoever else knows its id has another one, and answers nothing for them.
        """
        user_id = (context.user_id if context else None) or ""
        home = await self.homes.of(user_id)
        device = dr.async_get(self.hass).async_get(device_id) if device_id else None
        area = device.area_id if device else None
        # An area may be newer than the home that was built: then it is not said where somebody stands.
        if area and (await self.view(home)).room_named(area) is None:
            area = None
        return Utterance(
            text,
            self.language,
            home,
            area,
            user_id,
            f"{talk} {user_id}" if talk else "",
            tenant=self.engine.policy.tenant,
        )

    async def view(self, home_id: str) -> HomeView:
        """The things of the home. Raises WinnowError."""
        return (await self.thread.run(self.engine.load_home(home_id))).view

    async def rebuild(self) -> None:
        """Build the home anew, and report what is wrong with it."""
        try:
            await self.homes.build()
        except EngineStopped:  # there is nothing to report of what is being unloaded
            return
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
    thread = EngineThread(engine.aclose)

    async def stop(_: Event) -> None:
        await thread.stop()

    entry.async_on_unload(thread.stop)  # after a set-up that failed, too
    entry.async_on_unload(hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, stop))
    homes = Homes(hass, engine, states, thread)
    await homes.build()
    report(hass, homes.built[HOME])
    runtime = Runtime(hass, engine, homes, thread, None if language == AUTO else language, sentences)
    follow(hass, entry, runtime.rebuild)
    return runtime


def _engine(folder: Path, options: Mapping[str, Any]) -> Engine:
    """The engine, with its store in the folder. Blocks: for an executor."""
    folder.mkdir(exist_ok=True)
    settings = replace(load_settings({}, folder), home=HOME)
    filed = load_acting(settings, {})
    dangers: dict[str, DangerRule] = dict.fromkeys(options.get(CONF_ALLOWED, ()), "allow")
    dangers |= dict.fromkeys(options.get(CONF_NEVER, ()), "never")
    chosen = Rules(dangers, many=int(options.get(CONF_MANY, 0)))
    # Who may see a part of the home has one of its own, for which the same rules count.
    rules = chosen.over(filed.homes.get(HOME, Rules())).over(filed.rules)
    budget = int(options.get(CONF_BUDGET, BUDGET))
    return open_engine(settings=settings, budget=budget, acting=replace(filed, rules=rules))
