"""Which earlier messages a question is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.retrieve.history.talks import DIARY, NEIGHBOURS, START, cosines, day, index_of, said

from winnow.retrieve.history.features import question_clauses
from winnow.retrieve.history.index import HistoryIndex
from winnow.retrieve.history.rank import (
    NO_TUNING,
    NOISE_COSINE,
    RankTuning,
    likely_rows,
    question_texts,
    recency,
    search_history,
)
from winnow.types.candidate import Candidate, Ref, Search
from winnow.types.message import Message


def best(index: HistoryIndex, text: str, limit: int = 3, tuning: RankTuning = NO_TUNING) -> list[Candidate]:
    search = Search(text)
    return list(search_history(search, index, cosines(search, index), limit, tuning).candidates)


def ids(found: list[Candidate]) -> list[str]:
    return [candidate.ref.id for candidate in found]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Where did Tom join a club?", "4"),
        ("What did Tom pay the plumber?", "3"),
        ("On which days does Tom go rowing?", "6"),
        ("What is Anika's new job?", "10"),
    ],
)
def test_the_answer_is_among_the_first_four_though_it_may_share_no_word(text: str, answer: str) -> None:
    assert answer in ids(best(index_of(NEIGHBOURS), text, 4))


def test_a_message_that_describes_a_person_leads_to_one_that_names_them() -> None:
    assert set(ids(best(index_of(DIARY), "在造船厂上班的表哥，他的电话号码是多少？", 2))) == {"1", "6"}


@pytest.mark.parametrize(
    ("speaker", "replies", "leads"), [("user", "assistant", True), ("Wang", "Li", False)]
)
def test_it_leads_on_in_what_one_person_told_an_assistant_and_not_in_talks_between_people(
    speaker: str, replies: str, leads: bool
) -> None:
    told = [replace(message, role=speaker) for message in DIARY]
    talk = [one for m in told for one in (m, replace(m, id=f"{m.id}r", role=replies, content="好的。"))]
    found = best(index_of(talk), "在造船厂上班的表哥，他的电话号码是多少？", 2)
    assert any(evidence.lane == "hop" for one in found for evidence in one.evidence) is leads


def test_every_candidate_says_who_said_it_when_and_why_it_is_there() -> None:
    found = best(index_of(NEIGHBOURS), "On which days does Tom go rowing?")
    first = next(candidate for candidate in found if candidate.ref.id == "6")
    assert first.ref == Ref("message", "6")
    assert first.data == {
        "text": "Every Tuesday and Friday before work.",
        "speaker": "Tom",
        "at": "2025-03-03T21:06:00",
    }
    assert {"window", "session", "speaker"} <= {evidence.lane for evidence in first.evidence}
    assert all(0 < evidence.score <= 1 for candidate in found for evidence in candidate.evidence)


def test_without_vectors_words_still_find_it() -> None:
    index = index_of(NEIGHBOURS)
    search = Search("Who joined the rowing club?")
    assert search_history(search, index, None, 1).candidates[0].ref.id == "4"
    assert int(likely_rows(search, index, 1)[0]) == 4


def test_vectors_of_any_embedder_move_the_answer() -> None:
    index = index_of(NEIGHBOURS)
    search = Search("Anything about travel plans?")
    wanted = np.zeros((len(question_texts(search, index)), index.size), np.float32)
    wanted[:, 8] = 0.9
    assert search_history(search, index, wanted, 1).candidates[0].ref.id == "8"


def test_the_name_of_a_speaker_is_no_part_of_what_is_embedded() -> None:
    assert question_texts(Search("What does Tom's sister do?"), index_of(NEIGHBOURS)) == (
        "What does sister do?",
    )


def test_two_questions_in_one_are_asked_one_by_one() -> None:
    index = index_of(DIARY)
    both = "牛奶怎么了？薄荷在哪里？"
    assert question_texts(Search(both), index) == ("牛奶怎么了？", "薄荷在哪里？")
    assert set(ids(best(index, both, 2))) == {"2", "3"}


def test_an_answer_is_never_lifted_by_another_conversation() -> None:
    question = said("Ann: Which colour did the kitchen get?\nBob: Hm.", conversation="a")
    answer = said("Bob: Sage.\nAnn: Nice.", conversation="b")
    mixed = [question[0], replace(answer[0], at=START + timedelta(seconds=30)), question[1], answer[1]]
    found = best(index_of(mixed), "colour of the kitchen", 4)
    assert not {e.lane for c in found if c.ref.id == "b0" for e in c.evidence} & {
        "window",
        "before",
        "session",
    }


def test_talks_may_be_interleaved() -> None:
    one = said("Ann: Which colour did the kitchen get?\nBob: Sage.", conversation="a")
    other = said("Ann: Is the train late?\nBob: Ten minutes.", conversation="b")
    mixed = [one[0], other[0], one[1], other[1]]
    assert set(ids(best(index_of(mixed), "colour of the kitchen", 2))) == {"a0", "a1"}


def test_an_empty_history_has_nothing() -> None:
    index = index_of([])
    assert search_history(Search("anything?"), index).candidates == ()
    assert likely_rows(Search("anything?"), index, 5).tolist() == []


def test_a_message_without_a_time_is_found_too() -> None:
    index = index_of([Message("a", "user", "The spare key hangs behind the mirror.")])
    found = best(index, "Where is the spare key?", 1)
    assert found[0].data == {"text": "The spare key hangs behind the mirror.", "speaker": "user", "at": ""}


def test_a_month_named_in_the_question_speaks_for_its_messages() -> None:
    may = [Message(str(n), "user", "Paid the rent.", day(2025, 4 + n % 3, 2)) for n in range(6)]
    assert set(ids(best(index_of(may), "Which rent did I pay in May?", 2))) == {"1", "4"}


def test_more_messages_change_nothing_about_how_the_index_is_read() -> None:
    whole, grown = index_of(NEIGHBOURS), index_of(NEIGHBOURS[:5]).extend(NEIGHBOURS[5:])
    for text in ("On which days does Tom go rowing?", "What is Anika's new job?"):
        assert best(grown, text, 12) == best(whole, text, 12)


def test_below_the_threshold_only_words_find_a_message() -> None:
    index = index_of(DIARY)
    search = Search("咖啡机")
    known = np.full((1, index.size), 0.3, np.float32)
    assert len(search_history(search, index, known, 9).candidates) == len(DIARY)
    strict = search_history(search, index, known, 9, RankTuning(similarity_threshold=0.5))
    assert ids(list(strict.candidates)) == ["7"]


def test_a_threshold_that_was_set_keeps_out_what_only_stands_beside_a_word() -> None:
    talk = index_of(said("user: Which kettle did I buy?\nassistant: Got it.\nuser: It is for the kitchen."))
    known = np.full((1, talk.size), 0.15, np.float32)
    search = Search("Which kettle?")
    unset = RankTuning(has_noise=True)
    assert "1" in ids(list(search_history(search, talk, known, 9, unset).candidates))
    for least in (NOISE_COSINE, 0.5):
        strict = search_history(search, talk, known, 9, RankTuning(least, has_noise=True))
        assert ids(list(strict.candidates)) == ["0"]


def test_a_threshold_that_was_set_is_a_limit_on_what_one_word_of_many_finds_too() -> None:
    talk = index_of(said("user: The kettle leaks.\nuser: I bought the red kettle in Ghent last spring."))
    search, known = Search("Where did I buy the red kettle last spring?"), np.full((1, 2), 0.1, np.float32)
    assert len(search_history(search, talk, known, 9).candidates) == 2
    for least, kept in ((0.1, ["1", "0"]), (0.5, ["1"])):
        found = search_history(search, talk, known, 9, RankTuning(least))
        assert ids(list(found.candidates)) == kept


def test_what_only_acknowledges_takes_no_place_but_where_it_answers() -> None:
    talk = said(
        "user: My car needs new tyres.\nassistant: Got it, noted.\nassistant: Is the car red?\nuser: Yes.\n"
        "user: 车要换轮胎。\nassistant: 好的，记住了。\nassistant: 车是红色的吗？\nuser: 好的。"
    )
    asks = [ids(best(index_of(talk), text, 9)) for text in ("What does the car need?", "车要换什么？")]
    assert [{"1", "3"} & set(asks[0]), {"5", "7"} & set(asks[1])] == [{"3"}, {"7"}]


LAST = said(
    "user: I bought a red kettle.\nassistant: Got it.\nuser: My sister moved to Ghent.\n"
    "assistant: Noted, that is far away.\nuser: The dentist wants to see me again."
)


@pytest.mark.parametrize(
    "text",
    [
        "what did I say last?",
        "What was the last thing I told you?",
        "What have I mentioned recently?",
        "So what did we talk about last time?",
        "我上次说了什么？",
        "最近我跟你说过什么",
        "我刚才提到了什么？",
    ],
)
def test_a_question_for_what_was_said_last_goes_by_time(text: str) -> None:
    assert ids(best(index_of(LAST), text, 9)) == ["4", "2", "0"]


@pytest.mark.parametrize(
    "text", ["what did I last say about the kettle?", "What colour was the kettle I mentioned before?"]
)
def test_one_that_names_something_goes_by_what_it_names(text: str) -> None:
    assert ids(best(index_of(LAST), text, 9))[:1] == ["0"]


@pytest.mark.parametrize(
    ("text", "said_then"),
    [
        ("What did I say in June?", ["b"]),
        ("六月份我说了什么？", ["b"]),
        ("what did I tell you in May?", ["a"]),
    ],
)
def test_a_question_for_what_was_said_in_a_month_gives_that_month(text: str, said_then: list[str]) -> None:
    told = [
        Message("a", "user", "I bought a red kettle.", day(2025, 5, 3)),
        Message("b", "user", "My sister moved to Ghent.", day(2025, 6, 9)),
        Message("c", "user", "The dentist wants to see me again.", day(2025, 9, 1)),
    ]
    found = search_history(Search(text, at=day(2025, 11, 20)), index_of(told))
    assert [one.ref.id for one in found.candidates] == said_then


def test_what_the_other_side_said_last_is_theirs() -> None:
    assert ids(best(index_of(LAST), "What did you tell me last?", 9)) == ["3"]  # "Got it." says nothing


def test_diversity_lets_near_duplicates_stand_back() -> None:
    lines = ("我喜欢去江边跑步", "我很喜欢去江边跑步", "我喜欢去江边跑步的", "下班后偶尔跑步去菜场")
    index = index_of(said("\n".join(f"user: {line}" for line in lines)))
    assert "3" not in ids(best(index, "我喜欢去哪里跑步", 2))
    assert "3" in ids(best(index, "我喜欢去哪里跑步", 2, RankTuning(diversity=0.8)))


def test_of_a_very_long_question_the_words_that_tell_most_count(monkeypatch) -> None:
    lines = [
        *(f"user: We ate soup with bread and cheese, evening {n}." for n in range(9)),
        "user: The harp is sold",
    ]
    index = index_of(said("\n".join(lines)))
    monkeypatch.setattr("winnow.retrieve.history.features.MAX_GAINS", 2 * (index.size + 1))
    (clause,) = question_clauses(Search("soup bread cheese evening harp"), index)
    assert "harp" in clause.terms
    assert len(clause.terms) == 2


def test_a_half_life_puts_newer_messages_first() -> None:
    old = Message("old", "user", "My locker number at the pool is 17, locker 17.", day(2024, 1, 1))
    new = Message("new", "user", "They gave me a locker at work.", day(2025, 1, 1))
    index = index_of([old, new])
    assert ids(best(index, "locker number")) == ["old", "new"]
    assert ids(best(index, "locker number", 2, RankTuning(half_life_days=30))) == ["new", "old"]


def test_a_message_of_the_future_is_as_new_as_one_of_now() -> None:
    now = day(2025, 1, 1)
    said = [Message(name, "user", "x", at) for name, at in (("now", now), ("later", day(2031, 1, 1)))]
    assert recency(now, tuple(said), 30).tolist() == [1.0, 1.0]


def test_of_equal_messages_the_first_comes_first_and_then_the_newest() -> None:
    index = index_of([Message(str(n), "user", "Watered the ferns.") for n in range(5)])
    assert ids(best(index, "ferns", 3)) == ["0", "4", "3"]


NUMBERS = """
    user: 我的手机号是13900002222。
    user: 明天去修自行车。
    user: 我的手机号换成13900003333了。
"""


def test_what_was_said_anew_stands_before_what_it_replaced() -> None:
    index = index_of(
        said("user: 我的手机号是13900002222。\nuser: 明天去修自行车。\nuser: 我的手机号换成13900003333了。")
    )
    found = best(index, "我的手机号是多少？")
    assert ids(found)[:2] == ["2", "0"]
    assert [c.data.get("superseded_by") for c in found[:2] if isinstance(c.data, dict)] == [None, "2"]


ADVICE = """
    user: Which soil do tomatoes want?
    assistant: Loose soil with compost. I suggest raised beds for tomatoes.

    user: I think raised beds for tomatoes look nice.
    assistant: They do!
"""
ADVICE_ZH = """
    user: 番茄用什么土好？
    assistant: 番茄建议用腐叶土。

    user: 番茄用腐叶土真不错。
    assistant: 太好了！
"""


@pytest.mark.parametrize(
    ("talk", "text", "answer"),
    [
        (ADVICE, "What did you suggest for the tomatoes?", "1"),
        (ADVICE, "What did I say about raised beds?", "2"),
        (ADVICE_ZH, "你之前推荐番茄用什么土？", "1"),
        (ADVICE_ZH, "我说过腐叶土真不错吗？", "2"),
    ],
)
def test_what_one_side_said_is_looked_for_with_that_side(talk: str, text: str, answer: str) -> None:
    found = best(index_of(said(talk)), text, 4)
    assert ids(found)[0] == answer
    assert {c.ref.id for c in found if any(e.lane == "speaker" for e in c.evidence)} >= {answer}


def test_where_one_speaks_alone_no_side_counts() -> None:
    found = best(index_of(DIARY), "我说过牛奶怎么了？", 8)
    assert not [e for c in found for e in c.evidence if e.lane == "speaker"]


def test_in_a_very_long_history_it_is_read_among_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnow.retrieve.statements.supersession.MAX_SUPERSESSION_MESSAGES", 2)
    index = index_of(
        said("user: 我的手机号是13900002222。\nuser: 明天去修自行车。\nuser: 我的手机号换成13900003333了。")
    )
    assert index.supersession is None
    found = best(index, "我的手机号是多少？", 3)
    assert ids(found)[:2] == ["2", "0"]
    assert isinstance(found[1].data, dict)
    assert found[1].data["superseded_by"] == "2"


def test_what_is_asked_for_in_number_comes_from_several_talks() -> None:
    lines = "\n\n".join(
        f"Ida: I painted a {a}.\nJon: Nice!\nIda: And I painted a {b} beside it.\nJon: Well done."
        for a, b in (("boat", "lighthouse"), ("horse", "stable"), ("lemon", "jug"))
    )
    index = index_of(said(lines))
    found = {int(n) // 4 for n in ids(best(index, "What things has Ida painted?", 3))}
    assert found == {0, 1, 2}


def test_the_kind_asked_for_is_found_by_what_is_of_it() -> None:
    index = index_of(said("user: 周末常去游泳。\nuser: 门口的灯泡坏了。\nuser: 买了两盆绿萝。"))
    assert ids(best(index, "我有什么爱好？", 1)) == ["0"]


WORDS = st.sampled_from(["boat", "engine", "repair", "river", "船", "发动机", "修好了", "what?", "hello"])
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
ROLES = st.sampled_from(["user", "assistant", "Maya"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ROLES, TEXTS), min_size=1, max_size=12), TEXTS)
def test_no_message_is_lost_and_none_comes_twice(talk: list[tuple[str, str]], text: str) -> None:
    messages = [Message(str(n), role, content) for n, (role, content) in enumerate(talk)]
    index = index_of(messages)
    search = Search(text)
    ones = np.ones((len(question_texts(search, index)), index.size), np.float32)
    found = ids(list(search_history(search, index, ones, len(messages)).candidates))
    assert sorted(found) == sorted(m.id for m in messages)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ROLES, TEXTS), min_size=2, max_size=10), TEXTS, st.integers(1, 9))
def test_an_index_grown_is_an_index_built(talk: list[tuple[str, str]], text: str, cut: int) -> None:
    messages = [
        Message(str(n), role, content, START + timedelta(minutes=n)) for n, (role, content) in enumerate(talk)
    ]
    search = Search(text)
    whole = index_of(messages)
    grown = index_of(messages[:cut]).extend(messages[cut:])
    assert search_history(search, grown, None, 10) == search_history(search, whole, None, 10)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=8), TEXTS, TEXTS)
def test_a_longer_list_begins_with_the_shorter(texts: list[str], first: str, text: str) -> None:
    index = index_of([Message(str(n), "user", content) for n, content in enumerate([first, *texts])])
    found = ids(best(index, text, 9))
    assert ids(best(index, text, 2)) == found[:2]


def test_a_new_message_without_a_word_that_says_anything_leaves_the_others_to_be_found() -> None:
    index = index_of(NEIGHBOURS).extend([Message("new", "user", "了", None, "")])
    assert "3" in ids(best(index, "What did Tom pay the plumber?", 4))


SANDING = """
user: the porch gets Limestone, two tins
user: Rob is sanding the boat
user: the stairs were sanded by Nell
user: the cake needs two eggs
"""


def test_what_the_talk_turns_on_leads_to_the_message_a_follow_up_is_about() -> None:
    index = index_of(said(SANDING))
    asked = (Search("and who is sanding?", context={about: 0.5}) for about in ("boat", "stair"))
    assert [likely_rows(search, index, 1).tolist() for search in asked] == [[1], [2]]


CHOIR = """
user: Choir practice is on Tuesday at seven

user: Long day at the shop, the till broke twice and I had cold soup! Pauline wants us on Friday for choir \
practice because the hall is let. My feet hurt and I am going to bed, wake me in a year, not before.
"""


def test_a_later_message_that_is_likely_news_is_named_by_the_older_one() -> None:
    told = best(index_of(said(CHOIR)), "When is choir practice?")
    old = next(one.data for one in told if one.ref.id == "0")
    assert isinstance(old, dict)
    assert (old.get("updated_by"), "superseded_by" in old) == ("1", False)
