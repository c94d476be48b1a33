"""Which turns of a dialogue stay word for word, when that is decided anew, and how it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from benchmarks.places import DATA

from winnow import ContextBudget
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.context.build import build_context
from winnow.context.parts import ContextParts
from winnow.context.window import (
    CUT_MARK,
    Exchange,
    TopicShift,
    continue_window,
    cut_text,
    first_features,
    is_decision,
    is_pointing_back,
    select_window,
    shorten_exchange,
    split_exchanges,
    things_asked,
    topic_features,
    topic_shift,
    wants_new_topic,
)
from winnow.language.tokens import counter
from winnow.types.context import ChatMessage, Context, DialogueState, WindowKind, WindowSettings

COUNTER = counter()
CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"query":"yeast"}'}}


def user(text: str) -> ChatMessage:
    return {"role": "user", "content": text}


def assistant(text: str) -> ChatMessage:
    return {"role": "assistant", "content": text}


def talk(*pairs: tuple[str, str]) -> list[ChatMessage]:
    return [message for said, told in pairs for message in (user(said), assistant(told))]


BREAD = talk(
    ("How long should rye dough rest?", "Until it has doubled, about two hours in a warm kitchen."),
    ("What flour is best for rye bread?", "Dark rye flour with a little wheat holds together better."),
    ("At which heat do I bake the rye bread?", "Hot at first with steam, then lower the oven for the rest."),
    ("Can rye bread be frozen?", "Freeze the bread sliced and toast it straight from the freezer."),
)


def context_of(question: str, history: list[ChatMessage], before: Context | None = None) -> Context:
    parts = ContextParts(question, history=history, embedder=TABLE, tokens=2500)
    return build_context(parts, before=before)


def because(context: Context) -> list[str]:
    return [step.reason for step in context.steps if step.what == "window" and step.chosen == "rebuilt"]


def test_a_turn_begins_with_what_the_person_says_and_holds_all_that_answers_it() -> None:
    history = [
        {"role": "system", "content": "Never shown."},
        assistant("Welcome."),
        user("Look."),
        user("And hurry."),
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "Fresh yeast."},
        assistant("Fresh yeast it is."),
        user("Thanks."),
    ]
    groups = split_exchanges(history)
    assert [[message["role"] for message in turn.messages] for turn in groups] == [
        ["assistant"],
        ["user", "user", "assistant", "tool", "assistant"],
        ["user"],
    ]
    assert groups[1].user_text == "Look. And hurry."
    assert groups[1].reply_text == "Fresh yeast it is."


def test_the_parts_of_a_message_are_read_where_it_has_some() -> None:
    parts = [{"type": "text", "text": "Look at"}, {"type": "image_url"}, {"type": "text", "text": "this."}]
    assert split_exchanges([{"role": "user", "content": parts}])[0].user_text == "Look at  this."


def test_a_digest_is_that_of_the_words_and_calls() -> None:
    first, second = split_exchanges(talk(("Hi", "Hello"))), split_exchanges(talk(("Hi", "Hello there")))
    assert first[0].key == split_exchanges(talk(("Hi", "Hello")))[0].key != second[0].key


def test_a_turn_is_cut_in_its_longest_texts_and_keeps_its_calls() -> None:
    reply = {"role": "tool", "tool_call_id": "c1", "content": "Yeast is alive. " * 200}
    calls = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    turn = split_exchanges([user("Look."), calls, reply])[0]
    cut = shorten_exchange(turn, 150, COUNTER)
    assert cut is not None
    assert cut.tokens(COUNTER) <= 150
    assert cut.key == turn.key
    assert cut.user_text == "Look."
    assert cut.messages[1] == turn.messages[1]
    assert CUT_MARK in str(cut.messages[2]["content"])
    assert shorten_exchange(turn, 10, COUNTER) is None


@pytest.mark.parametrize("words", ["How long does the dough rest here?", "面团在这里要醒多久才行呢？"])
def test_no_turn_is_cut_to_nothing(words: str) -> None:
    turn = split_exchanges(talk((words, words)))[0]
    for tokens in range(60):
        cut = shorten_exchange(turn, tokens, COUNTER)
        assert cut is None or all(one["content"] for one in cut.messages)
        assert cut is None or cut.tokens(COUNTER) <= tokens


def test_a_text_is_cut_in_the_middle_to_as_much_as_fits() -> None:
    text = "first words " + "and many others " * 100 + "last words"
    cut = cut_text(text, 40, COUNTER)
    assert cut.startswith("first words")
    assert cut.endswith("last words")
    assert 30 <= COUNTER.count(cut) <= 40
    assert cut_text(text, 0, COUNTER) == ""
    assert cut_text("short", 5, COUNTER) == "short"


def held(turns: tuple[Exchange, ...], *places: int) -> DialogueState:
    return DialogueState(tuple((turns[n].key, 0) for n in places), len(turns))


def places(turns: tuple[Exchange, ...] | None) -> list[int] | None:
    return None if turns is None else [turn.place for turn in turns]


def test_what_was_held_stays_and_what_came_after_is_added() -> None:
    now = split_exchanges([*BREAD, *talk(("And spelt?", "Yes."))])
    assert places(continue_window(now, held(now[:4], 1, 3), COUNTER)) == [1, 3, 4]


def test_a_host_may_hand_in_the_end_of_a_dialogue_only() -> None:
    before, now = split_exchanges(BREAD), split_exchanges([*BREAD[2:], *talk(("And spelt?", "Yes."))])
    going_on = continue_window(now, held(before, 0, 2, 3), COUNTER)
    assert places(going_on) == [1, 2, 3]


def test_the_same_words_said_again_are_not_taken_for_the_old_ones() -> None:
    before = split_exchanges(talk(("Hi", "Hello"), ("Why?", "So."), ("Ok", "Good.")))
    now = split_exchanges(
        talk(("Hi", "Hello"), ("Why?", "So."), ("Ok", "Good."), ("Ah", "Yes."), ("Ok", "Good."))
    )
    assert places(continue_window(now, held(before, 1, 2), COUNTER)) == [1, 2, 3, 4]


def test_another_dialogue_is_none_that_goes_on() -> None:
    assert (
        continue_window(split_exchanges(talk(("Hi", "Hello"))), held(split_exchanges(BREAD), 2, 3), COUNTER)
        is None
    )


@pytest.mark.parametrize("kind", get_args(WindowKind))
def test_the_last_turn_stays_and_what_was_decided_or_bears_on_the_question_does(kind: WindowKind) -> None:
    small_talk = talk(*((f"Nice weather, day {n}", "It is indeed a nice day outside.") for n in range(12)))
    history = [*talk(("We decided on spelt for the party.", "Agreed.")), *small_talk]
    turns = split_exchanges(history)
    kept = select_window(
        turns, "Which flour for the party?", 150, WindowSettings(kind=kind, turns=5), COUNTER
    )
    assert kept[-1] is turns[-1]
    assert sum(turn.tokens(COUNTER) for turn in kept) <= 150
    assert (turns[0] in kept) == (kind != "fixed")


def test_a_fixed_window_holds_the_turns_that_are_asked_for_and_not_many_more() -> None:
    before, settings = None, WindowSettings(kind="fixed", turns=4)
    for n in range(1, 20):
        history = talk(*((f"Number {k}", "Noted.") for k in range(n)))
        before = build_context(ContextParts("Next?", history=history, window=settings), before=before)
        assert before.dialogue is not None
        assert min(n, 4) <= len(before.dialogue.window) <= settings.most_turns == 6


def test_a_fixed_window_of_turns_that_do_not_fit_is_smaller() -> None:
    history = talk(*((f"Number {k}", "Noted. " * 40) for k in range(12)))
    settings = WindowSettings(kind="fixed", turns=6)
    small, large = (
        build_context(ContextParts("Next?", history=history, window=settings, tokens=tokens)).dialogue
        for tokens in (1200, 4000)
    )
    assert small is not None
    assert large is not None
    assert 1 <= len(small.window) < len(large.window) == 6


@pytest.mark.parametrize(
    "text",
    [
        "Let's talk about something else, please.",
        "New topic: how do I fix a puncture?",
        "Can we change the subject?",
        "Okay, moving on.",
        "我们换个话题吧",
        "聊点别的吧",
        "不说这个了，明天天气怎么样",
        "另外一个问题，护照怎么办",
    ],
)
def test_a_wish_for_another_topic_builds_the_window_anew(text: str) -> None:
    assert wants_new_topic(text)
    before = build_context(ContextParts("And then?", history=BREAD[:-2]))
    assert because(build_context(ContextParts(text, history=BREAD), before=before)) == [
        "the person asks for another topic"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Don't change the subject.",
        "What else can I bake?",
        "Is rye different from spelt?",
        "别换话题，先说面包",
        "这个面包还有别的做法吗",
        "把灯换成暖光",
        "她不说话了",
    ],
)
def test_other_words_are_no_such_wish(text: str) -> None:
    assert not wants_new_topic(text)


@pytest.mark.parametrize(
    "text", ["We decided on spelt.", "Let's go with the blue one.", "那就定周三了", "说好了，八点见"]
)
def test_what_settles_something_is_a_decision(text: str) -> None:
    assert is_decision(text)


@pytest.mark.parametrize("text", ["It looks nice.", "How are you?", "今天挺热的"])
def test_what_settles_nothing_is_none(text: str) -> None:
    assert not is_decision(text)


@pytest.mark.parametrize("text", ["And that one?", "它多重？", "那北边的呢？", "What about the second one?"])
def test_words_that_point_back_are_known(text: str) -> None:
    assert is_pointing_back(text)


def test_the_topic_turns_when_two_turns_are_about_something_else() -> None:
    table = StaticEmbedder()
    stars = talk(
        ("Which telescope shows the rings of Saturn?", "A small refractor on a steady mount shows Saturn.")
    )
    first = topic_shift("Which telescope shows the rings of Saturn?", split_exchanges(BREAD), table)
    after = split_exchanges([*BREAD, *stars])
    turned = topic_shift("When does Saturn rise above the horizon?", after, table, "", first.is_suspected)
    same = topic_shift("How do I keep the crust of the bread thin?", split_exchanges(BREAD), table)
    assert turned.is_new_topic
    assert not same.is_new_topic
    assert topic_shift("Why?", (), table) == TopicShift()


TABLE = StaticEmbedder()
LONG_BREAD = [
    *talk(*((f"What about loaf number {n}?", "It rests in the basket, then it is baked.") for n in range(9))),
    *BREAD,
]


@pytest.mark.parametrize(
    "text", ["By the way, which trains go to Vienna on Sunday?", "对了，《夜巡》这幅画是谁画的？"]
)
def test_a_question_that_begins_a_topic_builds_it_anew_and_leaves_what_it_may_go_on_with(text: str) -> None:
    before = context_of("Why does my rye bread crumble?", LONG_BREAD)
    history = [*LONG_BREAD, *talk(("Why does my rye bread crumble?", "The dough was too dry."))]
    turned, goes_on = (context_of(q, history, before) for q in (text, "How hot should the oven be?"))
    assert because(turned) == ["the topic turned"]
    assert because(goes_on) == []
    assert turned.token_count < goes_on.token_count
    # The last three turns word for word, in short what went before
    assert turned.messages[1:-1] == tuple(history[-6:])
    assert "loaf number 8" in str(turned.messages[0])


def test_what_is_suspected_is_told_by_the_next_question_and_moves_nothing_before() -> None:
    text = "How far is the moon?"
    before = context_of("Why does my rye bread crumble?", LONG_BREAD)
    first = [*LONG_BREAD, *talk(("Why does my rye bread crumble?", "The dough was too dry."))]
    suspected = context_of(text, first, before)
    assert suspected.messages[: len(first)] == tuple(first)
    assert "the next question tells" in str(suspected.steps)
    then = [*first, *talk((text, "About 384,000 kilometres from the earth."))]
    about_it, back = "Is the distance always the same?", "How much rye flour goes in?"
    assert because(context_of(about_it, then, suspected)) == ["the topic turned"]
    assert because(context_of(back, then, suspected)) == []
    assert suspected.dialogue is not None
    unsuspected = replace(suspected, dialogue=replace(suspected.dialogue, suspected=0))
    assert because(context_of(about_it, then, unsuspected)) == []


def test_questions_that_begin_a_topic_are_told_from_those_that_go_on() -> None:
    figures = {"stays": [0, 0, 0], "turns": [0, 0, 0]}
    for path in sorted(DATA.glob("topics/turns.*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            said = row["said"]
            turns = split_exchanges(talk(*zip(said[::2], said[1::2], strict=True)))
            for kind, seen in figures.items():
                told = [topic_shift(question, turns, TABLE) for question in row[kind]]
                found = (sum(t.is_new_topic for t in told), sum(t.is_suspected for t in told), len(told))
                figures[kind] = [a + b for a, b in zip(seen, found, strict=True)]
    # Those that are taken for a new topic, those that are suspected, and all
    assert figures["turns"][0] >= 80
    assert figures["turns"][1] >= 150
    assert figures["stays"][0] <= 10


def test_a_fact_that_is_not_pinned_changes_nothing() -> None:
    before = build_context(ContextParts("And then?", history=BREAD[:-2]))
    assert because(build_context(ContextParts("And then?", history=BREAD), before=before)) == []


def test_after_long_it_is_built_anew_even_where_it_fits() -> None:
    before, settings = None, WindowSettings(long=3)
    reasons = []
    for n in range(1, 9):
        history = talk(*((f"Bread number {k}?", "Yes.") for k in range(n)))
        before = build_context(ContextParts("Bread?", history=history, window=settings), before=before)
        reasons += because(before)
    assert reasons.count("it went on for long") == 2


def test_a_dialogue_that_another_process_held_is_built_anew_and_fits() -> None:
    history = talk(*((f"What about loaf {n}?", "Water and flour. " * 20) for n in range(40)))
    lost = replace(build_context(ContextParts("Why?", history=history)), dialogue=None)
    context = build_context(ContextParts("Why?", history=history), ContextBudget(2000), lost)
    assert because(context) == ["it is seen for the first time"]
    assert context.token_count <= 2000


def test_what_was_summarised_is_in_the_next_summary_too() -> None:
    history = [*talk(("I told Marta that my locker number is 4417.", "Noted.")), *BREAD * 12]
    first = build_context(ContextParts("Why?", history=history), ContextBudget(1500))
    later = [*history, *BREAD * 12]
    second = build_context(ContextParts("Why?", history=later), ContextBudget(1500), first)
    assert because(second)
    assert all("4417" in str(context.messages[0]["content"]) for context in (first, second))


def test_a_summary_of_the_callers_own_is_taken_over() -> None:
    context = build_context(
        ContextParts("Why?", history=BREAD, summary="They met in Leeds. She paints boats.")
    )
    assert "She paints boats." in str(context.messages[0]["content"])


def test_where_nothing_was_held_all_stays_but_not_where_something_was_left_out() -> None:
    turns = split_exchanges(BREAD)
    assert places(continue_window(turns, DialogueState(), COUNTER)) == [0, 1, 2, 3]
    assert continue_window(turns, DialogueState((), 4), COUNTER) is None


@pytest.mark.parametrize(("changed", "stays"), [(0, [0, 1, 2, 3]), (1, [0, 1, 2, 3]), (2, None), (3, None)])
def test_the_last_turn_may_be_said_anew_and_more_make_another_dialogue(
    changed: int, stays: list[int] | None
) -> None:
    new = talk(*((f"Which tea, number {n}?", "Black.") for n in range(changed)))
    now = split_exchanges([*BREAD[: len(BREAD) - 2 * changed], *new])
    assert places(continue_window(now, held(split_exchanges(BREAD), 0, 1, 2, 3), COUNTER)) == stays


def test_a_turn_that_was_cut_stands_as_it_was_cut() -> None:
    history = talk(("Tell me of rye.", "Rye is a grass. " * 200), ("And spelt?", "Yes."))
    whole = split_exchanges(history)
    state = DialogueState(((whole[0].key, 100), (whole[1].key, 0)), 2)
    kept = continue_window(whole, state, COUNTER)
    assert kept is not None
    assert kept[0].tokens(COUNTER) <= 100 < whole[0].tokens(COUNTER)
    assert kept[1] == whole[1]


def test_short_texts_of_a_turn_are_whole_and_the_long_ones_cut_alike() -> None:
    turn = split_exchanges([user("Look."), assistant("one word " * 200), assistant("and two " * 200)])[0]
    cut = shorten_exchange(turn, 120, COUNTER)
    assert cut is not None
    first, second = (COUNTER.count(str(message["content"])) for message in cut.messages[1:])
    assert cut.user_text == "Look."
    assert abs(first - second) <= 4
    assert 110 <= cut.tokens(COUNTER) <= 120


def test_a_question_without_words_is_near_to_anything() -> None:
    turns = split_exchanges(BREAD[:6])
    assert first_features("?!", turns, TABLE)["near_words"] == 1
    near = first_features("rye bread", turns, TABLE)
    assert (near["near_words"], near["pointing"], near["aside"]) == (1, 0, 0)
    assert first_features("Vienna", turns, TABLE)["near_words"] < 1


@pytest.mark.parametrize(
    ("question", "last", "told"),
    [
        ("Which flour?", "Rye flour.", {"question_before": 0, "last_before": 0, "question_last": 1}),
        ("Which oven?", "Rye flour.", {"question_before": 1, "last_before": 0, "question_last": 0}),
        ("Which boat?", "The oven.", {"question_before": 0, "last_before": 1, "question_last": 0}),
    ],
)
def test_shared_words_tell_whether_the_topic_stays(question: str, last: str, told: dict[str, float]) -> None:
    turns = split_exchanges(talk(("The oven.", "Yes."), (last, "So.")))
    assert topic_features(question, turns, None) == {**told, "pointing": 0}


def test_a_topic_needs_three_turns_to_turn_from() -> None:
    stars = "Which telescope shows the rings of Saturn?"
    two, three = (topic_shift(stars, split_exchanges(BREAD[:many]), None) for many in (4, 6))
    assert two == TopicShift()
    assert three.shift > 0
    assert topic_shift("New topic, please.", split_exchanges(BREAD[:2]), None).is_new_topic
    assert topic_shift("", split_exchanges(BREAD), None) == TopicShift()


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("Which flour?", 1),
        ("Which flour and which oven?", 2),
        ("It rained.", 0),
        ("Compare rye and spelt.", 2),
    ],
)
def test_how_many_things_a_question_asks(text: str, things: int) -> None:
    assert things_asked(text) == things


def test_the_kind_of_window_says_what_a_turn_is_worth() -> None:
    told = ("I am allergic to rye.", "We decided on spelt.", "Nice weather.", "Nice wind.", "Nice day.")
    turns = split_exchanges(talk(*((text, "Noted.") for text in told)))
    room = 4 * max(
        turn.tokens(COUNTER) for turn in turns
    )  # three, for none but the last may take more than half
    kept: dict[WindowKind, list[int] | None] = {
        kind: places(select_window(turns, "Which flour?", room, WindowSettings(kind=kind, turns=3), COUNTER))
        for kind in get_args(WindowKind)
    }
    # The decision counts more than what is new, what is new more than what was told long ago
    assert kept == {"fixed": [2, 3, 4], "importance": [0, 1, 4], "mixed": [1, 3, 4]}
