"""Names that Home Assistant and this integration share."""

from __future__ import annotations

DOMAIN = "winnow"
ASSISTANT = "conversation"
"""Whose exposed entities count: those of Assist."""
HOME = "home"
"""Id of the home of everybody who may see all of it."""
FOLDER = "winnow"
"""Folder beside Home Assistant's configuration: store, audit log, and settings files if there are any."""

CONF_LANGUAGE = "language"
CONF_FALLBACK = "fallback"
CONF_ALLOWED = "allowed"
CONF_NEVER = "never"
CONF_MANY = "many"
CONF_BUDGET = "budget"

AUTO = "auto"
BUDGET = 250
"""Most tokens of a briefing."""
DANGERS = ["unlock", "open_door", "open_valve", "alarm", "disarm", "arm", "heat"]
"""What wants a yes; the same as in ``winnow.types.plan``, which the options page must not load."""
