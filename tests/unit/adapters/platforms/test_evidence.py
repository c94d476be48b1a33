"""What a name tells of a thing."""

from __future__ import annotations

import pytest

from winnow.act.effects.danger import danger_of_names
from winnow.adapters.platforms.traits import kinds_by_name

HOT = """
热水器插座 电热水器 电热毯开关 取暖器插座 烤箱插座 热水壶插座 热水器电源 油汀 小厨宝
空气炸锅插座 暖风机 客厅取暖器 鱼缸加热棒 浴霸 Water_Heater_Plug Kettle_Plug Oven_Socket
Heater_Plug Heaters Toaster Air_Fryer Iron Geyser Towel_Rail Kettle_by_the_window
Plug_(heater) Plug_for_the_kettle
"""
HARMLESS = """
插座 智能插座 三键开关 烤箱灯 浴霸照明 热水器温度 客厅温度计 取暖器童锁 空调插座
电视插座 门铃 阳台灯 Smart_Plug Oven_Light Heater_Sensor Heater_child_lock Environment
Ironing_board Main_Switch Garage_Camera Kitchen_thermometer Lamp_beside_the_oven
"""


def names(text: str) -> list[str]:
    return [name.replace("_", " ") for name in text.split()]


@pytest.mark.parametrize("name", names(HOT))
def test_what_is_named_like_a_heater_is_one_whatever_it_is_plugged_into(name: str) -> None:
    danger, reason = danger_of_names(["plug"], [name])
    assert danger == "heat"
    assert reason.startswith("name ")


@pytest.mark.parametrize("name", names(HARMLESS))
def test_a_name_that_ends_in_something_harmless_is_harmless(name: str) -> None:
    assert danger_of_names(["plug"], [name]) == ("", "")


@pytest.mark.parametrize(
    ("name", "danger"),
    [
        ("车库门开关", "open_door"),
        ("Garage Door Relay", "open_door"),
        ("Driveway Gate", "open_door"),
        ("燃气阀", "open_valve"),
        ("Water Shutoff", "open_valve"),
        ("门禁", "unlock"),
        ("Siren Plug", "alarm"),
    ],
)
def test_a_name_tells_other_risks_too(name: str, danger: str) -> None:
    assert danger_of_names(["switch"], [name])[0] == danger


@pytest.mark.parametrize(
    "kinds", [["light"], ["temperature_sensor", "sensor"], ["camera"], ["plug", "light"]]
)
def test_what_its_kinds_tell_is_not_doubted_for_its_name(kinds: list[str]) -> None:
    assert danger_of_names(kinds, ["Heater"]) == ("", "")


def test_any_name_may_tell_a_risk() -> None:
    assert danger_of_names(["plug"], ["Plug 3", "kettle"]) == ("heat", "name kettle")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("阳台灯", "light"),
        ("落地灯插座", "light"),
        ("Desk Lamp Plug", "light"),
        ("客厅温度计", "temperature_sensor"),
        ("智能插座", "plug"),
        ("Front Door", "door"),
        ("Kettle by the window", "kettle"),
    ],
)
def test_a_name_tells_a_kind(name: str, kind: str) -> None:
    kinds, reason = kinds_by_name([name])
    assert kinds[0] == kind
    assert reason.startswith("name ")


@pytest.mark.parametrize("name", ["灯塔", "Environment", "Lighthouse", "小白", ""])
def test_a_word_within_a_word_tells_nothing(name: str) -> None:
    assert kinds_by_name([name]) == ((), "")


def test_the_more_general_kinds_come_along() -> None:
    assert kinds_by_name(["客厅空调"]) == (("air_conditioner", "climate"), "name 空调")
