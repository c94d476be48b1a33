"""When one call does what another asks.

Spellings of one deed, numbers that are near enough, text without case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Args = dict[str, Any]
Deed = tuple[str, Args]
"""A command and its arguments."""

COLOURS = {
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "white": (255, 255, 255),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
    "pink": (255, 192, 203),
    "cyan": (0, 255, 255),
    "magenta": (255, 0, 255),
}
_TURNED = {
    ("cover", "turn_on"): "open_cover",
    ("cover", "turn_off"): "close_cover",
    ("valve", "turn_on"): "open_valve",
    ("valve", "turn_off"): "close_valve",
    ("vacuum", "turn_on"): "start",
}
_TRIPLE = re.compile(r"[\[(]\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*[\])]")


def number(value: Any) -> float | None:
    """The value as a number, numerals in text included; None for booleans and everything else."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def bare(value: Any) -> str:
    """Text without case and white space."""
    return "".join(str(value).split()).casefold()


def near(wanted: Any, given: Any) -> bool:
    """Whether two values say the same.

    Numbers within 0.5 or 1 % (shares of one within 0.005), lists member by member, text without case and
    white space.
    """
    if isinstance(wanted, bool) or isinstance(given, bool):
        return bare(wanted) == bare(given)
    x, y = number(wanted), number(given)
    if x is not None and y is not None:
        return abs(x - y) <= _tolerance(x, y)
    left, right = _members(wanted), _members(given)
    if left is None and right is None:
        return bare(wanted) == bare(given)
    left, right = left or [wanted], right or [given]
    return len(left) == len(right) and all(map(near, left, right))


def _tolerance(wanted: float, given: float) -> float:
    share = max(abs(wanted), abs(given)) <= 1 and bool(wanted % 1 or given % 1)
    return 0.005 if share else max(0.5, 0.01 * abs(wanted))


def _members(value: Any) -> list[Any] | None:
    """The members of a list, or of a triple written as text; None for a single value."""
    if isinstance(value, str) and (found := _TRIPLE.fullmatch(value)):
        return [int(part) for part in found.groups()]
    return list(value) if isinstance(value, list | tuple) and value else None


def spelled(device: str, command: str, args: Row | None) -> Deed:
    """A Home Assistant call in the one spelling that stands for all its equals.

    Calls of other vendors as they are.
    """
    args = dict(args or {})
    if "." not in command:
        return command, args
    domain = device.partition(".")[0]
    if command.startswith("homeassistant."):
        action = command.split(".")[1]
        command = f"{domain}.{_TURNED.get((domain, action), action)}"
    if command.startswith("script.") and command == device:
        command = "script.turn_on"
    respell = _SPELLINGS.get(command)
    return respell(command, args) if respell else (command, args)


def _position(command: str, args: Args) -> Deed:
    """Fully open and fully closed have commands of their own."""
    kind, where = command.partition(".")[0], number(args.get("position"))
    if where not in (0.0, 100.0):
        return command, args
    del args["position"]
    return f"{kind}.{'open' if where else 'close'}_{kind}", args


def _light(command: str, args: Args) -> Deed:
    if (level := number(args.get("brightness"))) is not None:
        del args["brightness"]
        args["brightness_pct"] = level / 255 * 100
    if (colour := str(args.get("color_name", "")).casefold()) in COLOURS:
        del args["color_name"]
        args["rgb_color"] = list(COLOURS[colour])
    if number(args.get("kelvin")) is not None:
        args["color_temp_kelvin"] = args.pop("kelvin")
    if mireds := number(args.get("color_temp")):
        del args["color_temp"]
        args["color_temp_kelvin"] = 1e6 / mireds
    return ("light.turn_off", {}) if number(args.get("brightness_pct")) == 0 else (command, args)


def _fan(command: str, args: Args) -> Deed:
    speed = number(args.get("percentage"))
    if speed is None:
        return command, args
    return ("fan.set_percentage", args) if speed else ("fan.turn_off", {})


def _hvac(command: str, args: Args) -> Deed:
    return ("climate.turn_off", {}) if str(args.get("hvac_mode")).casefold() == "off" else (command, args)


def _volume(command: str, args: Args) -> Deed:
    level = number(args.get("volume_level")) or 0.0
    return command, {**args, "volume_level": level / 100} if level > 1 else args


def _media(command: str, args: Args) -> Deed:
    for name in ("search_query", "media_content_id", "item"):
        if name in args:
            args.setdefault("query", args.pop(name))
    return command, args


def _cleaning(command: str, args: Args) -> Deed:
    if "cleaning_area_id" in args:
        args["area"] = args.pop("cleaning_area_id")
    return command, args


_SPELLINGS: dict[str, Callable[[str, Args], Deed]] = {
    "cover.set_cover_position": _position,
    "valve.set_valve_position": _position,
    "light.turn_on": _light,
    "fan.turn_on": _fan,
    "fan.set_percentage": _fan,
    "climate.set_hvac_mode": _hvac,
    "media_player.volume_set": _volume,
    "media_player.play_media": _media,
    "media_player.search_media": _media,
    "vacuum.clean_area": _cleaning,
}


def does(call: Row, wanted: Row) -> bool:
    """Whether a call does what is wanted: that device, one of the commands, every argument that is stated.

    When both have a single argument its name does not matter.
    """
    if str(call.get("device")) != str(wanted["device"]):
        return False
    command, args = spelled(str(call.get("device")), str(call.get("command") or ""), call.get("args"))
    for each in wanted["commands"]:
        asked, needed = spelled(wanted["device"], each, wanted.get("args"))
        if asked == command and _carried(needed, args):
            return True
    return False


def _carried(needed: Args, args: Args) -> bool:
    if len(needed) == len(args) == 1:
        return near(*needed.values(), *args.values())
    return all(name in args and near(value, args[name]) for name, value in needed.items())


def matching(calls: Sequence[Row], wanted: Sequence[Row], optional: Iterable[Row] = ()) -> tuple[int, int]:
    """(how many of the wanted calls were done, how many calls nobody wanted).

    Doing the same thing twice is no harm.
    """
    spare, done = list(calls), 0
    for each in wanted:
        if (at := next((n for n, call in enumerate(spare) if does(call, each)), None)) is not None:
            done += 1
            del spare[at]
    allowed = list(optional)
    if len({json.dumps(each, sort_keys=True) for each in wanted}) == len(wanted):
        allowed += wanted
    return done, sum(not any(does(call, each) for each in allowed) for call in spare)


def covered(reads: Sequence[Row], wanted: Sequence[Row]) -> bool:
    """Whether every wanted reading was read, from the device or one that serves as well.

    Attributes count when both sides name one.
    """
    return all(any(_same_read(given, each) for given in reads) for each in wanted)


def _same_read(given: Row, wanted: Row) -> bool:
    if given.get("device") not in {wanted["device"], *(wanted.get("or") or ())}:
        return False
    asked, named = wanted.get("attribute"), given.get("attribute")
    return not asked or not named or bare(asked).rpartition("-")[2] == bare(named).rpartition("-")[2]
