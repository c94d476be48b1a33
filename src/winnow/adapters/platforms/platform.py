"""A vendor in one row: how its exports are recognized and read, and how its server is reached."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from winnow.act.effects.danger import danger_of_abilities
from winnow.adapters.platforms.bundle import ExportBundle, ExportDocument, ImportOptions
from winnow.adapters.platforms.json_rows import ImportProblems
from winnow.errors import HomeImportError
from winnow.ports.services import Actuator
from winnow.ports.stores import Clock, LiveHome
from winnow.types.home import Note
from winnow.types.state import ImportedHome, Link

if TYPE_CHECKING:
    import httpx

    from winnow.adapters.platforms.live.server import ServerAddress

ONLY_HEATS = "only heats"
"""Why what has modes is dangerous."""

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

    def home_in(self, bundle: ExportBundle, problems: ImportProblems, options: ImportOptions) -> ImportedHome:
        """The home in the documents, with what is dangerous by what it can do and what was left out.

        Raises ``HomeImportError`` naming every problem, where none can be made.
        """
        imported = self.load(bundle, problems, options)
        home = imported.home
        problems.check()
        odd = tuple(dict.fromkeys(problems.omissions))
        if odd and not home.devices:
            raise HomeImportError(odd)
        commands = {profile.id: profile.commands for profile in home.profiles}
        devices = []
        for device in home.devices:
            # What it can do tells the danger where neither its source nor its name does.
            danger = "" if device.danger else danger_of_abilities(device.kinds, commands[device.profile_id])
            reasons = (*device.reasons, ONLY_HEATS)
            devices.append(replace(device, danger=danger, reasons=reasons) if danger else device)
        left_out = (
            Note("odd_field", ": ".join(filter(None, (one.file, one.path))), detail=str(one.message))
            for one in odd
        )
        home = replace(home, devices=tuple(devices), notes=(*bundle.notes, *left_out, *home.notes))
        return replace(imported, home=home)
