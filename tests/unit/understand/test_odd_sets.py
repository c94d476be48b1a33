"""Sets by odd words mean exactly what they mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import winnow
from winnow import Act, Engine, Utterance

NAMES = {"zh": ("书房台灯", "走廊灯", "厨房灯"), "en": ("Study Lamp", "Hall Lamp", "Kitchen Light")}


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Engine]:
    made = {}
    for language, names in NAMES.items():
        folder = tmp_path_factory.mktemp(language)
        rows = [
            {"entity_id": f"light.l{n}", "state": "on", "attributes": {"friendly_name": name}}
            for n, name in enumerate(names)
        ]
        Path(folder, "states.json").write_text(json.dumps(rows), "utf-8")
        made[language] = winnow.open(folder)
    return made


def switched(engines: dict[str, Engine], text: str) -> set[str]:
    verdict = engines["en" if text.isascii() else "zh"].sync.retrieve(Utterance(text)).verdict
    assert isinstance(verdict, Act), text
    return {call.device_id for call in verdict.calls}


@pytest.mark.parametrize(
    "text",
    [
        "turn off every last one of the lights",
        "turn off the lights, the whole lot",
        "turn off any and all lights",
        "灯一盏别留全关了",
        "把灯一个也别落下都关了",
        "灯悉数关掉",
        "大大小小的灯都关了",
    ],
)
def test_the_whole_set_by_odd_words(engines: dict[str, Engine], text: str) -> None:
    assert switched(engines, text) == {"light.l0", "light.l1", "light.l2"}


@pytest.mark.parametrize(
    "text",
    [
        "turn off the lot bar the hall lamp",
        "turn off every last one of the lights but the hall lamp",
        "灯一个不留都关了，走廊灯除外",
        "除了走廊灯，灯悉数关掉",
        "灯都关，放过走廊灯",
    ],
)
def test_what_is_excepted_from_it_stays(engines: dict[str, Engine], text: str) -> None:
    assert switched(engines, text) == {"light.l0", "light.l2"}
