"""The file of acts: what wants a yes and what is never done, and every problem at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

import winnow
from winnow.app.config.files import ACTING_SHAPE, acting_of, load_acting
from winnow.app.config.settings import Settings, load_settings
from winnow.errors import ConfigError
from winnow.types.plan import ActingRules, Rules

FULL = """
dangers: {unlock: never, open_door: ask, open_valve: ask, alarm: ask, disarm: never, arm: allow, heat: allow}
things: {lock.front_door: never, Fish Tank Heater: ask}
many: 20
homes:
  flat: {dangers: {heat: ask}, things: {7: never}, many: 5}
users:
  ida: {dangers: {unlock: ask}}
  guest:
times:
  {yes_seconds: 30, plan_seconds: 60, fresh_seconds: 5, silent_hours: 2, at_once: 4, tries: 1,
   call_seconds: 3, seen_seconds: 2, act_seconds: 40}
"""


def read(text: str) -> ActingRules:
    return acting_of(yaml.safe_load(text) or {}, Settings(Path()))


def problems(text: str) -> dict[str, str]:
    with pytest.raises(ConfigError) as raised:
        read(text)
    return {p.path: str(p.message) for p in raised.value.problems}


def test_every_setting_arrives_in_its_field() -> None:
    found = read(FULL)
    assert found.rules.things == {"lock.front_door": "never", "Fish Tank Heater": "ask"}
    assert (found.rules.dangers["arm"], found.rules.many) == ("allow", 20)
    assert found.homes == {"flat": Rules({"heat": "ask"}, {"7": "never"}, 5)}
    assert found.users == {"ida": Rules({"unlock": "ask"}), "guest": Rules()}
    assert (found.yes_seconds, found.plan_seconds, found.fresh_seconds, found.silent_hours) == (30, 60, 5, 2)
    assert (found.at_once, found.tries, found.call_seconds, found.seen_seconds) == (4, 1, 3, 2)
    assert found.act_seconds == 40
    assert {"rules", "homes", "users", *ACTING_SHAPE["times"]} == {f.name for f in fields(ActingRules)}


def test_a_person_comes_before_the_home_and_that_before_all() -> None:
    found = read(FULL)
    assert found.of("flat", "ida").dangers == {**found.rules.dangers, "unlock": "ask", "heat": "ask"}
    assert found.of("flat", "").many == 5
    assert found.of("house", "guest") == found.rules


def test_everything_that_is_wrong_is_told_at_once_with_the_nearest_name() -> None:
    told = problems(
        "danger: {unlock: ask}\ndangers: {unlok: ask, heat: maybe}\nthings: {Front Door: yes}\nmany: 0\n"
        "homes: {flat: {times: {tries: 2}}, a.b: {things: [x]}}\nusers: [ida]\n"
        "times: {yes_second: 3, tries: 0}\n"
    )
    assert set(told) == {
        "danger",
        "dangers.unlok",
        "dangers.heat",
        "things.Front Door",
        "many",
        "homes.flat.times",
        "homes.a.b.things",
        "users",
        "times.yes_second",
        "times.tries",
    }
    assert told["danger"] == "unknown setting; dangers is one"
    assert told["dangers.unlok"] == "unknown setting; unlock is one"
    assert told["dangers.heat"].startswith("must be one of ask, allow, never")


def test_without_a_file_a_yes_is_waited_for_as_the_settings_say(tmp_path: Path) -> None:
    assert load_acting(Settings(tmp_path, confirm_seconds=7)) == ActingRules(yes_seconds=7)
    (tmp_path / "acting.yaml").write_text("times: {tries: 2}", "utf-8")
    assert load_acting(Settings(tmp_path, confirm_seconds=7)) == ActingRules(yes_seconds=7, tries=2)
    (tmp_path / "acting.yaml").write_text("times: {yes_seconds: 9}", "utf-8")
    assert load_acting(Settings(tmp_path, confirm_seconds=7)).yes_seconds == 9


def test_a_named_file_is_read_and_must_be_there(tmp_path: Path) -> None:
    named = tmp_path / "mine.yaml"
    settings = load_settings({"WINNOW_ACTING": str(named)}, tmp_path)
    with pytest.raises(ConfigError):
        load_acting(settings)
    named.write_text("many: 3", "utf-8")
    assert load_acting(settings).rules.many == 3


@pytest.mark.parametrize("given", [{"many": 4}, "file", ActingRules(Rules(many=4))])
def test_an_engine_takes_a_mapping_a_path_or_rules(given: Any, tmp_path: Path) -> None:
    if given == "file":
        given = tmp_path / "acting.yaml"
        given.write_text("many: 4", "utf-8")
    engine = winnow.open("example:cottage", acting=given, settings=Settings(tmp_path))
    assert engine.policy.acting.rules.many == 4


def test_how_long_a_yes_is_waited_for_is_said_in_one_place(tmp_path: Path) -> None:
    engine = winnow.open("example:cottage", acting={"times": {"yes_seconds": 5}}, settings=Settings(tmp_path))
    assert engine.talk.confirm_seconds == engine.policy.acting.yes_seconds == 5
