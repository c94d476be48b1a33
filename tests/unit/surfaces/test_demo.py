from __future__ import annotations

from pathlib import Path

import pytest

from winnow.surfaces.demo import EXAMPLE, SCENES, everything, main
from winnow.text.tokens import count_tokens
from winnow.types.catalog import Command, Device, Home, Profile


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the example home is not shipped with the package")
def test_the_tour_answers_every_scene(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert len(SCENES) >= 8
    assert all(f"> {scene.said.text}" in out for scene in SCENES)
    assert out.count(" tokens instead of ") == len(SCENES)


def test_both_languages_are_in_the_tour() -> None:
    assert {scene.said.text.isascii() for scene in SCENES} == {True, False}


def test_a_folder_without_a_home_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_the_comparison_holds_every_device_with_every_command() -> None:
    home = Home(
        "h",
        "h",
        "neutral",
        profiles=(Profile("p", (Command("on"), Command("off"))),),
        devices=(Device("a", "A", "p"), Device("b", "B", "p")),
    )
    text = everything(home)
    assert all(f'"{word}"' in text for word in ("a", "A", "b", "B", "on", "off"))
    assert count_tokens(text) > 0
