from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from winnow.app.cli.options import parsed_turns
from winnow.app.cli.program import app
from winnow.app.cli.turn import intent_lines
from winnow.app.wiring.engine import open_taxonomy
from winnow.errors import CaseError, TaxonomyError
from winnow.language.messages import codes
from winnow.types.query import Intent
from winnow.types.utterance import Turn
from winnow.understand.intent.classify import RULES
from winnow.understand.intent.taxonomy import taxonomy

ACTS = (
    "ack",
    "thanks",
    "greeting",
    "farewell",
    "stop",
    "choice",
    "confirm",
    "smalltalk",
    "statement",
    "question",
    "request",
)
NAMED = (
    "devices",
    "hostile",
    "nothing_said",
    "offer_accepted",
    "talk",
    "stop",
    "slot_filled",
    "choice",
    "backchannel",
    "persona",
    "tool",
    "repeat",
    "own",
    "desk",
    "asked",
    "hearsay",
    "implied",
    "wish",
    "fragment",
    "weighed",
)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["intent", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_rule_and_act_is_said_in_both_languages(language) -> None:
    assert {f"intent_rule_{rule}" for rule in NAMED} | {f"intent_act_{act}" for act in ACTS} <= codes(
        language
    )
    assert {f"intent_rule_{rule.name}" for rule in RULES} <= codes(language)
    for source in ("devices", "history", "knowledge", "none"):
        label = next(c.id for c in taxonomy().classes if c.source == source)
        lines = intent_lines(
            Intent(source != "none", source, label, "question", 0.999, "talk"), taxonomy(), language
        )
        assert source in lines[0]
        assert label in lines[1]
        assert "99" in lines[3]


def test_it_prints_data_when_asked() -> None:
    data = json.loads(run("多谢", "--json"))
    assert (data["need_retrieval"], data["source"], data["act"], data["by"]) == (
        False,
        "none",
        "thanks",
        "rules",
    )


def test_earlier_turns_come_from_words_or_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    asked, answered = (
        '{"role": "user", "content": "找两本书"}',
        '{"role": "assistant", "content": "有甲书和乙书，要哪一本？"}',
    )
    file.write_text(f"{asked}\n\n{answered}\n", "utf-8")
    said = (Turn("user", "找两本书"), Turn("assistant", "有甲书和乙书，要哪一本？"))
    assert tuple(parsed_turns([str(file)])) == said
    assert tuple(parsed_turns(["user: 找两本书", "assistant: 有甲书和乙书，要哪一本？"])) == said
    assert json.loads(run("第二本", "--history", str(file), "--json"))["act"] == "choice"


@pytest.mark.parametrize("line", ["nonsense", '{"role": "robot", "content": "x"}', '{"role": "user"}', "[1]"])
def test_a_line_that_is_no_turn_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(f'{{"role": "user", "content": "x"}}\n{line}\n', "utf-8")
    with pytest.raises(CaseError) as caught:
        list(parsed_turns([str(file)]))
    assert caught.value.line == 2


def test_what_is_neither_turn_nor_file_is_refused() -> None:
    with pytest.raises(ValueError, match="neither"):
        list(parsed_turns(["hello"]))
    assert CliRunner().invoke(app, ["intent", "x", "--said", "hello"]).exit_code == 2


def test_a_taxonomy_is_a_name_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("name: own\nclasses: [{id: yes, source: none}, {id: all, source: knowledge}]", "utf-8")
    with pytest.raises(TaxonomyError, match=r"classes\[0\].id"):  # an unquoted yes is no text
        open_taxonomy(str(file))
    file.write_text("name: own\nclasses: [{id: talk, source: none}, {id: all, source: knowledge}]", "utf-8")
    assert open_taxonomy(str(file)).name == "own"
    assert open_taxonomy("cooking") is taxonomy("cooking")
    for missing in ("nope", "nope.yaml"):
        with pytest.raises(TaxonomyError, match="nope"):
            open_taxonomy(missing)


def test_the_home_speaks_first(flat) -> None:
    assert (
        json.loads(flat("intent", "turn on the desk lamp", "--home", "flat", "--json").out)["source"]
        == "devices"
    )


def test_without_a_home_it_is_said_that_none_was_looked_at() -> None:
    done = CliRunner().invoke(app, ["--language", "en", "intent", "turn off the kitchen light"])
    assert "winnow home list" in done.stderr
    assert "winnow home list" not in done.stdout


def test_the_reason_is_told_in_full() -> None:
    assert "it asks for what this person said, noted or planned (own)" in run("what did I say about Berlin?")
