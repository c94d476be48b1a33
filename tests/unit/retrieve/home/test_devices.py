"""Which devices a mention may mean, how well, and how exactly they were named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.retrieve.home.villa import VILLA, floor, here, kind, lamp, name, room, villa, word, zone

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home.devices import MAX_PARTIAL_DEVICES, DeviceMatch, fitting_devices, match_devices
from winnow.retrieve.home.explain import HomePosition, explain_word
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.types.home import Device
from winnow.types.query import Token


def with_devices(*more: Device) -> HomeIndex:
    return build_index(replace(VILLA, devices=(*VILLA.devices, *more)), HashingEmbedder())


def best(*tokens: Token, index: HomeIndex | None = None, area: str | None = None) -> list[str]:
    """Ids of the devices that explain every word."""
    return [m.device_id for m in fitting_devices(tokens, HomePosition(index or villa(), area))]


def matched(device_id: str, *tokens: Token, index: HomeIndex | None = None) -> DeviceMatch:
    return next(m for m in match_devices(tokens, HomePosition(index or villa())) if m.device_id == device_id)


def lanes(token: Token, index: HomeIndex | None = None, after: Token | None = None) -> dict[str, str]:
    """Device -> why the word may mean it."""
    return {i: lane for i, (_, lane) in explain_word(token, HomePosition(index or villa()), after).items()}


def test_a_kind_means_its_devices_and_less_so_what_is_like_it() -> None:
    told = explain_word(kind("curtain"), here())
    assert told["parlour-curtains"] > told["parlour-blinds"]
    assert lanes(kind("curtain"))["parlour-blinds"] == "type.like"
    assert "parlour-lamp" not in told


def test_a_word_for_anything_means_everything() -> None:
    assert set(lanes(kind("device"))) == villa().all_ids


def test_a_make_is_told_by_names_where_they_hold_the_word_and_else_by_the_kind() -> None:
    floor_lamp = Token("floor lamp", "type", 0, 10, {"is": "lamp_model"})
    assert set(lanes(floor_lamp)) == {"parlour-lamp"}
    bedside = Token("bedside lamp", "type", 0, 12, {"is": "lamp_model"})
    assert {"parlour-lamp", "nursery-lamp"} <= set(lanes(bedside))


def test_a_kind_that_is_no_make_counts_although_names_hold_the_word() -> None:
    heater = Device("bath", "heater of the bath", "cooler", ("bath_heater",))
    other = Device("stove", "stove", "cooler", ("heater",))
    token = Token("heater", "type", 0, 6, {"is": "heater"})
    assert {"bath", "stove"} <= set(lanes(token, with_devices(heater, other)))


def test_a_whole_kind_in_a_name_counts_only_for_what_hangs_on_a_plug() -> None:
    fans = with_devices(Device("box", "fan club", "speaker", ("speaker",)))
    told = lanes(Token("fan", "type", 0, 3, {"is": "fan"}), fans)
    assert told["fan-plug"] == "name.part"
    assert "box" not in told


@pytest.mark.parametrize(("name", "lane"), [("turbo fan socket", "contains"), ("turbo lamp socket", "type")])
def test_a_plug_whose_name_tells_the_kind_in_other_words_may_be_meant(name: str, lane: str) -> None:
    plug = Device("plug", name, "plug", ("plug",))
    said = Token("ventilator", "type", 0, 10, {"is": "light" if "lamp" in name else "fan"})
    assert lanes(said, with_devices(plug))["plug"] == lane


@pytest.mark.parametrize("token", [kind("light"), room("parlour")])
def test_what_is_called_by_the_bare_word_is_meant_by_its_name(token: Token) -> None:
    called = replace(token, data={**token.data, "named": ("radio",)})
    assert lanes(called)["radio"] == "name"
    assert "radio" in best(called, lamp()) or "radio" in {
        m.device_id for m in match_devices([called], here())
    }


def test_a_device_named_like_a_room_is_found_beside_other_words() -> None:
    called = replace(room("parlour"), data={"named": ("radio",)})
    assert "radio" in {m.device_id for m in match_devices([called, name("lounge", "radio")], here())}
    assert "radio" in {m.device_id for m in match_devices([called, lamp()], here())}


def test_a_room_means_what_stands_in_it_and_what_is_called_after_it() -> None:
    gate = with_devices(Device("gate", "nursery gate", "bolt", ("lock",), (), "parlour"))
    told = lanes(room("nursery"), gate)
    assert told["gate"] == "room.name"
    assert told["nursery-lamp"] == "room"


def test_a_zone_means_what_stands_there_and_what_is_called_after_it() -> None:
    far = with_devices(Device("far", "outdoor lamp", "lamp", ("light",), (), "loft"))
    told = lanes(replace(zone("outdoor"), text="outdoor"), far)
    assert told["far"] == "contains"
    assert told["garden-lamp"] == "zone"


def test_a_floor_means_what_stands_in_its_rooms() -> None:
    assert set(lanes(floor("cellar"))) == {"storage-lamp"}


def test_several_places_as_one_are_whatever_is_in_one_of_them() -> None:
    both = Token("loft and storage", "room", 0, 16, {"joined": (room("loft"), room("storage"))})
    assert set(best(both, lamp())) == {"loft-lamp", "storage-lamp"}


@pytest.mark.parametrize(
    ("where", "meant"),
    [
        ("first", {"floor"}),
        ("last", {"dance"}),
        ("whole", {"whole"}),
        ("any", {"floor", "dance", "whole", "middle"}),
    ],
)
def test_a_part_of_a_name_stands_where_it_was_said_to(where: str, meant: set[str]) -> None:
    names = {"floor": "stage prop", "dance": "back stage", "whole": "stage", "middle": "on stage now"}
    index = with_devices(*(Device(i, n, "lamp", ("light",)) for i, n in names.items()))
    part = Token("stage", "nameword", 0, 5, {"part": where})
    extra = {"whole"} if where in {"first", "last"} else set()
    assert set(lanes(part, index)) == meant | extra


def test_a_full_name_is_more_than_a_part_of_one() -> None:
    assert lanes(name("moon", "nursery-lamp", full=True))["nursery-lamp"] == "name"
    assert lanes(name("moon", "nursery-lamp"))["nursery-lamp"] == "name.part"


def test_a_word_of_a_room_s_name_means_that_room() -> None:
    assert lanes(word("rose"))["garden-lamp"] == "room.word"
    assert "garden-lamp" not in lanes(replace(word("rose"), kind="nameword"))


def test_a_lone_character_counts_only_with_what_follows_it_at_once() -> None:
    index = with_devices(Device("bear", "小熊灯", "lamp", ("light",)))
    bear, gap = Token("熊灯", "word", 1, 3), Token("熊灯", "word", 2, 4)
    assert "bear" in lanes(word("小"), index, bear)
    assert lanes(word("小"), index) == {}
    assert lanes(word("小"), index, gap) == {}


def test_a_digit_alone_counts() -> None:
    assert "two" in lanes(word("2"), with_devices(Device("two", "spot 2", "lamp", ("light",))))


def test_a_place_alone_means_everything_in_it_and_beside_a_thing_only_narrows() -> None:
    assert set(best(room("storage"))) == {"storage-lamp"}
    assert {m.device_id for m in match_devices([room("parlour"), kind("lock")], here())} == {"loft-bolt"}


def test_where_no_thing_is_known_the_places_bring_what_stands_in_them() -> None:
    assert "storage-lamp" in {m.device_id for m in match_devices([room("storage"), floor("cellar")], here())}


def test_what_was_misheard_counts_less() -> None:
    sure, unsure = (matched("loft-bolt", name("hatch", "loft-bolt", **data)) for data in ({}, {"heard": 0.8}))
    assert (sure.coverage, unsure.coverage) == pytest.approx((1.0, 0.8))
    assert unsure.evidence[0].score == 0.8


def test_of_many_that_fit_in_part_the_best_are_looked_at() -> None:
    lamps = tuple(
        Device(f"x{n:03}", f"spot {n}", "lamp", ("light",), (), "loft")
        for n in range(MAX_PARTIAL_DEVICES + 20)
    )
    late = Device("zz", "spot extra", "lamp", ("light",), (), "loft")
    loose = Device("zzz", "free spot", "lamp", ("light",))
    index = with_devices(*lamps, late, loose)
    found = match_devices([lamp(), word("extra"), room("storage")], HomePosition(index))
    ids = [m.device_id for m in found]
    assert "zz" in ids
    assert "zzz" in ids
    assert len([m for m in found if index.view.room(m.device_id)]) == MAX_PARTIAL_DEVICES


def test_of_many_that_fit_in_whole_all_are_looked_at() -> None:
    lamps = tuple(
        Device(f"x{n:03}", f"spot {n}", "lamp", ("light",), (), "loft")
        for n in range(MAX_PARTIAL_DEVICES + 20)
    )
    assert {d.id for d in lamps} <= set(best(lamp(), room("loft"), index=with_devices(*lamps)))


def test_a_device_in_no_room_does_not_contradict_a_place_where_its_whole_name_was_said() -> None:
    radio = name("lounge radio", "radio", full=True)
    excused = matched("radio", radio, room("loft"))
    assert excused.missing == ()
    assert excused.evidence[-1].lane == "unplaced"
    assert matched("radio", radio).coverage > excused.coverage > 0.5


@pytest.mark.parametrize(
    ("device_id", "tokens"),
    [
        ("radio", (name("radio", "radio"), room("loft"))),
        ("radio", (name("lounge radio", "radio", full=True), word("green"))),
        ("nursery-lamp", (name("moon", "nursery-lamp", full=True), room("loft"))),
    ],
)
def test_no_other_device_is_excused(device_id: str, tokens: tuple[Token, ...]) -> None:
    assert matched(device_id, *tokens).missing == (tokens[1].text,)


def test_of_equal_devices_the_one_named_more_exactly_comes_first() -> None:
    index = with_devices(
        Device("a-long", "stage of the old theatre", "lamp", ("light",)),
        Device("z", "stage", "lamp", ("light",)),
    )
    assert best(name("stage", "a-long", "z"), index=index) == ["z", "a-long"]


def test_exactness_is_the_share_of_the_name_and_the_room_in_it_counts_as_said() -> None:
    index = with_devices(
        Device("piano", "nursery piano bench", "lamp", ("piano",), (), "nursery"),
        Device("other", "nursery piano bench", "lamp", ("piano",), (), "loft"),
    )
    in_room, elsewhere = (
        matched(i, name("piano", "piano", "other"), index=index).exact for i in ("piano", "other")
    )
    assert in_room == pytest.approx(12 / 17)
    assert elsewhere == pytest.approx(5 / 17)


def test_the_last_word_of_a_name_says_what_the_thing_is() -> None:
    assert matched("radio", name("radio", "radio")).exact == 0.95
    assert matched("radio", name("lounge", "radio")).exact < 0.95
    assert matched("radio", name("lounge radio", "radio", full=True)).exact == 1.0


def test_a_plural_says_the_name_too() -> None:
    assert matched("loft-bolt", name("hatchs", "loft-bolt")).exact == 1.0


def test_a_floor_is_no_part_of_a_name() -> None:
    cellar = with_devices(Device("c", "cellar", "lamp", ("light",), (), "storage"))
    said = (Token("cellar", "floor", 0, 6, {}, ("cellar",)), lamp())
    assert matched("c", *said, index=cellar).exact == 0.5


@pytest.mark.parametrize(
    ("called", "kinds", "text", "is_", "exact"),
    [
        ("spot", ("light",), "lights", "light", 0.5),
        ("light", ("light",), "light", "light", 1.0),
        ("stage light", ("plug",), "light", "light", 0.5),
        ("light switch", ("plug",), "light", "light", 0.5),
        ("light stage", ("plug",), "light", "light", 0.0),
        ("lamp light", ("light",), "light", "light", 0.5),
        ("stage lamp", ("sensor",), "lamp", "lamp", 0.5),
        ("lamp stage", ("sensor",), "lamp", "lamp", 0.0),
        ("spot", ("blind", "cover"), "screen", "screen", 0.0),
        ("spot", ("shade", "cover"), "blind", "blind", 0.0),
    ],
)
def test_a_kind_alone_tells_half_of_what_is_of_the_kind_or_is_called_so(
    called: str, kinds: tuple[str, ...], text: str, is_: str, exact: float
) -> None:
    index = with_devices(Device("it", called, "lamp", kinds))
    assert matched("it", Token(text, "type", 0, len(text), {"is": is_}), index=index).exact == exact
