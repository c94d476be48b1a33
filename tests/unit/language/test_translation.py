from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import winnow
from winnow import errors
from winnow.adapters.models import openai_protocol as wire
from winnow.adapters.platforms import bundle
from winnow.app.cli.demo import HOME_STEPS
from winnow.app.cli.program import app
from winnow.app.config.settings import load_settings
from winnow.errors import NOT_UTF8, HomeNotFound, NoSuchState, Phrase, Problem
from winnow.language.messages import translate_text, translations

SOURCE = Path(winnow.__file__).parent
TOLD = {
    **dict.fromkeys(
        [
            "WinnowError",
            "OverBudget",
            "StoreError",
            "StoreBusy",
            "Phrase",
            "_listed",
            "BadParameter",
            "bad_answer",
        ],
        0,
    ),
    **dict.fromkeys(["EmbedderError", "ModelError", "TableError", "MessageError", "wrong", "refused"], 1),
    **dict.fromkeys(["Problem", "Finding"], 2),
    "OverBudget": 0,
    "CaseError": 3,
}
"""What takes a text that a person reads -> where among its arguments."""


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Every call in the package: its place, the name that is called, and the call."""
    return [
        (
            f"{path.relative_to(SOURCE)}:{node.lineno}",
            str(getattr(node.func, "attr", "") or getattr(node.func, "id", "")),
            node,
        )
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def texts() -> Iterator[tuple[str, ast.expr]]:
    """What is said to a person, as it stands in the source."""
    for place, name, call in calls():
        said = [k.value for k in call.keywords if k.arg == "hint"]
        if (at := TOLD.get(name)) is not None and len(call.args) > at:
            said.append(call.args[at])
        if name == "note" and isinstance(getattr(call.func, "value", None), ast.Name):
            said.append(call.args[-1])
        for expression in said:
            yield from ((place, part) for part in branches(expression))


def branches(expression: ast.expr) -> list[ast.expr]:
    """Both sides of ``a if b else c`` and of ``a or b``."""
    if isinstance(expression, ast.IfExp):
        return [expression.body, expression.orelse]
    return expression.values if isinstance(expression, ast.BoolOp) else [expression]


def literals() -> dict[str, str]:
    """Each text that stands in the source as such -> where."""
    known = {}
    for place, part in texts():
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
            known[part.value] = place
    return known


def helps(command: Any) -> Iterator[str]:
    """Every paragraph of help."""
    for text in (command.help, *(getattr(p, "help", "") for p in command.params)):
        yield from (" ".join(part.split()) for part in (text or "").split("\n\n"))
    for child in getattr(command, "commands", {}).values():
        yield from helps(child)


def facts_of(template: str) -> set[str]:
    """The facts of a template; of braces that only show something, what is in them."""
    return set(re.findall(r"\{(\w+)(?:!r)?\}", template))


@pytest.mark.slow
def test_what_is_said_has_its_facts_apart() -> None:
    """An f-string cannot be told in another language; a Phrase can."""
    said = [place for place, part in texts() if isinstance(part, ast.JoinedStr)]
    assert said == []


def test_every_text_of_the_source_is_known_in_chinese() -> None:
    missing = {text: place for text, place in literals().items() if text not in translations()}
    assert missing == {}


def test_texts_of_tables_and_help_are_known_in_chinese() -> None:
    said = {NOT_UTF8, bundle.HINT_WHAT_TO_GIVE, bundle.HINT_NO_SUCH_PATH, *wire.FAULT_HINTS.values()}
    said |= {*(scene.shows for scene in HOME_STEPS), *helps(get_command(app))} - {""}
    assert said - translations().keys() == set()


def test_both_languages_tell_the_same_facts() -> None:
    differ = {e for e, chinese in translations().items() if facts_of(e) != facts_of(chinese)}
    assert differ == set()


def test_facts_that_are_phrases_are_told_in_the_language_too() -> None:
    error = errors.ConfigError([Problem("environment", "WINNOW_BUDGET", config_problem())])
    assert translate_text(error.message, "zh") == (
        "设置有误（1 个问题）：\n  environment: WINNOW_BUDGET: 必须是不小于 32 的整数（token 数），而不是 '1'"
    )
    assert translate_text(error.message, "en") == str(error)


def config_problem() -> str:
    with pytest.raises(errors.ConfigError) as raised:
        load_settings({"WINNOW_BUDGET": "1", "WINNOW_HOME": "/nowhere"})
    return raised.value.problems[0].message


def test_lists_are_joined_as_the_language_does() -> None:
    hint = HomeNotFound("x", ["a", "b"]).hint
    assert (translate_text(hint, "en"), translate_text(hint, "zh")) == (
        "Known homes: a, b. Name one of them.",
        "已有：a、b。请指明其中一个。",
    )
    near = NoSuchState("flat", {"lam": ["lamp"]}).hint
    assert translate_text(near, "zh") == "是不是指：lam → lamp？"


def test_a_fact_that_looks_like_a_template_stays_text() -> None:
    assert translate_text(HomeNotFound("{known}").message, "zh") == "没有 id 为“{known}”的家。"


def test_what_nobody_translated_stays_as_it_is() -> None:
    assert translate_text("something a library said", "zh") == "something a library said"


@pytest.mark.parametrize("twin", [copy.deepcopy, copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_phrase_survives_being_copied(twin: Any) -> None:
    phrase = Phrase("No home has the id {home!r}.", home="{x}")
    assert (twin(phrase), twin(phrase).template, twin(phrase).facts) == (
        phrase,
        phrase.template,
        phrase.facts,
    )
