"""An engine opens itself the way the package does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.homes import home

from winnow import Act, Engine
from winnow.app.wiring.engine import open_engine
from winnow.errors import HomeImportError


def test_an_engine_is_opened_by_its_own_name() -> None:
    engine = Engine.open(home("home40"))
    assert isinstance(engine.sync.retrieve("把客厅主灯关了").verdict, Act)


LAMP = {"id": "l", "name": "Reading lamp", "category": "light", "commands": [{"id": "turn_on"}]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_of_payloads_is_opened_like_its_folder(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "home.json"
    file.write_text(json.dumps({"id": "flat", "devices": [LAMP]}), encoding)
    for place in (file, tmp_path):
        assert isinstance(open_engine(place).sync.retrieve("turn on the reading lamp").verdict, Act)


def test_a_file_of_json_that_is_no_home_says_so(tmp_path: Path) -> None:
    file = tmp_path / "home.json"
    file.write_text('{"colour": "blue"}', "utf-8")
    with pytest.raises(HomeImportError, match="holds no home") as caught:
        open_engine(file)
    assert caught.value.hint
