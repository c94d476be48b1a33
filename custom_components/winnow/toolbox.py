"""What the tools of an agent take. What they say of themselves is Winnow's to say."""

from __future__ import annotations

from collections.abc import Mapping

import voluptuous as vol

FIND = "find"
CALL = {
    vol.Required("device"): str,
    vol.Required("command"): str,
    vol.Optional("arguments"): vol.Schema({}, extra=vol.ALLOW_EXTRA),
}
TAKEN: Mapping[str, vol.Schema] = {
    "act": vol.Schema({vol.Optional("plan"): str, vol.Optional("calls"): [vol.Schema(CALL)]}),
    "answer": vol.Schema({vol.Required("id"): str, vol.Required("choice"): str}),
    FIND: vol.Schema({vol.Required("request"): str}),
}
"""Tool -> its arguments. There is none that says yes: a person's yes is a word of the person's own."""
