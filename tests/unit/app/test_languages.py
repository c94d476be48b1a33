"""The language of messages is that of all messages: those of errors, hints, wrong use and help too."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ENGLISH = re.compile(r"(?<![\w./-])[A-Za-z']{2,}(?: [A-Za-z']+){2,}")
"""Three words of English in a row, which no id, option or name of a product has."""
COMMAND = re.compile(r"winnow(?: [a-z]+)+|home import [\w:]+")

FAILING = """
ask
ask --foo bar
ask hi --home palace
ask hi --room cellar
ask hi --said nobody
ask hi --said nobody.jsonl
aks hi
explain
explain hi --home palace
intent hi --home palace
intent hi --taxonomy nonsense
intent hi --taxonomy /nowhere/classes.yaml
rewrite
chat --home palace
chat --room
demo /nowhere
eval devices --cases /nowhere --out x
eval messages --cases /nowhere --out x
eval nonsense --cases /nowhere --out x
eval devices
eval rewrite --cases {cases} --out x
home
home import
home import /nowhere
home import {file}
home import {empty}
home import {broken}
home import example:castle
home import {file} --texts fr
home show palace
home delete palace
home delete
home show one two
home set nobody --kind light
home set "desk lamp" --kind submarine
lexicon accept 99
lexicon accept first
lexicon reject
doctor --ask
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Things that cannot be read, each for a reason of its own."""
    (tmp_path / "empty").mkdir()
    for name, text in {"cases": '{"id": 1}\n', "file": "hello", "broken": '{"devices": [}'}.items():
        (tmp_path / f"{name}.json").write_text(text, "utf-8")
    return {name: str(tmp_path / f"{name}.json") for name in ("cases", "file", "broken")} | {
        "empty": str(tmp_path / "empty")
    }


def english_in(said: str, *given: str) -> list[str]:
    """What is left of English, the words that were typed aside."""
    for word in given:
        said = said.replace(word, "")
    return ENGLISH.findall(COMMAND.sub("", said))


@pytest.mark.bulk
@pytest.mark.parametrize("line", FAILING.strip().splitlines())
def test_a_command_that_fails_tells_so_in_chinese(flat: Run, files: dict[str, str], line: str) -> None:
    args = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line.format(**files))]
    ran = flat("--language", "zh", *args)
    assert ran.code == 2
    assert re.search(r"[\u4e00-\u9fff]", ran.err)
    assert english_in(ran.err, *args, *files.values()) == []


@pytest.mark.parametrize(
    "setting", ["WINNOW_BUDGET=1", "WINNOW_LANGUAGE=f", "WINNOW_WAIT=x", "WINNOW_BUDGE=5"]
)
def test_wrong_settings_are_told_in_chinese(flat: Run, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setenv(*setting.split("="))
    ran = flat("home", "list")
    assert (ran.code, english_in(ran.err)) == (2, [])
    assert "设置有误" in ran.err


def test_each_wrong_setting_of_a_file_is_told_in_chinese(flat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    Path(os.environ["WINNOW_HOME"], "config.toml").write_text(
        'budget = "x"\nlearn = 3\nhome = 1\ntenant = ""\nmodel_seconds = 0\nmax_targets = 0\nnonsense = 1\n'
        'model_key = "k"\nmodel_server = "foo"\nmodel_folder = "f"\nmodel_embedding = "fastembed:"\n'
        "model_retries = -1\n",
        "utf-8",
    )
    ran = flat("--language", "zh", "home", "list")
    assert (ran.code, english_in(ran.err)) == (2, [])


def test_the_doctor_speaks_chinese(flat: Run) -> None:
    assert english_in(flat("--language", "zh", "doctor").out) == []


@pytest.mark.parametrize("command", ["ask", "chat", "home", "home import", "home set", "eval", "doctor"])
def test_help_is_in_chinese(flat: Run, command: str) -> None:
    assert english_in(flat("--language", "zh", *command.split(), "-h").out.partition("例：")[0]) == []


def test_the_terminal_s_language_is_that_of_messages(flat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert flat("ask").err.splitlines()[-1] == "错误: 缺少参数“SENTENCE”。"
    assert flat("--language", "en", "ask").err.splitlines()[-1] == "Error: Missing argument 'SENTENCE'."
