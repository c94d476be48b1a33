from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from winnow.app.cli.demo import DOCUMENT_STEPS, HOME_STEPS, whole_home_text
from winnow.language.tokens import count_tokens
from winnow.types.home import Command, Device, Home, Profile
from winnow.types.state import ImportedHome, Snapshot


def test_the_tour_answers_every_scene(winnow: Callable[..., Any]) -> None:
    ran = winnow("demo")
    assert ran.code == 0
    assert len(HOME_STEPS) >= 8
    assert all(f"> {scene.said.text}" in ran.out for scene in HOME_STEPS)
    assert ran.out.count(" tokens instead of ") == len(HOME_STEPS) + len(DOCUMENT_STEPS)
    assert all(f"> {scene.said.text}" in ran.out for scene in DOCUMENT_STEPS)
    assert "knowledge" in ran.out
    assert "public" in ran.out


def test_both_languages_are_in_the_tour() -> None:
    assert {scene.said.text.isascii() for scene in HOME_STEPS} == {True, False}


def test_a_folder_without_a_home_is_told(tmp_path: Path, winnow: Callable[..., Any]) -> None:
    ran = winnow("demo", str(tmp_path))
    assert ran.code == 2
    assert str(tmp_path) in ran.err


def test_the_comparison_holds_every_device_with_every_command() -> None:
    home = Home(
        "h",
        "h",
        "neutral",
        profiles=(Profile("p", (Command("on"), Command("off"))),),
        devices=(Device("a", "A", "p"), Device("b", "B", "p")),
    )
    text = whole_home_text(ImportedHome(home, Snapshot({"a": {"lit": True}})))
    assert all(f'"{word}"' in text for word in ("a", "A", "b", "B", "on", "off", "lit"))
    assert count_tokens(text) > 0
