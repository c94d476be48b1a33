"""A real Chromium of this machine, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, which has ended when the block ends; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def visiting(browser: Browser, url: str, *, meant: str = "", **how: Any) -> Iterator[Page]:
    """The page at that address; nothing may be wrong with it when the block ends.

    ``meant``: a part of what the browser may complain of.
    """
    context = browser.new_context(**{"viewport": DESK, "locale": "en-GB", **how})
    page, faults = context.new_page(), []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (meant and meant in message.text):
            faults.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(10_000)
    expect.set_options(timeout=10_000)
    page.goto(url)
    yield page
    context.close()
    assert faults == []


def said(page: Page, text: str) -> None:
    """Say that to the page, and wait until it was answered."""
    page.fill("#say", text)
    page.press("#say", "Enter")
    answered(page)


def answered(page: Page) -> None:
    """Wait until what was said last is answered."""
    page.locator(".turn").last.locator(".about .see").wait_for()
    expect(page.locator(".busy")).to_have_count(0)
