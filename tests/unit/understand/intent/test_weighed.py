"""What is weighed of a turn that no rule settles: the form of its sentences and the state of the talk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.errors import TaxonomyError
from winnow.types.query import Bilingual, IntentClass, IntentSource, Taxonomy
from winnow.types.utterance import Turn
from winnow.understand.intent.alone import MAX_TURNS, PrecedingTalk, before, clauses
from winnow.understand.intent.classify import implied_source, label
from winnow.understand.intent.features import chance, features, overlap, trust, weights
from winnow.understand.intent.taxonomy import read_taxonomy


def seen(text: str, state: PrecedingTalk | None = None) -> set[str]:
    return set(features(clauses(text), state or PrecedingTalk(turns=2)))


@pytest.mark.parametrize(
    ("text", "has", "has_not"),
    [
        ("那家店在哪里？", {"wh", "mark", "question"}, {"plain", "short", "opening"}),
        ("那家店在哪里", {"wh", "question"}, {"mark"}),
        ("谢谢，那家店挺好的", {"thanked", "plain"}, {"acknowledged", "question"}),
        ("好的，那家店挺好的", {"acknowledged"}, {"thanked"}),
        ("有3家店", {"digits"}, {"question"}),
        ("牛肉面", {"short", "fragment", "fresh_fragment", "plain"}, {"long", "thanked"}),
        ("四个汉字", {"short"}, set()),
        ("五个字的店", set(), {"short"}),
        ("我们昨天下午一起去了那家很远的店吃面", {"long"}, {"short"}),
        ("推荐一家面馆", {"request"}, {"plain"}),
        ("我想吃面", {"wish"}, {"plain"}),
        ("i like that noodle shop", {"pronoun_i"}, {"pronoun_you"}),
    ],
)
def test_the_form_of_a_turn(text: str, has: set[str], has_not: set[str]) -> None:
    found = seen(text)
    assert has <= found
    assert not has_not & found


@pytest.mark.parametrize(
    ("state", "name"),
    [
        (PrecedingTalk(turns=0), "opening"),
        (PrecedingTalk(turns=2, asks=True), "asked_before"),
        (PrecedingTalk(turns=2, asks=True), "answer"),
        (PrecedingTalk(turns=2, offers=True), "offered_before"),
        (PrecedingTalk(turns=2, waiting=True), "waiting"),
        (PrecedingTalk(turns=2, failed=True), "failed"),
        (PrecedingTalk(turns=2, personal=True), "personal"),
        (PrecedingTalk(turns=2, said="我们的牛肉面"), "overlap"),
    ],
)
def test_the_state_of_the_talk(state: PrecedingTalk, name: str) -> None:
    assert name in seen("牛肉面", state)
    assert name not in seen("牛肉面")


def test_a_question_answers_nothing() -> None:
    assert "answer" not in seen("牛肉面在哪里", PrecedingTalk(turns=2, asks=True))
    assert "fresh_fragment" not in seen("牛肉面", PrecedingTalk(turns=2, asks=True))
    assert "personal_question" in seen("你喜欢哪里", PrecedingTalk(turns=2, personal=True))
    assert "personal_question" not in seen("他喜欢哪里", PrecedingTalk(turns=2, personal=True))
    assert "personal_question" not in seen("你喜欢那里", PrecedingTalk(turns=2, personal=True))


@pytest.mark.parametrize(
    ("han", "words", "said", "share"),
    [
        (["牛肉面"], [], "有牛肉吗", 0.5),
        (["牛肉面"], [], "有牛肉面", 1.0),
        (["面"], [], "面", 0.0),
        ([], ["noodle", "of"], "a noodle shop of", 1.0),
        ([], ["soup", "noodle"], "a noodle shop", 0.5),
        (["牛肉"], [], "", 0.0),
    ],
)
def test_how_much_of_a_turn_was_just_said(han: list[str], words: list[str], said: str, share: float) -> None:
    assert overlap(han, words, said) == share


def test_chances_add_up_and_never_overflow() -> None:
    bias = weights()["features"]["bias"]
    assert chance({}) == pytest.approx(1 / (1 + 2.718281828459045**-bias))
    name = next(n for n, w in weights()["features"].items() if n != "bias" and w > 0)
    assert chance({name: 1.0}) > chance({name: 0.5}) > chance({})
    assert chance({"never seen": 1.0}) == chance({})
    assert 0 < chance({name: -1e9}) < 1e-12
    assert 1 - 1e-12 < chance({name: 1e9}) <= 1
    assert trust("never seen") == 0.9
    assert trust("talk") == weights()["rules"]["talk"]


def talk(*said: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(said))


def test_nothing_was_said_before_a_talk() -> None:
    assert before(()) == PrecedingTalk()


def test_after_the_persons_own_words_nothing_is_open() -> None:
    assert before(talk("帮我找个会议室", "您需要几个人的会议室？", "等等")) == PrecedingTalk(turns=3)


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("您需要几个人的会议室？", "waiting", True),
        ("您需要几个人的会议室？", "asks", True),
        ("您需要几个人的会议室。我们有三间空着。", "waiting", False),
        ("需要我帮您查一下路线吗？", "offers", True),
        ("有三间会议室。", "asks", False),
        ("抱歉，没有找到合适的会议室。", "failed", True),
        ("有三间会议室。", "failed", False),
        ("我觉得这间不错", "personal", True),
        ("有三间会议室。", "personal", False),
    ],
)
def test_what_the_last_message_leaves_open(said: str, field: str, value: bool) -> None:
    state = before(talk("帮我找个会议室", said))
    assert getattr(state, field) is value
    assert state.turns == 2


def test_only_a_request_waits_for_an_answer() -> None:
    assert not before(talk("今天天气不错", "您需要几个人的会议室？")).waiting


def test_only_the_last_ten_turns_are_read() -> None:
    desk = Turn("assistant", "let me see what i can find ok i'm showing one called the white hart")
    assert before((desk, *[Turn("user", "hi")] * (MAX_TURNS - 1))).desk
    assert not before((desk, *[Turn("user", "hi")] * MAX_TURNS)).desk
    assert not before((replace(desk, role="user"),)).desk
    assert before([Turn("user", "hi")] * 14).turns == MAX_TURNS


OWN = Taxonomy(
    "bikes",
    (
        IntentClass("talk", "none"),
        IntentClass("ride", "knowledge", otherwise=True),
        IntentClass("repair", "knowledge", cues=Bilingual(("换胎", "链条"), ("tyre", "chain"))),
        IntentClass(
            "route",
            "knowledge",
            cues=Bilingual(("路线",), ("route",)),
            implied=Bilingual(("迷路",), ("i'm lost",)),
        ),
    ),
)


@pytest.mark.parametrize(
    ("source", "text", "said", "name"),
    [
        ("none", "怎么换胎", "", "talk"),
        ("knowledge", "怎么换胎", "", "repair"),
        ("knowledge", "链条和换胎的路线", "", "repair"),
        ("knowledge", "retyred routes", "", "route"),
        ("knowledge", "那个呢", "换胎要半小时", "repair"),
        ("knowledge", "那个路线呢", "换胎换链条要半小时", "route"),
        ("knowledge", "那个呢", "", "ride"),
        ("history", "怎么换胎", "", "repair"),
        ("knowledge", "我迷路了", "", "route"),
    ],
)
def test_the_class_is_the_one_whose_words_occur_most(
    source: IntentSource, text: str, said: str, name: str
) -> None:
    assert label(source, text, said, OWN) == name


def test_without_a_class_for_the_rest_the_first_is_taken() -> None:
    none = replace(OWN, classes=tuple(replace(c, otherwise=False) for c in OWN.classes))
    assert label("knowledge", "那个呢", "", none) == "ride"


def test_a_statement_may_imply_where_to_look() -> None:
    assert implied_source("唉，我迷路了", OWN) == "knowledge"
    assert implied_source("I'm lost again", OWN) == "knowledge"
    assert implied_source("怎么换胎", OWN) == "none"


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("[1, 2]", "", "expected fields, found a list"),
        ("just words", "", "expected fields, found text"),
        ("", "", "expected fields, found nothing"),
        ("3", "", "expected fields, found int"),
        ("name: 3", "name", "expected text, found int"),
        ("title: x", "name", "missing"),
        ("name: x", "classes", "missing"),
        ("name: x\nclasses: {}", "classes", "expected a list that is not empty, found fields"),
        ("name: x\nclasses: []", "classes", "expected a list that is not empty, found a list"),
        ("name: x\nmore: 1", "more", "unknown; allowed are name, title, about, classes, retrieve, skip"),
        ("name: x\nclasses: [{colour: red}]", "classes[0].colour", "unknown; allowed are id, source"),
        ("name: x\nclasses: [{otherwise: 1}]", "classes[0].otherwise", "expected true or false"),
        ("name: x\nclasses: [{source: web}]", "classes[0].source", "expected one of devices, history"),
        ("name: x\nretrieve: {fr: [a]}", "retrieve.fr", "unknown; allowed are zh, en"),
        ("name: x\nskip: {zh: ['', [1]]}", "skip.zh[1]", "expected text, found a list"),
        ("name: x\nskip: {zh: true}", "skip.zh", "expected text, found bool"),
    ],
)
def test_each_problem_of_a_taxonomy_has_its_path(text: str, path: str, message: str) -> None:
    with pytest.raises(TaxonomyError) as caught:
        read_taxonomy(text, "own.yaml")
    found = {(p.file, p.path): p.message for p in caught.value.problems}
    assert message in found["own.yaml", path]


def test_broken_yaml_names_its_line() -> None:
    with pytest.raises(TaxonomyError) as caught:
        read_taxonomy("name: x\nclasses: [", "own.yaml")
    (problem,) = caught.value.problems
    assert problem.path.startswith("line ")
    assert problem.message.startswith("not YAML: ")


def test_what_may_be_left_out_is_empty_and_single_lines_need_no_list() -> None:
    read = read_taxonomy(
        "name: ' x '\nretrieve: {zh: 问路, en: [7, way]}\n"
        "classes: [{id: a, source: none}, {id: b, source: history, otherwise: true, cues: {zh: [路]}}]"
    )
    assert read.name == "x"
    assert (read.title, read.skip, read.retrieve) == (
        Bilingual(),
        Bilingual(),
        Bilingual(("问路",), ("7", "way")),
    )
    assert read.classes == (
        IntentClass("a", "none"),
        IntentClass("b", "history", cues=Bilingual(("路",)), otherwise=True),
    )
    assert read.idle.id == "a"
