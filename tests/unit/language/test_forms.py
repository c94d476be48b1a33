"""What English makes of its words, and how the lexicon marks it."""

from __future__ import annotations

import pytest

from winnow.language import lexicon
from winnow.language.en import gerunds, pasts, plural


@pytest.mark.parametrize(
    ("word", "several"), [("lamp", "lamps"), ("switch", "switches"), ("gallery", "galleries")]
)
def test_plurals(word: str, several: str) -> None:
    assert plural(word) == several


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("raise", "raising"),
        ("unplug", "unplugging"),
        ("open up", "opening up"),
        ("listen to", "listening to"),
    ],
)
def test_gerunds(verb: str, form: str) -> None:
    assert gerunds(verb) == (form,)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("raise", ("raised",)),
        ("dim", ("dimmed",)),
        ("empty", ("emptied",)),
        ("play", ("played",)),
        ("open up", ("opened up",)),
        ("shut off", ("shut off",)),
        ("draw back", ("drew back", "drawn back")),
    ],
)
def test_past_forms(verb: str, forms: tuple[str, ...]) -> None:
    assert pasts(verb) == forms


def test_what_is_no_verb_has_neither() -> None:
    assert gerunds("next song") == pasts("brighter") == ()


def entry_of(surface: str) -> dict[str, object]:
    return dict(next(e.data for e in lexicon.entries() if e.surface == surface))


@pytest.mark.parametrize(
    ("surface", "form"),
    [("turning on", "gerund"), ("switched off", "past"), ("muted", "past"), ("shut", None)],
)
def test_a_verb_tells_its_form(surface: str, form: str | None) -> None:
    assert entry_of(surface).get("form") == form


def test_a_form_beside_another_reading_is_told_too() -> None:
    assert entry_of("heating") == {"is": "heating", "also": {"verb": "heat"}, "also_form": {"verb": "gerund"}}


def test_past_forms_are_kept_from_the_words_that_order() -> None:
    told = {e.surface: e for e in lexicon.past_entries("en")}
    assert (told["shut"].kind, told["shut"].data) == ("verb", {"is": "close", "form": "past"})
    assert told["dimmed"].kind == "step"
    ordering = {e.surface for e in lexicon.entries() if e.kind in {"verb", "step"} and "form" not in e.data}
    assert "dimmed" not in ordering
    assert {"shut", "put on"} <= ordering


def test_a_past_form_is_one_entry_in_all() -> None:
    listed = {e.surface for e in lexicon.entries() if e.data.get("form") == "past"}
    assert listed & {e.surface for e in lexicon.past_entries("en")} == set()
    assert len({e.surface for e in lexicon.past_entries("en")}) == len(lexicon.past_entries("en"))
