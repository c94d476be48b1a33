"""Laws of a context: never over its total, no pair of messages split, nothing but its end changes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from winnow import Candidate, ContextBudget, Ref, Shortlist
from winnow.context.build import build_context
from winnow.context.parts import ContextParts
from winnow.errors import OverBudget
from winnow.language.tokens import counter
from winnow.types.context import ChatMessage, Context, Part, WindowSettings
from winnow.types.fact import Fact

WORDS = (
    "the oven",
    "小明",
    "is at 230",
    "我住在杭州",
    "why",
    "decided on it",
    "\n- ",
    '{"a": [1, 2]}',
    "好的。",
)
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join) | st.text(max_size=80)
LONG = st.integers(1, 30).map(lambda n: "He went to the market and bought 3 apples. 他买了苹果。" * n)
CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"query":"oven"}'}}


def plain(said: str, told: str) -> list[ChatMessage]:
    return [{"role": "user", "content": said}, {"role": "assistant", "content": told}]


def called(said: str, told: str) -> list[ChatMessage]:
    return [
        {"role": "user", "content": said},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": told},
        {"role": "assistant", "content": told[:30]},
    ]


TURN = st.builds(plain, TEXT, TEXT | LONG) | st.builds(called, TEXT, TEXT | LONG)
HISTORY = st.lists(TURN, max_size=25).map(lambda turns: [message for turn in turns for message in turn])
FOUND = st.lists(st.tuples(TEXT | LONG, st.floats(0, 1)), max_size=8).map(
    lambda texts: [
        Shortlist(
            "knowledge",
            tuple(
                Candidate(Ref("passage", f"p{n}"), score=score, data={"text": text, "title": "T"})
                for n, (text, score) in enumerate(texts)
            ),
        )
    ]
)
FACTS = st.lists(TEXT, max_size=6).map(lambda texts: [Fact(f"f{n}", text) for n, text in enumerate(texts)])
PARTS = st.builds(
    ContextParts,
    question=TEXT | LONG,
    system=TEXT | LONG,
    history=HISTORY,
    found=FOUND,
    facts=FACTS,
    detail=st.booleans(),
    trim=st.just(True),
    prefer=st.sampled_from([None, "history", "knowledge"]),
    window=st.builds(WindowSettings, kind=st.sampled_from(["fixed", "importance", "mixed"])),
)
SHARES: st.SearchStrategy[dict[Part, float]] = st.sampled_from(
    [
        {"history": 0.3, "knowledge": 0.5, "system": 0.15, "reserve": 0.05},
        {"history": 0.5, "knowledge": 0.5},
        {"knowledge": 0.4, "system": 0.1},
    ]
)
BUDGET = st.builds(
    ContextBudget,
    st.integers(60, 4000),
    counted_by=st.sampled_from(["o200k", "cl100k", "estimate", "seed"]),
)


def within(context: Context, counted_by: str) -> bool:
    """Whether a count from outside says that it keeps to its total and its shares."""
    names = {"o200k_base": "o200k", "cl100k_base": "cl100k", "fitted-estimate": "estimate"}
    real = counter(names.get(counted_by, "seed")).messages(context.messages)
    assert context.usage is not None
    shares = context.usage.values()
    return real == context.token_count <= context.total and all(use.used <= use.total for use in shares)


@settings(max_examples=40)
@given(PARTS, BUDGET)
def test_no_context_is_over_its_total_and_no_share_over_its_own(
    parts: ContextParts, budget: ContextBudget
) -> None:
    context = build_context(parts, budget)
    assert context.usage is not None
    assert within(context, context.counted_by)
    assert sum(use.total for use in context.usage.values()) <= budget.total
    assert sum(use.used for use in context.usage.values()) == context.token_count


def unpaired(messages: Sequence[ChatMessage]) -> list[Any]:
    """Replies of tools without their calls, calls without replies, answers to nothing."""
    called = [call["id"] for m in messages for call in m.get("tool_calls") or ()]  # type: ignore[attr-defined]
    replied = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    roles = [m["role"] for m in messages if m["role"] != "system"]
    lost = [
        n for n, role in enumerate(roles) if role == "assistant" and roles[:n][-1:] in ([], ["assistant"])
    ]
    return [*lost, *(("calls", "replies") if called != replied else ())]


@settings(max_examples=40)
@given(PARTS, BUDGET)
def test_calls_keep_their_replies_and_questions_their_answers(
    parts: ContextParts, budget: ContextBudget
) -> None:
    assert unpaired(build_context(parts, budget).messages) == []


@settings(max_examples=25)
@given(st.lists(TURN, min_size=2, max_size=12), st.lists(FOUND, min_size=12, max_size=12), BUDGET)
def test_what_was_before_the_data_stays_unless_the_dialogue_is_built_anew(
    turns: list[list[ChatMessage]], found: list[list[Shortlist]], budget: ContextBudget
) -> None:
    before: Context | None = None
    history: list[ChatMessage] = []
    for turn, offered in zip(turns, found, strict=False):
        question = str(turn[0]["content"])
        parts = ContextParts(question, "Answer in one sentence.", tuple(history), found=offered, trim=True)
        context = build_context(parts, budget, before)
        assert within(context, context.counted_by)
        if before is not None and not any(step.chosen == "rebuilt" for step in context.steps):
            assert context.shared >= before.stable
        before, history = context, [*history, *turn]


TOOLS = st.lists(
    st.builds(
        lambda name, about, count: {
            "type": "function",
            "function": {
                "name": name,
                "description": about * count,
                "parameters": {"type": "object", "properties": {"x": {"enum": [1, 2.5, None, True]}}},
            },
        },
        st.sampled_from(["look_up", "查天气", "turn_on"]),
        st.sampled_from(["Looks things up. ", "查找资料。", 'says "no"\n']),
        st.integers(0, 40),
    ),
    max_size=4,
)


def needed(parts: ContextParts, budget: ContextBudget) -> int:
    """Tokens of what must stand: instructions, tools, question and what opens the reply."""
    roles = {"system": parts.system, "user": parts.question}
    said = [{"role": role, "content": text} for role, text in roles.items() if text]
    return budget.counter.messages(said) + schemas(parts, budget)


def schemas(parts: ContextParts, budget: ContextBudget) -> int:
    written = json.dumps(list(parts.tools), ensure_ascii=False, separators=(",", ":"))
    return budget.counter.count(written) if parts.tools else 0


@settings(max_examples=40)
@given(PARTS, TOOLS, st.integers(0, 400), st.integers(40, 4000), SHARES)
def test_a_budget_is_an_error_only_where_the_whole_is_exceeded_and_tools_count(
    made: ContextParts, tools: list[Any], repeated: int, total: int, shares: dict[Part, float]
) -> None:
    system = "Answer in one sentence. 请简短回答。" * repeated
    parts, budget = replace(made, system=system, tools=tools, trim=False), ContextBudget(total, shares)
    try:
        context = build_context(parts, budget)
    except OverBudget as error:
        assert needed(parts, budget) > total
        enough = re.search(r"\d+", error.hint)
        assert enough is not None
        budget = ContextBudget(int(enough.group()), shares)
        context = build_context(parts, budget)
    assert context.tool_tokens == schemas(parts, budget)
    assert (
        context.token_count == budget.counter.messages(context.messages) + context.tool_tokens <= budget.total
    )
    assert context.usage is not None
    assert sum(use.used for use in context.usage.values()) == context.token_count
    assert context.usage["system"].used >= context.tool_tokens
    texts = {str(message["content"]) for message in context.messages}
    assert needed(parts, budget) > budget.total or {system, parts.question} - {""} <= texts
