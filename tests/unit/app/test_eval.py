from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evaluation import run as tasks
from benchmarks.evaluation.cases import question_case
from benchmarks.evaluation.devices import prediction
from benchmarks.evaluation.run import EvaluationTask, evaluate_cases

from winnow.errors import CaseError
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.query import Reading
from winnow.types.retrieval import Attempt, Briefing, Retrieval
from winnow.types.utterance import Utterance
from winnow.types.verdict import (
    Act,
    Bulk,
    Call,
    Clarify,
    ConditionCheck,
    Confirm,
    Nothing,
    NotUnderstood,
    Option,
    Query,
    Read,
    Refusal,
    Refuse,
    Verdict,
)


def predicted(verdict: Verdict, *shortlists: HomeShortlist) -> dict[str, Any]:
    said, reading = Utterance("x"), Reading("x", "en", "command")
    attempt = Attempt(reading, shortlists, verdict)
    return prediction(
        Retrieval(said, "h", attempt, Briefing("text", 1, "c")),
        1.23456,
    )


CALL = Call("d", "on", {"level": 3})
REFUSED = (Refusal("no_ability", {}, ("e", "f")), Refusal("no_device"))


@pytest.mark.parametrize(
    ("verdict", "decision"),
    [
        (Act((CALL,)), "act"),
        (Act((CALL,), Bulk()), "act"),
        (Confirm((CALL,), "?"), "confirm"),
        (Clarify("?"), "clarify"),
        (Refuse(REFUSED), "reject"),
        (Query((Read("d"),)), "query"),
        (Nothing("chat"), "none"),
        (NotUnderstood(("blorpy",)), "reject"),
    ],
)
def test_each_verdict_is_a_decision(verdict: Verdict, decision: str) -> None:
    assert predicted(verdict)["decision"] == decision


@pytest.mark.parametrize(
    "verdict",
    [Act((CALL,), refused=REFUSED), Act((CALL,), Bulk(), REFUSED), Confirm((CALL,), "?", refused=REFUSED)],
)
def test_calls_come_with_their_arguments_and_the_refused_are_counted(verdict: Verdict) -> None:
    p = predicted(verdict)
    assert p["calls"] == [{"device": "d", "command": "on", "args": {"level": 3}}]
    assert p["rejected"] == 2


def test_a_question_offers_every_device_once() -> None:
    assert predicted(Clarify("?", (Option("A", ("a", "b")), Option("B", ("b", "c")))))["candidates"] == [
        "a",
        "b",
        "c",
    ]


def test_a_refusal_names_the_devices_that_cannot() -> None:
    p = predicted(Refuse(REFUSED))
    assert (p["candidates"], p["rejected"], p["calls"]) == (["e", "f"], 2, [])


def test_reads_come_from_questions_and_from_conditions() -> None:
    judged = (
        ConditionCheck("if", (Read("s", "temperature"),), True),
        ConditionCheck("and", (Read("s", "temperature"), Read("t")), True),
    )
    assert predicted(Query((Read("d", "state"), Read("e"))))["reads"] == [
        {"device": "d", "attribute": "state"},
        {"device": "e"},
    ]
    expected = [{"device": "s", "attribute": "temperature"}, {"device": "t"}]
    assert [
        predicted(v)["reads"] for v in (Act((CALL,), conditions=judged), Nothing("condition_false", judged))
    ] == [expected, expected]


def test_the_shortlists_of_several_instructions_take_turns() -> None:
    first = HomeShortlist(
        candidates=(DeviceCandidate.of("a", "on#Switch.On"), DeviceCandidate.of("b", "off"))
    )
    second = HomeShortlist(candidates=(DeviceCandidate.of("c"),))
    assert predicted(Act(()), first, second)["shortlist"] == [
        {"device": "a", "command": "on"},
        {"device": "c"},
        {"device": "b", "command": "off"},
    ]


def test_text_and_time_are_kept() -> None:
    p = predicted(Nothing("chat"))
    assert (p["context"], p["ms"]) == ("text", 1.235)


def case(name: str, home: str, said: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "home": home, "utterance": said, "lang": "en", **more}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_file_of_cases_becomes_a_file_of_predictions(payloads: Path, tmp_path: Path) -> None:
    cases = write(
        tmp_path / "c.jsonl",
        case("1", "flat", "turn on the desk lamp"),
        case("2", "ha", "turn on the desk lamp"),
    )
    ticks: list[int] = []
    assert (
        evaluate_cases(
            "devices", cases, tmp_path / "out" / "p.jsonl", payloads, lambda: ticks.append(1)
        ).written
        == len(ticks)
        == 2
    )
    rows = read(tmp_path / "out" / "p.jsonl")
    assert [(r["id"], r["decision"], [c["device"] for c in r["calls"]]) for r in rows] == [
        ("1", "act", ["study.desk_lamp"]),
        ("2", "act", ["light.desk"]),
    ]
    assert all(r["ms"] > 0 and r["context"] for r in rows)


def test_each_case_stands_by_itself(payloads: Path, tmp_path: Path) -> None:
    alone = write(tmp_path / "a.jsonl", case("2", "flat", "turn off the fan"))
    after = write(
        tmp_path / "b.jsonl",
        case("1", "flat", "turn on the desk lamp"),
        case("2", "flat", "turn off the fan"),
    )
    evaluate_cases("devices", alone, tmp_path / "pa.jsonl", payloads)
    evaluate_cases("devices", after, tmp_path / "pb.jsonl", payloads)
    one, two = read(tmp_path / "pa.jsonl")[0], read(tmp_path / "pb.jsonl")[1]
    assert {**one, "ms": 0} == {**two, "ms": 0}


def test_a_folder_of_cases_becomes_one_prediction_file_each_or_a_single_one(
    payloads: Path, tmp_path: Path
) -> None:
    write(tmp_path / "cases" / "a.jsonl", case("1", "flat", "turn on the desk lamp"))
    write(tmp_path / "cases" / "b.jsonl", case("2", "flat", "turn off the fan"))
    evaluate_cases("devices", tmp_path / "cases", tmp_path / "many", payloads)
    assert sorted(p.name for p in (tmp_path / "many").iterdir()) == ["a.jsonl", "b.jsonl"]
    evaluate_cases("devices", tmp_path / "cases", tmp_path / "one.jsonl", payloads)
    assert [r["id"] for r in read(tmp_path / "one.jsonl")] == ["1", "2"]


def test_setup_changes_states_and_what_follows_from_them(payloads: Path, tmp_path: Path) -> None:
    dim = "set the desk lamp to 40 percent"
    setup = {"light.desk": {"state": "on", "attributes": {"supported_color_modes": ["brightness"]}}}
    cases = write(
        tmp_path / "c.jsonl",
        case("plain", "ha", dim),
        case("dimmable", "ha", dim, setup=setup),
        case("again", "ha", dim),
    )
    evaluate_cases("devices", cases, tmp_path / "p.jsonl", payloads)
    assert [r["decision"] for r in read(tmp_path / "p.jsonl")] == ["reject", "act", "reject"]


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (case("1", "palace", "hi"), "home"),
        (case("1", "../homes/flat", "hi"), "home"),
        (case("1", "flat", "hi", setup={"light.desk": {"state": "on"}}), "setup"),
        (case("1", "ha", "hi", setup={"light.no": {"state": "on"}}), "setup.light.no"),
    ],
)
def test_a_case_that_does_not_fit_its_home_is_an_error(
    payloads: Path, tmp_path: Path, row: dict[str, Any], field: str
) -> None:
    with pytest.raises(CaseError) as caught:
        evaluate_cases("devices", write(tmp_path / "c.jsonl", row), tmp_path / "p.jsonl", payloads)
    assert (caught.value.line, caught.value.field) == (1, field)


def test_bad_cases_are_found_before_anything_is_written(payloads: Path, tmp_path: Path) -> None:
    write(tmp_path / "cases" / "a.jsonl", case("1", "flat", "turn off the fan"))
    write(tmp_path / "cases" / "b.jsonl", {"id": "2"})
    with pytest.raises(CaseError, match=r"b\.jsonl:1"):
        evaluate_cases("devices", tmp_path / "cases", tmp_path / "out", payloads)
    assert not (tmp_path / "out").exists()


def test_the_command_writes_predictions(winnow: Callable[..., Any], payloads: Path, tmp_path: Path) -> None:
    cases = write(tmp_path / "c.jsonl", case("1", "flat", "turn off the fan"))
    ran = winnow(
        "eval", "devices", "--cases", str(cases), "--homes", str(payloads), "--out", str(tmp_path / "p.jsonl")
    )
    assert ran.code == 0
    assert "Wrote 1 predictions" in ran.out
    assert read(tmp_path / "p.jsonl")[0]["decision"] == "act"


def test_an_unknown_task_is_told(winnow: Callable[..., Any], payloads: Path) -> None:
    ran = winnow("eval", "no-such-task", "--cases", ".", "--homes", str(payloads), "--out", "x")
    assert ran.code == 2
    assert "no-such-task" in ran.err


def test_a_task_that_needs_homes_says_so(winnow: Callable[..., Any]) -> None:
    ran = winnow("eval", "devices", "--cases", ".", "--out", "x")
    assert ran.code == 2
    assert "--homes" in ran.err


def test_a_task_is_a_reader_and_what_answers(
    winnow: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        tasks.TASKS,
        "shout",
        EvaluationTask(question_case, lambda _: lambda case: {"loud": case.utterance.text.upper()}),
    )
    cases = write(tmp_path / "c.jsonl", {"id": "1", "query": "hello"}, {"id": "2", "query": "bye"})
    ran = winnow("eval", "shout", "--cases", str(cases), "--out", str(tmp_path / "p.jsonl"))
    assert "Wrote 2 predictions" in ran.out
    rows = read(tmp_path / "p.jsonl")
    assert [(r["id"], r["loud"]) for r in rows] == [("1", "HELLO"), ("2", "BYE")]
    assert all(r["ms"] >= 0 for r in rows)


def test_what_the_gold_needs_and_a_yes_would_do_is_told(
    winnow: Callable[..., Any], payloads: Path, tmp_path: Path
) -> None:
    gold = {"decision": "act", "calls": [{"device": "study.desk_lamp", "commands": ["turn_on"]}]}
    cases = write(tmp_path / "c.jsonl", case("1", "flat", "turn on the desk lamp", expect=gold))
    told = ("--cases", str(cases), "--homes", str(payloads), "--out", str(tmp_path / "p.jsonl"))
    ran = winnow("eval", "devices", *told)
    assert "Context recall: 100.0 % (1 of 1 that need anything of the home)" in ran.out
    assert "One yes away: 0.0 % (0 of 1 that are to be done)" in ran.out


def test_no_case_file_is_an_error(winnow: Callable[..., Any], payloads: Path, tmp_path: Path) -> None:
    ran = winnow(
        "eval", "devices", "--cases", str(tmp_path / "none.jsonl"), "--homes", str(payloads), "--out", "x"
    )
    assert ran.code == 2
    assert "none.jsonl" in ran.err
