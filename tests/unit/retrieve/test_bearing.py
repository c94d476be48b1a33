import pytest
from benchmarks.absent import filled, person
from hypothesis import given
from hypothesis import strategies as st

import winnow
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.bearing import (
    MAX_QUESTION_WORDS,
    FoundText,
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
    told = with_bearing(" ".join(words) + "?", Shortlist("history", candidates), NOTES, "messages", {}, TABLE)
    best = best_bearing(told)
    assert best is not None
    assert best < 0.03


@pytest.mark.parametrize(
    ("told", "question", "other"),
    [
        ("I moved to Hangzhou.", "where do I live?", "where does my sister live?"),
        ("My sister moved to Hangzhou.", "where does my sister live?", "where do I live?"),
        ("我搬到杭州了。", "我住在哪里", "我姐姐住在哪里"),
        ("我姐姐搬到杭州了。", "我姐姐住在哪里", "我住在哪里"),
    ],
)
def test_who_moved_lives_there_and_nobody_else_does(told: str, question: str, other: str) -> None:
    engine = winnow.open()
    engine.sync.add_messages([{"role": "user", "content": told}], user=USER)
    engine.sync.add_facts(told, user="kept")
    for user in (USER, "kept"):
        assert told.rstrip("。.") in engine.sync.retrieve(question, user=user).briefing.text
        assert engine.sync.retrieve(other, user=user).nothing_found


@pytest.mark.parametrize("measure", ["长", "高", "深"])
def test_how_long_is_asked_of_what_says_its_length(measure: str) -> None:
    found = [FoundText(f"石桥{measure}{n}米。", 0.5) for n in (412, 421)]
    rows, nearest = bearing_features(f"石桥多{measure}", found, {}, TABLE)
    assert min(rows[0]["like"], *nearest.values()) >= 0.9


def test_what_says_the_words_of_the_question_is_likelier() -> None:
    (first, second), nearest = bearing_features("When was our boiler serviced?", NOTES, {}, TABLE)
    assert set(nearest.values()) == {1.0}
    assert first["like"] == 1.0 > second["like"]
    assert first["named"] == 1.0 > second["named"]


@pytest.mark.parametrize(
    ("question", "told", "figure", "low", "high"),
    [
        ("What is the name of my accountant?", "The name of the boat is Gull.", "named", 0.0, 0.8),
        ("What is the name of my accountant?", "My accountant is called Ms Reid.", "named", 0.5, 1.0),
        ("When is my brother's birthday?", "My mother's birthday is in May.", "named", 0.0, 0.8),
        ("Which gym did I join?", "I joined a gym.", "named", 1.0, 1.0),
        ("我的律师叫什么名字？", "船的名字叫海鸥。", "named", 0.0, 0.9),
        ("网球场在哪里？", "大网球场的入口在东边。", "named", 0.9, 1.0),
        ("How much was the sofa?", "The sofa is green.", "untyped", 1.0, 1.0),
        ("How much was the sofa?", "The sofa was 300 pounds.", "untyped", 0.0, 0.0),
        ("Is the sofa green?", "The sofa is soft.", "untyped", 0.0, 0.0),
    ],
)
def test_what_a_question_names_and_what_would_answer_it_count(
    question: str, told: str, figure: str, low: float, high: float
) -> None:
    ((figures,), _) = bearing_features(question, [FoundText(told, 1.0)], {}, TABLE)
    assert low <= figures[figure] <= high


def test_a_word_comes_near_by_how_it_is_written_and_not_by_what_is_left_without_its_ending() -> None:
    _, nearest = bearing_features("May I keep an animal?", [FoundText("Pets are allowed.", 1.0)], {}, TABLE)
    assert nearest["anim"] > 0.6


def test_a_word_anywhere_in_a_passage_counts() -> None:
    part, whole = FoundText("Rent", 1.0), FoundText("Rent", 1.0, "Rent\nThe deposit is two months.")
    (short, long), _ = bearing_features("How high is the deposit?", [part, whole], {}, TABLE)
    assert long["named"] == 1.0 > short["named"]


def test_nobody_can_tell_of_a_question_without_words_or_with_too_many() -> None:
    assert bearing_features("?", NOTES, {}, TABLE) == ([], {})
    many = " ".join(f"word{n}" for n in range(MAX_QUESTION_WORDS + 1))
    assert bearing_features(many, NOTES, {}, TABLE) == ([], {})
    assert best_bearing(Shortlist("history", (Candidate(Ref("message", "a")),))) is None
    assert Candidate(Ref("message", "a"), (Evidence("bearing", 0.5),)).bearing == 0.5


def listed(source: str, bearing: float | None, nearest: dict[str, float], best: float) -> Shortlist:
    evidence = () if bearing is None else (Evidence("bearing", bearing),)
    covered = None if bearing is None else QuestionCoverage(nearest, best, bearing)
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
