"""What Chinese spans and slots are told apart by: the names are those that the weights are fitted for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.understand.rewrite.test_zh import talk

from winnow.language.tables import parse_yaml
from winnow.understand.rewrite.zh.ranker import PAIR, Encoded, encode, load_ranker, pairs
from winnow.understand.rewrite.zh.topics import correct_question, parallel, scene_of
from winnow.understand.rewrite.zh.vocabulary import subject

TALKS = Path(__file__).parents[3] / "scenarios" / "rewrites" / "zh.yaml"
COOKER = talk("我买了电饭煲", "电饭煲很好用")
FULL = [
    (
        talk("北京哪里好玩", "那里有很多好玩的地方，这样的季节他们都喜欢去这部电影拍过的长城"),
        "他们去过那里吗",
    ),
    (talk("这位歌手是谁，为什么他这么红", "怎么说呢，多少人问过，哪个才是最红的"), "他们这样做好吗"),
    (talk("你知道谁会做红烧肉吗", "红烧肉很多人会做，我也会"), "这种红烧肉他会做吗"),
    (talk("怎么去上海迪士尼", "坐地铁去上海迪士尼，多少钱要看哪个站"), "那里为什么这么多人，他们怎么去"),
]
"""Talks that hold words of every class."""
TABLE = parse_yaml((Path(__file__).parent / "features.yaml").read_text("utf-8"))
RARE = set(TABLE["rare"]["zh"].split())


def kind(name: str) -> str:
    """``s.first`` of ``s.first:n`` and of ``s.first=买``."""
    return name.partition("=")[0].partition(":")[0]


def coarse(names: set[str]) -> set[str]:
    """The names of what has few values."""
    few = ("who", "from", "to", "words", "chars", "repeated", "at", "glue", "put", "instead", "none", "mine")
    ends = (*few, "points", "asks", "unique", "all", "noun", "only", "first", "last", "known", "gone")
    return {n for n in names if "=" not in n and "|" not in n and kind(n).rpartition(".")[2] in ends}


@pytest.fixture(scope="module")
def encoded() -> list[Encoded]:
    rows = parse_yaml(TALKS.read_text("utf-8"))
    talks = [*((talk(*row["said"]), row["ask"]) for row in rows), *FULL]
    return [encode(scene_of(ask, said, 0)) for said, ask in talks]


def told(found: list[Encoded]) -> tuple[set[str], set[str]]:
    spans = {name for one in found for names in one.stretch_features for name in names}
    return spans, {name for one in found for names in one.slots for name in names}


def test_every_kind_of_feature_is_fitted_and_told(encoded: list[Encoded]) -> None:
    for names, fitted in zip(
        told(encoded), (load_ranker().stretch_names, load_ranker().slot_names), strict=True
    ):
        assert {kind(name) for name in names} == {kind(name) for name in fitted}


def test_features_of_few_values_are_fitted_for_each(encoded: list[Encoded]) -> None:
    for names, fitted in zip(
        told(encoded), (load_ranker().stretch_names, load_ranker().slot_names), strict=True
    ):
        assert coarse(names) - set(fitted) <= RARE


def test_most_features_of_few_values_are_told(encoded: list[Encoded]) -> None:
    for names, fitted in zip(
        told(encoded), (load_ranker().stretch_names, load_ranker().slot_names), strict=True
    ):
        kept = coarse(set(fitted))
        assert len(kept & names) >= 0.75 * len(kept)


def held(text: str, turn: int) -> set[str]:
    found = encode(scene_of("它的盖子在哪里", COOKER, 0))
    both = zip(found.stretches, found.stretch_features, strict=True)
    return next(set(names) for span, names in both if (span.text, span.source.turn) == (text, turn))


@pytest.mark.parametrize("row", TABLE["spans"], ids=lambda row: f"{row['turn']} {row['text']}")
def test_what_holds_of_a_span(row: dict) -> None:
    names = {f"s.shape:{row['shape']}", *row["holds"].split()}
    assert held(row["text"], row["turn"]) == names


@pytest.mark.parametrize("row", TABLE["slots"], ids=lambda row: row["glue"] or "instead")
def test_what_holds_of_a_slot(row: dict) -> None:
    found = encode(scene_of("它的盖子在哪里", COOKER, 0))
    places = [(slot.first, slot.last, slot.glue) for slot in found.places]
    at = places.index((row["first"], row["last"], row["glue"]))
    assert set(found.slots[at + 1]) == {*row["holds"].split(), *TABLE["shared"].split()}


def test_what_holds_of_a_query_left_alone() -> None:
    found = encode(scene_of("它的盖子在哪里", COOKER, 0))
    assert set(found.slots[0]) == {"p.none", *TABLE["shared"].split()}


@pytest.mark.parametrize(("side", "end"), [("left", 0), ("right", -1)])
def test_nothing_stands_beyond_the_query(side: str, end: int) -> None:
    scene = scene_of("怎么用", talk("好用吗?电饭煲?", "我想买电饭煲?"), 0)
    found = encode(scene)
    bare = [n for n, slot in enumerate(found.places) if slot.first == slot.last and not slot.glue]
    columns = [n for n, name in enumerate(PAIR) if name.startswith(side)]
    assert not pairs(found.stretches, found.places, scene)[:, bare[end], columns].any()


@pytest.mark.parametrize(
    ("query", "said", "same"),
    [
        ("番茄和土豆能放冰箱吗", "鸡蛋能放冰箱吗", True),
        ("鸡蛋能放冰箱吗", "番茄能放冰箱吗", True),
        ("能放冰箱吗", "鸡蛋能放冰箱吗", False),
        ("鸡蛋贵吗", "番茄能放冰箱吗", False),
        ("鸡蛋能放冰箱", "番茄放进了冰箱", False),
    ],
)
def test_a_question_put_before_of_something_else(query: str, said: str, same: bool) -> None:
    assert parallel(query, said) is same


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("左边，窗户关了吗", "窗户"),
        ("今天，窗户关了吗", "窗户"),
        ("三十，牛奶够吗", "牛奶够"),
        ("别人做蛋糕甜吗", "蛋糕甜"),
        ("自己包饺子麻烦吗", "包饺子麻烦"),
    ],
)
def test_a_place_or_a_person_pointed_at_is_no_thing(text: str, thing: str) -> None:
    assert subject(text) == thing


def test_a_number_stands_for_a_number() -> None:
    assert correct_question("我说的是房间二", "哪个灯在客厅三") == ("哪个灯在", "房间二", "")
    assert correct_question("我说的是书房", "哪个灯在客厅三") is None
