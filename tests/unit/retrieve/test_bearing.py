import pytest
from benchmarks.absent import filled, person
from hypothesis import given
from hypothesis import strategies as st

import winnow
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.bearing import (
    MAX_QUESTION_WORDS,
    anything_bears,
    bearing_features,
    best_bearing,
    with_bearing,
)
from winnow.retrieve.tiers import merge_tiers
from winnow.types.candidate import Candidate, Evidence, QuestionCoverage, Ref, Search, Shortlist
from winnow.types.document import KnowledgeSettings

SHARES = st.floats(0, 1)
TABLE = open_builtin_embedder()
USER = "me"
NOTES = [("Our boiler was serviced in March.", 1.0), ("The spare key is with Ann.", 0.5)]
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
    texts = [text for text, _ in NOTES]
    told = with_bearing(" ".join(words) + "?", Shortlist("history", candidates), texts, "messages", {}, TABLE)
    best = best_bearing(told)
    assert best is not None
    assert best < 0.03


def test_what_says_the_words_of_the_question_is_likelier() -> None:
    (first, second), nearest = bearing_features("When was our boiler serviced?", NOTES, {}, TABLE)
    assert set(nearest.values()) == {1.0}
    assert first["said"] > second["said"]
    assert first["lacking"] < second["lacking"]


def test_nobody_can_tell_of_a_question_without_words_or_with_too_many() -> None:
    assert bearing_features("?", NOTES, {}, TABLE) == ([], {})
    many = " ".join(f"word{n}" for n in range(MAX_QUESTION_WORDS + 1))
    assert bearing_features(many, NOTES, {}, TABLE) == ([], {})
    assert best_bearing(Shortlist("history", (Candidate(Ref("message", "a")),))) is None
    assert Candidate(Ref("message", "a"), (Evidence("bearing", 0.5),)).bearing == 0.5


def listed(source: str, bearing: float | None, nearest: dict[str, float], best: float) -> Shortlist:
    evidence = () if bearing is None else (Evidence("bearing", bearing),)
    covered = None if bearing is None else QuestionCoverage(nearest, best)
    return Shortlist(source, (Candidate(Ref("message", source), evidence),), coverage=covered)


@given(*[SHARES] * 4, st.dictionaries(st.sampled_from(UNRELATED), SHARES, min_size=1), SHARES)
def test_the_more_is_said_of_a_question_the_likelier_anything_bears_on_it(
    bearing: float, more: float, best: float, better: float, nearest: dict[str, float], closer: float
) -> None:
    said = listed("history", bearing, nearest, best)
    likely = anything_bears([said, Shortlist("facts")])
    nearer = {word: max(near, closer) for word, near in nearest.items()}
    also = anything_bears([said, listed("facts", more, nearer, better)])
    assert likely is not None
    assert also is not None
    assert likely <= also


def test_where_nobody_can_tell_of_one_source_nobody_can_of_all() -> None:
    nothing = listed("history", 0.01, {"trombone": 0.1}, 0.1)
    assert anything_bears([]) is None
    assert anything_bears([nothing, listed("facts", None, {}, 0)]) is None


@pytest.mark.parametrize(
    ("floor", "context", "given"), [(0.2, {}, 0), (0.0, {}, 2), (0.2, {"concert": 0.5}, 2)]
)
def test_where_all_together_hardly_says_what_is_asked_nothing_is_given(
    floor: float, context: dict[str, float], given: int
) -> None:
    private, public = (listed(name, 0.04, {"trombone": 0.2, "senate": 0.1}, 0.15) for name in ("a", "b"))
    settings = KnowledgeSettings(nothing_at_all_below=floor)
    merged = merge_tiers(Search("Which trombone?", context=context), [private], [public], settings)
    assert sum(len(one.candidates) for one in merged) == given
    assert all(one.steps for one in merged) == (not given)
