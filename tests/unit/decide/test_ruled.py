"""What a person set of danger: asked about, done unasked, never done; for all, for a home, for a person."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import winnow
from winnow.app.config.files import acting_rules
from winnow.app.config.settings import Settings
from winnow.decide.confirm import review_calls
from winnow.engine.engine import Engine
from winnow.types.plan import Rules
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Call, Clarify, Confirm, Refuse, Verdict, named_calls


@cache
def engine() -> Engine:
    return winnow.open("example:cottage", settings=Settings(Path()))


def verdict(said: str, given: dict[str, Any], user: str = "") -> Verdict:
    ours = engine()
    policy = replace(ours.policy, acting=acting_rules(given, Settings(Path())))
    ours.pipeline = replace(ours.pipeline, policy=policy)
    return ours.sync.retrieve(Utterance(said, user=user)).verdict


@pytest.mark.parametrize("said", ["unlock the front door", "open the garage door", "turn on the kettle"])
def test_without_rules_every_danger_is_asked_about(said: str) -> None:
    assert isinstance(verdict(said, {}), Confirm)


def test_what_is_never_done_is_refused_with_the_thing_and_the_danger() -> None:
    found = verdict("unlock the front door", {"dangers": {"unlock": "never"}})
    assert isinstance(found, Refuse)
    assert found.refusals[0].code == "not_allowed"
    assert found.refusals[0].device_ids == ("lock.front_door",)
    assert "Front Door" in found.message
    assert "unlocking" in found.message


def test_what_is_allowed_is_done_like_anything_else() -> None:
    assert isinstance(verdict("turn on the kettle", {"dangers": {"heat": "allow"}}), Act)


def test_a_thing_is_asked_about_whatever_it_is_told_to_do() -> None:
    for said in ("turn on the owl", "turn off the owl"):
        found = verdict(said, {"things": {"Owl": "ask"}})
        assert isinstance(found, Confirm)
        assert found.risks == ("thing",)
        assert "Owl" in found.question


def test_a_thing_comes_before_its_danger_by_id_and_by_name() -> None:
    for name in ("lock.front_door", "Front Door"):
        assert isinstance(verdict("unlock the front door", {"things": {name: "allow"}}), Act)
    assert isinstance(verdict("unlock the front door", {"things": {"front door": "allow"}}), Confirm)


@pytest.mark.parametrize(
    "given",
    [
        {"dangers": {"unlock": "never"}, "things": {"Front Door": "allow"}},
        {"dangers": {"unlock": "allow"}, "things": {"Front Door": "never"}},
        {"things": {"Front Door": "never"}, "users": {"ida": {"things": {"lock.front_door": "allow"}}}},
    ],
)
def test_never_wins(given: dict[str, Any]) -> None:
    assert isinstance(verdict("unlock the front door", given, "ida"), Refuse)


def test_a_person_may_be_stricter_or_looser_only_as_the_file_says() -> None:
    given = {
        "dangers": {"unlock": "never"},
        "homes": {"cottage": {"dangers": {"heat": "allow"}}},
        "users": {"ida": {"dangers": {"unlock": "ask"}}, "tim": {"dangers": {"heat": "never"}}},
    }
    unlock, kettle = "unlock the front door", "turn on the kettle"
    assert [type(verdict(unlock, given, who)) for who in ("", "ida", "tim")] == [Refuse, Confirm, Refuse]
    assert [type(verdict(kettle, given, who)) for who in ("", "ida", "tim")] == [Act, Act, Refuse]


def test_of_a_set_only_what_is_never_done_is_left_out_and_told() -> None:
    found = verdict("turn off all lights", {"things": {"Owl": "never"}})
    assert isinstance(found, Act)
    assert "light.owl" not in {c.device_id for c in named_calls(found)}
    assert [r.code for r in found.refused] == ["not_allowed"]


def test_more_devices_than_the_rules_say_want_a_yes() -> None:
    assert isinstance(verdict("turn off all lights", {"many": 15}), Confirm)
    assert isinstance(verdict("turn off all lights", {"many": 16}), Act)


def test_arming_without_a_mode_may_be_forbidden_or_done_unasked() -> None:
    found = {}
    for answer in ("ask", "allow", "never"):
        acting = {"dangers": {"arm": answer}}
        ours = winnow.open("example:townhouse-en", settings=Settings(Path()), acting=acting)
        found[answer] = type(ours.sync.retrieve("arm the alarm").verdict)
    assert found == {"ask": Clarify, "allow": Act, "never": Refuse}


def test_a_call_that_nobody_said_is_judged_by_the_same_rules() -> None:
    view = engine().sync.load_home().view
    unlock, lamp = Call("lock.front_door", "lock.unlock"), Call("light.owl", "light.turn_on")
    reviews = {
        "danger": review_calls([unlock], Rules(), view, "en"),
        "allowed": review_calls([unlock], Rules({"unlock": "allow"}), view, "en"),
        "never": review_calls([unlock], Rules({"unlock": "never"}), view, "en"),
        "harmless": review_calls([lamp], Rules(), view, "en"),
        "thing": review_calls([lamp], Rules(things={"Owl": "ask"}), view, "en"),
    }
    assert [name for name, review in reviews.items() if review.question] == ["danger", "thing"]
    assert [name for name, review in reviews.items() if review.forbidden] == ["never"]
