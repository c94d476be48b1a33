"""Feedback that was made up: a planted preference is found again, and noise changes nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from training.knowledge.tune import by_chance, tuned, turns_of

from winnow.types.candidate import Ref
from winnow.types.feedback import Account, Feedback, FeedbackKind, OfferedResult

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
Judge = Callable[[OfferedResult, random.Random], float]
"""Probability that somebody finds it good."""


def offered(dice: random.Random, n: int) -> OfferedResult:
    """Something that was found: its importance has nothing to do with its relevance."""
    evidence = {"words": dice.random(), "importance": dice.random(), "age": dice.random() * 400}
    source = dice.choice(["knowledge", "history"])
    return OfferedResult(source, Ref("passage", f"p{n}"), 0.3 + 0.6 * dice.random(), evidence, 300, 300)


def feedback(judge: Judge, turns: int, seed: int = 0, tokens: int = 300) -> list[Feedback]:
    return list(_feedback(judge, turns, random.Random(seed), tokens))


def _feedback(judge: Judge, turns: int, dice: random.Random, tokens: int) -> Iterator[Feedback]:
    for n in range(turns):
        things = [offered(dice, m) for m in range(4)]
        things = [OfferedResult(t.source, t.ref, t.score, t.evidence, tokens, tokens) for t in things]
        account = Account(f"turn {n} {dice.random()}", "where?", float(n), tuple(things), {}, 4000)
        for thing in things:
            judged: FeedbackKind = "useful" if dice.random() < judge(thing, dice) else "not_useful"
            id_ = f"{n} {thing.ref.id}"
            yield Feedback(id_, "ida", judged, account.id, float(n), thing.ref, account=account)


def important(thing: OfferedResult, _: random.Random) -> float:
    return 0.9 if thing.evidence["importance"] > 0.5 else 0.2


def from_notes(thing: OfferedResult, _: random.Random) -> float:
    return 0.85 if thing.source == "knowledge" else 0.25


def by_lot(_: OfferedResult, dice: random.Random) -> float:
    return 0.6


@pytest.mark.parametrize(
    ("judge", "more", "less"),
    [(important, "importance", "age"), (from_notes, "source:knowledge", "source:history")],
)
def test_a_planted_preference_is_found_again(judge: Judge, more: str, less: str) -> None:
    told, settings = tuned(feedback(judge, 80))
    assert "worth a change" in told
    weights = settings["ranking"]
    assert weights[more] > 0.5
    assert weights[more] == max(weights.values())
    assert weights.get(less, 0.0) < weights[more] / 2


@pytest.mark.parametrize("seed", range(8))
def test_noise_changes_nothing(seed: int) -> None:
    told, settings = tuned(feedback(by_lot, 80, seed))
    assert "No change is worth it." in told
    assert settings == {}


def test_a_relevance_that_is_right_already_is_left_alone() -> None:
    told, settings = tuned(feedback(lambda thing, _: thing.score, 80))
    assert settings == {}
    assert "No change is worth it." in told


def test_a_person_who_trusts_nothing_public_is_understood_from_half_of_the_turns() -> None:
    def own(thing: OfferedResult, _: random.Random) -> float:
        return 0.0 if thing.source == "history" else thing.evidence["bearing"]

    def with_bearing(one: Feedback) -> Feedback:
        assert one.account is not None
        things = (replace(o, evidence={"bearing": o.score}, score=0.5) for o in one.account.offered)
        return replace(one, account=replace(one.account, offered=tuple(things)))

    def judge(thing: OfferedResult, dice: random.Random) -> float:
        return own(replace(thing, evidence={"bearing": thing.score}), dice)

    told, settings = tuned([with_bearing(one) for one in feedback(judge, 60)])
    assert "worth a change" in told
    assert settings["ranking"]["source:history"] < -1
    assert abs(settings["ranking"].get("bearing", 0.0)) < 1


def test_few_turns_change_nothing_however_clear_they_are() -> None:
    told, settings = tuned(feedback(important, 12))
    assert settings == {}
    assert "too few" in told


def test_nothing_said_changes_nothing() -> None:
    assert tuned([])[1] == {}
    about_all = [Feedback("b1", "ida", "useful", "r1", 1.0, account=Account("r1", "where?", 1.0))]
    assert turns_of(about_all) == []


def missing(turns: int, tokens: int) -> list[Feedback]:
    """What was missing was there, and had too little room."""
    given = feedback(by_lot, turns, tokens=tokens)
    return [Feedback(g.id, g.user, "missing", g.retrieval, g.at, g.ref, account=g.account) for g in given]


def test_what_had_no_room_asks_for_a_larger_share_of_data() -> None:
    _, settings = tuned(missing(60, 1500))
    assert settings["shares"]["knowledge"] > 0.5
    assert sum(settings["shares"].values()) == pytest.approx(1.0)


def test_what_had_room_asks_for_none() -> None:
    _, settings = tuned(missing(60, 100))
    assert "shares" not in settings


def test_what_is_said_last_of_a_thing_counts() -> None:
    account = Account("r1", "where?", 1.0, (offered(random.Random(1), 1),))
    first = Feedback("b1", "ida", "useful", "r1", 1.0, Ref("passage", "p1"), account=account)
    given = [first, replace(first, id="b2", judged="wrong", at=2.0)]
    assert turns_of(given)[0].said == {Ref("passage", "p1"): 0.0}


def test_weights_in_force_are_added_to() -> None:
    given = feedback(important, 80)
    alone = tuned(given)[1]["ranking"]["importance"]
    both = tuned(given, {"ranking": {"importance": 1.0, "words": 0.2}, "protect": 0.6})[1]
    assert both["ranking"]["importance"] == pytest.approx(alone + 1.0)
    assert both["protect"] == 0.6


def test_chance_is_asked() -> None:
    assert by_chance([]) == by_chance([0.0, 0.0]) == 1.0
    assert by_chance([1.0] * 12) < 0.01
    assert by_chance([1.0, -1.0] * 6) > 0.3


def test_the_script_writes_what_it_proposes_and_says_how_to_switch_it_on(tmp_path: Path) -> None:
    lines = [json.dumps(one.data()) for one in feedback(important, 80)]
    (tmp_path / "feedback.jsonl").write_text("\n".join(lines), "utf-8")
    command = [sys.executable, "-m", "training.knowledge.tune", str(tmp_path / "feedback.jsonl")]
    target = tmp_path / "tuned.yaml"
    done = subprocess.run(
        [*command, "--to", str(target)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "WINNOW_TUNED" in done.stdout
    assert yaml.safe_load(target.read_text("utf-8"))["ranking"]["importance"] > 0.5
    assert target.read_text("utf-8").startswith("# 320 pieces of feedback")
