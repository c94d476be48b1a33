"""A home is looked over before anybody speaks to it."""

from __future__ import annotations

from winnow.engine.home_import import home_notes
from winnow.language.messages import codes
from winnow.language.tables import table
from winnow.types.home import OVERRIDE_DANGERS, Attribute, Command, Device, Home, Note, Profile, Room
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot

ALWAYS = table("winnow.act.effects", "danger.yaml")["commands"]
SWITCH = Profile("switch", (Command("on", "Switch.On"),))
LOCK = Profile("lock", (Command("lock", "Lock.Lock"), Command("unlock", "Lock.Unlock")))
THERMOMETER = Profile("thermometer", attributes=(Attribute("t", "temperature"),))


def notes(
    *devices: Device, states: Snapshot = EMPTY_SNAPSHOT, said: tuple[Note, ...] = ()
) -> list[tuple[str, str, str]]:
    rooms, profiles = (Room("k", "Kitchen"),), (SWITCH, LOCK, THERMOMETER)
    home = Home("flat", "Flat", "neutral", (), rooms, profiles, devices, notes=said)
    return [(n.code, n.id, n.detail) for n in home_notes(home, states)]


def test_a_home_without_devices_is_a_warning() -> None:
    assert notes() == [("no_devices", "flat", "")]


def test_nothing_stands_out_in_a_plain_home() -> None:
    assert notes(Device("a", "Lamp", "switch", ("light",), room_id="k")) == []


def test_each_thing_worth_knowing_is_told_once() -> None:
    found = notes(
        Device("a", "Lamp", "switch", ("light",)),
        Device("b", "Box", "none", categories=("Hub",), room_id="k"),
        Device("c", "Door", "lock", ("lock",), room_id="k"),
        Device("d", "Probe", "thermometer"),
        states=Snapshot(offline=frozenset({"d"})),
    )
    assert found == [
        ("no_room", "a", ""),
        ("mute", "b", "Hub"),
        ("offline", "d", ""),
        ("asks_first", "c", "unlock"),
    ]


def test_what_is_meant_by_its_name_only_is_told_with_the_reason_and_nothing_else() -> None:
    hidden = Device("a", "Beep", "switch", reach="named", reasons=("entity_category config",))
    assert notes(hidden) == [("named_only", "a", "entity_category config")]


def test_names_that_only_a_question_can_tell_apart_are_told() -> None:
    lamps = [Device(i, name, "switch", ("light",), room_id="k") for i, name in (("a", "Lamp"), ("b", "lamp"))]
    assert notes(*lamps) == [("same_name", "a", "2 Kitchen")]
    assert notes(
        lamps[0], Device("b", "lamp", "switch", room_id="k", reach="named", reasons=("hidden",))
    ) == [("named_only", "b", "hidden")]


def test_what_the_import_said_comes_first() -> None:
    said = (Note("unknown_capability", "a", "Lamp", "acme.glow"), Note("fewer_facts", "states"))
    codes = [code for code, _, _ in notes(Device("a", "Lamp", "switch"), said=said)]
    assert codes == ["fewer_facts", "unknown_capability", "no_room"]


def test_every_risk_has_a_name_in_both_languages() -> None:
    risks = {f"risk_{risk}" for risk in {*OVERRIDE_DANGERS, *ALWAYS.values()} - {"none"}}
    assert risks <= codes("en") & codes("zh")
    assert set(ALWAYS.values()) <= set(OVERRIDE_DANGERS)
