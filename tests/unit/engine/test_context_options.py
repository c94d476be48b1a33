"""Tokens, shares, preference, window and tools reach the messages, from the call or the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from winnow import ContextOptions, Engine
from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_engine
from winnow.errors import ConfigError, OverBudget
from winnow.language.tokens import counter
from winnow.types.context import WindowSettings
from winnow.types.verdict import Clarify

SYSTEM = "You help in a bakery, and you answer in one sentence. " * 80
TOOLS = [{"type": "function", "function": {"name": "bake", "description": "Bakes a loaf. " * 30}}]
HISTORY = [
    {"role": role, "content": f"{text} {n}, with flour and water in equal parts"}
    for n in range(40)
    for role, text in (("user", "What about loaf"), ("assistant", "That is loaf"))
]
COTTAGE = "example:cottage"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return open_engine(COTTAGE)


def test_a_long_system_prompt_is_no_error_and_tools_are_counted(engine: Engine) -> None:
    context = engine.sync.retrieve("turn on the kitchen light", system=SYSTEM, tools=TOOLS).context
    size = counter().count(json.dumps(TOOLS, separators=(",", ":")))
    assert counter().count(SYSTEM) > 600
    assert context.messages[0]["content"] == SYSTEM
    assert context.tool_tokens == size
    assert context.token_count == counter().messages(context.messages) + size <= context.total
    assert context.usage is not None
    assert context.usage["system"].used == context.usage["system"].total


def test_a_call_comes_before_the_engine_and_the_hint_can_be_followed(engine: Engine) -> None:
    small = ContextOptions(tokens=300)
    with pytest.raises(OverBudget, match="300"):
        engine.sync.retrieve("turn on the kitchen light", system=SYSTEM, options=small)
    cut = engine.sync.retrieve(
        "turn on the kitchen light", system=SYSTEM, options=ContextOptions(tokens=300, trim=True)
    ).context
    assert cut.token_count <= cut.total == 300
    assert engine.sync.retrieve("turn on the kitchen light").context.total == 4000


def test_shares_preference_and_window_reach_the_messages() -> None:
    told = ContextOptions(prefer="knowledge", window=WindowSettings("fixed", turns=5))
    chosen = open_engine(COTTAGE, options=told)
    usage = chosen.sync.retrieve("And the crust?").context.usage
    assert usage is not None
    assert usage["knowledge"].total > 0.6 * 4000 - 1
    other = ContextOptions(prefer="history", shares={"history": 0.5, "knowledge": 0.5})
    context = chosen.sync.retrieve("And the crust?", history=HISTORY, options=other).context
    assert context.usage is not None
    assert context.usage["history"].total > 0.6 * 4000 - 4
    kept = [m for m in context.messages if m["role"] == "user" and "loaf" in str(m["content"])]
    assert 0 < len(kept) <= 5


def test_an_answer_and_more_of_it_have_the_same_instructions_tools_and_tokens(engine: Engine) -> None:
    asked = engine.sync.retrieve("turn on the light")
    assert isinstance(asked.verdict, Clarify)
    options = ContextOptions(tokens=2500)
    after = engine.sync.answer(asked.id, 0, system="Be brief.", tools=TOOLS, options=options)
    assert after.context.messages[0]["content"] == "Be brief."
    assert after.context.tool_tokens > 0
    assert after.context.total == 2500
    deeper = engine.sync.more(after, "I do not have any information about the lease.", options=options)
    assert deeper.context.tool_tokens == after.context.tool_tokens
    assert deeper.context.token_count <= 2500


def test_the_answer_of_a_session_has_the_instructions_of_its_call(engine: Engine) -> None:
    asked = engine.sync.retrieve("turn on the light", session="porch")
    assert isinstance(asked.verdict, Clarify)
    after = engine.sync.retrieve("the first one", session="porch", system="Be brief.", tools=TOOLS)
    assert after.after == asked.id
    assert after.context.messages[0]["content"] == "Be brief."
    assert after.context.tool_tokens > 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"WINNOW_PREFER": "history"}, ContextOptions(prefer="history")),
        ({"WINNOW_SHARES": "history=0.6, knowledge=0.4"}, {"history": 0.6, "knowledge": 0.4}),
        ({"WINNOW_WINDOW": "fixed", "WINNOW_WINDOW_TURNS": "5"}, WindowSettings("fixed", 5)),
        ({"WINNOW_TRIM": "yes", "WINNOW_WINDOW_LONG": "12"}, WindowSettings(long=12)),
    ],
)
def test_settings_say_it_for_all_calls(tmp_path: Path, given: Mapping[str, str], expected: object) -> None:
    options = open_engine(COTTAGE, settings=load_settings(given, tmp_path)).policy.options
    assert expected in (options.window, options.shares, ContextOptions(prefer=options.prefer))
    assert options.trim is ("WINNOW_TRIM" in given)


@pytest.mark.parametrize(
    "given",
    [
        {"WINNOW_PREFER": "both"},
        {"WINNOW_WINDOW": "wide"},
        {"WINNOW_SHARES": "history"},
        {"WINNOW_SHARES": "history=0.6, knowledge=0.6"},
        {"WINNOW_SHARES": "talk=0.6"},
        {"WINNOW_WINDOW_TURNS": "0"},
    ],
)
def test_a_setting_that_makes_no_sense_is_an_error(tmp_path: Path, given: Mapping[str, str]) -> None:
    with pytest.raises(ConfigError, match=next(iter(given))):
        load_settings(given, tmp_path)
