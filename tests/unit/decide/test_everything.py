"""What may be moved on a word like everything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.decide.rows import query, row

from winnow.decide.gate import is_meant_by_wide_word
from winnow.types.query import Value


@pytest.mark.parametrize(
    ("action", "trait", "moved"),
    [
        ("on", "Switch.On", True),
        ("on", "Vacuum.Start", False),
        ("off", "Vacuum.Stop", True),
        ("off", "Lock.Unlock", False),
        ("open", "Cover.Open", False),
        ("close", "Cover.Close", True),
        ("close", "Switch.Off", False),
        ("lock", "Lock.Lock", True),
    ],
)
def test_a_bare_verb_moves_only_what_it_may(action: str, trait: str, moved: bool) -> None:
    assert is_meant_by_wide_word(query(action=action), row("a", trait=trait)) is moved


def test_a_value_says_what_is_set() -> None:
    half = Value("absolute", 50.0, "%")
    assert is_meant_by_wide_word(query(action="set", value=half), row("a", trait="Cover.SetPosition"))
    assert not is_meant_by_wide_word(query(action="set"), row("a", trait="Cover.SetPosition"))


def test_what_cannot_do_it_is_not_moved() -> None:
    assert not is_meant_by_wide_word(query(action="on"), row("a", able=False))


@pytest.mark.parametrize(
    ("name", "aliases", "kind", "runs_on"),
    [
        ("厨房冰箱", (), "plug", True),
        ("插座三", ("路由器",), "plug", True),
        ("White box", ("the fridge",), "plug", True),
        ("Box", (), "refrigerator", True),
        ("NAS", (), "plug", True),
        ("Nasturtium lamp", (), "light", False),
        ("Box", (), "plug", False),
    ],
)
def test_what_has_to_go_on_is_known_by_its_names_or_its_kind(
    name: str, aliases: tuple[str, ...], kind: str, runs_on: bool
) -> None:
    made = row("a", kind, trait="Switch.Off")
    made = replace(made, device=replace(made.device, name=name, aliases=aliases))
    assert is_meant_by_wide_word(query(action="off"), made) is not runs_on


def test_what_has_to_go_on_may_be_switched_on() -> None:
    assert is_meant_by_wide_word(query(action="on"), row("a", "refrigerator"))
