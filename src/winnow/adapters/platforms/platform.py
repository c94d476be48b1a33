"""A vendor in one row: how its exports are recognized and read, and how its server is reached."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from winnow.adapters.platforms.bundle import ExportBundle, ExportDocument, ImportOptions
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.state import ImportedHome, Link

if TYPE_CHECKING:
    import httpx

    from winnow.adapters.platforms.live.server import ServerAddress

Documents = Mapping[str, Any]
"""Answers of a server by what they are called."""


@dataclass(frozen=True, slots=True)
class Server:
    """How the server of a vendor is reached. Nothing here sends a token but to the address of the link."""

    domain: str
    """Of a public server, which need not be asked what it is; empty where there is none."""
    is_at: Callable[[httpx.AsyncClient, ServerAddress], Awaitable[bool]]
    """Whether it answers at the address, asked without a token."""
    connect: Callable[[Link, Mapping[str, str], Clock], LiveHome]
    """The home behind a link, with secrets by their names; nothing is sent yet. Raises LinkError."""
    actuator: Callable[[Any, Clock], Actuator]
    """What acts on the home that ``connect`` gives."""
    home_name: Callable[[Documents], str]
    """What the server calls the home; empty where it does not say."""


@dataclass(frozen=True, slots=True)
class Platform:
    """A vendor. ``winnow.adapters.platforms.registry`` lists all, a row each."""

    name: str
    """Stored with homes and links."""
    recognizes: Callable[[ExportDocument], bool]
    """Whether an exported document is of this vendor."""
    load: Callable[[ExportBundle, ImportProblems, ImportOptions], ImportedHome]
    """The home in an export of which it recognizes a document."""
    server: Server | None = None
    """None: homes come from exports only."""
