"""Adding Winnow, and its options. There is nothing to enter: the home is the one it runs in."""

from __future__ import annotations

from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.core import callback
from homeassistant.helpers import selector

from .const import (
    AUTO,
    BUDGET,
    CONF_ALLOWED,
    CONF_BUDGET,
    CONF_FALLBACK,
    CONF_LANGUAGE,
    CONF_MANY,
    CONF_NEVER,
    DANGERS,
    DOMAIN,
)


class WinnowConfigFlow(ConfigFlow, domain=DOMAIN):
    """A yes is all it takes."""

    VERSION = 1

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask whether, then do it."""
        if user_input is None:
            return self.async_show_form(step_id="user")
        return self.async_create_entry(title="Winnow", data={})

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:  # noqa: ARG004 - its shape
        """How it goes about its turns."""
        return WinnowOptionsFlow()


class WinnowOptionsFlow(OptionsFlow):
    """One page."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show what is set, and take what is said."""
        errors: dict[str, str] = {}
        if user_input is not None:
            if set(user_input.get(CONF_ALLOWED, ())) & set(user_input.get(CONF_NEVER, ())):
                errors["base"] = "contradiction"
            else:
                return self.async_create_entry(data=user_input)
        shown = self.add_suggested_values_to_schema(_schema(), user_input or self.config_entry.options)
        return self.async_show_form(step_id="init", data_schema=shown, errors=errors)


def _schema() -> vol.Schema:
    return vol.Schema(
        {
            vol.Required(CONF_LANGUAGE, default=AUTO): _chosen([AUTO, "en", "zh"], "language"),
            vol.Optional(CONF_FALLBACK): selector.ConversationAgentSelector(),
            vol.Optional(CONF_ALLOWED, default=list): _chosen(DANGERS, "danger", several=True),
            vol.Optional(CONF_NEVER, default=list): _chosen(DANGERS, "danger", several=True),
            vol.Required(CONF_MANY, default=0): _number(0, 1000),
            vol.Required(CONF_BUDGET, default=BUDGET): _number(32, 4000),
        }
    )


def _chosen(options: list[str], key: str, *, several: bool = False) -> selector.SelectSelector:
    return selector.SelectSelector(
        selector.SelectSelectorConfig(options=options, translation_key=key, multiple=several)
    )


def _number(least: int, most: int) -> selector.NumberSelector:
    return selector.NumberSelector(
        selector.NumberSelectorConfig(min=least, max=most, step=1, mode=selector.NumberSelectorMode.BOX)
    )
