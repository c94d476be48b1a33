"""The homes that come with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.adapters.platforms.bundle import example_names, example_path
from winnow.app.wiring.engine import open_engine
from winnow.errors import HomeImportError


def test_an_example_is_found_by_its_name_and_a_path_stays_one(tmp_path: Path) -> None:
    assert example_names() == (
        "apartment-zh",
        "cottage",
        "home150",
        "home40",
        "smartthings-raw",
        "townhouse-en",
    )
    assert (example_path("example:cottage") / "states.json").is_file()
    assert example_path(tmp_path) == tmp_path
    assert example_path("example") == Path("example")


def test_a_folder_of_that_very_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("example:cottage").mkdir()
    assert example_path("example:cottage") == Path("example:cottage")


def test_an_unknown_example_is_refused_with_those_there_are() -> None:
    with pytest.raises(HomeImportError) as caught:
        example_path("example:../homes")
    assert "example:home40" in caught.value.hint


def test_an_engine_opens_an_example() -> None:
    assert open_engine("example:home40").sync.load_home().home.id == "home40"
