"""The page to look at, in a real browser: what a person sees, says, clicks and types."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.unit.app.server.browser import PHONE, answered, chromium, said, visiting
from tests.unit.app.server.conftest import Served, cottage, served

import winnow
from winnow.app.server.looks import MEDIA_TYPES
from winnow.app.wiring.engine import rehearse_on_copies
from winnow.engine.engine import Engine

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
FOLDER = Path(str(files("winnow.app.server").joinpath("page")))
HOMES = Path(str(files("winnow.examples").joinpath("homes")))


def rehearsed() -> Engine:
    """An engine that acts on copies of any home it has, or gets."""
    engine = winnow.open("example:cottage")
    rehearse_on_copies(engine)
    return engine


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(rehearsed(), keyless=True, rate=0) as found:
        yield found


@pytest.fixture(scope="module")
def browser(server: Served) -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(server: Served, browser: Browser) -> Iterator[Page]:
    with visiting(browser, server.url) as found:
        found.locator("#floors .room").first.wait_for()
        yield found


def state(page: Page, device: str) -> Any:
    """What the house shows of a device."""
    return page.locator(f'[data-device="{device}"] .value')


def last(page: Page) -> Any:
    """What was answered last."""
    return page.locator(".turn").last.locator(".bubble.its, .bubble.wrong").last


def test_only_the_files_of_the_page_are_served_and_a_browser_runs_nothing_else(server: Served) -> None:
    with server.client() as client:
        for path in ("/", *(f"/page/{name}" for name in MEDIA_TYPES)):
            response = client.get(path)
            assert response.status_code == 200
            policy = response.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
        for name, kind in MEDIA_TYPES.items():
            served_file = client.get(f"/page/{name}")
            assert (served_file.content, kind) == (
                (FOLDER / name).read_bytes(),
                served_file.headers["content-type"],
            )
        assert client.get("/").content == (FOLDER / "index.html").read_bytes()
        assert client.get("/page/../looks.py").status_code == 404
        assert client.get("/page/%2e%2e%2flooks.py").status_code == 404
        assert client.get("/page/x").json()["error"]["code"] == "not_found"
    assert set(MEDIA_TYPES) == {path.name for path in FOLDER.iterdir()}
    foreign = re.compile(r"https?://(?!www\.w3\.org/2000/svg)|innerHTML|insertAdjacentHTML|\beval\(")
    for file in FOLDER.iterdir():
        assert not foreign.search(file.read_text("utf-8")), file


def test_an_order_is_done_and_every_stage_is_told(page: Page) -> None:
    said(page, "turn on the reading lamp")
    expect(last(page)).to_have_text("Turned on Sitting Room Reading Lamp.")
    expect(state(page, "light.reading_lamp")).to_have_text("on")
    funnel = page.locator("#funnel")
    expect(funnel.locator(".narrow li").first).to_have_text(re.compile(r"^5\d things in the home"))
    chosen = funnel.locator(".candidate.chosen")
    expect(chosen).to_contain_text("Reading Lamp")
    assert chosen.locator(".lanes li").count() >= 4
    assert chosen.locator(".lanes .track i").first.evaluate("bar => bar.clientWidth") > 20
    expect(funnel.locator(".message pre").first).to_contain_text("do Switch.On")
    expect(funnel).to_contain_text("The whole home injected")
    expect(page.locator(".about").last).to_contain_text(re.compile(r"\d+ tokens instead of \d,\d{3}"))
    said(page, "turn off the reading lamp")
    expect(state(page, "light.reading_lamp")).to_have_text("off")
    page.locator(".about .undo").last.click()
    expect(state(page, "light.reading_lamp")).to_have_text("on")
    said(page, "turn off the reading lamp")
    said(page, "undo")
    expect(state(page, "light.reading_lamp")).to_have_text("on")


def test_what_was_left_out_is_told_with_its_reason(page: Page) -> None:
    said(page, "turn off all lights except the crane")
    dropped = page.locator("#funnel .dropped").first
    expect(dropped).to_contain_text("Reading Lamp (Sitting Room) — excluded by the sentence")


def test_a_question_is_answered_by_a_click(page: Page) -> None:
    said(page, "turn on the light")
    expect(page.locator("#funnel .verdict").first).to_have_text("A question")
    choices = page.locator(".turn").last.locator(".choices button")
    name = choices.nth(2).text_content()
    choices.nth(2).click()
    expect(last(page)).to_have_text(f"Turned on {name}.")
    expect(page.locator("#floors .meant .value")).to_have_text("on")
    assert choices.first.is_disabled()  # an answer is given once


def test_the_room_one_stands_in_answers_which_light(page: Page) -> None:
    page.locator('#floors [data-room="kitchen"]').click()
    expect(page.locator('#floors [data-room="kitchen"]')).to_have_attribute("aria-pressed", "true")
    said(page, "turn on the light")
    expect(last(page)).to_contain_text("Kitchen")


def test_what_is_dangerous_waits_for_a_yes(page: Page) -> None:
    said(page, "unlock the front door")
    expect(last(page)).to_have_text("Shall I really unlock Front Door (Hall)?")
    page.get_by_role("button", name="No", exact=True).click()
    expect(last(page)).to_have_text("Left as it is.")
    expect(state(page, "lock.front_door")).to_have_text("locked")
    said(page, "unlock the front door")
    page.get_by_role("button", name="Yes, do it").last.click()
    expect(last(page)).to_have_text("Unlocked Hall Front Door.")
    expect(state(page, "lock.front_door")).to_have_text("unlocked")


def test_one_can_look_without_anything_being_done(page: Page) -> None:
    page.get_by_label("Only look, do nothing").check()
    said(page, "turn off the bedroom fan")
    expect(last(page)).to_contain_text("nothing was done")
    expect(page.locator("#floors .meant")).to_contain_text("Bedroom Fanon")


def test_a_question_to_the_home_is_answered_with_its_value(page: Page) -> None:
    said(page, "how warm is it in the main bedroom")
    expect(last(page)).to_have_text("Bedroom Temperature (Main Bedroom): 17.1 °C")


def test_a_turn_is_saved_shown_again_and_names_stay_text(page: Page, tmp_path: Path) -> None:
    said(page, "how warm is it in the main bedroom")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").click()
    path = tmp_path / "trace.json"
    saved.value.save_as(path)
    trace = json.loads(path.read_text("utf-8"))
    assert trace["schema"] == "winnow.trace/1"
    trace["text"] = "<img src=x onerror=alert(1)> & co"
    trace["home"] = "elsewhere"
    path.write_text(json.dumps(trace), "utf-8")
    page.locator("#trace-file").set_input_files(path)
    expect(page.locator("#funnel q")).to_have_text("<img src=x onerror=alert(1)> & co")
    assert page.locator("#funnel img").count() == 0
    page.locator(".paste summary").click()
    page.fill("#trace-text", '{"schema": "other"}')
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#why-note")).to_contain_text("no whole trace")


def test_an_export_is_uploaded_and_spoken_to(browser: Browser, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "flat"), "zip", HOMES / "home40")
    with (
        served(rehearsed(), keyless=True, rate=0) as server,
        visiting(browser, server.url, meant="400", locale="zh-CN") as page,
    ):
        page.locator("#file").set_input_files(archive)
        expect(page.locator("#home")).to_have_value("flat")
        expect(page.locator(".bubble.its")).to_contain_text("flat 已导入")
        said(page, "打开书房台灯")
        expect(page.locator(".bubble.its").last).to_contain_text("台灯")
        page.locator("#file").set_input_files({"name": "x.zip", "mimeType": "", "buffer": b"no export"})
        expect(page.locator(".bubble.wrong")).to_be_visible()
        page.locator("#home").select_option("cottage")
        expect(page.locator("#floors")).to_contain_text("Main Bedroom")


def test_the_page_speaks_chinese_and_remembers_it(page: Page) -> None:
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("button", name="中文").click()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    expect(page.locator("#talk-title")).to_have_text("对话")
    page.reload()
    expect(page.locator("#talk-title")).to_have_text("对话")
    said(page, "主卧现在多少度")
    expect(page.locator("#funnel")).to_contain_text("把整个家都塞进去")


def test_every_text_is_there_in_both_languages() -> None:
    table = (FOLDER / "words.js").read_text("utf-8").partition("const LANES")[0]
    texts = dict(re.findall(r'^  "?(\w[\w ]*)"?: (\[".*"\]),$', table, re.MULTILINE))
    rows = {key: json.loads(row) for key, row in texts.items()}
    assert len(rows) > 100
    for key, (english, chinese) in rows.items():
        assert english, key
        assert chinese, key
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", chinese)), key
    index = (FOLDER / "index.html").read_text("utf-8")
    code = "".join((FOLDER / name).read_text("utf-8") for name in MEDIA_TYPES if name.endswith(".js"))
    used = {*re.findall(r'data-(?:text|label|hint)="(\w+)"', index), *re.findall(r'\bsay\("(\w+)"', code)}
    assert used - set(rows) == set()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_a_phone_shows_one_view_at_a_time_and_nothing_is_cut_off(
    server: Served, browser: Browser, locale: str
) -> None:
    with visiting(browser, server.url, viewport=PHONE, locale=locale, has_touch=True) as page:
        said(page, "turn off all lights except the crane")
        for view in ("talk", "house", "why", "memory"):
            page.locator(f'.views [data-view="{view}"]').tap()
            expect(page.locator("main > section:visible")).to_have_count(1)
            expect(page.locator(f"#{view}")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            wide = page.locator(f"#{view}").evaluate("view => view.scrollWidth - view.clientWidth")
            assert wide <= 0


def test_everything_is_reached_with_the_keyboard_alone(page: Page) -> None:
    expect(page.locator("#say")).to_be_focused()  # one can speak at once
    page.keyboard.type("turn on the light")
    page.keyboard.press("Enter")
    answered(page)
    focus = page.locator(":focus")
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if focus.evaluate("one => Boolean(one.closest('.choices'))"):
            break
    name = focus.text_content()
    assert focus.evaluate("one => parseFloat(getComputedStyle(one).outlineWidth)") >= 2
    page.keyboard.press("Enter")
    expect(last(page)).to_have_text(f"Turned on {name}.")
    expect(page.locator("#say")).to_be_focused()
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(ACTIVE))
    assert {"home", "user", "add", "theme", "language", "say", "look", "save", "memory", "SUMMARY"} <= reached


def test_every_control_has_a_name_and_the_page_its_landmarks(page: Page) -> None:
    said(page, "turn on the light")
    for view in ("why", "memory"):
        page.locator(f'.views [data-view="{view}"]').click()
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, textarea, summary, [role=log]")]
            .filter(one => one.checkVisibility() && !(one.ariaLabel || one.textContent.trim()
              || [...(one.labels ?? [])].some(label => label.textContent.trim())))
            .map(one => one.outerHTML)"""
        )
        assert [one for one in unnamed if "<select" not in one] == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    for landmark in ("banner", "navigation", "main"):
        assert page.get_by_role(landmark).count() == 1
    assert page.get_by_role("log").get_attribute("aria-live") == "polite"
    assert page.locator("h1").count() == 1
    small = page.evaluate(
        """() => [...document.querySelectorAll("button")].filter(one => one.checkVisibility())
        .filter(one => one.getBoundingClientRect().height < 24).map(one => one.outerHTML)"""
    )
    assert small == []  # a finger finds it


ACTIVE = "(one => one.id || one.dataset.view || one.tagName)(document.activeElement)"
"""What the keyboard speaks to, by its id, its view or its kind."""


def luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_can_be_read_in_the_light_and_in_the_dark(scheme: int) -> None:
    css = (FOLDER / "app.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", css)
    palette = {name: colors[scheme] for name, *colors in found}
    for ground in ("bg", "surface", "sunk", "tint"):
        for ink in ("text", "muted", "accent"):
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
    assert contrast(palette["on-accent"], palette["accent"]) >= 4.5
    assert contrast(palette["edge"], palette["surface"]) >= 3


def test_light_and_dark_follow_the_system_and_the_switch(server: Served, browser: Browser) -> None:
    with visiting(browser, server.url, color_scheme="dark") as page:
        ground = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(ground) == "rgb(19, 22, 20)"
        page.locator("#theme").click()
        assert page.evaluate(ground) == "rgb(246, 245, 240)"


WIFI = "The network is called Attic.\n\nThe password of the guest wifi is blue-otter-19."


def test_documents_answer_and_their_passages_are_marked(page: Page, server: Served) -> None:
    with server.client() as client:
        body = {"user": "guest", "documents": [{"id": "w", "title": "Wifi at home", "text": WIFI}]}
        assert client.post("/v1/documents", json=body).status_code == 201
        told = {"user": "guest", "messages": [{"role": "user", "content": "The boiler is in the loft."}]}
        assert client.post("/v1/messages", json=told).status_code == 201
    said(page, "what is the password of the guest wifi")
    quote = page.locator(".turn").last.locator(".quote")
    expect(quote).to_contain_text("blue-otter-19")
    expect(quote.locator("mark").first).to_have_text(re.compile("password|guest|wifi"))
    page.locator('.views [data-view="memory"]').click()
    expect(page.locator("#kept")).to_contain_text("The boiler is in the loft.")
    page.get_by_role("searchbox").fill("guest password")
    page.keyboard.press("Enter")
    expect(page.locator("#kept mark").first).to_be_visible()
    page.get_by_role("button", name="Wifi at home").first.click()
    found = page.locator(".document .cut.found")
    expect(found).to_contain_text("blue-otter-19")
    expect(found.locator("mark").first).to_be_visible()
    page.get_by_role("button", name="Close").click()
    note = {"name": "bins.md", "mimeType": "text/markdown", "buffer": b"# Bins\n\nPaper goes out on Monday."}
    page.locator("#library input[type=file]").set_input_files(note)
    expect(page.locator("#library [role=status]")).to_contain_text("bins.md is kept")


def test_a_server_with_keys_asks_for_one(browser: Browser) -> None:
    with served(cottage()) as server, visiting(browser, server.url, meant="401") as page:
        page.get_by_label("Key", exact=True).fill(server.key(users=("ida",)))
        page.get_by_role("button", name="Use it").click()
        page.locator("#floors .room").first.wait_for()
        said(page, "turn off the reading lamp")
        expect(last(page)).to_contain_text("Reading Lamp")


def test_states_and_the_size_of_a_home_are_told(server: Served) -> None:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        told = client.get("/v1/homes/cottage/states").json()
        assert told["states"]["source"] == "simulated"
        assert told["main"]["lock.front_door"] == "state"
        assert told["states"]["values"]["lock.front_door"]["state"] in ("locked", "unlocked")
        assert client.get("/v1/homes/cottage").json()["whole"]["tokens"] > 5000
        assert client.get("/v1/homes/none/states").status_code == 404
