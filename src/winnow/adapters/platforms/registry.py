"""The vendors whose homes are read, a row each. A new one is a folder and a line here."""

from __future__ import annotations

from winnow.adapters.platforms.home_assistant.platform import HOME_ASSISTANT
from winnow.adapters.platforms.neutral import NEUTRAL
from winnow.adapters.platforms.platform import Platform, Server
from winnow.adapters.platforms.smartthings.platform import SMARTTHINGS

# The neutral format comes first: taken alone, its rooms look like Home Assistant's areas.
PLATFORMS: tuple[Platform, ...] = (NEUTRAL, SMARTTHINGS, HOME_ASSISTANT)


def servers() -> dict[str, Server]:
    """Those that can be linked to, by name."""
    return {platform.name: platform.server for platform in PLATFORMS if platform.server}
