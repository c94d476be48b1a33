"""Draw the page to look at in a Chromium of this machine: docs/pictures/page-*.png, and stages of a turn."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser
from tests.unit.app.server.browser import DESK, PHONE, chromium, said, visiting

PICTURES = Path("docs/pictures")
STAGES = {"understand": 0, "recall": 3, "decide": 5, "context": 6}
"""What the pictures of stages are called -> which of the page's stages that is, of a turn about a home."""
TALL = {"width": 1440, "height": 2600}


@contextmanager
def shown(home: str) -> Iterator[str]:
    """The address of the page with that home in memory."""
    command = [sys.executable, "-m", "winnow", "show", home, "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://[^ ,]+", process.stderr.readline())
        assert found
        try:
            yield found[0]
        finally:
            process.terminate()


def draw(browser: Browser, name: str, url: str, sentences: list[str], **how: object) -> None:
    with visiting(browser, url, reduced_motion="reduce", **how) as page:
        page.locator("#floors .room").first.wait_for(state="attached")
        for sentence in sentences:
            said(page, sentence)
        page.locator("#say").blur()
        page.screenshot(path=PICTURES / f"page-{name}.png")
        print(f"{PICTURES}/page-{name}.png")


def draw_stages(browser: Browser, language: str, url: str, sentence: str, locale: str) -> None:
    """One picture for the way of a sentence, and one for each of its stages, opened."""
    with visiting(browser, url, reduced_motion="reduce", viewport=TALL, locale=locale) as page:
        page.locator("#floors .room").first.wait_for(state="attached")
        said(page, sentence)
        page.locator("#say").blur()
        stages = page.locator("#funnel details.stage")
        page.locator("#funnel ol.narrow").screenshot(path=PICTURES / f"stages-{language}.png")
        for name, place in STAGES.items():
            stage = stages.nth(place)
            stage.evaluate("element => { element.open = true; }")
            stage.screenshot(path=PICTURES / f"stages-{language}-{name}.png")


def main() -> None:
    with chromium() as browser:
        with shown("example:cottage") as url:
            english = ["how warm is it in the main bedroom", "turn on the light in the study"]
            draw(browser, "en", url, [*english, "unlock the front door"], viewport=DESK)
            draw(browser, "phone", url, english, viewport=PHONE, device_scale_factor=1.5)
        with shown("example:home150") as url:
            chinese = ["客厅现在多少度", "把客厅的灯都关了，灯带除外"]
            draw(browser, "zh", url, chinese, viewport=DESK, locale="zh-CN", color_scheme="dark")
        with shown("example:cottage") as url:
            sentence = "turn off every light in the sitting room except the crane"
            draw_stages(browser, "en", url, sentence, "en-GB")
        with shown("example:home40") as url:
            draw_stages(browser, "zh", url, "把客厅的灯都关了，灯带除外", "zh-CN")


if __name__ == "__main__":
    main()
