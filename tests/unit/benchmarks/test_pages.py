from __future__ import annotations

import pytest
from benchmarks import devices, places, sentences, speed, tables

from winnow.adapters.testing.fakes import simulated_home


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pages_show_the_kept_results(language: str) -> None:
    page = places.PAGES[language].read_text("utf-8")
    shown = {**devices.page_tables(language), **speed.page_tables(language)}
    assert shown
    assert [marker for marker, table in shown.items() if tables.filled(page, marker, table) != page] == []
    assert tables.filled(page, "bench", devices.readme_table(language)) == page


def test_filling_a_page_keeps_what_is_around_the_markers() -> None:
    page = "before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n"
    assert (
        tables.filled(page, "figures", "new")
        == "before\n<!-- figures -->\n\nnew\n\n<!-- /figures -->\nafter\n"
    )


def test_a_page_without_the_markers_is_an_error() -> None:
    with pytest.raises(ValueError, match="figures"):
        tables.filled("nothing", "figures", "new")


def test_no_further_cases_are_found_where_there_are_none(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("WINNOW_BENCH", str(tmp_path))
    assert places.further_files() == ()
    assert "BITHLP/HomeBench" in devices.absent()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_orders_name_rooms_and_devices_of_the_home(language) -> None:
    home = simulated_home(300, language=language).home
    rooms = {r.id: r.name for r in home.rooms}
    devices_of = {d.id: d for d in home.devices}
    made = sentences.orders(home, language)
    assert len(made) == 30
    for said in made:
        device = devices_of[said.device_id]
        assert device.name in said.utterance.text
        assert said.utterance.room == device.room_id or rooms[device.room_id or ""] in said.utterance.text


def test_the_same_seed_makes_the_same_orders() -> None:
    home = simulated_home(60).home
    assert sentences.orders(home, "zh", 2) == sentences.orders(home, "zh", 2)
