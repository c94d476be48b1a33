"""Which of many names stand in a sentence."""

from __future__ import annotations

from winnow.language.gazetteer import Gazetteer, GazetteerEntry, GazetteerMatch, best_cover


def cover(text: str, *entries: GazetteerEntry) -> list[str]:
    """The texts of the cover; what nothing explains stands in brackets."""
    gazetteer = Gazetteer(entries)
    found = best_cover(text, [gazetteer.matches(text, at) for at in range(len(text))])
    return [
        piece.entry.surface if isinstance(piece, GazetteerMatch) else f"[{text[slice(*piece)]}]"
        for piece in found
    ]


def named(*surfaces: str) -> list[GazetteerEntry]:
    return [GazetteerEntry(surface, "name") for surface in surfaces]


def test_the_longest_name_wins() -> None:
    assert cover("客厅落地灯", *named("客厅", "灯", "落地灯", "落地")) == ["客厅", "落地灯"]


def test_a_weightier_name_wins_over_a_longer_one() -> None:
    assert cover("小主灯光", GazetteerEntry("主灯", "name", weight=3.0), *named("小主", "灯光")) == [
        "[小]",
        "主灯",
        "[光]",
    ]


def test_latin_names_are_found_whole_only() -> None:
    assert cover("lamp lamps 2lamp lamp灯", *named("lamp")) == ["lamp", "[lamps]", "[2lamp]", "lamp", "[灯]"]


def test_what_nothing_explains_is_one_stretch_up_to_a_name_a_latin_word_or_a_space() -> None:
    assert cover("那个 红色tv的灯亮", *named("灯")) == ["[那个]", "[红色]", "[tv]", "[的]", "灯", "[亮]"]


def test_every_entry_of_one_surface_is_found() -> None:
    both = [GazetteerEntry("灯", "type"), GazetteerEntry("灯", "name")]
    assert [m.entry.kind for m in Gazetteer(both).matches("灯", 0)] == ["type", "name"]


def test_nothing_is_found_in_nothing() -> None:
    assert cover("", *named("灯")) == []
