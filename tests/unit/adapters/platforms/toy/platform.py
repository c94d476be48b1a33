"""The row of the toy vendor, and what it needs: an importer, a live home, an actuator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from winnow.adapters.platforms.bundle import ExportBundle, ExportDocument, ImportOptions
from winnow.adapters.platforms.json_rows import ImportProblems, JsonRow
from winnow.adapters.platforms.platform import Documents, Platform, Server
from winnow.ports.stores import Clock
from winnow.types.home import Attribute, Command, Device, Home, Profile
from winnow.types.receipt import Outcome
from winnow.types.scope import Scope
from winnow.types.state import HomeEvent, ImportedHome, Link, ReadProgress, Snapshot, no_read_progress
from winnow.types.verdict import Call

if TYPE_CHECKING:
    import httpx

    from winnow.adapters.platforms.live.server import ServerAddress

LAMP = Profile(
    "lamp",
    (Command("light_up", "Switch.On", "light up"), Command("put_out", "Switch.Off", "put out")),
    (Attribute("lit", "power"),),
)


def is_toy(document: ExportDocument) -> bool:
    return isinstance(document.data, dict) and "toy_lamps" in document.data


def load_toy(bundle: ExportBundle, problems: ImportProblems, options: ImportOptions) -> ImportedHome:
    document = next(filter(is_toy, bundle.documents))
    assert isinstance(document.data, dict)
    rows = JsonRow(document.data, document.name, "", problems).rows("toy_lamps")
    devices = tuple(Device(row.id("id"), row.name("name"), LAMP.id, ("light",)) for row in rows)
    home = Home(options.home_id or "toy", bundle.name, "toy", profiles=(LAMP,), devices=devices)
    values = {row.text("id"): {"lit": bool(row.data.get("lit"))} for row in rows}
    return ImportedHome(home, Snapshot(values, 0.0, "toy"))


class ToyHome:
    """A server of toys, in this process."""

    def __init__(self, token: str) -> None:
        self.token, self.lit = token, {"l1": False}

    async def documents(self, progress: ReadProgress = no_read_progress) -> Mapping[str, object]:
        progress("lamps", len(self.lit))
        lamps = [{"id": id_, "name": "Desk lamp", "lit": lit} for id_, lit in self.lit.items()]
        return {"lamps": {"toy_lamps": lamps}}

    async def read(self, refs: Collection[str] = ()) -> Snapshot:
        snapshot = Snapshot({id_: {"lit": lit} for id_, lit in self.lit.items()}, 0.0, "toy")
        return snapshot.about(refs) if refs else snapshot

    async def news(self) -> AsyncIterator[HomeEvent]:
        return
        yield


class ToyActuator:
    def __init__(self, home: ToyHome) -> None:
        self.home = home

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        return await self.home.read(refs)

    async def do(self, scope: Scope, calls: Sequence[Call]) -> tuple[Outcome, ...]:
        for call in calls:
            self.home.lit[call.device_id] = call.command_id == "light_up"
        return tuple(Outcome(call, "sent") for call in calls)


async def is_toy_server(client: httpx.AsyncClient, address: ServerAddress) -> bool:
    return False


def connect(link: Link, secrets: Mapping[str, str], clock: Clock) -> ToyHome:
    return ToyHome(secrets[link.token_env])


def actuator(home: Any, clock: Clock) -> ToyActuator:
    return ToyActuator(home)


def home_name(documents: Documents) -> str:
    return "Toy box"


TOY = Platform("toy", is_toy, load_toy, Server("toys.example", is_toy_server, connect, actuator, home_name))
