from __future__ import annotations

import pytest

from winnow.errors import EXAMPLE_TAXONOMY, TaxonomyError
from winnow.types.query import Bilingual
from winnow.types.utterance import Turn
from winnow.understand.intent.classify import intent_of
from winnow.understand.intent.taxonomy import names, read_taxonomy, taxonomy

OWN = """
name: pets
retrieve: {zh: [问宠物的事], en: [it asks about pets]}
skip: {zh: [闲谈], en: [small talk]}
classes:
  - {id: care, source: knowledge, name: {zh: 照料, en: Care}, cues: {zh: [洗澡], en: [bath]}}
  - {id: other, source: knowledge, otherwise: true}
  - {id: chat, source: none}
"""


@pytest.mark.parametrize("name", names())
def test_every_taxonomy_says_in_both_languages_when_to_retrieve_and_when_not(name: str) -> None:
    read = taxonomy(name)
    assert read.name == name
    for lines in (read.retrieve, read.skip):
        assert len(lines.zh) == len(lines.en) >= 4
    for item in read.classes:
        assert len(item.name.zh) == len(item.name.en) == len(item.when.zh) == len(item.when.en) == 1
        assert bool(item.cues.zh) == bool(item.cues.en)


def test_the_cooking_example_has_five_classes_and_one_is_idle() -> None:
    read = taxonomy("cooking")
    assert len(read.classes) == 5
    assert read.idle.id == "chat"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("狮子头怎么做", "recipe"),
        ("鱼要蒸多久", "technique"),
        ("毛豆的热量高吗", "ingredient"),
        ("晚饭推荐点什么", "suggestion"),
        ("多谢", "chat"),
        ("how do i make a trifle", "recipe"),
        ("how long should it marinate", "technique"),
        ("can i use yoghurt instead", "ingredient"),
        ("suggest a dinner", "suggestion"),
        ("cheers", "chat"),
    ],
)
def test_cues_choose_the_class(text: str, label: str) -> None:
    assert intent_of(text, taxonomy=taxonomy("cooking")).label == label


def test_the_talk_before_chooses_where_the_words_show_nothing() -> None:
    talk = (Turn("user", "毛豆怎么存"), Turn("assistant", "毛豆可以冷冻保存。"))
    assert intent_of("毛豆呢？", talk, taxonomy=taxonomy("cooking")).label == "ingredient"
    assert intent_of("毛豆呢？", taxonomy=taxonomy("cooking")).label == "recipe"


def test_a_taxonomy_of_ones_own() -> None:
    own = read_taxonomy(OWN, "pets.yaml")
    assert intent_of("猫多久洗澡一次", taxonomy=own).label == "care"
    assert intent_of("how old do parrots get", taxonomy=own).label == "other"
    assert intent_of("我上次说的那只狗叫什么", taxonomy=own).label == "other"
    assert intent_of("哈哈", taxonomy=own).label == "chat"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("我饿了", "suggestion"),
        ("汤太咸了", "technique"),
        ("i'm starving", "suggestion"),
        ("the crust is burnt", "technique"),
    ],
)
def test_a_statement_may_ask_without_asking(text: str, label: str) -> None:
    found = intent_of(text, taxonomy=taxonomy("cooking"))
    assert (found.need_retrieval, found.label) == (True, label)


def test_every_problem_is_told_at_once_with_its_path() -> None:
    with pytest.raises(TaxonomyError) as caught:
        read_taxonomy(
            "nme: x\nclasses: [{id: a, source: web, cues: {fr: [x]}}, {source: none, otherwise: 3}, 7]",
            "own.yaml",
        )
    found = {(p.file, p.path) for p in caught.value.problems}
    paths = {
        "nme",
        "name",
        "classes[0].source",
        "classes[0].cues.fr",
        "classes[1].id",
        "classes[1].otherwise",
        "classes[2]",
    }
    assert {("own.yaml", path) for path in paths} <= found
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: [", "not YAML"),
        ("", "expected fields"),
        ("name: x\nclasses: []", "not empty"),
        ("name: x\nclasses: [{id: a, source: knowledge}]", "exactly one class"),
        ("name: x\nclasses: [{id: a, source: none}]", "no class needs retrieval"),
        ("name: x\nclasses: [{id: a, source: none}, {id: a, source: history}]", "occurs twice"),
        (
            "name: x\nclasses: [{id: a, source: none, name: {zh: [[1]]}}, {id: b, source: history}]",
            "expected text",
        ),
    ],
)
def test_what_makes_no_sense_is_said(text: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        read_taxonomy(text)


def test_the_one_shown_as_valid_is() -> None:
    assert [c.id for c in read_taxonomy(EXAMPLE_TAXONOMY).classes] == ["talk", "rest"]


def test_an_unknown_name_names_those_there_are() -> None:
    with pytest.raises(TaxonomyError) as caught:
        taxonomy("gardening")
    assert "cooking" in caught.value.hint


def test_every_field_of_a_taxonomy_is_read_in_both_languages() -> None:
    words = {
        name: f"{{zh: [{name}一, 2], en: '{name} one'}}"
        for name in ("title", "about", "retrieve", "skip", "name", "when", "cues", "implied", "request")
    }
    told = Bilingual(("cues一", "2"), ("cues one",))
    top = "\n".join(f"{name}: {words[name]}" for name in ("title", "about", "retrieve", "skip"))
    inner = ", ".join(f"{name}: {words[name]}" for name in ("name", "when", "cues", "implied", "request"))
    read = read_taxonomy(
        f"name: ' pets '\n{top}\nclasses:\n- {{id: a, source: history, otherwise: true, {inner}}}\n"
        "- {id: b, source: none}"
    )
    first, second = read.classes
    assert (read.name, first.id, first.source, first.otherwise) == ("pets", "a", "history", True)
    assert (second.id, second.source, second.otherwise, second.cues) == ("b", "none", False, Bilingual())
    for name in ("title", "about", "retrieve", "skip"):
        assert getattr(read, name) == Bilingual((f"{name}一", "2"), (f"{name} one",))
    assert first.cues == told
    assert (first.when.zh, first.implied.en, first.request.en, first.name.zh) == (
        ("when一", "2"),
        ("implied one",),
        ("request one",),
        ("name一", "2"),
    )


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        ("[]", "", "expected fields, found a list"),
        ("classes: 3\nname: x", "classes", "found int"),
        ("name: x", "classes", "missing"),
        ("classes: [{id: a, source: none}]", "name", "missing"),
        ("name: {}\nclasses: [{id: a, source: none}]", "name", "expected text, found fields"),
        ("name: x\nextra: 1\nclasses: [{id: a, source: none}]", "extra", "allowed are name, title"),
        ("name: x\nclasses: [{id: a, source: none, cues: {zh: true}}]", "classes[0].cues.zh", "found bool"),
        ("name: x\nclasses: [{id: a, source: none, cues: {zh: [a, {}]}}]", "classes[0].cues.zh[1]", "fields"),
        ("name: x\nclasses: [{id: a, source: web}]", "classes[0].source", "found 'web'"),
    ],
)
def test_a_problem_is_told_with_its_path_and_what_was_found(text: str, path: str, why: str) -> None:
    with pytest.raises(TaxonomyError) as caught:
        read_taxonomy(text, "own.yaml")
    assert [str(p.message) for p in caught.value.problems if p.path == path and why in str(p.message)]


def test_a_text_that_is_no_yaml_is_told_with_its_line() -> None:
    with pytest.raises(TaxonomyError) as caught:
        read_taxonomy("name: x\nclasses: [", "own.yaml")
    (problem,) = caught.value.problems
    assert (problem.file, problem.path) == ("own.yaml", "line 2")
