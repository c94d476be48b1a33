"""Settings that feedback proposed count once they are named, and are told what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.app.config.files import load_tuning
from winnow.app.config.settings import Settings, load_settings
from winnow.errors import ConfigError
from winnow.types.context import NO_TUNING, Tuning

GOOD = """
ranking: {importance: 1.5}
shares: {history: 0.2, knowledge: 0.6, system: 0.15, reserve: 0.05}
protect: 0.6
"""


def named(folder: Path, text: str) -> Settings:
    (folder / "tuned.yaml").write_text(text, "utf-8")
    return load_settings({"WINNOW_TUNED": str(folder / "tuned.yaml")}, folder)


def test_nothing_counts_that_nobody_named(tmp_path: Path) -> None:
    named(tmp_path, GOOD)
    assert load_tuning(load_settings({}, tmp_path)) is NO_TUNING
    assert not NO_TUNING


def test_what_is_named_counts(tmp_path: Path) -> None:
    tuning = load_tuning(named(tmp_path, GOOD))
    shares = {"history": 0.2, "knowledge": 0.6, "system": 0.15, "reserve": 0.05}
    assert tuning == Tuning({"importance": 1.5}, shares, protect=0.6)  # type: ignore[arg-type]
    assert tuning


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("colour: 1\nprotect: high", ["colour", "protect"]),
        ("ranking: {words: much, age: 1}", ["ranking.words"]),
        ("ranking: 3", ["ranking"]),
        ("shares: {history: 0.9, knowledge: 0.9}", ["shares"]),
        ("shares: {history: 0.2, talk: 0.2}", ["shares.talk"]),
        ("[1, 2]", [""]),
        ("a: b: c", [""]),
    ],
)
def test_what_makes_no_sense_is_told_all_at_once(tmp_path: Path, text: str, paths: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_tuning(named(tmp_path, text))
    assert [problem.path for problem in caught.value.problems] == paths


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load_tuning(load_settings({"WINNOW_TUNED": str(tmp_path / "none.yaml")}, tmp_path))
