"""A history that changes is found as if it had been read anew, and what was deleted is gone."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.retrieve.people import TABLE

from winnow.adapters.stores.store import memory_storage
from winnow.language.content_words import content_terms
from winnow.ports.services import run_blocking
from winnow.ports.stores import SystemClock
from winnow.retrieve.history.dense import HistoryCache
from winnow.retrieve.history.index import HistoryIndex, build_history
from winnow.retrieve.history.rank import search_history
from winnow.retrieve.history.terms import CHARACTER_BITS, LATIN, Vocabulary, read_terms
from winnow.retrieve.statements.supersession import Supersession
from winnow.types.candidate import Search
from winnow.types.message import Message
from winnow.types.scope import Scope

WORDS = (
    "painter", "paintings", "painted", "lamp", "lamps", "kitchen", "Tuesday", "on 7 May", "158cm", "re-paint",
    "我", "客厅", "厨房", "周三", "牛奶", "灯", "了", "Anika", "café", "１２", "…",
    "a\u0301b", "👍🏽", "?", "？",
)  # fmt: skip
QUESTIONS = (
    "Who painted the kitchen?",
    "when was the lamp bought?",
    "厨房的灯怎么了？",
    "what did Anika say on 7 May?",
)
START = datetime.fromisoformat("2025-03-03")
IDA = Scope("acme", "ida")
STATEMENTS = (
    "我的手机号是13900002222。",
    "我的手机号换成13900003333了。",
    "My bike is red.",
    "My bike is blue now.",
)
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), st.sampled_from(STATEMENTS)
)
messages = st.builds(
    lambda number, role, text, hours, talk: Message(
        str(number), role, text, START + timedelta(hours=hours) if hours else None, talk
    ),
    st.integers(0, 9),
    st.sampled_from(("user", "assistant", "Anika")),
    texts,
    st.sampled_from((0, 1, 1.2, 2, 30, 31, 400)),
    st.sampled_from(("", "a", "b")),
)
steps = st.lists(
    st.one_of(st.lists(messages, min_size=1, max_size=5), st.sets(st.integers(0, 9), min_size=1, max_size=3)),
    min_size=1,
    max_size=8,
)


BETWEEN = [
    [Message("0", "user", "lamp lamp", START), Message("2", "user", "lamp", None)],
    [Message("1", "user", "lamp", None)],
]
"""The last one comes between the others: two that trade their places are out of order as well."""


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(steps)
@example(BETWEEN)
def test_any_changes_leave_what_a_new_index_would_find(steps: list[list[Message] | set[int]]) -> None:
    store = memory_storage(SystemClock()).messages
    histories = HistoryCache(store, TABLE)
    for step in steps:
        if isinstance(step, set):
            run_blocking(store.forget(IDA, [str(number) for number in step]))
        else:
            run_blocking(store.add(IDA, step))
        history, _ = run_blocking(histories.current_history(IDA))
        fresh, _ = run_blocking(HistoryCache(store, TABLE).current_history(IDA))
        assert history.index.messages == fresh.index.messages
        for text in QUESTIONS:
            assert found(history.index, text) == found(fresh.index, text)


def test_of_many_messages_it_is_read_behind_what_was_said_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [Message(str(n), "user", text) for n, text in enumerate(STATEMENTS)]
    at_once = build_history(told, TABLE).supersession
    assert at_once is not None
    assert at_once.newer == {0: 1, 2: 3}
    monkeypatch.setattr("winnow.retrieve.statements.supersession.MAX_AT_ONCE", 2)
    index = build_history(told, TABLE)
    assert index.supersession in (None, at_once)
    index.said_anew.wait()
    assert index.supersession == at_once
    plain = index.change(np.array([], int), np.array([0]), [Message("n", "user", "Good morning.")])
    assert plain.supersession == Supersession({1: 2, 3: 4}, {1: 2, 3: 4})


def found(index: HistoryIndex, text: str) -> list[tuple[str, dict[str, object], object]]:
    """What is found, with its reasons; and the same where they are asked when a message was said."""
    cosines = TABLE.embed([text]) @ TABLE.embed([message.content for message in index.messages]).T
    cosines = np.broadcast_to(cosines, (len(cosines), index.size))
    shortlist = search_history(Search(text), index, np.round(cosines, 4), 10)
    return [
        (
            one.ref.id,
            {evidence.lane: pytest.approx(evidence.score, abs=1e-5) for evidence in one.evidence},
            one.data,
        )
        for one in shortlist.candidates
    ]


def test_a_deleted_text_is_in_no_part_of_an_index() -> None:
    told = [
        Message(str(n), "user", text) for n, text in enumerate(("the lamp is red", "a zebra sleeps here"))
    ]
    index = build_history(told, TABLE).change(np.array([1]), np.zeros(0, np.int32), ())
    assert [message.content for message in index.messages] == ["the lamp is red"]
    keys = index.words.vocabulary.keys(content_terms("zebra lamp"))
    assert [len(index.words.counts(key)[0]) for key in keys.tolist()] == [0, 1]
    names = {index.words.vocabulary.names[key - LATIN] for key in index.vocabulary.keys.tolist()}
    assert names == set(content_terms("the lamp is red"))


def term_of(key: int, vocabulary: Vocabulary) -> str:
    if key >= LATIN:
        return vocabulary.names[key - LATIN]
    first, second = divmod(key, 1 << CHARACTER_BITS)
    return chr(first) + chr(second) if first else chr(second)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.text(max_size=20), texts), min_size=1, max_size=6))
def test_texts_read_together_have_the_terms_of_each(texts: list[str]) -> None:
    vocabulary = Vocabulary()
    read = read_terms(texts, vocabulary)
    told: list[list[str]] = [[] for _ in texts]
    for number, term in enumerate(term_of(key, vocabulary) for key in read.segment.keys.tolist()):
        part = slice(read.segment.starts[number], read.segment.starts[number + 1])
        for slot, times in zip(
            read.segment.slots[part].tolist(), read.segment.times[part].tolist(), strict=True
        ):
            told[slot] += [term] * times
    forms: dict[str, str] = {}
    assert [sorted(terms) for terms in told] == [sorted(content_terms(text, forms)) for text in texts]
    assert {vocabulary.names[key - LATIN]: word for key, (_, word) in read.forms.items()} == forms
