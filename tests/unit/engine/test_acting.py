"""What was decided is done on the home as it is now, once, and can be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
from tests import homes

from winnow import Engine
from winnow.adapters.platforms.simulated.home import SimulatedHome
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_engine
from winnow.engine.policy import Policy
from winnow.errors import LinkError
from winnow.types.plan import ActingRules
from winnow.types.receipt import Outcome, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.state import Origin, Snapshot

LAMP, SWITCH, LEVEL = "客厅主灯", "main-switch-switch", "main-switchLevel-level"
SENSOR, HEAT = "温湿度计", "main-temperatureMeasurement-temperature"
SETPOINT = "main-thermostatCoolingSetpoint-coolingSetpoint"
HOUR = 3600.0
IMPATIENT = Policy(acting=ActingRules(act_seconds=0.01))


@dataclass(slots=True)
class Talking:
    """A person who talks to a home that can be changed behind their back."""

    engine: Engine
    copy: SimulatedHome
    seen: Snapshot | LinkError | None = None
    """What a look shows; None: the home as it is."""
    hangs: bool = False
    looks: list[int] = field(default_factory=list)
    """How many devices each look was at; 0: all."""

    def say(self, text: str, user: str = "lin", session: str = "talk") -> Retrieval:
        return self.engine.sync.retrieve(text, user=user, session=session)

    def act(self, what: str | Retrieval) -> Receipt:
        return self.engine.sync.act(self.say(what) if isinstance(what, str) else what)

    def id(self, name: str) -> str:
        return next(d.id for d in self.copy.home.devices if d.name == name)

    def value(self, name: str, attribute: str) -> object:
        return asyncio.run(self.copy.read(self.scope)).value(self.id(name), attribute)

    def put(self, name: str, **values: object) -> None:
        states = self.copy._values  # behind everybody's back
        known = {
            "switch": SWITCH,
            "level": LEVEL,
            "heat": HEAT,
            "lock": "main-lock-lock",
            "setpoint": SETPOINT,
        }
        told = {known[k]: v for k, v in values.items()}
        states[self.id(name)] = {**states.get(self.id(name), {}), **told}  # type: ignore[dict-item]

    @property
    def scope(self) -> Scope:
        return Scope("default", home=self.copy.home.id)

    async def look(self, scope: Scope, refs: Collection[str] = ()) -> Snapshot:
        self.looks.append(len(refs))
        if self.hangs:
            await asyncio.sleep(3600)
        if isinstance(self.seen, LinkError):
            raise self.seen
        return self.seen or await self.copy.look(scope, refs)

    async def do(self, scope: Scope, calls: object) -> tuple[Outcome, ...]:
        return await self.copy.do(scope, calls)  # type: ignore[arg-type]


@pytest.fixture
def home() -> Talking:
    made = homes.imported("home40")
    rules = ActingRules(seen_seconds=0.05)
    engine = open_engine(made, embedder=homes.embedder(), acting=rules)
    copy = SimulatedHome(made.home, made.states, FrozenClock(engine.storage.clock.now()))
    talking = Talking(engine, copy)
    engine.states.below = copy
    engine.acting.actuator = talking
    return talking


def codes(receipt: Receipt) -> list[str]:
    return [refusal.code for refusal in receipt.refused]


def entries(home: Talking) -> list[tuple[str, dict[str, object]]]:
    found = asyncio.run(home.engine.storage.audit.entries(home.scope, limit=1000))
    return [(e.record.kind, dict(e.record.body)) for e in found]


# once


def test_what_was_decided_is_done_once(home: Talking) -> None:
    found = home.say("打开客厅主灯")
    assert [home.act(found).status, *codes(home.act(found))] == ["done", "done_already"]


def test_a_plan_is_done_once_by_its_name_or_as_it_is(home: Talking) -> None:
    found = home.say("打开客厅主灯")
    assert home.engine.sync.act(found.plan, scope=found.scope).status == "done"
    assert codes(home.act(found)) == ["done_already"]


def test_the_same_words_said_again_are_another_order(home: Talking) -> None:
    first, second = home.say("打开客厅主灯"), home.say("打开客厅主灯")
    assert [home.act(first).status, home.act(second).status] == ["done", "done"]


def test_a_yes_in_words_and_a_token_are_one_yes(home: Talking) -> None:
    asked = home.act("打开大门锁")
    agreed = home.say("好")
    assert asked.waiting is not None
    assert codes(home.engine.sync.confirm(asked.waiting.token, user="lin")) == ["no_token"]
    assert [home.act(agreed).status, *codes(home.act(agreed))] == ["done", "done_already"]


def test_a_token_leaves_nothing_for_a_yes_in_words(home: Talking) -> None:
    asked = home.act("打开大门锁")
    assert asked.waiting is not None
    assert home.engine.sync.confirm(asked.waiting.token, user="lin").status == "done"
    assert codes(home.act(home.say("好"))) == ["done_already"]


# anew


def test_a_condition_counts_as_it_is_now(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯")
    home.put(SENSOR, heat=15.5)
    receipt = home.act(found)
    (judged,) = receipt.conditions
    assert (receipt.status, receipt.reason) == ("nothing", "condition_false")
    assert (judged.holds, judged.value, judged.unit) == (False, 15.5, "C")
    assert judged.at is not None


def test_what_only_waited_for_its_condition_is_done_when_it_holds(home: Talking) -> None:
    found = home.say("如果室温超过30度就打开客厅主灯")
    home.put(SENSOR, heat=31)
    assert home.act(found).device_ids == (home.id(LAMP),)


def test_the_other_branch_is_done_when_it_holds_now(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯，否则打开台灯")
    home.put(SENSOR, heat=10)
    assert [c.device_id for c in (o.call for o in home.act(found).outcomes)] == [home.id("台灯")]


def test_a_branch_that_is_dangerous_now_is_asked_about(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯，否则打开大门锁")
    home.put(SENSOR, heat=10)
    asked = home.act(found)
    assert asked.waiting is not None
    assert home.engine.sync.confirm(asked.waiting.token, user="lin").device_ids == (home.id("大门锁"),)


def test_what_is_asked_anew_takes_a_yes_in_words(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯，否则打开大门锁")
    home.put(SENSOR, heat=10)
    assert home.act(found).status == "waiting"
    assert home.act("好").device_ids == (home.id("大门锁"),)


def test_a_step_goes_on_from_where_it_is_now(home: Talking) -> None:
    home.put("厨房灯", level=70, switch="on")
    found = home.say("把厨房灯调亮20%")
    home.put("厨房灯", level=30)
    home.act(found)
    assert home.value("厨房灯", LEVEL) == 50


def test_a_step_beyond_the_range_is_refused_by_name(home: Talking) -> None:
    home.put("大白", setpoint=22, switch="on")
    found = home.say("把大白调高5度")
    home.put("大白", setpoint=29)
    receipt = home.act(found)
    assert (receipt.outcomes, codes(receipt)) == ((), ["out_of_range"])
    assert receipt.refused[0].facts["name"] == "大白"


def test_a_measurement_told_long_ago_decides_nothing(home: Talking) -> None:
    now = home.engine.storage.clock.now()
    found = home.say("如果室温超过20度就打开客厅主灯")
    look = asyncio.run(home.copy.look(home.scope))
    home.seen = replace(look, origins={home.id(SENSOR): {HEAT: Origin("simulated", now - 25 * HOUR)}})
    receipt = home.act(found)
    assert (receipt.outcomes, codes(receipt)) == ((), ["old_reading"])


def test_a_state_that_nobody_changed_is_as_good_as_new(home: Talking) -> None:
    home.put("大门锁", lock="locked")
    found = home.say("如果大门锁锁着就打开客厅主灯")
    look = asyncio.run(home.copy.look(home.scope))
    home.seen = replace(look, origins={home.id("大门锁"): {"main-lock-lock": Origin("simulated", 0.0)}})
    assert [o.call.device_id for o in home.act(found).outcomes] == [home.id(LAMP)]


def test_an_old_look_decides_no_condition(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯")
    look = asyncio.run(home.copy.look(home.scope))
    home.seen = replace(look, read_at=home.engine.storage.clock.now() - 31)
    assert codes(home.act(found)) == ["old_reading"]


def test_a_home_that_cannot_be_seen_is_left_alone(home: Talking) -> None:
    found = home.say("打开客厅主灯")
    home.seen = LinkError("unreachable", "It is gone.")
    assert codes(home.act(found)) == ["unreadable_home"]


@pytest.mark.parametrize("said", ["打开客厅主灯", "如果室温超过20度就打开客厅主灯"])
def test_only_what_it_is_decided_by_is_looked_at(home: Talking, said: str) -> None:
    assert home.act(said).status == "done"
    assert 0 < max(home.looks) < 10
    assert 0 not in home.looks


def test_before_a_scene_the_whole_home_is_looked_at(home: Talking) -> None:
    home.act("回家模式")
    assert home.looks[0] == 0


def test_a_home_that_never_answers_is_not_waited_for_any_longer(home: Talking) -> None:
    found = home.say("打开客厅主灯")
    home.hangs = True
    home.engine.acting.executor.deriving = replace(home.engine.pipeline, policy=IMPATIENT)
    assert codes(home.act(found)) == ["unreadable_home"]


def test_only_what_was_named_is_acted_on_and_the_rest_is_told(home: Talking) -> None:
    for name, state in ((LAMP, "on"), ("灯带", "off"), ("台灯", "on")):
        home.put(name, switch=state)
    found = home.say("把客厅开着的灯都关了")
    home.put("灯带", switch="on")
    home.put(LAMP, switch="off")
    receipt = home.act(found)
    told = {(r.code, str(r.facts["name"])) for r in receipt.refused}
    assert ("changed_since", "灯带") in told
    assert ("fits_no_longer", LAMP) in told
    assert home.value("灯带", SWITCH) == "on"


# on record


def test_the_log_tells_the_same_as_the_receipt(home: Talking) -> None:
    receipt = home.act("打开客厅主灯")
    (begun, body), (came, outcomes), (ended, end) = entries(home)[-3:]
    assert (begun, came, ended) == ("begun", "outcome", "ended")
    (only,) = receipt.outcomes
    assert body["calls"] == [[only.call.device_id, only.call.command_id, {}]]
    (line,) = cast("list[dict[str, object]]", outcomes["outcomes"])
    assert (line["status"], line["before"], line["after"]) == (only.status, only.before, only.changed)
    assert end["status"] == receipt.status


def test_whoever_wants_is_told_as_it_goes(home: Talking) -> None:
    told: list[int] = []
    found = home.say("把客厅的灯都打开")
    receipt = home.engine.sync.act(found, progress=lambda outcomes, of: told.extend([of] * len(outcomes)))
    assert told == [len(receipt.outcomes)] * len(receipt.outcomes)


def test_only_what_was_done_is_counted_as_used(home: Talking) -> None:
    found = home.say("打开客厅主灯")
    home.copy._offline = frozenset({home.id(LAMP)})
    home.act(found)
    usage = asyncio.run(home.engine.storage.habits.usage(replace(home.scope, user="lin")))
    assert usage.counts == {}
    home.copy._offline = frozenset()
    home.act("打开客厅主灯")
    usage = asyncio.run(home.engine.storage.habits.usage(replace(home.scope, user="lin")))
    assert usage.counts == {home.id(LAMP): 1}


def test_the_talk_goes_on_about_what_was_done(home: Talking) -> None:
    found = home.say("如果室温超过20度就打开客厅主灯，否则打开台灯")
    home.put(SENSOR, heat=10)
    home.act(found)
    assert home.say("把它关了").device_ids == (home.id("台灯"),)


# taken back


@pytest.mark.parametrize("again", ["in words", "by a request"])
def test_the_last_act_is_taken_back_and_once_alone(home: Talking, again: str) -> None:
    home.put(LAMP, switch="off", level=89)
    home.act("把客厅主灯调到30%")
    undone = home.act("撤销")
    assert (undone.status, home.value(LAMP, SWITCH), home.value(LAMP, LEVEL)) == ("done", "off", 89)
    assert undone.undoes
    second = home.act("撤销") if again == "in words" else home.engine.sync.undo(user="lin", session="talk")
    assert (second.reason, second.outcomes) == ("nothing_to_undo", ())
    assert (home.value(LAMP, SWITCH), home.value(LAMP, LEVEL)) == ("off", 89)


def test_what_is_done_after_a_taking_back_can_be_taken_back(home: Talking) -> None:
    home.put(LAMP, switch="off", level=89)
    home.act("打开客厅主灯")
    home.act("撤销")
    home.act("打开客厅主灯")
    assert home.act("撤销").status == "done"
    assert home.value(LAMP, SWITCH) == "off"


def test_one_turn_takes_back_once(home: Talking) -> None:
    home.put(LAMP, switch="off")
    home.act("打开客厅主灯")
    found = home.say("撤销")
    assert [home.act(found).status, *codes(home.act(found))] == ["done", "done_already"]
    assert home.value(LAMP, SWITCH) == "off"


def test_what_somebody_changed_meanwhile_is_left_alone(home: Talking) -> None:
    home.put(LAMP, switch="off", level=89)
    home.act("把客厅主灯调到30%")
    home.put(LAMP, level=55)
    receipt = home.act("撤销")
    assert (codes(receipt), home.value(LAMP, LEVEL)) == (["changed_meanwhile"], 55)


def test_what_has_no_way_back_is_refused_by_name(home: Talking) -> None:
    home.act("回家模式")
    receipt = home.act("撤销")
    assert (receipt.outcomes, codes(receipt)) == ((), ["cannot_undo"])


def test_a_dangerous_way_back_wants_a_yes(home: Talking) -> None:
    home.put("大门锁", lock="unlocked")
    home.act("锁上大门锁")
    asked = home.engine.sync.undo(user="lin", session="talk")
    assert asked.waiting is not None
    assert home.value("大门锁", "main-lock-lock") == "locked"
    assert "大门锁" in asked.waiting.question
    assert home.engine.sync.confirm(asked.waiting.token, user="lin").status == "done"
    assert home.value("大门锁", "main-lock-lock") == "unlocked"


def test_a_dangerous_way_back_takes_a_yes_in_words_and_only_one(home: Talking) -> None:
    home.put("大门锁", lock="unlocked")
    home.act("锁上大门锁")
    asked = home.act("撤销")
    assert asked.waiting is not None
    assert home.act("好").status == "done"
    assert home.value("大门锁", "main-lock-lock") == "unlocked"
    assert codes(home.engine.sync.confirm(asked.waiting.token, user="lin")) == ["no_token"]


def test_a_no_leaves_what_was_done(home: Talking) -> None:
    home.put("大门锁", lock="unlocked")
    home.act("锁上大门锁")
    assert home.act("撤销").status == "waiting"
    assert home.act("不用了").outcomes == ()
    assert home.value("大门锁", "main-lock-lock") == "locked"


def test_nobody_takes_back_what_another_did(home: Talking) -> None:
    home.put(LAMP, switch="off")
    home.act("打开客厅主灯")
    receipt = home.engine.sync.undo(user="wang")
    assert (receipt.reason, home.value(LAMP, SWITCH)) == ("nothing_to_undo", "on")


def test_two_who_take_back_at_once_take_it_back_once(home: Talking) -> None:
    home.put(LAMP, switch="off")
    home.act("打开客厅主灯")

    async def both() -> list[Receipt]:
        undo = home.engine.undo
        return list(await asyncio.gather(*(undo(user="lin", session="talk") for _ in range(2))))

    first, second = asyncio.run(both())
    assert {first.status, *codes(second)} == {"done", "expired"}
    assert home.value(LAMP, SWITCH) == "off"


def test_two_steps_at_once_are_two_steps(home: Talking) -> None:
    home.put("厨房灯", level=20, switch="on")
    said = [home.say("把厨房灯调亮20%", user=who, session=who) for who in ("lin", "wang")]

    async def both() -> None:
        await asyncio.gather(*(home.engine.act(one) for one in said))

    asyncio.run(both())
    assert home.value("厨房灯", LEVEL) == 60
