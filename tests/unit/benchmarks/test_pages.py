"""README and docs say what is stored in ``benchmarks/results``, and charts show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks import charts, pages, places, sentences, tables

from winnow.adapters.testing.fakes import simulated_home

GENERATED_ONLY = [
    places.ROOT / name
    for name in ("README.md", "README.zh.md", "docs/evaluation.md", "docs/evaluation.zh.md")
]
"""Pages on which nobody types a figure."""
FIGURE = re.compile(r"\d+\.\d+|\d[\d,]*\s?(?:%|ms\b|MB\b|毫秒|tokens?\b|个?词元|个 token)")
NOT_CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", re.DOTALL)
CHOSEN = {
    "3.11", "2.0", "0.5", "1 %", "10 %", "25 %", "50 %", "97 %", "25 tokens", "25 个 token", "25 个词元",
}  # fmt: skip
"""What was chosen and not measured: versions, rates, tolerances, examples."""


@pytest.mark.parametrize("page", list(pages.pages()), ids=lambda page: page.name)
def test_a_page_says_what_is_stored(page: Path) -> None:
    text = page.read_text("utf-8")
    again = pages.written(text, pages.language_of(page))
    changed = [line for line in again.splitlines() if line not in text.splitlines()]
    assert again == text, f"not what is stored (make figures writes it): {changed[:3]}"


@pytest.mark.parametrize("page", list(pages.pages()), ids=lambda page: page.name)
def test_no_line_begins_with_a_figure_for_markdown_would_take_it_for_html(page: Path) -> None:
    assert [line for line in page.read_text("utf-8").splitlines() if line.startswith("<!--=")] == []


@pytest.mark.parametrize("page", GENERATED_ONLY, ids=lambda page: page.name)
def test_nobody_types_a_figure(page: Path) -> None:
    text = pages.FIGURE.sub("", page.read_text("utf-8"))
    text = pages.TABLE.sub(lambda found: "" if found["name"] in pages.TABLES else found[0], text)
    found = {figure[0] for figure in FIGURE.finditer(NOT_CODE.sub("", text))}
    assert found - CHOSEN == set(), "say where it is stored: <!--=NAME/path-->0<!--/-->"


@pytest.mark.parametrize("name", charts.CHARTS)
def test_a_chart_shows_what_is_stored(name: str) -> None:
    assert charts.is_drawn(name), "make figures draws it"


def test_an_edited_figure_is_noticed_and_put_right() -> None:
    value = pages.value("messages/locomo.en/n")
    page = "LoCoMo has <!--=messages/locomo.en/n-->1<!--/--> questions."
    assert pages.written(page, "en") == page.replace(">1<", f">{value}<")


def test_a_table_is_put_between_its_markers_and_others_are_left() -> None:
    session = "<!-- session -->\nas it is\n<!-- /session -->\n"
    again = pages.written(f"before\n<!-- compress -->\nold\n<!-- /compress -->\n{session}", "en")
    assert "old" not in again
    assert "| CMRC, Winnow |" in again
    assert again.endswith(session)


@pytest.mark.parametrize(
    "path", ["messages/locomo.en/nothing", "speed/homes/home=nobody/orders", "nothing/n"]
)
def test_a_figure_that_is_not_stored_is_an_error(path: str) -> None:
    with pytest.raises(KeyError, match=path):
        pages.value(path)


def test_a_figure_is_written_as_it_is_asked_for() -> None:
    home = "devices/tokens_by_home_size/home=simulated-1000"
    assert pages.shown(f"{home}/devices as ,") == "1,000"
    assert pages.shown(f"{home}/devices % {home}/devices as .0f") == "100"
    assert pages.shown(f"{home}/devices as .1%") == "100000.0"


def test_a_goal_is_met_where_all_its_figures_are_within_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "messages/locomo.en/n"
    here = {"en": "as many", "unit": " questions", "figures": [path, path]}
    given = [{**here, "least": 650}, {**here, "least": 651}, {**here, "most": 650}, {**here, "most": 649}]
    monkeypatch.setattr(pages, "registry", lambda: {"goals": given})
    rows = pages.goals("en").splitlines()[2:]
    assert [row.split(" | ")[-1].strip(" |") for row in rows] == ["yes", "**no**", "yes", "**no**"]
    assert rows[0].startswith("| as many | ≥ 650 questions | 650, 650 questions |")


def test_rows_of_one_device_are_named_in_the_language_of_the_page() -> None:
    rows = [("butler, one device", {"n": 1})]
    assert "butler, 只动一个设备" in tables.page_table("file", rows, {"n": "n"}, "zh")


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


def test_every_first_contact_is_told_and_goals_are_about_the_last_of_each_language() -> None:
    told = [name for row in pages.registry()["contacts"] for name in row["files"]]
    files = [row["file"] for row in places.result("first_contact")]
    assert sorted(told) == sorted(files)
    doing = [name for name in reversed(files) if not name.endswith("_nothing")]
    last = {next(name for name in doing if f"_{language}" in name) for language in ("en", "zh")}
    paths = [path for goal in pages.registry()["goals"] for path in goal["figures"]]
    aimed = [path for path in paths if path.startswith("first_contact/")]
    assert {path.split("/")[1].removeprefix("file=") for path in aimed} == last
