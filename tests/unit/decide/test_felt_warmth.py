"""Warmer and colder, of light and of air; of two things that are asked for, the one that is set."""

from __future__ import annotations

from winnow.decide.values import Setting, setting
from winnow.types.home import Attribute, Command, Device, Parameter, Profile
from winnow.types.query import QueryIR, Value

KELVIN = Parameter("color_temp_kelvin", "number", 2000, 6500, "K")
LIGHT = Command("light.turn_on", "ColorTemperature.Set", "", (KELVIN,))
LAMP = Profile("lamp", (LIGHT,), (Attribute("color_temp_kelvin", "color_temperature"),))
DEGREES = Parameter("temperature", "number", 7, 35, "C")
WARM = Command("climate.set_temperature", "Temperature.Set", "", (DEGREES,))
CLIMATE = Profile(
    "climate", (WARM,), (Attribute("humidity", "setpoint"), Attribute("temperature", "setpoint"))
)


def warmer(direction: int) -> QueryIR:
    return QueryIR("", "step", property="temperature", value=Value("relative", direction=direction))


def test_warmer_light_is_a_lower_colour_temperature() -> None:
    device, now = Device("light.a", "A", "lamp"), {"color_temp_kelvin": 3000}
    assert setting(KELVIN, LIGHT, warmer(1), device, LAMP, now) == Setting(2500)
    assert setting(KELVIN, LIGHT, warmer(-1), device, LAMP, now) == Setting(3500)


def test_a_step_starts_from_what_the_argument_is_called_like() -> None:
    device, now = Device("climate.a", "A", "climate"), {"humidity": 67.4, "temperature": 21}
    assert setting(DEGREES, WARM, warmer(1), device, CLIMATE, now) == Setting(22)
