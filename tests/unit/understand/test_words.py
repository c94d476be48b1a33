"""The language files: well formed, normal, without doubles, and in step with the tables they point into."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any

import pytest
import yaml
from tests.traits import known_traits

from winnow.adapters.platforms.traits import platform_table
from winnow.language import lexicon
from winnow.language.kinds import kind_names
from winnow.language.normalize import normalise
from winnow.language.registry import LANGUAGES

VALUE_VERBS = {"set", "leave"}
"""Verbs that need a value beside them and mean nothing alone."""


def load(language: str) -> Any:
    return yaml.load((files(LANGUAGES[language].package) / "words.yaml").read_text("utf-8"), Loader=Unique)


class Unique(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Refuses a key given twice, which YAML would take silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        doubled = [key for key, times in Counter(keys).items() if times > 1]
        assert not doubled, f"keys twice: {doubled}"
        return super().construct_mapping(node, deep)


FILES = {language: load(language) for language in LANGUAGES}
ROWS = [
    (language, section, str(canonical), surface)
    for language, sections in FILES.items()
    for section, groups in sections.items()
    for canonical, surfaces in (groups.items() if isinstance(groups, dict) else [("", groups)])
    for surface in (surfaces if isinstance(surfaces, list) else [surfaces])
]
SECTIONS = sorted({(language, section) for language, section, _, _ in ROWS})


def canonicals(section: str) -> set[str]:
    return {canonical for _, found, canonical, _ in ROWS if found == section}


def test_every_surface_is_text_as_normalise_leaves_it() -> None:
    odd = [
        (language, section, surface)
        for language, section, _, surface in ROWS
        if not isinstance(surface, str) or normalise(surface) != surface
    ]
    assert odd == []


@pytest.mark.parametrize(("language", "section"), SECTIONS)
def test_no_surface_stands_twice_in_a_section(language: str, section: str) -> None:
    times = Counter(surface for own, found, _, surface in ROWS if (own, found) == (language, section))
    assert [surface for surface, count in times.items() if count > 1] == []


def test_every_section_has_a_priority() -> None:
    assert {section for _, section in SECTIONS} - set(lexicon.sections()["priority"]) - {
        lexicon.OBJECTS,
        lexicon.PURPOSE,
    } == set()


def test_every_verb_has_an_action() -> None:
    assert canonicals("verb") - set(lexicon.clusters()["actions"]) - VALUE_VERBS == set()


def test_every_action_can_be_said() -> None:
    assert set(lexicon.clusters()["actions"]) - canonicals("verb") == set()


@pytest.mark.parametrize("part", ["actions", "properties", "shapes"])
def test_every_trait_is_known_to_homes(part: str) -> None:
    named = {trait for traits in lexicon.clusters()[part].values() for trait in traits}
    assert sorted(named - known_traits()) == []


@pytest.mark.parametrize("part", ["actions", "properties", "shapes"])
def test_no_trait_stands_twice_in_a_cluster(part: str) -> None:
    assert [
        (name, t)
        for name, traits in lexicon.clusters()[part].items()
        for t, n in Counter(traits).items()
        if n > 1
    ] == []


def test_every_property_can_be_set_or_read() -> None:
    told = {
        *platform_table()["smartthings"]["attributes"].values(),
        *platform_table("services")["attributes"].values(),
        *platform_table("services")["state"].values(),
    }
    assert canonicals("property") - set(lexicon.clusters()["properties"]) - told == set()


def test_every_step_is_a_property_or_a_share_and_a_direction() -> None:
    properties = {"", *lexicon.clusters()["properties"]}
    shares = {f"{percent}%" for percent in (50, 100)}
    known = {f"{what}{sign}" for what in properties | shares for sign in "+-"}
    assert canonicals("step") - known == set()


def test_every_type_has_kinds_and_every_kind_exists() -> None:
    words = lexicon.type_words()
    assert (canonicals("type") | canonicals("purpose")) - set(words) == set()
    kinds = {kind for word in words.values() for kind in (*word.kinds, *word.like)}
    assert kinds - set(platform_table()["kinds"]) - {"*"} == set()


def test_every_type_can_be_said() -> None:
    said = canonicals("type") | canonicals("purpose") | kind_names().keys()
    assert set(lexicon.type_words()) - said == set()


def test_what_things_are_called_is_of_a_known_type() -> None:
    assert kind_names().keys() - set(lexicon.type_words()) == set()


def test_what_things_are_called_stands_as_sentences_are_read() -> None:
    words = [word for row in kind_names().values() for word in (*row.same, *row.makes)]
    assert [word for word in words if normalise(word) != word] == []


def test_wider_rooms_are_rooms() -> None:
    known = canonicals("room") | canonicals("zone")
    named = {name for kind, others in lexicon.wider_rooms().items() for name in (kind, *others)}
    assert named - known == set()


def test_white_tones_are_temperatures() -> None:
    assert all(1000 <= int(kelvin) <= 10000 for kelvin in canonicals("white"))


def test_every_entry_is_of_a_known_kind_and_says_something() -> None:
    assert all(
        entry.kind in lexicon.sections()["priority"] and "is" in entry.data for entry in lexicon.entries()
    )


def test_a_word_of_two_sections_keeps_both_readings() -> None:
    both = next(e for e in lexicon.entries() if e.surface == "vacuum")
    assert both.kind == "type"
    assert both.data["also"] == {"verb": "clean"}


FREE = {"polite", "haste", "frame", "empty", "address", "closing"}
"""Classes of fillers that say nothing of what is to be done, and are passed over for nothing."""
CONTENT = {
    "verb",
    "type",
    "room",
    "except",
    "negation",
    "condition",
    "timing",
    "quantifier",
    "particle",
}
TWOFOLD = {
    "喂": "calls somebody, and feeds: who feeds says what or how much",
}
"""Words of a free class that are content too -> how the two are told apart."""


def test_every_filler_stands_in_one_class_of_both_languages() -> None:
    classes: dict[str, set[str]] = {}
    for _, section, canonical, surface in ROWS:
        if section == "filler":
            classes.setdefault(surface, set()).add(canonical)
    assert {surface: found for surface, found in classes.items() if len(found) > 1 or found == {""}} == {}


def test_what_is_passed_over_for_nothing_is_no_content_elsewhere() -> None:
    content = {surface for _, section, _, surface in ROWS if section in CONTENT}
    free = {surface for _, section, canonical, surface in ROWS if section == "filler" and canonical in FREE}
    assert free & content == set(TWOFOLD)
