import pytest
from benchmarks.absent import filled, person
from hypothesis import given
from hypothesis import strategies as st

import winnow
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.bearing import (
    MAX_QUESTION_WORDS,
    FoundText,
    bearing_features,
    best_bearing,
    with_bearing,
)
from winnow.types.candidate import Candidate, Evidence, Ref, Shortlist

TABLE = open_builtin_embedder()
USER = "me"
NOTES = [FoundText("Our boiler was serviced in March.", 1.0), FoundText("The spare key is with Ann.", 0.5)]
UNRELATED = ("glacier", "trombone", "senate", "barley", "violet", "kayak", "harpsichord", "tundra", "lichen")


@pytest.fixture(scope="module", params=["en", "zh"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> winnow.Engine:
    return filled(tmp_path_factory.mktemp("store"), person(request.param, "b"))


@pytest.mark.parametrize(
    "question",
    [
        "Which trombone did the senate choose?",
        "Where does lichen grow on the tundra?",
        "我的储物间在哪层地下停车场？",
    ],
)
def test_where_nothing_answers_nothing_is_given_and_the_model_is_told(
    engine: winnow.Engine, question: str
) -> None:
    found = engine.sync.retrieve(question, user=USER)
    told = str(found.context.messages)
    assert found.nothing_found == ("nothing was found" in told or "没有找到相关内容" in told)
    assert found.nothing_found == (not any(one.candidates for one in found.results))


@given(st.lists(st.sampled_from(UNRELATED), min_size=2, max_size=6, unique=True))
def test_unrelated_words_bear_on_nothing(words: list[str]) -> None:
    candidates = tuple(Candidate(Ref("message", str(n)), score=0.4) for n, _ in enumerate(NOTES))
    texts = [one.text for one in NOTES]
    told = with_bearing(" ".join(words) + "?", Shortlist("history", candidates), texts, "messages", {}, TABLE)
    best = best_bearing(told)
    assert best is not None
    assert best < 0.03


def test_what_says_the_words_of_the_question_is_likelier() -> None:
    first, second = bearing_features("When was our boiler serviced?", NOTES, {}, TABLE)
    assert first["said"] > second["said"]
    assert first["lacking"] < second["lacking"]


def test_nobody_can_tell_of_a_question_without_words_or_with_too_many() -> None:
    assert not bearing_features("?", NOTES, {}, TABLE)
    many = " ".join(f"word{n}" for n in range(MAX_QUESTION_WORDS + 1))
    assert not bearing_features(many, NOTES, {}, TABLE)
    assert best_bearing(Shortlist("history", (Candidate(Ref("message", "a")),))) is None
    assert Candidate(Ref("message", "a"), (Evidence("bearing", 0.5),)).bearing == 0.5
