from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evaluation.cases import (
    CaseRow,
    case_files,
    device_case,
    language_of,
    question_case,
    read_cases,
)

from winnow.errors import CaseError
from winnow.types.utterance import Turn

GOOD: dict[str, Any] = {"id": "a", "home": "flat", "utterance": "turn on the lamp", "lang": "en"}


def write(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), "utf-8")
    return path


def test_a_case_becomes_an_utterance_at_its_moment(tmp_path: Path) -> None:
    row = {
        **GOOD,
        "history": [{"role": "user", "content": "hi"}],
        "context": {"area": "Study", "area_id": "study_1"},
        "setup": {"light.a": {"state": "on"}},
    }
    (case,) = read_cases(write(tmp_path / "c.jsonl", row), device_case)
    assert (case.id, case.home, case.language, case.line) == ("a", "flat", "en", 1)
    assert case.utterance.room == "study_1"
    assert case.utterance.history == (Turn("user", "hi"),)
    assert case.setup == {"light.a": {"state": "on"}}


def test_the_area_name_counts_when_there_is_no_id(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path / "c.jsonl", {**GOOD, "context": {"area": "Study"}}), device_case)
    assert case.utterance.room == "Study"


def test_an_empty_sentence_is_a_case(tmp_path: Path) -> None:
    assert (
        read_cases(write(tmp_path / "c.jsonl", {**GOOD, "utterance": ""}), device_case)[0].utterance.text
        == ""
    )


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("{not json", "line"),
        ("[1]", "line"),
        ({**GOOD, "id": ""}, "id"),
        ({**GOOD, "home": 7}, "home"),
        ({k: v for k, v in GOOD.items() if k != "utterance"}, "utterance"),
        ({**GOOD, "lang": ["en"]}, "lang"),
        ({**GOOD, "history": "hello"}, "history"),
        (
            {**GOOD, "history": [{"role": "user", "content": "x"}, {"role": "robot", "content": "x"}]},
            "history[1].role",
        ),
        ({**GOOD, "history": [{"role": "user"}]}, "history[0].content"),
        ({**GOOD, "context": []}, "context"),
        ({**GOOD, "context": {"area": 5}}, "context.area"),
        ({**GOOD, "setup": {"light.a": "on"}}, "setup.light.a"),
    ],
)
def test_a_line_that_is_no_case_is_named_with_file_line_and_field(
    tmp_path: Path, row: Any, field: str
) -> None:
    with pytest.raises(CaseError) as caught:
        read_cases(write(tmp_path / "c.jsonl", {**GOOD, "id": "first"}, row), device_case)
    assert (caught.value.file, caught.value.line, caught.value.field) == ("c.jsonl", 2, field)


def test_an_id_may_occur_only_once(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="twice"):
        read_cases(write(tmp_path / "c.jsonl", GOOD, GOOD), device_case)


def test_a_folder_gives_its_case_files_without_those_set_aside(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "a.unscored.jsonl", "a.pred.jsonl", "notes.txt"):
        (tmp_path / name).touch()
    assert [p.name for p in case_files(tmp_path)] == ["a.jsonl", "b.jsonl"]
    assert case_files(tmp_path / "b.jsonl") == (tmp_path / "b.jsonl",)
    assert case_files(tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("tag", "language"), [("zh", "zh"), ("zh-TW", "zh"), ("ZH-hk", "zh"), ("en", "en"), ("en-GB", "en")]
)
def test_every_chinese_tag_is_chinese(tag: str, language: str) -> None:
    assert language_of(tag) == language


def asked(**row: Any) -> Any:
    return question_case(CaseRow("c.jsonl", 3, {"id": "q", "query": "and tomorrow?", **row}))


def test_a_question_comes_with_its_language_and_the_turns_before_it() -> None:
    case = asked(lang="zh-CN", history=[{"role": "assistant", "content": "晴"}])
    assert (case.id, case.utterance.text, case.utterance.language) == ("q", "and tomorrow?", "zh")
    assert case.utterance.history == (Turn("assistant", "晴"),)


@pytest.mark.parametrize("field", ["id", "query", "history", "lang"])
def test_a_question_of_the_wrong_shape_names_the_field(field: str) -> None:
    with pytest.raises(CaseError) as caught:
        asked(**{field: 7})
    assert (caught.value.line, caught.value.field) == (3, field)


def test_a_page_is_named_before_the_last_turns_about_it() -> None:
    history = [{"role": "user", "content": str(n)} for n in range(12)]
    turns = asked(title="Malta", section="History", history=history).utterance.history
    assert [t.content for t in turns] == ["Malta", "History", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert len(asked(history=history).utterance.history) == 12
