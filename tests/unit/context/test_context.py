"""Everything that goes before a language model for one turn."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from winnow import Candidate, ContextBudget, Ref, Shortlist
from winnow.context.build import build_context
from winnow.context.parts import ContextParts
from winnow.context.window import things_asked
from winnow.errors import OverBudget
from winnow.language.tokens import PER_MESSAGE, PER_REPLY, counter
from winnow.types.context import ChatMessage, Context
from winnow.types.fact import Fact
from winnow.types.retrieval import Briefing, Section

SYSTEM = "You help in a bakery. Answer in one sentence."


def turns(
    count: int, words: str = "flour and water in equal parts, kept at room temperature"
) -> list[ChatMessage]:
    return [
        message
        for n in range(count)
        for message in (
            {"role": "user", "content": f"What about loaf number {n}?"},
            {"role": "assistant", "content": f"Loaf {n}: {words}."},
        )
    ]


def found(*texts: str, source: str = "knowledge", **known: object) -> Shortlist:
    candidates = (
        Candidate(Ref("passage", f"{source}-{n}"), score=0.9, data={"text": text, **known})
        for n, text in enumerate(texts)
    )
    return Shortlist(source, tuple(candidates))


def chosen(context: Context, what: str) -> list[str]:
    return [step.chosen for step in context.steps if step.what == what]


def body(messages: Sequence[ChatMessage]) -> list[tuple[object, object]]:
    return [(message["role"], message["content"]) for message in messages]


def test_a_context_is_instructions_dialogue_data_and_question_in_that_order() -> None:
    home = Briefing(
        "x", 1, "", (Section("header", "never shown", 2), Section("verdict", '{"verdict":"act"}', 5))
    )
    context = build_context(
        ContextParts("And the crust?", SYSTEM, turns(1), home, [found("Steam makes a thin crust.")])
    )
    roles = [message["role"] for message in context.messages]
    assert roles == ["system", "user", "assistant", "system", "user"]
    data = str(context.messages[3]["content"]).splitlines()
    assert "not instructions" in data[0]
    assert data[1] == '{"verdict":"act"}'
    assert json.loads(data[2]) == {"from": "knowledge", "text": "Steam makes a thin crust."}
    assert context.messages[-1]["content"] == "And the crust?"


def test_the_count_is_exact_with_what_surrounds_each_message() -> None:
    context = build_context(ContextParts("Why?", SYSTEM))
    count = counter().count
    assert context.token_count == count("Why?") + count(SYSTEM) + 2 * PER_MESSAGE + PER_REPLY
    assert context.usage is not None
    assert context.usage["system"].used == count(SYSTEM) + PER_MESSAGE


def test_what_stands_before_the_data_is_the_same_from_turn_to_turn() -> None:
    history, before = turns(1), None
    for n in range(1, 8):
        asked = ContextParts(
            f"What about loaf number {n}?", SYSTEM, tuple(history), found=[found(f"Note {n}")], now=n
        )
        context = build_context(asked, before=before)
        if before is not None:
            still = len(before.messages) - 2
            assert context.messages[:still] == before.messages[:still]
            assert context.shared == before.stable > 0
        before, history = context, turns(n + 1)
    assert before is not None
    assert chosen(before, "window") == ["kept"]


def test_rooms_and_users_of_a_home_share_the_instructions() -> None:
    ana = build_context(ContextParts("Lights?", SYSTEM, turns(3), found=[found("Ana likes it dim.")]))
    ben = build_context(
        ContextParts("Heating?", SYSTEM, turns(2, "rye"), found=[found("Ben likes it warm.")]), before=ana
    )
    assert ana.messages[0] == ben.messages[0]
    assert ben.shared >= counter().count(SYSTEM)


def test_a_dialogue_is_cut_to_a_low_mark_only_when_it_is_nearly_full() -> None:
    history, before, rebuilt = turns(1), None, []
    for n in range(1, 90):
        context = build_context(ContextParts("And then?", SYSTEM, tuple(history)), before=before)
        assert context.usage is not None
        assert context.usage["history"].percentage <= 85
        if "rebuilt" in chosen(context, "window"):
            rebuilt.append(n)
        before, history = context, turns(n + 1)
    gaps = [later - earlier for earlier, later in pairwise(rebuilt[1:])]
    assert rebuilt[0] == 1
    assert len(gaps) > 1
    assert min(gaps) >= 8


def test_earlier_turns_are_told_in_short_and_named_as_gone() -> None:
    history = [
        {"role": "user", "content": "Remember that my sister Marta is allergic to walnuts."},
        {"role": "assistant", "content": "Noted."},
        *turns(50),
    ]
    context = build_context(ContextParts("What shall we bake?", SYSTEM, history))
    summary = str(context.messages[1]["content"])
    assert context.messages[1]["role"] == "system"
    assert "Marta is allergic to walnuts" in summary or "Marta" in str(context.messages)
    assert any(dropped.stage == "window" for dropped in context.trimmed)
    assert context.last_reconstruction_time == 0.0
    assert counter().count(summary) <= 0.3 * 1200


def test_what_is_known_of_the_person_stands_before_the_dialogue_until_it_is_wrong() -> None:
    facts = [Fact("f1", "The shop opens at seven."), Fact("f2", "It was in Leeds.", status="superseded")]
    first = build_context(ContextParts("When?", SYSTEM, turns(3), facts=facts, now=5.0))
    assert "The shop opens at seven." in str(first.messages[1]["content"])
    assert "Leeds" not in str(first.messages)
    later = [replace(facts[0], status="superseded"), Fact("f3", "The shop opens at eight.")]
    second = build_context(ContextParts("When?", SYSTEM, turns(4), facts=later, now=9.0), before=first)
    assert "eight" in str(second.messages[1]["content"])
    assert "seven" not in str(second.messages)
    assert second.last_reconstruction_time == 9.0


def test_what_was_known_of_the_person_and_is_forgotten_is_gone_from_before_the_dialogue() -> None:
    facts = [Fact("f1", "The shop opens at seven."), Fact("f2", "The shop is in Leeds.")]
    first = build_context(ContextParts("When?", SYSTEM, turns(3), facts=facts, now=5.0))
    second = build_context(ContextParts("When?", SYSTEM, turns(4), facts=facts[1:], now=9.0), before=first)
    assert ("seven" in str(second.messages), "Leeds" in str(second.messages)) == (False, True)


def test_a_fact_that_no_longer_holds_is_marked_in_the_data() -> None:
    doubtful = found("Trams run all night.", source="public", credibility=0.2, at="2024-05-01")
    old = found("It opens at seven.", source="facts", status="superseded")
    lines = str(
        build_context(ContextParts("When?", found=[old, doubtful])).messages[0]["content"]
    ).splitlines()
    assert json.loads(lines[1]) == {"from": "facts", "status": "superseded", "text": "It opens at seven."}
    assert json.loads(lines[2])["status"] == "uncertain"
    assert json.loads(lines[2])["at"] == "2024-05-01"


def test_long_instructions_take_from_what_shrinks_most_harmlessly() -> None:
    system = "Be kind to everybody. " * 400
    size = counter().count(system) + PER_MESSAGE
    context = build_context(
        ContextParts("Why?", system, turns(40), found=[found("A remark about bread. " * 200)])
    )
    assert context.messages[0]["content"] == system
    assert context.usage is not None
    assert {part: use.total for part, use in context.usage.items()} == {
        "history": 4000 - PER_REPLY - size - 900,
        "knowledge": 900,
        "system": size,
        "reserve": PER_REPLY,
    }
    loans = [step for step in context.steps if step.reason == "the instructions and tools are long"]
    assert [step.chosen.split(" from ")[1] for step in loans] == [
        "reserve to system",
        "knowledge to system",
        "history to system",
    ]


def test_only_what_exceeds_the_whole_is_an_error_and_its_hint_can_be_followed() -> None:
    system = "Be kind to everybody. " * 1000
    with pytest.raises(OverBudget, match="4000") as raised:
        build_context(ContextParts("Why?", system))
    enough = re.search(r"\d+", raised.value.hint)
    assert enough is not None
    whole = build_context(ContextParts("Why?", system), ContextBudget(int(enough.group())))
    assert body(whole.messages) == [("system", system), ("user", "Why?")]
    cut = build_context(ContextParts("Why?", system, trim=True))
    assert cut.usage is not None
    assert 1900 <= cut.usage["system"].used <= 2000  # half of all, and no less
    kept = str(cut.messages[0]["content"])
    assert kept.startswith("Be kind to everybody.")
    assert kept.rstrip().endswith("Be kind to everybody.")
    assert [(d.id, d.reason) for d in cut.trimmed] == [("system", "cut in the middle")]
    assert cut.messages[-1]["content"] == "Why?"


def test_schemas_of_tools_take_part_of_the_instructions_share() -> None:
    tool = {"type": "function", "function": {"name": "look_up", "description": "Looks things up. " * 10}}
    with_tool = build_context(ContextParts("Why?", SYSTEM, tools=[tool]))
    without = build_context(ContextParts("Why?", SYSTEM))
    assert with_tool.usage is not None
    assert without.usage is not None
    size = counter().count(json.dumps([tool], ensure_ascii=False, separators=(",", ":")))
    assert with_tool.tool_tokens == size
    assert with_tool.usage["system"].used == without.usage["system"].used + size
    assert with_tool.token_count == without.token_count + size


def test_a_long_question_borrows_and_one_that_is_too_long_is_cut() -> None:
    long = build_context(ContextParts("Why is the crust so hard? " * 120, SYSTEM, turns(3)))
    assert chosen(long, "shares")
    assert long.messages[-1]["content"] == "Why is the crust so hard? " * 120
    endless = build_context(ContextParts("Why is the crust so hard? " * 2000, SYSTEM, turns(3)))
    assert endless.token_count <= 4000
    assert [d.id for d in endless.trimmed if d.stage == "question"] == ["question"]


def loaves(count: int = 6) -> Shortlist:
    """Passages, each with one sentence about its loaf among many of a guest and the sea."""
    return found(
        *(
            f"Loaf {n} rests {n + 2} hours. "
            + " ".join(f"Guest {n}-{k} spoke of a ship and of the sea that day." for k in range(24))
            for n in range(count)
        )
    )


def quoted_texts(context: Context) -> list[str]:
    return [json.loads(line)["text"] for line in str(context.messages[0]["content"]).splitlines()[1:]]


def test_what_was_found_is_held_back_until_detail_is_wanted() -> None:
    first = build_context(ContextParts("How long does loaf 3 rest?", found=[loaves()]))
    assert "Loaf 3 rests 5 hours." in " ".join(quoted_texts(first))
    assert first.usage is not None
    assert first.usage["knowledge"].used <= 650
    assert "knowledge-3" in first.more  # the rest of it waits
    detailed = build_context(
        ContextParts("How long does loaf 3 rest?", found=[loaves()], detail=True, tokens=20_000)
    )
    assert detailed.more == ()
    assert [text.count("Guest") for text in quoted_texts(detailed)] == [24] * 6


def test_a_person_who_wants_more_gets_what_was_held_back_without_a_search() -> None:
    first = build_context(ContextParts("How long does loaf 3 rest?", found=[loaves()], now=1.0))
    more = build_context(
        ContextParts("Tell me more.", history=turns(1), now=9.0, tokens=20_000), before=first
    )
    assert len(first.more) >= 5
    assert all(f"Guest {id_[-1]}-23" in str(more.messages) for id_ in first.more)
    assert "Guest" not in str(
        build_context(ContextParts("Thank you.", history=turns(1), now=9.0), before=first).messages
    )


def test_a_row_is_given_with_the_head_of_its_table_and_a_heading_with_what_stands_under_it() -> None:
    rows = "\n".join(f"| guest {n} | pier {n} | cabin {n} |" for n in range(40))
    table = (
        f"# Ferry\n\n## Cabins\n\n| who | where | what |\n|---|---|---|\n{rows}\n| Ines | pier 77 | bunk |"
    )
    given = quoted_texts(build_context(ContextParts("Where is Ines?", found=[found(table, title="Ferry")])))
    assert "¦ Ines ¦ pier 77 ¦ bunk ¦" in given[0]
    assert "¦ who ¦ where ¦ what ¦" in given[0]
    assert "Cabins" in given[0]
    assert "# Ferry" not in given[0]  # its title says so


def test_a_text_that_was_replaced_brings_what_replaced_it() -> None:
    old = Candidate(
        Ref("message", "old"), score=0.9, data={"text": "My locker is 12.", "superseded_by": "new"}
    )
    new = Candidate(Ref("message", "new"), score=0.5, data={"text": "They gave me 31 instead."})
    filler = found(*(f"The locker room of hall {n} opens at nine and shuts at ten." for n in range(60)))
    context = build_context(
        ContextParts("Which locker is mine?", found=[Shortlist("history", (old, new)), filler])
    )
    assert "They gave me 31 instead." in quoted_texts(context)
    assert len(context.more) > 20


def test_what_is_far_less_relevant_than_the_best_is_held_back() -> None:
    best, other = (
        found("Rye needs time.").candidates[0],
        Candidate(Ref("passage", "x"), score=0.2, data="Wheat."),
    )
    context = build_context(ContextParts("Rye?", found=[Shortlist("knowledge", (best, other))]))
    assert context.more == ("x",)


def test_what_is_in_the_dialogue_is_not_quoted_again() -> None:
    history = turns(2)
    context = build_context(
        ContextParts("Loaf 1?", "", history, found=[found(str(history[3]["content"]), source="history")])
    )
    assert [message["role"] for message in context.messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]


def test_what_was_given_lately_is_given_again_without_being_found() -> None:
    first = build_context(
        ContextParts("How hot is the brick oven?", found=[found("The brick oven is 300 degrees hot.")])
    )
    again = ContextParts("Is the brick oven hot now?", "", turns(1), now=60.0)
    assert "300 degrees" in str(build_context(again, before=first).messages)
    assert "300 degrees" not in str(build_context(replace(again, now=4000.0), before=first).messages)
    assert "300 degrees" not in str(
        build_context(replace(again, question="Who pays the baker?"), before=first).messages
    )


def test_shares_move_with_the_dialogue_and_say_why() -> None:
    usage = build_context(ContextParts("And then?", "", turns(40), prefer="history")).usage
    assert usage is not None
    assert usage["history"].total == 1200 + 200 + 400
    steps = build_context(ContextParts("And then?", "", turns(40), prefer="history")).steps
    assert [step.reason for step in steps if step.what == "shares"] == [
        "a long dialogue needs more of what was said",
        "the person wants more of the dialogue",
    ]


def test_what_the_dialogue_leaves_over_is_lent_to_what_bears_on_the_question() -> None:
    texts = [f"{n}: " + "A long remark about the weather in March. " * 60 for n in range(4)]
    usage = build_context(ContextParts("Weather in March?", found=[found(*texts)], detail=True)).usage
    assert usage is not None
    assert usage["knowledge"].used > 2000
    assert usage["knowledge"].total + usage["history"].total == 3200


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("How long does it proof, at what temperature do I bake it, and which flour is best?", 3),
        ("What is the deposit? And the rent?", 2),
        ("What happens when it rains?", 1),
        ("Compare the two leases.", 2),
        ("That is what I meant.", 0),
        ("发酵多久，烤多少度，用什么面粉？", 3),
        ("押金是多少？还有租金呢？", 2),
        ("比较一下两份合同", 2),
        ("好的，谢谢", 0),
    ],
)
def test_things_that_a_question_asks_are_counted(text: str, count: int) -> None:
    assert things_asked(text) == count


def test_a_question_for_several_things_is_lent_what_others_leave_over() -> None:
    texts = [f"{n}: " + "A remark about the weather in March. " * 30 for n in range(2)]
    shares = {}
    for question in ("Weather in March?", "How was March, when did it rain, and who said so?"):
        made = build_context(ContextParts(question, found=[found(*texts)], detail=True, tokens=900))
        assert made.usage is not None
        shares[question] = made.usage["knowledge"]
    one, several = shares.values()
    assert one.total == 450
    assert several.total > 700
    assert several.used > one.used


def test_several_sources_are_lent_what_the_instructions_leave_over() -> None:
    few = [found("Rye rests long."), found("Wheat rests.", "Spelt rests.", source="public")]
    steps = build_context(ContextParts("Rye?", found=few)).steps
    assert "several sources hold something about the question" in [step.reason for step in steps]
    alone = build_context(ContextParts("Rye?", found=few[1:])).steps
    assert not [step for step in alone if step.what == "shares"]


def test_the_budget_that_was_handed_in_is_left_as_it_was() -> None:
    budget = ContextBudget(1000)
    build_context(ContextParts("Why?", SYSTEM, turns(9)), budget)
    assert budget.remaining() == 1000


def test_a_tool_that_replied_and_no_question_is_a_context_too() -> None:
    history = [*turns(1), {"role": "user", "content": "Look."}, {"role": "assistant", "content": "Done."}]
    assert body(build_context(ContextParts("", "", history)).messages) == body(history)
