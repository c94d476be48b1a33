"""Winnow in Home Assistant: a conversation agent, and what any other agent needs of this home and no more."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryError, ConfigEntryNotReady, HomeAssistantError

from .const import DOMAIN
from .issues import withdraw

if TYPE_CHECKING:
    from .runtime import WinnowConfigEntry

PLATFORMS = (Platform.CONVERSATION,)
SENTENCES = "sentences.json"
"""What is said where Winnow itself cannot be asked."""
LIBRARY = Path(__file__).with_name("vendor")
"""Where the library stands in the zip that ``make home-assistant`` builds; a checkout has none."""


async def async_setup_entry(hass: HomeAssistant, entry: WinnowConfigEntry) -> bool:
    """Open the engine, register what agents are given, and begin to listen."""
    try:
        await hass.async_add_import_executor_job(_imported)
    except ImportError as error:
        raise _failure(ConfigEntryError, "not_loaded", error) from error
    from homeassistant.helpers import llm

    from winnow.errors import ConfigError, WinnowError

    from .agents import WinnowAPI
    from .runtime import opened

    text = await hass.async_add_executor_job(Path(__file__).with_name(SENTENCES).read_text, "utf-8")
    sentences: dict[str, Any] = json.loads(text)
    try:
        entry.runtime_data = await opened(hass, entry, sentences)
    except ConfigError as error:  # trying again mends no file
        raise _failure(ConfigEntryError, "wrong_settings", error) from error
    except WinnowError as error:
        raise _failure(ConfigEntryNotReady, "not_opened", error) from error
    entry.async_on_unload(llm.async_register_api(hass, WinnowAPI(hass, entry.runtime_data)))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)

    async def reload(hass: HomeAssistant, entry: WinnowConfigEntry) -> None:
        await hass.config_entries.async_reload(entry.entry_id)

    entry.async_on_unload(entry.add_update_listener(reload))  # other options are a new beginning
    return True


async def async_unload_entry(hass: HomeAssistant, entry: WinnowConfigEntry) -> bool:
    """Stop listening, and end what is under way."""
    if not await hass.config_entries.async_unload_platforms(entry, PLATFORMS):
        return False
    await entry.runtime_data.thread.stop()
    withdraw(hass)
    return True


async def async_remove_entry(hass: HomeAssistant, entry: WinnowConfigEntry) -> None:
    """Leave no repairs. What was stored stays: the audit log is nobody's to lose by a click."""
    withdraw(hass)


def _failure(kind: type[HomeAssistantError], code: str, error: Exception) -> HomeAssistantError:
    """Why the entry is not set up, in the language of whoever looks."""
    return kind(
        translation_domain=DOMAIN, translation_key=code, translation_placeholders={"error": str(error)}
    )


def _imported() -> None:
    """Load Winnow's parts; what they read from the disk would hold up the event loop.

    The library that came along is looked for last, so that one that is installed counts. It has to be of this
    version. Raises ImportError.
    """
    if str(LIBRARY) not in sys.path:
        sys.path.append(str(LIBRARY))
    import winnow

    wanted = json.loads(Path(__file__).with_name("manifest.json").read_text("utf-8"))["version"]
    if winnow.__version__ != wanted:
        raise ImportError(
            f"winnow {winnow.__version__} of {winnow.__file__} is installed, {wanted} is needed"
        )
    from winnow.language.messages import codes
    from winnow.language.tables import table

    from . import actuator, agents, conversation, runtime  # noqa: F401

    for language in ("en", "zh"):
        codes(language)
    table("winnow.act.effects", "words.yaml")
