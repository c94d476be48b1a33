"""What `make site` builds from: every page has its place, and generated pages are as the program says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts import api_docs, cli_docs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
NAMED = re.compile(r"`((?:[\w-]+/)+[\w.-]+|tests/\w+|examples)`")
FOR_USERS = ("Start", "At home", "For agents", "In applications")
ENGLISH_ONLY = {
    "settings.md",
    "cli.md",
    "http-reference.md",
    "mcp-reference.md",
    "examples.md",
    "changelog.md",
}
"""References that are made from the program, and what is written for the repository."""


class Site(yaml.SafeLoader):
    """Reads mkdocs.yml without what it makes of Python's names."""


Site.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)
SITE: dict[str, Any] = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Site)


def nav_pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for one in nav.values() if isinstance(nav, dict) else nav:
            yield from nav_pages(one)


def outside() -> set[str]:
    """Pages that come from outside of ``docs``."""
    hooks = (ROOT / "scripts/site/hooks.py").read_text("utf-8").partition("PAGES = {")[2].partition("}")[0]
    return set(re.findall(r'^    "[\w./-]+": "([\w-]+\.md)",$', hooks, re.MULTILINE))


def test_every_page_has_one_place() -> None:
    listed = list(nav_pages(SITE["nav"]))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if ".zh." not in path.name}
    decisions = {page for page in pages if page.startswith("decisions/0")}
    assert len(listed) == len(set(listed))
    assert set(listed) == (pages - decisions) | outside()


def test_every_decision_is_on_the_list_that_leads_to_it() -> None:
    listed = (DOCS / "decisions/README.md").read_text("utf-8")
    assert [p.name for p in (DOCS / "decisions").glob("0*.md") if f"({p.name})" not in listed] == []


def test_what_users_read_is_there_in_chinese() -> None:
    (pages,) = [[p for part in SITE["nav"] for name in FOR_USERS for p in nav_pages(part.get(name, []))]]
    wanted = set(pages) - ENGLISH_ONLY
    assert len(wanted) > 20
    assert [page for page in sorted(wanted) if not (DOCS / page.replace(".md", ".zh.md")).exists()] == []


def test_the_chinese_settings_are_those_of_the_english_page() -> None:
    def settings(page: str) -> list[list[str]]:
        """Names and defaults of each row; words between them differ."""
        rows = re.findall(r"^\| (?:`|–).*\|$", (DOCS / page).read_text("utf-8"), re.MULTILINE)
        told = [row.rpartition("|")[0].rpartition("|")[0] for row in rows]
        return [sorted(re.findall(r"`[^`]+`|\b\d[\d.]*\b|\btrue\b|\bfalse\b", one)) for one in told]

    assert len(settings("settings.md")) > 80
    assert settings("settings.zh.md") == settings("settings.md")
    examples = [
        re.findall(r"```(?:toml|yaml)\n.*?```", (DOCS / page).read_text("utf-8"), re.DOTALL)
        for page in ("settings.md", "settings.zh.md")
    ]
    assert examples[0] == examples[1]


def test_every_heading_of_the_menu_has_a_chinese_one() -> None:
    def titles(nav: Any) -> Iterator[str]:
        for one in nav:
            if isinstance(one, dict):
                for title, below in one.items():
                    yield title
                    yield from titles(below if isinstance(below, list) else [])

    (plugin,) = [p["i18n"] for p in SITE["plugins"] if isinstance(p, dict)]
    chinese = plugin["languages"][1]["nav_translations"]
    same_in_both = {"MCP", "Python", "HTTP", "Home Assistant"}
    missing = [t for t in titles(SITE["nav"]) if t not in chinese and t not in same_in_both]
    assert [title for title in missing if not re.match(r"S\d, ", title)] == []


@pytest.mark.parametrize("page", ["http-reference.md", "mcp-reference.md"])
def test_the_reference_is_as_the_server_describes_itself(page: str) -> None:
    made = {path.name: text for path, text in api_docs.pages().items()}
    assert (DOCS / page).read_text("utf-8") == made[page], "make api-docs writes it anew"


@pytest.mark.parametrize("page", cli_docs.PAGES, ids=lambda page: page.name)
def test_the_commands_are_as_the_program_describes_them(page: Path) -> None:
    assert page.read_text("utf-8") == cli_docs.written(page, cli_docs.PAGES[page]), "make cli-docs writes it"


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert SITE["theme"]["font"] is False
    assert SITE["strict"] is True
    assert not any("mermaid" in page.read_text("utf-8") for page in DOCS.rglob("*.md"))


def test_good_first_changes_begin_at_what_is_there() -> None:
    page = (DOCS / "good-first-changes.md").read_text("utf-8")
    named = NAMED.findall(page)
    assert len(named) > 15
    assert [n for n in named if not ((ROOT / n).exists() or (ROOT / "src/winnow" / n).exists())] == []


def test_tools_of_the_site_are_pinned() -> None:
    lines = (ROOT / "scripts/site/requirements.txt").read_text("utf-8").splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))
    locked = (ROOT / "requirements.lock").read_text("utf-8")
    assert "mkdocs" not in locked  # an environment of its own
    assert "mkdocs" not in str(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    )
