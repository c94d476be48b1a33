"""Home Assistant's own sentences (hassil, home-assistant-intents) beside Winnow on the same sentences.

    python -m benchmarks.recognizer

In the environment of ``make bench-peers``. Committed are the sentences of first contacts in homes of Home
Assistant; ``WINNOW_BENCH`` adds public sets, of which two are Home Assistant's own tests. The recognizer gets
every name, alias, room and floor as if all were exposed, and the room where somebody stands. What is
recognized is carried out as Home Assistant's handlers do: all that match, one where a name is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from time import process_time
from types import SimpleNamespace
from typing import Any

from hassil import recognize_best
from hassil.intents import Intents, TextSlotList
from home_assistant_intents import get_intents
from tests.homes import engine, imported
from tests.scenarios import contacts, runner

from benchmarks import places
from benchmarks.evaluation.cases import device_case, read_cases
from benchmarks.evaluation.devices import DECISIONS, DevicePredictor
from benchmarks.scoring import figures
from winnow.types.home import Home
from winnow.types.utterance import Utterance
from winnow.types.verdict import (
    Act,
    Call,
    Nothing,
    NotUnderstood,
    Query,
    Read,
    Verdict,
    named_calls,
    named_reads,
)

LANGUAGES = {"en": "en", "zh": "zh-CN"}
TURNED = {
    ("HassTurnOn", "cover"): "open_cover",
    ("HassTurnOff", "cover"): "close_cover",
    ("HassTurnOn", "valve"): "open_valve",
    ("HassTurnOff", "valve"): "close_valve",
    ("HassTurnOn", "lock"): "lock",
    ("HassTurnOff", "lock"): "unlock",
    ("HassTurnOn", "button"): "press",
    ("HassTurnOn", "input_button"): "press",
    ("HassTurnOn", "vacuum"): "start",
}
DONE = {
    "HassTurnOn": ("", "turn_on"),
    "HassTurnOff": ("", "turn_off"),
    "HassToggle": ("", "toggle"),
    "HassLightSet": ("light", "turn_on"),
    "HassSetPosition": ("cover", "set_cover_position"),
    "HassClimateSetTemperature": ("climate", "set_temperature"),
    "HassFanSetSpeed": ("fan", "set_percentage"),
    "HassVacuumStart": ("vacuum", "start"),
    "HassVacuumReturnToBase": ("vacuum", "return_to_base"),
    "HassLawnMowerStartMowing": ("lawn_mower", "start_mowing"),
    "HassLawnMowerDock": ("lawn_mower", "dock"),
    "HassMediaPause": ("media_player", "media_pause"),
    "HassMediaUnpause": ("media_player", "media_play"),
    "HassMediaNext": ("media_player", "media_next_track"),
    "HassMediaPrevious": ("media_player", "media_previous_track"),
    "HassMediaPlayerMute": ("media_player", "volume_mute"),
    "HassMediaPlayerUnmute": ("media_player", "volume_mute"),
    "HassSetVolume": ("media_player", "volume_set"),
    "HassSetVolumeRelative": ("media_player", "volume_up"),
    "HassVacuumCleanArea": ("vacuum", "clean_area"),
}
"""Intent -> the only domain it is for, and the service that is called."""
PUBLIC = ("ha-intents-2507", "ha-intents-2608", "allenporter-intents", "drizzt-ha-voice-bench")
States = Callable[[str], Mapping[str, Any]]
READ = {"HassGetState": "", "HassClimateGetTemperature": "climate", "HassGetWeather": "weather"}
ATTRIBUTES = {"HassClimateGetTemperature": "current_temperature"}
ONE = {"HassClimateSetTemperature", "HassClimateGetTemperature", "HassGetWeather"}
"""Intents for one thing, even where no name is told."""
ARGUMENTS = {"brightness": "brightness_pct", "color": "color_name", "temperature": "temperature"}
ARGUMENTS |= {name: name for name in ("position", "percentage", "volume_level")} | {"cleaned": "area"}


@dataclass(frozen=True, slots=True)
class Thing:
    """What can be named: an entity or a scene."""

    id: str
    names: frozenset[str]
    room: str
    floor: str
    classes: frozenset[str]

    @property
    def domain(self) -> str:
        """What its id begins with."""
        return self.id.partition(".")[0]


class Recognizer:
    """The intents of one language over one home."""

    def __init__(self, home: Home, states: States, language: str) -> None:
        self.states, self.rooms = states, {room.id: room for room in home.rooms}
        self.things = [
            Thing(
                thing.id,
                frozenset(_bare(name) for name in (thing.name, *thing.aliases)),
                thing.room_id or "",
                getattr(self.rooms.get(thing.room_id or ""), "floor_id", None) or "",
                frozenset(getattr(thing, "categories", ())),
            )
            for thing in (*home.devices, *home.scenes)
            if not {"config", "diagnostic"} & set(getattr(thing, "tags", ()))
        ]
        self.intents, self.language = _intents(language), language
        self.lists = {
            "name": _listed(
                (
                    name,
                    name,
                    {
                        "domain": thing.domain,
                        "device_class": next(iter(thing.classes - {thing.domain}), None),
                    },
                )
                for thing in self.things
                for name in thing.names
            ),
            **{
                slot: _listed((name, each.id, {}) for each in places for name in (each.name, *each.aliases))
                for slot, places in (("area", home.rooms), ("floor", home.floors))
            },
        }

    def verdict(self, said: Utterance) -> Verdict:
        """What is recognized and carried out; nothing that matches is nothing understood."""
        here = next((room for room in self.rooms.values() if room.name == said.room), None)
        found = recognize_best(
            said.text,
            self.intents,
            slot_lists=self.lists,
            intent_context={"area": {"value": here.id, "text": here.name}} if here else None,
            language=self.language,
            best_slot_name="name",
        )
        if found is None:
            return NotUnderstood()
        name, slots = found.intent.name, {key: entity.value for key, entity in found.entities.items()}
        if name == "HassVacuumCleanArea":
            slots = {"cleaned": slots["area"]}
        if name not in DONE and name not in READ:
            return Nothing("chitchat")
        things = self._matching(name, slots, here.id if here else "")
        if not things:
            return NotUnderstood()
        if name in READ:
            return Query(tuple(Read(thing.id, ATTRIBUTES.get(name, "state")) for thing in things))
        arguments = _arguments(name, slots)
        return Act(tuple(Call(t.id, f"{t.domain}.{_service(name, t, slots)}", arguments) for t in things))

    def _matching(self, intent: str, slots: Mapping[str, Any], here: str) -> list[Thing]:
        only = DONE[intent][0] if intent in DONE else READ[intent]
        domains = _several(slots.get("domain")) or ({"cover", "valve"} if only == "cover" else _several(only))
        found = [t for t in self.things if not domains or t.domain in domains]
        if classes := _several(slots.get("device_class")):
            found = [t for t in found if t.classes & classes]
        for slot in ("area", "floor"):
            if slot in slots:
                wanted = slots[slot]
                found = [t for t in found if wanted == (t.room if slot == "area" else t.floor)]
        if "name" in slots:
            found = [t for t in found if _bare(str(slots["name"])) in t.names]
        elif only == "media_player":
            found = [t for t in found if self.states(t.id).get("state") == "playing"] or found
        if len(found) > 1 and ("name" in slots or intent in ONE or only == "media_player"):
            found = [t for t in found if t.room == here] if here else []
            return found if len(found) == 1 else []
        return found


def _service(intent: str, thing: Thing, slots: Mapping[str, Any]) -> str:
    if intent == "HassSetVolumeRelative":
        return "volume_down" if str(slots.get("volume_step")).startswith(("-", "down")) else "volume_up"
    service = TURNED.get((intent, thing.domain), DONE[intent][1])
    return "set_valve_position" if intent == "HassSetPosition" and thing.domain == "valve" else service


def _arguments(intent: str, slots: Mapping[str, Any]) -> dict[str, Any]:
    found = {ARGUMENTS[slot]: value for slot, value in slots.items() if slot in ARGUMENTS}
    if intent == "HassLightSet" and "temperature" in found:
        found["color_temp_kelvin"] = found.pop("temperature")
    if intent.startswith("HassMediaPlayer"):
        found["is_volume_muted"] = intent == "HassMediaPlayerMute"
    if "volume_level" in found:
        found["volume_level"] /= 100
    return {} if intent in {"HassTurnOn", "HassTurnOff"} else found


def _several(value: Any) -> set[str]:
    return set() if not value else {value} if isinstance(value, str) else set(value)


def _bare(name: str) -> str:
    return " ".join(name.split()).casefold()


def _listed(rows: Any) -> TextSlotList:
    return TextSlotList.from_tuples(rows, allow_template=False)


@cache
def _intents(language: str) -> Intents:
    return Intents.from_dict(get_intents(LANGUAGES.get(language, language)))


@cache
def recognizer(home: str, language: str) -> Recognizer:
    return Recognizer(imported(home).home, imported(home).states.of, language)


def committed() -> dict[str, Any]:
    """First contacts in homes of Home Assistant, by language: right, wrong acts, milliseconds."""
    found: dict[str, Any] = {}
    for language in LANGUAGES:
        said = [
            one
            for file in contacts.WRITTEN
            if f"_{language}" in file.stem
            for one in runner.read(file)
            if all("." in device.id for device in imported(one.home).home.devices)
        ]
        rows = [_both(one, language) for one in said]
        found[language] = {"n": len(rows), "homes": len({one.home for one in said})}
        for who in ("home assistant", "winnow"):
            found[language][who] = _summary([row[who] for row in rows])
        ratios = [row["home assistant"]["ms"] / row["winnow"]["ms"] for row in rows]
        found[language]["times"] = _quantiles(ratios)
    return found


def public() -> dict[str, dict[str, float]]:
    """Public sets in homes of Home Assistant; what Winnow does with them stands in ``others``."""
    predictor, found = DevicePredictor(places.further() / "homes"), dict[str, dict[str, float]]()
    for path in places.further_files():
        name, _, language = path.stem.partition(".")
        if name in PUBLIC:
            cases = read_cases(path, device_case)
            homes = {case.home: predictor.engine(case).sync.load_home().home for case in cases}
            theirs = {name: Recognizer(home, _unknown, language) for name, home in homes.items()}
            answers = {case.id: _prediction(theirs[case.home].verdict(case.utterance)) for case in cases}
            told = figures(places.rows(path), answers)
            found[path.stem] = {what: told[what] or 0.0 for what in ("n", "exact", "miscontrol")}
    return found


def _unknown(_: str) -> Mapping[str, Any]:
    return {}


def _prediction(verdict: Verdict) -> dict[str, Any]:
    return {
        "decision": DECISIONS[type(verdict)],
        "calls": [
            {"device": c.device_id, "command": c.command_id, "args": c.arguments}
            for c in named_calls(verdict)
        ],
        "reads": [{"device": r.device_id, "attribute": r.attribute_id} for r in named_reads(verdict)],
    }


def _both(said: runner.Scenario, language: str) -> dict[str, Any]:
    """How both answer one sentence, one right after the other, so that other work slows both alike."""
    theirs = recognizer(said.home, language)
    engine(said.home)
    start = process_time()
    verdict = theirs.verdict(said.utterance)
    between = process_time()
    own = runner.answered(said)
    end = process_time()
    got = SimpleNamespace(verdict=verdict, reading=own.reading)
    return {
        "home assistant": _judged(said, got, between - start),
        "winnow": _judged(said, own, end - between),
    }


def _judged(said: runner.Scenario, got: Any, seconds: float) -> dict[str, Any]:
    try:
        wrong = runner.faults(said, got)
    except AssertionError as error:  # the home has no such thing as the expectation names
        wrong = [str(error)]
    to_be_done = bool(set(said.expect["decision"].split(" | ")) & runner.DOING)
    needs_yes = said.expect["decision"] == "confirm" and [fault[:9] for fault in wrong] == ["decision:"]
    acted = isinstance(got.verdict, Act) and bool(got.verdict.calls)
    return {
        "right": not wrong,
        "wrong": bool(wrong) and not needs_yes and contacts.acted_wrongly(said, got),
        "without the yes": needs_yes and acted,
        "to be done": to_be_done,
        "ms": seconds * 1000,
    }


def _summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    doing = [row["right"] for row in rows if row["to be done"]]
    return {
        **{what: _percent([row[what] for row in rows]) for what in ("right", "wrong", "without the yes")},
        "nothing wrong, nothing right": _percent(
            [not (row["right"] or row["wrong"] or row["without the yes"]) for row in rows]
        ),
        "done": _percent(doing),
        "ms p50": round(median(row["ms"] for row in rows), 2),
    }


def _percent(held: Sequence[bool]) -> float:
    return round(100 * sum(held) / max(1, len(held)), 1)


def _quantiles(ratios: Sequence[float]) -> dict[str, float]:
    ordered = sorted(ratios)
    return {f"p{share}": round(ordered[len(ordered) * share // 100], 2) for share in (5, 50, 95)}


def main() -> None:
    found = {"committed": committed(), "public": public()}
    for rows in found.values():
        for name, row in rows.items():
            print(f"{name:28}", row)
    places.keep("recognizer", found)


if __name__ == "__main__":
    main()
