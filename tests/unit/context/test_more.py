"""More on demand: a model that says it lacks something, and a person who wants detail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.context.test_context import found

from winnow import ContextBudget
from winnow.context.build import build_context
from winnow.context.more import (
    MORE_TOOL,
    MissingData,
    append_messages,
    extend_context,
    missing_data,
    wants_detail,
)
from winnow.context.parts import ContextParts
from winnow.language.tokens import counter
from winnow.types.context import Context


@pytest.mark.parametrize(
    "reply",
    [
        "The provided context does not mention when the boiler was serviced.",
        "I don't have enough information to answer that.",
        "Unfortunately I do not have any information about the lease.",
        "I would need more details about your plan first.",
        "Could you provide more context?",
        "There is insufficient information to say.",
        "The documents do not say who signed it.",
        "I cannot answer this based on the given notes.",
        "根据提供的资料，没有提到锅炉的保养时间。",
        "上下文中没有相关内容。",
        "信息不足，无法回答这个问题。",
        "我需要更多信息才能判断。",
        "能否提供更多细节？",
        "无法从已有内容判断合同日期。",
        "我没有足够的信息回答。",
    ],
)
def test_a_reply_that_lacks_something_is_recognised(reply: str) -> None:
    lack = missing_data({"role": "assistant", "content": reply})
    assert lack is not None
    assert lack.by == "words"


@pytest.mark.parametrize(
    "reply",
    [
        "The boiler was serviced in May.",
        "You have enough information to decide.",
        "I do not like the second plan, it costs more.",
        "The notes say the lease ends in June. Do you need anything else?",
        "锅炉五月份保养过。",
        "资料里写的是六月到期。",
        "你可以把更多花盆放到阳台。",
        "我不知道他几点来，不过门开着。",
    ],
)
def test_a_reply_that_answers_lacks_nothing(reply: str) -> None:
    assert missing_data(reply) is None


def test_what_is_lacking_is_the_query_where_it_is_said() -> None:
    assert missing_data("I don't have any information about the boiler contract.") == MissingData(
        "the boiler contract", "words"
    )
    assert missing_data("我找不到关于锅炉合同的信息。") == MissingData("锅炉合同", "words")
    assert missing_data("I don't have enough information.") == MissingData("", "words")


def call(arguments: object, name: str = "winnow_more") -> dict[str, object]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c7", "type": "function", "function": function}],
    }


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ('{"query": " boiler contract "}', "boiler contract"),
        ({"query": "boiler"}, "boiler"),
        ("not json", ""),
        ('["boiler"]', ""),
        (None, ""),
    ],
)
def test_a_call_of_the_tool_tells_what_is_lacking(arguments: object, query: str) -> None:
    assert missing_data(call(arguments)) == MissingData(query, "call", "c7")


def test_other_calls_lack_nothing() -> None:
    assert missing_data(call("{}", "look_up")) is None
    assert missing_data({"role": "assistant", "content": None, "tool_calls": ["odd"]}) is None


def test_the_tool_takes_one_query() -> None:
    function = MORE_TOOL["function"]
    assert isinstance(function, dict)
    assert function["name"] == "winnow_more"
    assert function["parameters"]["required"] == ["query"]


@pytest.mark.parametrize(
    "text",
    [
        "Tell me more.",
        "Can you go into detail?",
        "Give me the full text, please",
        "Please elaborate on the second point",
        "Is there anything else?",
        "详细说说",
        "讲得再具体一点",
        "还有别的吗？",
        "把全部步骤列出来",
    ],
)
def test_a_person_who_wants_detail_is_recognised(text: str) -> None:
    assert wants_detail(text)


@pytest.mark.parametrize(
    "text",
    [
        "What time is it?",
        "No more details please",
        "Don't elaborate",
        "现在几点？",
        "不用太详细",
        "把灯打开",
        "Buy two more lamps",
    ],
)
def test_a_person_who_does_not_is_not(text: str) -> None:
    assert not wants_detail(text)


BREAD = found("A rye loaf wants two hours.")
BOILER = found("The boiler was serviced in May.", "A rye loaf wants two hours.")


def asked(**more: object) -> tuple[Context, ContextParts]:
    parts = ContextParts("When was the boiler serviced?", "You know the house.", found=[BREAD])
    return build_context(parts), replace(parts, found=[BOILER], query="boiler service", **more)


def test_a_call_for_more_is_answered_by_the_tool_behind_the_reply() -> None:
    first, parts = asked()
    reply = call('{"query": "boiler service"}')
    lack = missing_data(reply)
    assert lack is not None
    second = extend_context(first, parts, lack, reply, counter())
    assert second.messages[:-2] == first.messages
    assert second.messages[-2] is reply
    assert second.messages[-1]["role"] == "tool"
    assert second.messages[-1]["tool_call_id"] == "c7"
    assert "serviced in May" in str(second.messages[-1]["content"])
    assert "rye" not in str(second.messages[-1]["content"])
    assert second.token_count == counter().messages(second.messages) <= second.total


def test_words_that_lack_something_are_answered_before_the_question() -> None:
    first, parts = asked()
    reply = "I don't have enough information."
    lack = missing_data(reply)
    assert lack is not None
    second = extend_context(first, parts, lack, reply, counter())
    assert second.messages[-1] == first.messages[-1]
    assert second.messages[:-2] == first.messages[:-1]
    assert "serviced in May" in str(second.messages[-2]["content"])


def test_where_nothing_more_is_found_the_tool_says_so_and_words_change_nothing() -> None:
    first, parts = asked()
    parts = replace(parts, found=[BREAD])
    by_call = extend_context(first, parts, MissingData("", "call", "c7"), call("{}"), counter())
    assert by_call.messages[-1]["content"] == "Nothing more was found."
    assert (
        extend_context(first, parts, MissingData("", "words"), "No idea.", counter()).messages
        == first.messages
    )


def test_more_never_goes_over_the_total() -> None:
    parts = ContextParts("When was the boiler serviced?", found=[BREAD])
    first = build_context(parts, ContextBudget(600))
    many = found(*(f"{n}: the boiler was serviced and paid for, and all was well." for n in range(40)))
    second = extend_context(
        first, replace(parts, found=[many]), MissingData("", "call", "c7"), call("{}"), counter()
    )
    assert first.token_count < second.token_count <= 600
    full = build_context(parts, ContextBudget(first.token_count + 30))
    long = call('{"query": "' + "boiler " * 400 + '"}')
    assert extend_context(full, parts, MissingData("", "call", "c7"), long, counter()) is full


def filled(total: int, *roles: str) -> Context:
    """A context of short messages of these roles, in so many tokens."""
    made = build_context(ContextParts("Why?"), ContextBudget(4000))
    messages = tuple({"role": role, "content": f"{role} {n}"} for n, role in enumerate(roles))
    return replace(made, messages=messages, total=total, tool_tokens=0, trimmed=(), warnings=())


CALL = ({"role": "assistant", "tool_calls": []}, {"role": "tool", "content": "it is 21 degrees"})


@pytest.mark.parametrize(
    ("spare", "left", "gone", "over"),
    [
        (0, ["system", "user", "assistant", "user"], [], False),
        (-1, ["system", "assistant", "user"], ["user 1"], False),  # the oldest of the dialogue goes first
        (-10, ["system", "user"], ["user 1", "assistant 2"], False),
        (-25, ["system", "user"], ["user 1", "assistant 2"], True),  # the question and what is known stay
    ],
)
def test_calls_that_were_made_are_answered_and_the_oldest_talk_goes(
    spare: int, left: list[str], gone: list[str], over: bool
) -> None:
    whole = filled(0, "system", "user", "assistant", "user")
    size = counter().messages((*whole.messages, *CALL))
    made = append_messages(replace(whole, total=size + spare), CALL, counter())
    assert [one["role"] for one in made.messages] == [*left, "assistant", "tool"]
    assert [(one.id, one.stage, one.reason) for one in made.trimmed] == [
        (one, "history", "no room") for one in gone
    ]
    assert bool(made.warnings) == over
    assert made.token_count == counter().messages(made.messages)


def test_tools_take_their_part_of_the_room() -> None:
    whole = filled(0, "system", "user", "assistant", "user")
    size = counter().messages((*whole.messages, *CALL))
    made = append_messages(replace(whole, total=size + 30, tool_tokens=31), CALL, counter())
    assert ([one.id for one in made.trimmed], made.token_count) == (
        ["user 1"],
        counter().messages(made.messages) + 31,
    )
