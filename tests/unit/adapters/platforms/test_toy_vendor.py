"""A vendor is a folder and a row: with one line in the list, its homes are imported, linked and acted on."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.unit.adapters.platforms.toy.platform import TOY, ToyHome

from winnow.adapters.platforms import registry
from winnow.adapters.platforms.live.connect import import_linked_home, open_actuator, open_home, platform_at
from winnow.adapters.platforms.registry import load_home
from winnow.adapters.testing.fakes import FrozenClock
from winnow.errors import HomeImportError
from winnow.types.scope import Scope
from winnow.types.state import Link
from winnow.types.verdict import Call

EXPORT = json.dumps({"toy_lamps": [{"id": "l1", "name": "Desk lamp", "lit": True}]}).encode()
LINK = Link("https://home.toys.example", "toy", "TOY_TOKEN")
SECRETS = {"TOY_TOKEN": "t"}


@pytest.fixture
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PLATFORMS", (*registry.PLATFORMS, TOY))


def test_without_its_row_nobody_knows_the_export() -> None:
    with pytest.raises(HomeImportError):
        load_home(EXPORT)


@pytest.mark.usefixtures("_listed")
def test_its_export_becomes_a_home() -> None:
    imported = load_home(EXPORT, "box")
    assert (imported.home.id, imported.home.source) == ("box", "toy")
    assert [device.name for device in imported.home.devices] == ["Desk lamp"]
    assert imported.states.of("l1") == {"lit": True}


@pytest.mark.usefixtures("_listed")
def test_its_server_is_linked_to_and_acted_on() -> None:
    async def linked() -> None:
        assert await platform_at(LINK.url) == "toy"
        home = open_home(LINK, SECRETS, FrozenClock(0.0))
        assert isinstance(home, ToyHome)
        assert home.token == "t"
        imported = import_linked_home(LINK, await home.documents())
        assert (imported.home.id, imported.home.name) == ("toy-box", "Toy box")
        acting = open_actuator(LINK, SECRETS, FrozenClock(0.0))
        done = await acting.do(Scope("t", home="toy-box"), [Call("l1", "light_up")])
        assert [outcome.status for outcome in done] == ["sent"]
        assert (await acting.look(Scope("t", home="toy-box"))).of("l1") == {"lit": True}

    asyncio.run(linked())
