"""Draw the page to look at in a Chromium of this machine: docs/pictures/page-*.png."""

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


def main() -> None:
    with chromium() as browser:
        with shown("example:cottage") as url:
            english = ["how warm is it in the main bedroom", "turn on the light in the study"]
            draw(browser, "en", url, [*english, "unlock the front door"], viewport=DESK)
            draw(browser, "phone", url, english, viewport=PHONE, device_scale_factor=1.5)
        with shown("example:home150") as url:
            chinese = ["客厅现在多少度", "把客厅的灯都关了，灯带除外"]
            draw(browser, "zh", url, chinese, viewport=DESK, locale="zh-CN", color_scheme="dark")


if __name__ == "__main__":
    main()
