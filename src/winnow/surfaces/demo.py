"""A guided tour: a few sentences in Chinese and English, said to one home. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow import wiring
from winnow.config import Settings
from winnow.engine import Engine
from winnow.say.messages import message
from winnow.say.wording import worded
from winnow.surfaces.show import answer
from winnow.text.encode import compact_json
from winnow.text.tokens import COUNTER, count_tokens
from winnow.types.catalog import Device
from winnow.types.dialogue import Language, Turn, Utterance
from winnow.types.imports import Imported
from winnow.types.view import HomeView

EXAMPLE = "example:home150"


@dataclass(frozen=True, slots=True)
class Scene:
    """One sentence and what it shows."""

    shows: str
    said: Utterance


SCENES = (
    Scene("a nickname: the fan of the children's room is called Little Bear", Utterance("麻烦把小熊打开")),
    Scene("a lamp on a smart plug is a lamp", Utterance("点亮花园灯串")),
    Scene("three lamps share this name, so one question", Utterance("请把镜前灯点亮")),
    Scene("the same sentence, said in the master bathroom", Utterance("请把镜前灯点亮", room="主卫")),
    Scene("a plug cannot dim: refused, with the reason", Utterance("玄关的鞋柜灯调到30%")),
    Scene("danger: a yes first", Utterance("把厨房的总水阀拧开")),
    Scene("a whole floor without one room, as one line", Utterance("二楼除了儿童房，别处的灯全关掉")),
    Scene("a question reads, and does nothing", Utterance("酒窖现在的温度是多少")),
    Scene(
        "'it' is what was spoken of",
        Utterance(
            "再把它调到四成亮", history=(Turn("user", "打开书房台灯"), Turn("assistant", "书房台灯开了。"))
        ),
    ),
    Scene("not a request for the house", Utterance("今天上班可真够累的")),
    Scene("English, on the same home", Utterance("Switch off all the lamps in the living room, please")),
    Scene("English danger", Utterance("Could you open the garage door")),
)


def tour(source: str = EXAMPLE, language: Language = "en") -> Iterator[str]:
    """The tour, line by line, through the home of these payloads. Raises HomeImportError."""
    imported = wiring.read_home(source)
    home, engine = imported.home, wiring.open_engine(imported, settings=Settings(data=Path()))
    all_tokens = count_tokens(everything(imported))
    sizes = {"rooms": len(home.rooms), "devices": len(home.devices), "scenes": len(home.scenes)}
    yield message("demo_home", language, home=home.name, **sizes)
    yield message("demo_whole", language, tokens=all_tokens, counter=COUNTER)
    for scene in SCENES:
        yield from _played(scene, engine, all_tokens, language)


def everything(imported: Imported) -> str:
    """What an agent would be given without retrieval.

    Every device with all its commands and states, as compact JSON.
    """
    view, states = HomeView.of(imported.home), imported.states
    return compact_json([{**_whole(d, view), "states": dict(states.of(d.id))} for d in view.devices.values()])


def _whole(device: Device, view: HomeView) -> dict[str, object]:
    room = view.room(device.id)
    commands = [
        {"id": c.id, "text": c.text, "parameters": [p.name for p in c.parameters]}
        for c in view.profile(device.id).commands
    ]
    return {"id": device.id, "name": device.name, "room": room.name if room else "", "commands": commands}


def _played(scene: Scene, engine: Engine, all_tokens: int, language: Language) -> Iterator[str]:
    retrieval = engine.sync.retrieve(scene.said)
    room = f"   [{scene.said.room}]" if scene.said.room else ""
    yield f"\n=== {worded(scene.shows, language)}"
    yield from (f"    {t.role}: {t.content}" for t in scene.said.history)
    yield f"> {scene.said.text}{room}"
    yield answer(retrieval, engine.sync.opened(retrieval.home_id).view)
    tokens, took = retrieval.briefing.tokens, f"{retrieval.ms:.1f}"
    yield message("demo_cost", language, tokens=tokens, instead=all_tokens, ms=took)
