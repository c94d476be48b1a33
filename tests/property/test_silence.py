"""An order is never met with silence, and talk that mentions nothing is told nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.homes import embedder, engine, imported, over
from tests.scenarios.runner import Scenario, answered, collected
from tests.scenarios.transform.orders import language_of

from winnow.adapters.testing.fakes import simulated_home
from winnow.app.wiring.engine import open_engine
from winnow.ports.services import run_blocking
from winnow.retrieve.home.explain import HomePosition, explain_word
from winnow.types.query import DEVICE_KINDS, Token
from winnow.types.retrieval import Retrieval
from winnow.types.state import ImportedHome
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Nothing, NotUnderstood, Refuse, named_calls
from winnow.understand.reading import tokens_of
from winnow.understand.words.phrases import is_reported

UNKNOWN = {"en": ("blorpy", "fnargle", "zimbit"), "zh": ("嘎啵", "噗唧", "哐嘁")}
CONTENT = DEVICE_KINDS | {"room", "floor", "verb", "step", "particle", "mode", "choice", "property"}
NAMING = (DEVICE_KINDS - {"scene", "nameword"}) | {"room", "floor"}
DRESSED = frozenset({"negation", "condition", "correction", "question", "except", "light_verb"})
"""Words that put an order as a denial, a condition or a question: without its act it is one."""
SENTENCES = 80
LINES, KEPT = 6, 24


@dataclass(frozen=True, slots=True)
class Replaced:
    """An order with one word nobody knows in the place of another, and the words for things that are left."""

    order: Scenario
    text: str
    left: tuple[Token, ...]


@cache
def replaced(language: str) -> tuple[Replaced, ...]:
    """Orders of the scenario files, each word of each replaced; mostly the same ones when some are added."""
    wanted = [s for s in collected() if _is_order(s) and language_of(s.utterance.text) == language]
    wanted.sort(key=lambda s: crc32(s.utterance.text.encode()))
    return tuple(islice((one for order in wanted for one in _each(order, language)), SENTENCES))


def _is_order(said: Scenario) -> bool:
    return set(said.expect["decision"].split(" | ")) <= {"act", "confirm"} and not said.utterance.history


def _each(order: Scenario, language: str) -> Iterator[Replaced]:
    reading = answered(order).reading
    words = tokens_of(reading.text, engine(order.home).sync.load_home().vocabulary, reading=False)
    told = is_reported(words) or any(t.kind in DRESSED for t in words)
    if told or reading.intent != "command" or "reported" in reading.moods:
        return
    unknown = UNKNOWN[language][crc32(reading.text.encode()) % 3]
    for word in (t for t in words if t.kind in CONTENT):
        left = tuple(t for t in words if t is not word and t.kind in NAMING)
        if left:
            yield Replaced(order, reading.text[: word.start] + unknown + reading.text[word.end :], left)


def told_of(found: Retrieval) -> set[str]:
    """Everything of the home that an answer in words alone goes with."""
    blamed = found.verdict.refusals if isinstance(found.verdict, Refuse) else ()
    listed = {i for shortlist in found.shortlists for i in shortlist.device_ids}
    return listed | set(found.attempt.mentioned_ids) | {i for r in blamed for i in (*r.device_ids, *r.near)}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_order_with_a_word_nobody_knows_is_never_silent_and_what_it_names_is_told(language: str) -> None:
    silent, lost = [], []
    for one in replaced(language):
        where = engine(one.order.home)
        found = where.sync.retrieve(replace(one.order.utterance, text=one.text))
        if isinstance(found.verdict, Nothing):
            silent.append((one.order.home, one.text))
        if isinstance(found.verdict, NotUnderstood | Refuse):
            meant = [
                set(explain_word(token, HomePosition(where.sync.load_home().index))) for token in one.left
            ]
            if any(ids and ids.isdisjoint(told_of(found)) for ids in meant):
                lost.append((one.order.home, one.text))
    assert (silent, lost) == ([], [])


TALK = (
    "what a day that was",
    "I am so tired",
    "my sister got married in Wales",
    "that film was far too long",
    "we should go hiking next spring",
    "他今天心情不错",
    "我昨天跑了十公里",
    "这部电影太长了",
    "她唱歌很好听",
    "我妹妹下个月结婚",
)


@pytest.mark.parametrize("home", ["cottage", "home40"])
@pytest.mark.parametrize("said", TALK)
def test_talk_that_mentions_nothing_is_told_nothing(home: str, said: str) -> None:
    found = engine(home).sync.retrieve(said)
    assert isinstance(found.verdict, Nothing)
    assert found.briefing.text == ""
    assert found.attempt.mentioned == ()


@pytest.mark.parametrize(
    "said",
    [
        "I turned off the printer",
        "the reading lamp is on",
        "我把电视关了",
        "别开灯",
        "don't touch the kettle",
    ],
)
def test_what_is_told_or_forbidden_in_plain_words_is_no_order(said: str) -> None:
    home = "home40" if language_of(said) == "zh" else "cottage"
    assert isinstance(engine(home).sync.retrieve(said).verdict, Nothing)


NOT_READ = (
    ("cottage", "zimbit the left bed lamp"),
    ("cottage", "I'm freezing, zimbit the reading lamp"),
    ("home40", "我要洗澡了，浴霸嘎啵"),
)


@pytest.mark.parametrize(("home", "said"), NOT_READ)
def test_what_was_not_understood_is_told_and_never_acted_on(home: str, said: str) -> None:
    there = open_engine(imported(home), embedder=embedder())
    found = there.sync.retrieve(said)
    assert isinstance(found.verdict, NotUnderstood)
    assert found.verdict.words
    assert found.verdict.mentioned == found.attempt.mentioned_ids != ()
    assert all(word in found.verdict.message for word in found.verdict.words)
    assert (named_calls(found.verdict), found.device_ids) == ((), ())
    assert found.briefing.offered.keys() <= set(found.verdict.mentioned)
    receipt = there.sync.act(found)
    assert (receipt.id, receipt.status, receipt.reason, receipt.outcomes) == ("", "nothing", "not_read", ())
    assert run_blocking(there.acting.storage.audit.last(found.scope)) == ()


@pytest.mark.parametrize("devices", [150, 1000])
@pytest.mark.parametrize("said", ["所有的灯都嘎啵一下", "把灯和窗帘还有空调嘎啵", "客厅的灯嘎啵一下"])
def test_mentions_are_few_in_a_large_home_and_within_the_budget(devices: int, said: str) -> None:
    found = over(large(devices)).sync.retrieve(said)
    assert isinstance(found.verdict, NotUnderstood | Refuse)
    assert 0 < len(found.attempt.mentioned) <= KEPT
    lines = [section for section in found.briefing.sections if section.name in found.attempt.mentioned_ids]
    assert 0 < len(lines) <= LINES
    assert found.briefing.tokens <= 300


@cache
def large(devices: int) -> ImportedHome:
    return simulated_home(devices)


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", max_size=40))
def test_whatever_is_said_a_verdict_that_does_not_understand_says_so(said: str) -> None:
    found = engine("cottage").sync.retrieve(Utterance(said))
    if isinstance(found.verdict, NotUnderstood):
        assert found.verdict.message
        assert "verdict not_understood" in found.briefing.text
    assert not (isinstance(found.verdict, Act) and found.attempt.mentioned)
