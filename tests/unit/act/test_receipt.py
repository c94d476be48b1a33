"""What the log keeps of an act: ids and values, never words; and what it tells of the act afterwards."""

from __future__ import annotations

import pytest
from tests.faulty import VIEW

from winnow.act.receipt import WORDS, calls_as_json, last_act, outcome_told, proposed_told
from winnow.act.refresh import FreshState, agreed_to
from winnow.types.home import Attribute, Command, Device, Home, HomeView, Parameter, Profile
from winnow.types.plan import ActingRules
from winnow.types.receipt import AuditEntry, Outcome, Record
from winnow.types.state import Origin, Snapshot
from winnow.types.verdict import Act, Call, Read, Refuse

SAYS = Profile(
    "says",
    (
        Command(
            "say",
            "Speech.Say",
            "",
            (Parameter("text", "text"), Parameter("volume", "number"), Parameter("tone", "text")),
            {"tone": "low"},
        ),
    ),
    (Attribute("said"), Attribute("volume", "volume"), Attribute("warmth", "temperature")),
)
DESK = HomeView.of(Home("h", "h", "neutral", profiles=(SAYS,), devices=(Device("d", "Desk", "says"),)))
SAID = Call("d", "say", {"text": "come home", "volume": 30, "tone": "low"})
KEPT = {"text": WORDS, "volume": 30, "tone": "low"}


def test_words_of_a_call_are_not_kept_and_what_always_goes_with_it_is() -> None:
    assert calls_as_json([SAID], DESK) == [["d", "say", KEPT]]


def test_of_a_call_nobody_knows_no_text_is_kept() -> None:
    calls = [Call("d", "sing", {"text": "la", "volume": 3}), Call("gone", "say", {"text": "la"})]
    assert calls_as_json(calls, DESK) == [
        ["d", "sing", {"text": WORDS, "volume": 3}],
        ["gone", "say", {"text": WORDS}],
    ]


def test_ids_that_an_agent_made_up_are_not_kept() -> None:
    calls = [SAID, Call("d", "my secret"), Call("my secret", "say")]
    assert proposed_told(calls, DESK) == [["d", "say"], ["d", "?"], ["?", "?"]]


def test_an_outcome_is_kept_without_the_words_in_its_states_and_facts() -> None:
    facts = {"name": "Desk", "value": "come home"}
    outcome = Outcome(
        SAID, "done", "", facts, {"said": "", "volume": 2}, {"said": "come home", "volume": 30}, tries=2
    )
    told = outcome_told(outcome, DESK)
    assert (told["arguments"], told["facts"]) == (KEPT, {"name": "Desk"})
    assert (told["before"], told["after"]) == ({"volume": 2}, {"volume": 30})
    assert (told["status"], told["tries"], "moved" in told) == ("done", 2, False)


def test_an_outcome_without_words_is_kept_whole() -> None:
    moved = {"b": {"power": "off"}}
    told = outcome_told(Outcome(Call("night", "run"), "done", "", {"x": 1}, moved=moved), VIEW)
    assert (told["facts"], told["moved"]) == ({"x": 1}, moved)


def entries(*records: Record) -> list[AuditEntry]:
    return [AuditEntry(n, record, "", "") for n, record in enumerate(records)]


def begun(act: str, at: float, session: str, *calls: Call, user: str = "me") -> Record:
    body = {"session": session, "plan": "", "calls": calls_as_json(calls, VIEW)}
    return Record(at, user, "begun", act, body)


def came(act: str, *outcomes: Outcome) -> Record:
    return Record(1.0, "me", "outcome", act, {"outcomes": [outcome_told(o, VIEW) for o in outcomes]})


ON, OFF = Call("a", "on"), Call("a", "off")


def test_the_last_act_of_a_person_is_that_of_the_session_or_the_last_one_lately() -> None:
    log = entries(
        begun("one", 10.0, "here", ON),
        begun("two", 20.0, "there", OFF),
        begun("hers", 30.0, "here", ON, user="her"),
    )
    found = [last_act(log, "me", session, since) for session, since in [("here", 99), ("", 15), ("new", 20)]]
    assert [act.id if act else None for act in found] == ["one", "two", "two"]
    assert last_act(log, "me", "new", 21) is None
    assert last_act((), "me", "here", 0) is None


def test_each_call_has_what_came_of_it_and_nobody_knows_of_the_others() -> None:
    done, failed = Outcome(ON, "done"), Outcome(OFF, "failed", "busy")
    act = last_act(
        entries(begun("x", 1.0, "s", OFF, ON, ON), came("x", done, failed), came("y", done)), "me", "s", 0
    )
    assert act is not None
    assert [(o.call, o.status, o.code) for o in act.outcomes] == [
        (OFF, "failed", "busy"),
        (ON, "done", ""),
        (ON, "unknown", "interrupted"),
    ]
    assert (act.device_ids, act.did_anything) == ({"a"}, True)


@pytest.mark.parametrize(("status", "anything"), [("done", True), ("unknown", True), ("failed", False)])
def test_what_may_have_been_done_counts_as_an_act(status: str, anything: bool) -> None:
    act = last_act(entries(begun("x", 1.0, "s", ON), came("x", Outcome(ON, status))), "me", "s", 0)  # type: ignore[arg-type]
    assert act is not None
    assert act.did_anything is anything


HOURS = 3600.0
RULES = ActingRules(silent_hours=2, fresh_seconds=60)
LOOK = Snapshot(
    {"d": {"warmth": 20, "volume": 3, "other": 1}, "gone": {"warmth": 5}},
    100 * HOURS,
    origins={
        "d": {
            "warmth": Origin("home", 97 * HOURS),
            "volume": Origin("home", 1.0),
            "other": Origin("home", 1.0),
        },
        "gone": {"warmth": Origin("home", 1.0)},
    },
)
WARMTH = Read("d", "warmth")


@pytest.mark.parametrize(
    ("rules", "now", "old"),
    [
        (RULES, 100 * HOURS, {WARMTH}),
        (ActingRules(silent_hours=0, fresh_seconds=60), 100 * HOURS, set()),
        (ActingRules(silent_hours=4, fresh_seconds=60), 100 * HOURS, set()),
        (RULES, 100 * HOURS + 59, {WARMTH}),
        (RULES, 100 * HOURS + 61, {WARMTH, Read("d", "volume"), Read("d", "other"), Read("gone", "warmth")}),
    ],
)
def test_a_measurement_that_was_told_long_ago_is_not_decided_on(
    rules: ActingRules, now: float, old: set[Read]
) -> None:
    fresh = FreshState.of(LOOK, DESK, rules, now)
    assert fresh.old == old
    assert all(read.attribute_id not in fresh.snapshot.of(read.device_id) for read in old)


def test_a_yes_covers_what_was_asked_and_nothing_more() -> None:
    assert agreed_to([ON, OFF], Act((ON,)))
    assert not agreed_to([ON], Act((ON, OFF)))
    assert agreed_to([ON], Refuse(()))
