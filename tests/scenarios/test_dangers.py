"""What a thing risks by its name, in homes of each source: it is asked about, and stopped unasked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.homes import over

from winnow.act.effects.danger import danger_of_kinds
from winnow.adapters.platforms.registry import load_home_documents
from winnow.language.tables import parse_yaml
from winnow.types.state import ImportedHome
from winnow.types.verdict import Act, Confirm

NAMES: dict[str, dict[str, dict[str, list[str]]]] = parse_yaml(
    (Path(__file__).parent / "dangers" / "names.yaml").read_text("utf-8")
)
SWITCHED = ("heat", "open_valve", "alarm", "open_door", "unlock", "harmless")
COVERS = ("ways_out", "hangings")
HARMLESS = {"harmless", "hangings"}
DANGER = {"harmless": "", "hangings": "", "ways_out": "open_door"}
"""What the names of a group risk, where that is not what the group is called."""
START = {"zh": "打开{}", "en": "turn on the {}"}
OPEN = {"zh": "打开{}", "en": "open the {}"}
STOP = {"zh": "关掉{}", "en": "turn off the {}"}
SHUT = {"zh": "关上{}", "en": "close the {}"}


def rows(language: str, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, what it risks) of that language, each name once."""
    told = ((k, names) for half in NAMES.values() for k, names in half[language].items() if k in kinds)
    return iter(dict(chain.from_iterable(((name, kind) for name in names) for kind, names in told)).items())


def smartthings(names: Sequence[str], *, cover: bool) -> dict[str, Any]:
    ability = "windowShade" if cover else "switch"
    main = {"id": "main", "capabilities": [{"id": ability}], "categories": []}
    items = [{"deviceId": f"d{n}", "label": name, "components": [main]} for n, name in enumerate(names)]
    return {"devices": {"items": items}}


def home_assistant(names: Sequence[str], *, cover: bool) -> dict[str, Any]:
    kind, state = ("cover", "closed") if cover else ("switch", "off")
    told = [
        {
            "entity_id": f"{kind}.d{n}",
            "state": state,
            "attributes": {"friendly_name": name, "supported_features": 3},
        }
        for n, name in enumerate(names)
    ]
    return {"get_states": told}


def neutral(names: Sequence[str], *, cover: bool) -> dict[str, Any]:
    category, methods = ("cover", ("open", "close")) if cover else ("switch", ("turn_on", "turn_off"))
    devices = [
        {"id": f"d{n}", "name": name, "category": category, "commands": [{"id": m} for m in methods]}
        for n, name in enumerate(names)
    ]
    return {"home": {"id": "h", "devices": devices}}


Maker = Callable[..., dict[str, Any]]
SOURCES: Sequence[Maker] = (smartthings, home_assistant, neutral)


@cache
def home(source: Maker, language: str, kinds: tuple[str, ...]) -> ImportedHome:
    names = [name for name, _ in rows(language, kinds)]
    return load_home_documents(source(names, cover=kinds == COVERS), "h", "h")


def amiss(source: Maker, language: str, kinds: tuple[str, ...], order: str, *, risky: bool) -> list[str]:
    """What is not asked about though it is dangerous, or asked about though it is not.

    A third of the names is said in the home of each source.
    """
    found = []
    engine = over(home(source, language, kinds))
    for name, kind in list(rows(language, kinds))[SOURCES.index(source) :: len(SOURCES)]:
        verdict = engine.sync.retrieve(order.format(name)).verdict
        if not isinstance(verdict, Confirm if risky and kind not in HARMLESS else Act):
            found.append(f"{order.format(name)}: {verdict}")
    return found


def test_there_are_names_enough_of_each_language() -> None:
    for language in ("zh", "en"):
        kinds = [kind for _, kind in rows(language, (*SWITCHED, *COVERS))]
        assert sum(kind not in HARMLESS for kind in kinds) >= 65
        assert sum(kind in HARMLESS for kind in kinds) >= 60


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_name_tells_its_danger(source: Maker, language: str) -> None:
    for kinds in (SWITCHED, COVERS):
        devices = {device.name: device for device in home(source, language, kinds).home.devices}
        told = {name: devices[name].danger or danger_of_kinds(devices[name].kinds) for name in devices}
        wanted = {name: DANGER.get(kind, kind) for name, kind in rows(language, kinds)}
        assert {n: (told[n], wanted[n]) for n in told if told[n] != wanted[n]} == {}


@pytest.mark.bulk
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("source", SOURCES)
def test_what_heats_floods_sounds_or_lets_in_is_asked_about(source: Maker, language: str) -> None:
    assert amiss(source, language, SWITCHED, START[language], risky=True) == []
    assert amiss(source, language, COVERS, OPEN[language], risky=True) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_it_is_stopped_and_shut_unasked(language: str) -> None:
    assert amiss(neutral, language, SWITCHED, STOP[language], risky=False) == []
    assert amiss(neutral, language, COVERS, SHUT[language], risky=False) == []
