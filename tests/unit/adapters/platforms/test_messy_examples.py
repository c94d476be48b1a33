"""The messy homes that come along are raw exports, and each trap of real homes is in them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest

from winnow.adapters.platforms.bundle import EXAMPLES_FOLDER

APARTMENT, TOWNHOUSE, HOUSEHOLD = (
    EXAMPLES_FOLDER / n for n in ("apartment-zh", "townhouse-en", "smartthings-raw")
)
SMALL_ENOUGH = 320_000
"""Bytes of a whole home."""
COMMON_DOMAINS = """alarm_control_panel automation binary_sensor button calendar camera climate counter cover
 device_tracker event fan group humidifier input_boolean input_button input_datetime input_number
 input_select input_text light lock media_player number person remote scene script sensor sun switch timer
 todo update vacuum valve water_heater weather zone"""

NO_BLINDS = {
    "apartment": ("推拉门", "卷帘门", "晾衣架", "伸缩梯"),
    "townhouse": ("Garage", "Gate", "Desk", "Rack", "Ladder"),
}
HEATERS = {
    "apartment": ("取暖器插座", "电热毯插座", "烤箱插座"),
    "townhouse": ("Heater Plug", "Blanket Plug", "Oven Socket", "Kettle Plug", "Iron Plug"),
}

Row = dict[str, Any]


@dataclass(frozen=True)
class Export:
    """What one Home Assistant says: rows of its registries, states by entity."""

    name: str
    entities: dict[str, Row]
    devices: dict[str, Row]
    areas: dict[str, Row]
    floors: set[str]
    labels: set[str]
    states: dict[str, Row]

    def attributes(self, entity: str) -> Row:
        """Those of the state; empty when there is none."""
        return self.states.get(entity, {}).get("attributes", {})

    def area(self, row: Row) -> str | None:
        """Its own or else its device's."""
        return row["area_id"] or self.devices.get(row["device_id"], {}).get("area_id")

    def of(self, domain: str) -> list[str]:
        """Entities of a domain that have a state."""
        return [e for e in self.states if e.startswith(domain + ".")]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def stored(what: str) -> Row:
    """The data of a registry file."""
    return read(APARTMENT / ".storage" / f"core.{what}_registry")["data"]


def answer(what: str) -> Any:
    """The result of a saved answer."""
    return read(TOWNHOUSE / f"{what}.json")["result"]


def by(key: str, rows: list[Row]) -> dict[str, Row]:
    found = {row[key]: row for row in rows}
    assert len(found) == len(rows)
    return found


@cache
def apartment() -> Export:
    return Export(
        "apartment",
        by("entity_id", stored("entity")["entities"]),
        by("id", stored("device")["devices"]),
        by("id", stored("area")["areas"]),
        set(by("floor_id", stored("floor")["floors"])),
        set(by("label_id", stored("label")["labels"])),
        by("entity_id", read(APARTMENT / "states.json")),
    )


@cache
def townhouse() -> Export:
    entities = by("entity_id", answer("entity_registry"))
    return Export(
        "townhouse",
        {e: row | answer("entity_entries").get(e, {}) for e, row in entities.items()},
        by("id", answer("device_registry")),
        by("area_id", answer("area_registry")),
        set(by("floor_id", answer("floor_registry"))),
        set(by("label_id", answer("label_registry"))),
        by("entity_id", answer("get_states")),
    )


@pytest.fixture(params=[apartment, townhouse], ids=["apartment-zh", "townhouse-en"])
def home(request: pytest.FixtureRequest) -> Export:
    return request.param()  # type: ignore[no-any-return]


@pytest.mark.parametrize("folder", [APARTMENT, TOWNHOUSE, HOUSEHOLD], ids=lambda f: f.name)
def test_a_home_is_no_burden(folder: Path) -> None:
    assert sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) < SMALL_ENOUGH


# As the platform writes it


@pytest.mark.parametrize("what", ["entity", "device", "area", "floor", "label"])
def test_stored_registries_keep_their_wrapper(what: str) -> None:
    whole = read(APARTMENT / ".storage" / f"core.{what}_registry")
    assert list(whole) == ["version", "minor_version", "key", "data"]
    assert whole["key"] == f"core.{what}_registry"


def test_stored_registries_remember_what_was_deleted() -> None:
    gone = {row["entity_id"] for row in stored("entity")["deleted_entities"]}
    assert gone
    assert not gone & set(apartment().entities)
    assert stored("device")["deleted_devices"]


def test_saved_answers_keep_their_envelope() -> None:
    answers = [read(path) for path in TOWNHOUSE.glob("*.json")]
    assert len({a["id"] for a in answers}) == len(answers) == 8
    assert {(a["type"], a["success"]) for a in answers} == {("result", True)}


def test_some_answers_cover_a_part_only() -> None:
    entries = answer("entity_entries")
    assert set(entries) < set(townhouse().entities)
    assert all(e == row["entity_id"] for e, row in entries.items())
    assert "model_id" not in answer("device_registry")[0]


def test_exposure_is_an_answer_of_its_own() -> None:
    told = answer("exposed_entities")["exposed_entities"]
    assert set(townhouse().entities) < set(told)
    assert {str(v.get("conversation")) for v in told.values()} == {"True", "False", "None"}


def test_states_are_as_the_api_gives_them(home: Export) -> None:
    assert {" ".join(state) for state in home.states.values()} == {
        "entity_id state attributes last_changed last_reported last_updated context"
    }
    assert all(state["last_updated"].endswith("+00:00") for state in home.states.values())


# Nothing points nowhere


def test_it_is_as_large_as_a_real_home(home: Export) -> None:
    assert min(len(home.entities), len(home.states)) >= 110
    assert {e.split(".")[0] for e in home.states} >= set(COMMON_DOMAINS.split())


def test_references_lead_somewhere(home: Export) -> None:
    rows = [*home.entities.values(), *home.devices.values()]
    assert {row["area_id"] for row in rows} <= {None, *home.areas}
    assert {row["device_id"] for row in home.entities.values()} <= {None, *home.devices}
    assert {d["via_device_id"] for d in home.devices.values()} <= {None, *home.devices}
    assert {a["floor_id"] for a in home.areas.values()} <= {None, *home.floors}
    assert set(chain.from_iterable(row["labels"] for row in rows)) == home.labels


def test_members_are_there(home: Export) -> None:
    members = chain.from_iterable(s["attributes"].get("entity_id", ()) for s in home.states.values())
    assert set(members) <= set(home.states)


def test_what_has_no_entry_is_a_thing_of_the_system(home: Export) -> None:
    assert {e.split(".")[0] for e in set(home.states) - set(home.entities)} == {"group", "sun", "zone"}


def test_rooms_may_be_empty_unknown_or_of_another_name(home: Export) -> None:
    used = {home.area(row) for row in home.entities.values()}
    assert None in used
    assert set(home.areas) - used
    assert any(a["aliases"] for a in home.areas.values())
    assert None in {a["floor_id"] for a in home.areas.values()}


def test_floors_have_other_names() -> None:
    assert all(f["aliases"] for f in stored("floor")["floors"])
    assert {f["level"] for f in answer("floor_registry")} == {0, 1, None}


# What nobody speaks to


def test_lamps_and_switches_that_are_settings(home: Export) -> None:
    settings = Counter(
        e.split(".")[0] for e, row in home.entities.items() if row["entity_category"] == "config"
    )
    assert min(settings["light"], settings["switch"], settings["button"], settings["update"]) >= 2
    assert any(row["entity_category"] == "diagnostic" for row in home.entities.values())


def test_a_setting_is_exposed_by_mistake(home: Export) -> None:
    exposed = [r for r in home.entities.values() if r["options"].get("conversation", {}).get("should_expose")]
    assert "config" in {row["entity_category"] for row in exposed}
    assert len(exposed) < len(home.entities)


def test_hidden_disabled_missing_lost_and_ghostly_entities(home: Export) -> None:
    hidden = {e for e, row in home.entities.items() if row["hidden_by"]}
    disabled = {e for e, row in home.entities.items() if row["disabled_by"]}
    assert hidden <= set(home.states)
    assert not disabled & set(home.states)
    assert len({home.entities[e]["disabled_by"] for e in disabled}) == 3
    assert set(home.entities) - disabled - set(home.states)
    assert any(home.attributes(e).get("restored") for e in home.of("light"))
    assert sum(s["state"] == "unavailable" for s in home.states.values()) >= 3


# What goes by a wrong name


def test_groups_stand_beside_their_members(home: Export) -> None:
    for domain in ("light", "cover", "media_player"):
        groups = [e for e in home.of(domain) if "entity_id" in home.attributes(e)]
        assert groups
        assert {home.entities[e]["platform"] for e in groups} == {"group"}
    assert len(home.of("group")) == 2


def test_an_automation_is_called_like_lamps(home: Export) -> None:
    names = [home.attributes(e)["friendly_name"] for e in home.of("automation")]
    assert sum("灯" in n or "light" in n.lower() or "lamp" in n for n in names) >= 2


def test_emoji_brackets_and_quotes_are_in_names(home: Export) -> None:
    names = "".join(state["attributes"]["friendly_name"] for state in home.states.values())
    assert set("“”") <= set(names)
    assert set("（）") <= set(names) or set("()") <= set(names)
    assert any(category(home.attributes(e)["friendly_name"][-1]) == "So" for e in home.of("scene"))


def test_a_remote_bears_the_name_of_its_player(home: Export) -> None:
    named = {home.attributes(e)["friendly_name"]: e for e in home.of("media_player")}
    for remote in home.of("remote"):
        player = named[home.attributes(remote)["friendly_name"]]
        assert home.entities[player]["device_id"] == home.entities[remote]["device_id"]


def test_an_air_conditioner_measures_outdoors(home: Export) -> None:
    owners = {home.entities[e]["device_id"] for e in home.of("climate")}
    inner = [r for e, r in home.entities.items() if e.startswith("sensor.") and r["device_id"] in owners]
    names = {row["original_name"].lower() for row in inner}
    assert names & {"室外温度", "outdoor temperature"}
    assert names & {"地表温度", "floor surface temperature"}


def test_covers_that_are_no_blinds_have_no_class(home: Export) -> None:
    plain = [e for e in home.of("cover") if "device_class" not in home.attributes(e)]
    names = " ".join(home.attributes(e)["friendly_name"] for e in plain)
    assert all(part in names for part in NO_BLINDS[home.name])


def test_heaters_hide_behind_plugs(home: Export) -> None:
    names = " ".join(home.attributes(e)["friendly_name"] for e in home.of("switch"))
    assert all(heater in names for heater in HEATERS[home.name])


def test_an_entity_may_have_its_own_name_as_alias() -> None:
    kept = [row["aliases"] for row in chain(apartment().entities.values(), answer("entity_entries").values())]
    assert {(None in aliases, len(aliases) > 1) for aliases in kept} >= {
        (True, True),
        (True, False),
        (False, False),
    }


def test_one_device_has_several_switches(home: Export) -> None:
    rows = [r for e, r in home.entities.items() if e.startswith("switch.") and not r["entity_category"]]
    keys = {row["original_name"] for row in rows}
    assert keys >= {"左键", "中键", "右键"} or keys >= {"Left", "Middle", "Right"}
    assert max(Counter(row["device_id"] for row in rows).values()) >= 3


def test_a_fan_and_its_lamp_are_one_device(home: Export) -> None:
    lamps = {home.entities[e]["device_id"] for e in home.of("light")} - {None}
    assert lamps & {home.entities[e]["device_id"] for e in home.of("fan")}


def test_an_owner_corrects_classes(home: Export) -> None:
    own = [r for r in home.entities.values() if r.get("device_class")]
    assert any(r["device_class"] != r["original_device_class"] for r in own)


def test_people_have_phones_and_not_all_are_home(home: Export) -> None:
    assert {home.states[e]["state"] for e in home.of("person")} == {"home", "not_home"}
    phones = chain.from_iterable(home.attributes(e)["device_trackers"] for e in home.of("person"))
    assert set(phones) == set(home.of("device_tracker"))


def test_the_alarm_can_be_armed_in_three_ways(home: Export) -> None:
    assert [home.attributes(e)["supported_features"] for e in home.of("alarm_control_panel")] == [7]


def test_a_desk_lamp_is_inside_another_name() -> None:
    names = [apartment().attributes(e)["friendly_name"] for e in apartment().of("light")]
    assert {n.strip(" 🌿") for n in names if "台灯" in n} == {"台灯", "阳台灯"}


# SmartThings


def pages() -> tuple[Row, Row]:
    return read(HOUSEHOLD / "devices-1.json"), read(HOUSEHOLD / "devices-2.json")


def things() -> list[Row]:
    return list(chain.from_iterable(page["items"] for page in pages()))


def offered(thing: Row) -> set[str]:
    return {c["id"] for part in thing["components"] for c in part["capabilities"]}


def test_devices_come_in_two_pages() -> None:
    first, second = pages()
    assert "page=1" in first["_links"]["next"]["href"]
    assert second["_links"]["next"] is None
    assert len(by("deviceId", things())) >= 45


def test_there_is_no_spec_file() -> None:
    names = {path.name for path in HOUSEHOLD.iterdir()}
    assert names == {
        "devices-1.json",
        "devices-2.json",
        "locations.json",
        "rooms.json",
        "scenes.json",
        "statuses.json",
    }


def test_two_hubs_serve_one_location() -> None:
    hubs = {t["deviceId"] for t in things() if t["type"] == "HUB"}
    radio = {t["zigbee"]["hubId"] for t in things() if "zigbee" in t}
    assert len(hubs) == 2
    assert radio == hubs
    (location,) = read(HOUSEHOLD / "locations.json")["items"]
    assert {t["locationId"] for t in things()} == {location["locationId"]}


def test_devices_stand_in_rooms_or_in_none() -> None:
    rooms = set(by("roomId", read(HOUSEHOLD / "rooms.json")["items"]))
    used = {t.get("roomId") for t in things()}
    assert None in used
    assert used - {None} < rooms


def test_each_part_has_a_status() -> None:
    statuses = read(HOUSEHOLD / "statuses.json")
    for thing in things():
        told = statuses[thing["deviceId"]]["components"]
        assert {p["id"]: {c["id"] for c in p["capabilities"]} for p in thing["components"]} == {
            part: set(values) for part, values in told.items()
        }


def test_many_devices_have_parts() -> None:
    parts = {t["label"]: [p["id"] for p in t["components"]] for t in things()}
    assert parts["客厅三键开关"] == ["main", "switch2", "switch3"]
    assert parts["门廊三路开关"] == ["main", "switch1", "switch2", "switch3"]
    assert parts["餐边排插"] == ["main", "outlet1", "outlet2", "outlet3"]
    assert parts["冰箱"] == ["main", "freezer", "cooler", "icemaker"]
    assert parts["双层烤箱"] == ["main", "cavity-01"]
    assert parts["吊扇灯"] == ["main", "light"]


def test_some_capabilities_are_strangers() -> None:
    seen = set().union(*map(offered, things()))
    strangers = {"earthbench51402.standingDesk", "streetbridge20871.dryingRack", "stse.mmwaveSensitivity"}
    assert strangers <= seen
    assert {"robotCleanerMovement", "washerOperatingState", "presenceSensor", "doorControl"} <= seen


def test_an_appliance_says_what_it_is_by_its_type_and_vid() -> None:
    appliances = [t for t in things() if t["type"] == "OCF"]
    assert len(appliances) >= 8
    assert all(t["presentationId"].startswith(("DA-", "VD-")) for t in appliances)
    assert len({t["type"] for t in things()}) >= 8


def test_some_devices_are_offline() -> None:
    states = Counter(t["healthState"]["state"] for t in things())
    assert states["OFFLINE"] == 2


def test_labels_are_chinese_with_english_among_them() -> None:
    labels = [t["label"] for t in things()]
    assert sum(label.isascii() for label in labels) >= 5
    assert sum(not label.isascii() for label in labels) >= 45
