"""The project's addresses stand in one place, and none is made up."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scripts.addresses import FORMS, MANIFEST, ROOT, SECURITY, project_urls, written

NAMES = {
    "Repository": "https://code.example/winnow",
    "Issues": "https://code.example/winnow/issues",
    "Documentation": "https://winnow.example",
    "Security": "security@winnow.example",
}
OURS = re.compile(r"https?://[^\s\"')>\]]*winnow[^\s\"')>\]]*", re.IGNORECASE)


def test_every_file_holds_the_addresses_of_the_one_place() -> None:
    made = written(project_urls())
    assert [path.name for path, text in made.items() if path.read_text("utf-8") != text] == []


def test_addresses_reach_every_file_that_needs_them() -> None:
    made = written(NAMES)
    manifest = json.loads(made[MANIFEST])
    assert manifest["documentation"] == f"{NAMES['Repository']}/blob/main/docs/home-assistant.md"
    assert manifest["issue_tracker"] == NAMES["Issues"]
    assert f"<!-- security-contact -->{NAMES['Security']}<!-- /security-contact -->" in made[SECURITY]
    assert NAMES["Documentation"] in made[FORMS]


def test_the_names_are_those_that_are_read() -> None:
    assert project_urls().keys() <= NAMES.keys()


def pages() -> list[Path]:
    found = [*ROOT.glob("*.md"), *ROOT.glob("*.json"), *ROOT.glob("*.toml"), *(ROOT / "docs").rglob("*.md")]
    return [*found, *(ROOT / "examples").glob("*.md"), *(ROOT / "custom_components").rglob("*.json"), FORMS]


def test_no_address_is_made_up() -> None:
    named = tuple(project_urls().values()) or ("-",)
    found = [(path.name, url) for path in pages() for url in OURS.findall(path.read_text("utf-8"))]
    assert [(name, url) for name, url in found if not url.startswith(named)] == []


def test_an_address_is_noticed() -> None:
    assert OURS.findall('"issue_tracker": "https://code.example/winnow/issues",') == [NAMES["Issues"]]
