"""The summary of a dialogue in a model's words."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from winnow import ContextBudget
from winnow.adapters.testing.fakes import ScriptedChat
from winnow.context.build import build_context
from winnow.context.parts import ContextParts
from winnow.context.quotes import quotes_in_model_words
from winnow.context.rebuild import summarize_dialogue
from winnow.engine.llm.client import TurnTrace
from winnow.language.tokens import counter
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import Context

TOLD = [
    {"role": "user", "content": "My sister Marta opens a bakery in Leeds on May 4. She is short of 3 ovens."},
    {"role": "assistant", "content": "Noted, a bakery in Leeds."},
]
TALK = [
    message
    for n in range(40)
    for message in (
        {"role": "user", "content": f"Is loaf {n} done?"},
        {
            "role": "assistant",
            "content": f"Loaf {n} wants ten more minutes in the oven, the door closed.",
        },
    )
]
PARTS = ContextParts("What does Marta need?", "Be brief.", [*TOLD, *TALK], now=7.0)


def worded(text: str, parts: ContextParts = PARTS, context: Context | None = None) -> tuple[Context, Context]:
    """The context before and after a model gave its version."""
    first = context or build_context(parts, ContextBudget(2000))
    chat = ScriptedChat(json.dumps({"texts": [{"id": "0", "text": text}]}))
    return first, asyncio.run(summarize_dialogue(first, parts, TurnTrace(chat, 5.0), counter()))


def test_a_model_may_put_the_summary_into_its_words() -> None:
    first, after = worded("Marta opens a bakery in Leeds on May 4 and lacks 3 ovens.")
    assert "lacks 3 ovens" in str(after.messages[1]["content"])
    assert after.messages[0] == first.messages[0]
    assert after.messages[2:] == first.messages[2:]
    assert after.token_count == counter().messages(after.messages) <= first.token_count
    assert after.dialogue is not None
    assert after.dialogue.summary == after.messages[1]["content"]
    assert after.usage is not None
    assert sum(use.used for use in after.usage.values()) == after.token_count
    assert first.stable - after.stable == first.token_count - after.token_count


def test_what_nobody_said_leaves_the_sentences() -> None:
    for invented in ("Marta needs 9100 ovens.", "Marta moved to Bristol.", "word " * 900, ""):
        first, after = worded(invented)
        assert after.messages == first.messages
        assert [one.stage for one in after.trimmed[len(first.trimmed) :]] == ["abstract"]


def test_without_a_model_or_a_rebuild_nothing_is_asked() -> None:
    first = build_context(PARTS, ContextBudget(2000))
    assert asyncio.run(summarize_dialogue(first, PARTS, TurnTrace(), counter())) is first
    later: Any = ContextParts("And Leeds?", "Be brief.", [*TOLD, *TALK, *TOLD[1:]], now=8.0)
    second = build_context(later, ContextBudget(2000), first)
    assert worded("Marta opens a bakery.", later, second)[1] is second


def test_the_next_turn_begins_with_the_words_of_the_model() -> None:
    _, after = worded("Marta opens a bakery in Leeds on May 4 and lacks 3 ovens.")
    history = [
        *PARTS.history,
        {"role": "user", "content": PARTS.question},
        {"role": "assistant", "content": "Ovens."},
    ]
    second = build_context(
        ContextParts("How many?", "Be brief.", history, now=8.0), ContextBudget(2000), after
    )
    assert second.messages[1] == after.messages[1]
    assert second.shared >= after.stable


FERRY = " ".join(
    f"The ferry number {n} to Aldera leaves in the morning, and its lower deck is shut in winter."
    for n in range(60)
)
DATA = Candidate(
    Ref("passage", "f"),
    0.9,
    data={"text": f"{FERRY} A return ticket costs 18 euros. Dogs may not go on deck."},
)
ASKED = ContextParts("What does a return ticket cost?", detail=True, found=(Shortlist("documents", (DATA,)),))


def data_worded(text: str) -> tuple[Context, Context]:
    """A context whose data was cut hard, before and after a model gave its version."""
    first = build_context(ASKED, ContextBudget(400))
    chat = ScriptedChat(json.dumps({"texts": [{"id": "0", "text": text}]}))
    return first, asyncio.run(quotes_in_model_words(first, ASKED.question, TurnTrace(chat, 5.0), counter()))


def test_data_that_was_cut_hard_may_stand_in_the_words_of_a_model() -> None:
    first, after = data_worded("A return ticket costs 18 euros.")
    assert "18 euros" in str(first.messages[0]["content"])
    assert '"text":"A return ticket costs 18 euros."' in str(after.messages[0]["content"])
    assert after.token_count == counter().messages(after.messages) < first.token_count
    assert after.usage is not None
    assert sum(use.used for use in after.usage.values()) == after.token_count
    assert ("compress", "model") in [(step.what, step.chosen) for step in after.steps]


def test_what_a_model_invents_of_data_is_not_used_and_the_account_says_so() -> None:
    for invented in (
        "It costs 80 euros.",
        "It costs 18 dollars.",
        "Dogs may go on deck.",
        "Ask Captain Brook.",
    ):
        first, after = data_worded(invented)
        assert after.messages == first.messages
        assert after.trimmed[-1].stage == "abstract"
        assert after.steps == first.steps
