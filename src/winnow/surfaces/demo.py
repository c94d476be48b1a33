"""A guided tour: ``python -m winnow.surfaces.demo [FOLDER OF PAYLOADS]``.

It imports a home into a temporary store and answers a few sentences in Chinese and English.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow import wiring
from winnow.bridge import blocking
from winnow.config import Settings
from winnow.engine import Engine
from winnow.errors import WinnowError
from winnow.surfaces.show import answer, report_lines
from winnow.text.encode import compact_json
from winnow.text.tokens import COUNTER, count_tokens
from winnow.types.catalog import Home
from winnow.types.dialogue import Turn, Utterance

EXAMPLE = Path(__file__).parents[3] / "examples" / "homes" / "home150"


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


def main(args: list[str] | None = None) -> int:
    """Print the tour; 2 when the payloads cannot be read."""
    given = sys.argv[1:] if args is None else args
    folder = Path(given[0]) if given else EXAMPLE
    try:
        with tempfile.TemporaryDirectory() as data:
            for line in tour(folder, Path(data)):
                print(line)
    except WinnowError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return 2
    return 0


def tour(folder: Path, data: Path) -> Iterator[str]:
    """The tour, line by line. Raises HomeImportError."""
    settings = Settings(data=data)
    store = wiring.open_store(settings)
    report = wiring.import_path(settings.scope, folder, store.storage.homes)
    engine = wiring.open_engine(settings=settings)
    home = blocking(store.storage.homes.load_home(settings.scope.at(report.home_id)))
    all_tokens = count_tokens(everything(home))
    yield from report_lines(report, "en")
    yield f"Injecting every device with all its commands would take {all_tokens} tokens ({COUNTER})."
    for scene in SCENES:
        yield from _played(scene, engine, all_tokens)
    store.close()


def everything(home: Home) -> str:
    """What an agent would be given without retrieval.

    Every device with all its commands and states, as compact JSON.
    """
    rooms, profiles = {r.id: r.name for r in home.rooms}, {p.id: p for p in home.profiles}
    return compact_json(
        [
            {
                "id": d.id,
                "name": d.name,
                "room": rooms.get(d.room_id or "", ""),
                "commands": [
                    {"id": c.id, "text": c.text, "parameters": [p.name for p in c.parameters]}
                    for c in profiles[d.profile_id].commands
                ],
                "states": dict(d.states),
            }
            for d in home.devices
        ]
    )


def _played(scene: Scene, engine: Engine, all_tokens: int) -> Iterator[str]:
    retrieval = engine.sync.retrieve(scene.said)
    room = f"   [in {scene.said.room}]" if scene.said.room else ""
    yield f"\n=== {scene.shows}"
    yield from (f"    {t.role}: {t.content}" for t in scene.said.history)
    yield f"> {scene.said.text}{room}"
    yield answer(retrieval, engine.sync.opened(retrieval.home_id).view)
    yield f"{retrieval.briefing.tokens} tokens instead of {all_tokens}, {retrieval.ms:.1f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
