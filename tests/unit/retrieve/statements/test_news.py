"""Two messages are judged given the question, and what holds is not marked."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.retrieve.statements.news import (
    MAX_NEWS_ROWS,
    NewsQuestion,
    message_note,
    news_pairs,
    news_weights,
    order_by_news,
    pair_features,
)
from winnow.retrieve.statements.supersession import CurrentRows, Supersession
from winnow.types.message import Message

START = datetime(2026, 1, 1, 8)  # noqa: DTZ001 - the clock on the wall
NOTHING_READ = Supersession({}, {})


def said(*texts: str, role: str = "user") -> list[Message]:
    """Messages a day apart, the first the oldest."""
    return [Message(f"m{n}", role, text, START + timedelta(days=n)) for n, text in enumerate(texts)]


def judged(
    question: str,
    *texts: str,
    rows: tuple[int, ...] = (),
    told: Supersession = NOTHING_READ,
    role: str = "user",
) -> CurrentRows:
    """What comes of these messages, found in this order (as they were said), for whoever asks."""
    found = dict.fromkeys(rows or range(len(texts)), 1.0)
    return order_by_news(found, said(*texts, role=role), question, told, lambda term: 2.0)


THEO = (
    "Theo's rehearsal starts 7:15",
    "Nell's rehearsal starts 7:40",
    "the hall was double booked, so Theo's rehearsal got shifted to 8:30",
    "what a windy day",
)
HALL = (
    "Hall budget is 2,000 euros",
    "after a long talk, and tears, we bumped the hall budget up to 4,500 euros",
)


def test_news_of_what_is_asked_for_stand_first_and_mark_what_they_are_news_of() -> None:
    found = judged("When does Theo's rehearsal start?", *THEO)
    assert (found.rows[0], dict(found.replaced)) == (2, {0: 2})


def test_news_of_another_person_mark_nothing() -> None:
    assert judged("When does Nell's rehearsal start?", *THEO).replaced == {}


def test_who_asks_for_what_happened_gets_what_it_came_to() -> None:
    assert judged("When did Theo's rehearsal start?", *THEO).rows[0] == 2


def test_who_asks_for_what_was_before_gets_the_older_first() -> None:
    told = Supersession({0: 2}, {0: 2})
    found = judged("When was Theo's rehearsal before?", *THEO, rows=(2, 1, 0, 3), told=told)
    assert (found.rows[0], dict(found.replaced)) == (0, {0: 2})


def test_who_asks_for_what_was_before_gets_nothing_hidden_that_is_only_judged() -> None:
    assert judged("When was Theo's rehearsal before?", *THEO).replaced == {}


@pytest.mark.parametrize(
    "again",
    [
        "so glad Theo's rehearsal got moved inside, 7:15 it is",
        "moved, and moved back! Theo starts 7:15 again",
    ],
)
def test_the_same_value_again_is_no_news(again: str) -> None:
    found = judged("When does Theo's rehearsal start?", THEO[0], again)
    assert found == CurrentRows((0, 1), {})


def test_a_short_form_of_is_names_no_owner() -> None:
    assert judged("What's the hall budget?", *HALL).replaced == {0: 1}
    assert judged("What's Ida's hall budget?", *HALL).replaced == {}


def test_news_of_what_an_older_one_does_not_speak_of_do_not_mark_it() -> None:
    new = HALL[1].replace("hall", "kitchen")
    bathroom, kitchen = HALL[0].replace("Hall", "Bathroom"), HALL[0].replace("Hall", "Kitchen")
    assert judged("What's the kitchen budget?", bathroom, new).replaced == {}
    assert judged("What's the kitchen budget?", kitchen, new).replaced == {0: 1}


def test_news_need_no_value_that_shows_by_its_looks() -> None:
    new = "Ida is done with the violin, and her hands thank her, she plays cello now"
    assert judged("What does Ida play?", "Ida plays the violin", new).replaced == {0: 1}


def test_a_correction_right_behind_stands_first_though_no_word_finds_it() -> None:
    texts = ("The tuner comes Tuesday at ten", "make that Thursday, same time", "I had soup")
    assert judged("When does the tuner come?", *texts, rows=(0,)).rows[0] == 1
    apart = (texts[0], *("I had soup",) * 3, texts[1])
    assert judged("When does the tuner come?", *apart, rows=(0,)).rows == (0,)


def test_what_others_than_the_user_say_is_not_judged() -> None:
    assert judged("When does Theo's rehearsal start?", *THEO, role="Theo") == CurrentRows((0, 1, 2, 3), {})


def test_a_weekday_is_no_verb() -> None:
    assert "weekday" not in message_note("I sat on my sunglasses in the sun").looks
    assert message_note("dinner is on sat").looks["weekday"] == "sat"


def test_every_reason_has_a_weight() -> None:
    asked = NewsQuestion.of("When does Theo's rehearsal start?", lambda term: 2.0)
    pair = next(iter(news_pairs(dict.fromkeys(range(4), 1.0), said(*THEO), asked)))
    assert (
        pair.features.keys() | {"bias", "least", "sure", "nearly", "one_thing"} == news_weights("en").keys()
    )


SUBJECTS = ("Ida's boat", "the hall", "Uncle Ben's shop", "my dentist")
OTHERS = ("Nora's kayak", "Aunt May's garden", "Leo's tutor")
VALUES = ("Monday", "4 pm", "120 euros", "Oslo", "Dr. Lund", "green")
TELLING = (
    "{subject} is {value}",
    "{subject} moved, so it's {value} now",
    "turns out {subject} is {value}, sorry!",
)


@given(
    st.sampled_from(SUBJECTS),
    st.sampled_from(VALUES),
    st.lists(st.sampled_from(TELLING), min_size=2, max_size=5),
)
def test_what_is_told_again_and_again_alike_holds(subject: str, value: str, ways: list[str]) -> None:
    texts = [way.format(subject=subject, value=value) for way in ways]
    marked = judged(f"What's up with {subject}?", *texts).replaced
    # What shows by its looks is seen to be the same; of other words nobody knows which are the value
    assert marked == {} or not message_note(value).looks


@given(
    st.sampled_from(SUBJECTS),
    st.lists(
        st.tuples(st.sampled_from(OTHERS), st.sampled_from(TELLING), st.sampled_from(VALUES)), max_size=5
    ),
)
def test_what_is_told_of_others_outdates_nothing_that_is_asked_for(
    subject: str, beside: list[tuple[str, str, str]]
) -> None:
    texts = [
        f"{subject} is closed",
        *(way.format(subject=other, value=value) for other, way, value in beside),
    ]
    assert 0 not in judged(f"What's up with {subject}?", *texts).replaced


@given(st.lists(st.sampled_from([*THEO, *HALL]), min_size=1, max_size=MAX_NEWS_ROWS + 3), st.randoms())
def test_rows_are_kept_and_what_is_marked_is_older(texts: list[str], dice: object) -> None:
    rows = list(range(len(texts)))
    dice.shuffle(rows)  # type: ignore[attr-defined]
    found = judged("When does Theo's rehearsal start?", *texts, rows=tuple(rows))
    assert sorted(found.rows) == sorted(rows)
    assert all(old < new for old, new in found.replaced.items())


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_and_any_question_are_read(text: str, question: str) -> None:
    assert judged(question, text, text + " now").rows


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("my dad's boat is in Oslo", {"dad"}),
        ("Gran moved to the coast", {"grandma"}),
        ("Ben's shop closes at 6", {"ben"}),
        ("Lena eats no meat", {"lena"}),
        ("Abby meditates on Sundays", {"abby"}),
        ("Aunt May's garden is green", {"aunt", "may"}),
        ("my sister and I go rowing", {"sister"}),
        # Whoever speaks, things, and those who are named behind the verb
        ("I met Lena in Oslo", set()),
        ("the bus goes to Rome", set()),
        ("hiking with Tom is fun", set()),
        ("it's Rosa who sings now", set()),
        ("The hall is closed", set()),
        ("Bus 12 leaves at 8", set()),
        ("Lena", set()),
    ],
)
def test_whom_a_message_begins_to_speak_of(text: str, people: set[str]) -> None:
    assert message_note(text).people == people


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("the van's in the garage", "van"),
        ("the van's door is red", "van door"),
        ("the van's leaking again", "van"),
        ("it's in the garage", ""),
        ("that's 5 euros", ""),
        ("the van's 20 euros now", "van"),
        ("so the garden gate has a new lock", "garden gate"),
        ("tuner: 50 euros", "tuner"),
        ("cooking is what Ben does", ""),
    ],
)
def test_what_a_message_begins_with_ends_at_its_verb(text: str, terms: str) -> None:
    assert message_note(text).subject == message_note(terms).terms


MARKS = ("mine", "pronoun", "changed", "ended", "beside", "loud", "asks", "elliptic")


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Somebody tuned the piano in the end", ""),
        ("my dad's boat is in Oslo", "mine"),
        ("she quit the choir", "pronoun ended"),
        ("he lives in a flat by the river with friends", "pronoun"),
        ("so the dentist isn't at 9 anymore", "changed"),
        ("another lamp costs 20 euros", "beside"),
        ("we still have the old car", "mine beside"),
        ("Rome in the spring!", "loud"),
        ("should we paint the hall?", "mine asks"),
        ("make that Friday, same time", "beside elliptic"),
        ("make that Friday, " + "which is better for everybody who comes by train " * 2, "elliptic?"),
    ],
)
def test_how_a_message_is_told(text: str, marks: str) -> None:
    note = message_note(text)
    if marks.endswith("?"):  # too long for a correction that names nothing
        assert not note.elliptic
    else:
        assert " ".join(mark for mark in MARKS if getattr(note, mark)) == marks


def test_more_clauses_say_more_up_to_three() -> None:
    texts = (
        "The hall opens at 9",
        "The hall opens, it is late",
        "The hall, the kitchen, but the pool too, and so on",
    )
    one, two, many = (message_note(text).breaks for text in texts)
    assert 0 == one < two < many == 1


@pytest.mark.parametrize(
    ("question", "about", "kind", "who"),
    [
        ("When does Theo's rehearsal start?", ("theo",), "weekday", False),
        ("How many cats does my aunt have?", ("cat", "aunt"), "money", False),
        ("What does Ida play?", ("ida",), "", False),
        ("Who sings now?", (), "", True),
        ("Where is NASA?", (), "", False),
        ("What do I'm and Theo's share?", ("theo",), "", False),
        ("Is Ida there on Friday?", ("ida",), "", False),
    ],
)
def test_a_question_tells_of_whom_and_which_kind_of_value_it_asks(
    question: str, about: tuple[str, ...], kind: str, who: bool
) -> None:
    asked = NewsQuestion.of(question, lambda term: 2.0)
    assert (asked.about, asked.who) == (about, who)
    assert kind in asked.kinds if kind else not asked.kinds


@pytest.mark.parametrize(
    ("question", "old", "new", "shown"),
    [
        (
            "What's the hall budget?",
            "Hall budget is 2,000 euros",
            "the hall budget is 4,500 euros now",
            {"shared": 0.4, "shared_asked": 1, "other_value": 1, "other_number": 1},
        ),
        (
            "What does Ida play?",
            "Ida plays the violin",
            "Ida plays cello in Oslo",
            {"shared_asked": 1, "new_name": 1, "both_of_it": 1},
        ),
        (
            "What is my rent?",
            "my rent is 900 euros",
            "I pay 950 euros rent",
            {"shared": 0.4, "shared_asked": 1, "other_value": 1, "other_number": 1, "both_mine": 1},
        ),
        ("What is Ida's rent?", "the van is red", "the tuner is 50 euros", {}),
        ("What is my rent?", "my rent is 900 euros", "rent is still 900 euros", None),
        ("When does it start?", "It starts 7:15", "7:15 it is", None),
        (
            "When do they come?",
            "12 people come on Tuesday",
            "12 people come on Friday",
            {"shared": 0.8, "shared_asked": 1, "other_value": 1},
        ),
        (
            "Who leads both concerts?",
            "2 concerts are led by Anna",
            "2 concerts are led by Ben",
            {"shared": 0.4, "shared_asked": 1, "new_name": 1},
        ),
        ("When do both concerts start?", "2 concerts, led by Anna", "2 concerts, led by Ben", None),
    ],
)
def test_what_two_messages_share_and_what_differs(
    question: str, old: str, new: str, shown: dict[str, float] | None
) -> None:
    asked = NewsQuestion.of(question, lambda term: 2.0)
    found = pair_features(asked, message_note(old), message_note(new))
    assert (found and {name: value for name, value in found.items() if value}) == shown


@pytest.mark.parametrize(
    ("question", "text", "of_another"),
    [
        ("When does Theo's rehearsal start?", "Nell's rehearsal starts 7:40", True),
        ("When does Theo's rehearsal start?", "Theo's rehearsal is moved", False),
        ("When does Theo's rehearsal start?", "he starts 7:40", False),
        ("When does Theo's rehearsal start?", "we drove to my sister's place", True),
        ("What leads the choir?", "Nell leads the choir now", True),
        ("Who leads the choir?", "Nell leads the choir now", False),
        ("Does Nell lead the choir?", "Nell leads the choir now", False),
    ],
)
def test_a_message_of_another_is_known(question: str, text: str, of_another: bool) -> None:
    asked = NewsQuestion.of(question, lambda term: 2.0)
    assert asked.is_of_another(message_note(text)) is of_another


@pytest.mark.parametrize("text", ["make that {}", "{}'s rehearsal is off", "{} is the rehearsal"])
def test_days_and_months_are_nobody(text: str) -> None:
    note = message_note(text.format("Dana"))
    assert (note.names | note.people, note.people | note.owners) == ({"dana"}, {"dana"})
    for when in ("Friday", "October"):
        note = message_note(text.format(when))
        assert note.names | note.people | note.owners == set()


def test_a_question_of_a_day_is_of_nobody_by_that_name() -> None:
    assert NewsQuestion.of("When does Dana come in October?", lambda term: 2.0).about == ("dana",)


def test_of_several_news_the_last_stands_first_and_each_outdated_value_names_it() -> None:
    texts = (
        HALL[0],
        HALL[1].replace("4,500", "3,000"),
        HALL[1],
    )
    found = judged("What's the hall budget?", *texts)
    assert (found.rows[0], dict(found.replaced)) == (2, {0: 1, 1: 2})


def test_a_question_is_no_news() -> None:
    asks = "should we bump the hall budget up to 4,500 euros, after that long talk, and tears?"
    assert judged("What's the hall budget?", HALL[0], asks) == CurrentRows((0, 1), {})


STORY = (
    "Nobody had seen it coming. The treasurer turned up with cake, which should have told us something! "
    f"So {HALL[1]}. I have to buy stamps and ring the plumber, and my knee is at it again."
)


def test_one_sentence_of_a_long_message_is_news_and_marks_nothing() -> None:
    found = judged("What's the hall budget?", HALL[0], STORY)
    assert (found.rows, found.replaced, found.likely) == ((1, 0), {}, {0: 1})


def test_a_long_message_about_other_things_is_no_news() -> None:
    story = STORY.replace(HALL[1], "we all went home late and a bit wiser, or so my sister says")
    asked = "What's the hall budget?"
    found = order_by_news({0: 1.0, 1: 0.3}, said(HALL[0], story), asked, NOTHING_READ, lambda term: 2.0)
    assert found == CurrentRows((0, 1), {})


def test_a_correction_is_looked_for_in_the_next_two_messages_of_the_person() -> None:
    first, correction = "The tuner comes Tuesday at ten", "make that Thursday, same time"
    for between, found in ((0, True), (1, True), (2, False)):
        texts = (first, *("I had soup",) * between, correction)
        rows = judged("When does the tuner come?", *texts, rows=(0,)).rows
        assert (between + 1 in rows) is found


CHINESE_NEWS = {
    "插花课几点上？": (
        "插花课上午十点上",
        "老师来电话了，教室被占，没法上，插花课挪到两点半",
        "油画课九点上",
    ),
    "三舅的鱼塘养的啥子": (
        "三舅的鱼塘养的草鱼",
        "草鱼翻了塘，死光了，三舅鱼塘养起小龙虾了",
        "大姨家养的鸭子",
    ),
    "羽毛球馆订的几号场": (
        "羽毛球馆订的 4 号场",
        "老板说地板翘了，羽毛球馆给我们安排到 9 号场了",
        "乒乓球台不用订",
    ),
}


@pytest.mark.parametrize("question", CHINESE_NEWS)
def test_chinese_news_in_free_prose_stand_first_and_mark_nothing(question: str) -> None:
    found = judged(question, *CHINESE_NEWS[question])
    assert (found.rows[0], dict(found.replaced)) == (1, {})


@pytest.mark.parametrize(("who", "first"), [("孙姐", 1), ("大刘", 0)])
def test_chinese_news_of_another_stand_behind(who: str, first: int) -> None:
    texts = ("孙姐的车是白色的", f"{who}的车报废了，又提了一辆新的，这回车是黑色的")
    worth = {0: 1.0, 1: 1.0 if who == "孙姐" else 0.6}
    found = order_by_news(worth, said(*texts), "孙姐的车什么颜色", NOTHING_READ, lambda term: 2.0)
    assert found.rows[0] == first


def test_who_asks_in_chinese_what_was_before_gets_the_older_first() -> None:
    texts = ("老师来电话，教室被占了，插花课挪到两点半", "插花课上午十点上")
    assert judged("插花课原来几点上？", texts[1], texts[0], rows=(1, 0)).rows[0] == 0
