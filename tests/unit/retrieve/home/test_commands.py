"""Which commands of a profile are meant, and what a shortlist holds of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from tests.unit.retrieve.home.small import index as small
from tests.unit.retrieve.home.small import reading, said
from tests.unit.retrieve.home.villa import ON, VILLA, asked, floor, here, kind, lamp, name, room, villa, word

from winnow.retrieve.home.commands import CommandMatch, CommandScorer
from winnow.retrieve.home.devices import nearest_things, similar_things
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import build_index
from winnow.retrieve.home.search import ShortlistLimits, home_shortlist, scene_candidates, search_home
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Scene
from winnow.types.query import QueryIR, Token

TRAITS = ("Brightness.Set", *(f"Other.{n}" for n in range(20)), "Switch.On")


def said_words(*tokens: Token) -> QueryIR:
    return replace(asked(lamp(), cluster=ON), tokens=tokens)


def scored(query: QueryIR, profile: str, trait: str) -> CommandMatch:
    return next(m for m in CommandScorer(query, villa()).matches(profile) if m.command.trait == trait)


def lane(query: QueryIR, name: str, profile: str = "lamp", trait: str = "Switch.On") -> float:
    """What one lane says of a command; 0 where it is silent."""
    return next((e.score for e in scored(query, profile, trait).evidence if e.lane == name), 0.0)


def test_a_trait_counts_less_the_later_it_stands_in_the_cluster() -> None:
    first, second = lane(asked(cluster=ON), "trait"), lane(asked(cluster=("Switch.Off", *ON)), "trait")
    assert (first, second) == (1.0, 0.96)
    assert lane(asked(cluster=TRAITS), "trait") == pytest.approx(0.4)
    assert lane(asked(cluster=()), "trait") == 0.0


def test_words_of_the_act_count_and_words_of_the_thing_do_not() -> None:
    act, thing = Token("brightness", "property", 0, 10), Token("brightness", "mode", 0, 10)
    assert lane(said_words(act), "text", trait="Brightness.Set") == 1.0
    named = replace(asked(thing), tokens=(thing,))
    assert lane(named, "text", trait="Brightness.Set") == 0.0


def test_an_unknown_word_may_describe_a_command_also_where_it_is_part_of_the_name() -> None:
    unknown = word("brightness")
    assert lane(replace(asked(unknown), tokens=(unknown,)), "text", trait="Brightness.Set") == 1.0


def test_a_single_letter_describes_no_command() -> None:
    assert lane(said_words(word("b")), "text", trait="Brightness.Set") == 0.0


def test_the_best_document_has_one_in_the_lexical_lane() -> None:
    lanes = CommandScorer(said_words(word("brightness")), villa())
    assert max(lanes.lexical) == pytest.approx(1.0)
    assert not any(CommandScorer(said_words(word("zebra")), villa()).lexical)


def test_a_document_of_opposite_meaning_counts_nothing_in_the_vector_lane() -> None:
    class Opposite:
        name, version, dimension, alike = "opposite", "1", 1, None

        def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:
            return np.array([[-1.0 if t == "zebra" else 1.0] for t in texts], np.float32).reshape(-1, 1)

    found = CommandScorer(said_words(word("zebra")), build_index(VILLA, Opposite())).matches("lamp")
    assert {e.score for m in found for e in m.evidence if e.lane == "vector"} == {0.0}


def only(text: str, limits: ShortlistLimits) -> HomeShortlist:
    (one,) = search_home(reading(text), small(), said(text), limits)
    return one


def test_the_limits_say_how_many_devices_and_commands_are_kept() -> None:
    wide, narrow = (
        only("打开书房的台灯", ShortlistLimits()),
        only("打开书房的台灯", ShortlistLimits(devices=1, commands=1)),
    )
    assert set(narrow.device_ids) == {"lamp-study"} < set(wide.device_ids)
    assert (len(narrow.candidates), len(wide.candidates)) == (1, 4 * len(wide.device_ids))


def test_what_does_not_fit_is_dropped_with_the_words_it_does_not_explain() -> None:
    found = only("打开书房的台灯", ShortlistLimits())
    reasons = {d.id: d.reason for d in found.dropped}
    assert reasons["lamp-living"] == "not explained: 书房"
    assert "lamp-study" not in reasons


def test_a_device_without_commands_is_its_own_candidate() -> None:
    (meter,) = home_shortlist(
        asked(name("nursery window contact", "nursery-window", full=True)), here()
    ).candidates
    assert (meter.device_id, meter.command_key) == ("nursery-window", "")


def test_what_stands_in_the_speaker_s_room_comes_first() -> None:
    found = home_shortlist(asked(lamp()), here("loft"))
    assert found.device_ids[0] == "loft-lamp"
    assert home_shortlist(asked(lamp()), here()).device_ids[0] != "loft-lamp"


PART = Token("dinner", "scene", 0, 6, {"partial": True}, ("s1",))
WHOLE = Token("dinner time", "scene", 0, 11, {}, ("s1",))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (asked(WHOLE), ["s1"]),
        (asked(WHOLE, room("loft"), action=""), ["s1"]),
        (asked(PART), ["s1"]),
        (asked(PART, action=""), []),
        (asked(PART, lamp()), []),
        (asked(lamp()), []),
    ],
)
def test_a_part_of_a_scene_s_name_means_it_only_alone_and_with_an_act(
    query: QueryIR, found: list[str]
) -> None:
    assert [c.device_id for c in scene_candidates(query)] == found


def test_a_query_that_hands_on_its_thing_to_another_act_means_what_that_is_made_for() -> None:
    radio = asked(name("lounge radio", "radio", full=True), cluster=("Temperature.Set",), action="set")
    warmer = replace(radio, property="temperature")
    assert home_shortlist(replace(warmer, inherited=True), here()).device_ids == ("parlour-cooler",)
    assert home_shortlist(warmer, here()).device_ids == ("radio",)


class Near:
    """An embedder for which every text means the same."""

    name, version, dimension, alike = "near", "1", 1, 0.5

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:
        self.seen += texts
        return np.ones((len(texts), 1), np.float32)


def test_what_is_near_in_meaning_is_named_for_orders_about_no_scene_as_often_as_the_limits_say() -> None:
    night = Scene("night", "Good night", "run")
    stands = HomePosition(build_index(replace(VILLA, scenes=(night,)), Near()))
    unknown = asked(word("gizmo"))
    assert len(home_shortlist(unknown, stands).near) == 3
    assert len(home_shortlist(unknown, stands, ShortlistLimits(near=1)).near) == 1
    assert home_shortlist(unknown, stands, ordered=False).near == ()
    scene = Token("good night", "scene", 6, 16, {}, ("night",))
    assert home_shortlist(asked(word("gizmo"), scene), stands).near == ()
    assert {c.ref.kind for c in similar_things("gizmo", stands, 0.5) if c.device_id == "night"} == {"scene"}


def test_what_is_near_stands_in_every_place_that_was_said() -> None:
    stands = HomePosition(build_index(VILLA, Near()))
    in_loft = home_shortlist(asked(word("gizmo"), room("loft"), floor("attic")), stands)
    assert {c.device_id for c in in_loft.near} == {"loft-lamp", "loft-bolt", "fan-plug"}
    assert home_shortlist(asked(word("gizmo"), room("loft"), floor("upper")), stands).near == ()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (asked(word("gizmo", 9)), "gizmo"),
        (asked(kind("device"), word("gizmo", 9)), "gizmo"),
        (replace(asked(word("gizmo", 9)), tokens=(Token("hot", "mode", 5, 8),)), "hot gizmo"),
        (replace(asked(word("gizmo", 9)), tokens=(Token("hot", "mode", 0, 3),)), "gizmo"),
    ],
)
def test_what_is_sought_by_meaning_is_the_thing_with_the_setting_right_before_it(
    query: QueryIR, text: str
) -> None:
    embedder = Near()
    assert nearest_things(query, (), HomePosition(build_index(VILLA, embedder)), ())
    assert embedder.seen[-1] == text
