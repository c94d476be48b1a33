"""How well messages fit the time that a question names."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt
import pytest

from winnow.retrieve.times.index import TimeIndex, TimeWeights, question_times, time_scores
from winnow.retrieve.times.spans import DaySpan, day_spans
from winnow.types.message import Message


def said(day: str, text: str) -> Message:
    return Message(day + text[:12], "user", text, datetime.fromisoformat(day))


HISTORY = (
    said("2023-05-08", "I sold the piano yesterday"),
    said("2023-05-20", "my sister came to lunch"),
    said("2023-06-14", "the roof was mended last month"),
    said("2023-07-02", "we swam in the lake"),
    Message("undated", "user", "I like tea"),
)
INDEX = TimeIndex.build(HISTORY)


def when_scores(
    question: str, at: datetime | None, index: TimeIndex, weights: TimeWeights | None = None
) -> npt.NDArray[np.float32] | None:
    asked = question_times(question, at, index)
    return time_scores(asked, index, weights) if asked else None


ASKED_AT = datetime.fromisoformat("2023-08-16")


def scores(question: str, at: datetime | None = ASKED_AT, weights: TimeWeights | None = None) -> list[float]:
    found = when_scores(question, at, INDEX, weights)
    assert found is not None
    return [float(score) for score in found]


def test_a_question_without_a_time_scores_nothing() -> None:
    assert when_scores("who came to lunch?", ASKED_AT, INDEX) is None
    assert when_scores("when did I sell the piano?", ASKED_AT, INDEX) is None


def test_the_day_told_counts_most_the_day_it_was_said_less_and_others_less_still() -> None:
    piano, lunch, roof, lake, _ = scores("what happened on 7 May 2023?")
    assert piano == 1
    assert piano > roof > lunch > lake > 0
    assert scores("what happened on 20 May 2023?")[1] == pytest.approx(TimeWeights().said)


def test_a_message_tells_of_its_own_last_month() -> None:
    piano, _, roof, lake, _ = scores("what was mended in May 2023?")
    assert roof == 1
    assert piano == 1
    assert lake < roof


def test_nothing_is_closed_out_and_nothing_beyond_one() -> None:
    found = scores("what did I do last week?")
    assert all(0 <= score <= 1 for score in found)
    assert found[3] > 0


def test_a_message_of_unknown_time_scores_nothing() -> None:
    assert scores("what did I do in May 2023?")[4] == 0


def test_without_a_moment_the_newest_message_is_now() -> None:
    assert scores("what did I do yesterday?", None) == scores("what did I do on 1 July 2023?")


def test_a_birthday_is_found_by_its_month_in_any_year() -> None:
    told = (said("2024-04-02", "我同事的生日是9月17日"), said("2024-04-02", "我表姐的生日是2月3日"))
    found = when_scores("谁在九月份过生日", datetime.fromisoformat("2024-04-03"), TimeIndex.build(told))
    assert found is not None
    assert found[0] > 2 * found[1]


def test_masks_tell_which_messages_name_a_time() -> None:
    assert INDEX.stretches.holds.tolist() == [True, False, True, False, False]


def test_a_history_of_nothing_has_no_times() -> None:
    empty = TimeIndex.build(())
    found = when_scores("what did I do last week?", ASKED_AT, empty)
    assert found is not None
    assert found.shape == empty.stretches.holds.shape == (0,)


@pytest.mark.parametrize("read_before", [True, False])
def test_an_index_extended_is_the_index_of_all_messages(read_before: bool) -> None:
    first = TimeIndex.build(HISTORY[:2])
    if read_before:
        assert first.stretches.holds.tolist() == [True, False]
    parts = first.change(HISTORY, np.array([0, 1] + [-1] * (len(HISTORY) - 2), np.int32))
    for name in ("row", "start", "end", "trust", "holds"):
        assert np.array_equal(getattr(parts.stretches, name), getattr(INDEX.stretches, name))
    assert (parts.messages, parts.newest) == (INDEX.messages, INDEX.newest)


def test_times_are_read_when_a_question_needs_them_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known = INDEX.stretches.holds.tolist()  # read before anything is noted
    read: list[str] = []

    def noting(text: str, at: datetime) -> tuple[DaySpan, ...]:
        read.append(text)
        return day_spans(text, at)

    monkeypatch.setattr("winnow.retrieve.times.index.day_spans", noting)
    index = TimeIndex.build(HISTORY)
    assert index.names_time(wanted=False).tolist() == [0.0] * len(HISTORY)
    assert read == []
    assert index.names_time(wanted=True).tolist() == known
    longer = index.change((*HISTORY, HISTORY[0]), np.array([*range(len(HISTORY)), -1], np.int32))
    assert longer.names_time(wanted=True)[-1] == known[0]
    assert len(read) == len([m for m in (*HISTORY, HISTORY[0]) if m.at])


def test_a_vague_word_counts_only_where_it_is_known_when_it_was_asked() -> None:
    assert when_scores("what have I done recently?", None, INDEX) is None
    assert scores("what have I done recently?", datetime.fromisoformat("2023-07-05"))[3] > 0
    exact = "what have I done recently, on 7 May 2023?"
    assert scores(exact) == scores("what have I done on 7 May 2023?")


@pytest.mark.parametrize("name", ["said", "near", "before", "after", "long"])
def test_every_weight_changes_a_score(name: str) -> None:
    weights = TimeWeights(**{name: 0.3})
    question = "what did I do from 12 May 2023 to 25 May 2023?"
    found = when_scores(question, ASKED_AT, TimeIndex.build(HISTORY, weights), weights)
    assert found is not None
    assert not np.allclose(found, scores(question))


@pytest.mark.parametrize("other_year", [0.9, 0.6])
def test_other_years_count_as_much_as_they_are_told_to(other_year: float) -> None:
    index = TimeIndex.build((said("2024-04-02", "生日是9月17日"),), TimeWeights(other_year=other_year))
    found = when_scores("2023年9月17日是谁的生日", datetime.fromisoformat("2024-04-03"), index)
    assert found == pytest.approx([other_year])


def test_scores_fall_off_day_by_day() -> None:
    days = [datetime.fromisoformat("2023-05-07") + timedelta(days=n) for n in range(30)]
    index = TimeIndex.build([Message(str(d), "user", "a walk", d) for d in days])
    found = when_scores("on 7 May 2023", ASKED_AT, index)
    assert found is not None
    assert np.all(np.diff(found) < 0)
