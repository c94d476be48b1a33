"""Who belongs to a set: base, without minus, but with plus."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.retrieve.home.villa import VILLA, here, kind, lamp, mention, room

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import build_index
from winnow.retrieve.home.search import SetMembers, set_members
from winnow.types.query import SetExpr

ALL_COVERS = mention(kind("window_cover", plural=True))
BLINDS, ONE_BLIND = mention(kind("blind", plural=True)), mention(kind("blind"))


def ids(found: SetMembers) -> set[str]:
    return {m.device_id for m in found.found}


def test_what_is_taken_away_does_not_belong_and_is_named_as_left_out() -> None:
    found = set_members(SetExpr(ALL_COVERS, (mention(room("nursery")),)), here())
    assert ids(found) == {"parlour-curtains", "parlour-blinds"}
    assert "nursery-curtains" in found.left_out
    assert found.unplaced == ()


def test_what_is_taken_back_belongs_again() -> None:
    lamps, parlour, nursery = mention(lamp()), mention(room("parlour")), mention(room("nursery"), lamp())
    things = SetExpr(lamps, (parlour, mention(room("nursery"))), (nursery,))
    assert {"parlour-lamp", "nursery-lamp"} & ids(set_members(things, here())) == {"nursery-lamp"}


def test_an_exception_that_matches_nothing_is_told() -> None:
    found = set_members(SetExpr(ALL_COVERS, (mention(kind("humidifier")), BLINDS)), here())
    assert found.unplaced == ("humidifier",)


def test_what_is_taken_back_and_is_not_there_is_told() -> None:
    found = set_members(SetExpr(ALL_COVERS, (BLINDS,), (mention(kind("humidifier")),)), here())
    assert found.unplaced == ("humidifier",)


def test_an_exception_that_takes_nothing_of_a_place_is_told_apart() -> None:
    parlour = mention(room("parlour"), kind("window_cover", plural=True))
    nursery = mention(room("nursery"), kind("window_cover", plural=True))
    assert set_members(SetExpr(parlour, (BLINDS,)), here()).idle == ()
    assert set_members(SetExpr(nursery, (BLINDS,)), here()).idle == (BLINDS.text,)
    assert set_members(SetExpr(nursery, (mention(room("parlour"), kind("blind")),)), here()).idle == ()
    assert set_members(SetExpr(nursery, (mention(lamp()),)), here()).idle == ()


def test_leaving_the_blinds_leaves_no_curtain() -> None:
    assert set_members(SetExpr(ALL_COVERS, (BLINDS,)), here()).left_out == {"parlour-blinds"}


def test_leaving_one_blind_may_mean_whatever_is_like_it() -> None:
    assert "parlour-curtains" in set_members(SetExpr(ALL_COVERS, (ONE_BLIND,)), here()).left_out


def test_leaving_the_blinds_of_a_home_that_has_only_curtains_leaves_those() -> None:
    curtains = replace(VILLA, devices=tuple(d for d in VILLA.devices if d.id != "parlour-blinds"))
    stands = HomePosition(build_index(curtains, HashingEmbedder()))
    assert set_members(SetExpr(ALL_COVERS, (BLINDS,)), stands).left_out == {
        "parlour-curtains",
        "nursery-curtains",
    }
