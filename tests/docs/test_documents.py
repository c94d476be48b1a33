"""The documentation runs, its links lead somewhere, and it names every command, option and setting."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from tests.docs.runner import blocks, matches, run_console, run_python
from tests.openai_stand_in import openai_server

import winnow

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *ROOT.glob("README*.md"),
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
)
RUN_ELSEWHERE = ("openai-loop", "integrations")
"""Pages that tests of their own run: their output is compared too, or they need other packages."""
RUNNABLE = [
    p
    for p in PAGES
    if not p.name.startswith(RUN_ELSEWHERE) and any(b.language in {"python", "console"} for b in blocks(p))
]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(#[^)\s]+)?\)")


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def built(*modules: str) -> None:
    """Skip while a part of Winnow that the test needs is not there yet."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} does not exist yet")


@pytest.mark.bulk
@pytest.mark.e2e
@pytest.mark.parametrize("page", RUNNABLE, ids=label)
def test_the_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built("winnow.engine.engine", "winnow.app", "winnow.app.cli")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with model_of(page, monkeypatch):
        for block in blocks(page):
            if block.language == "python":
                run_python(block, page, names)
            elif block.language == "console":
                run_console(block, tmp_path)


@contextmanager
def model_of(page: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server of the OpenAI protocol, for pages that speak to one."""
    if "OPENAI_BASE_URL" not in page.read_text(encoding="utf-8"):
        yield
        return
    with openai_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield


@pytest.mark.e2e
@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("openai-loop*.md")), ids=label)
def test_what_the_page_says_is_printed_is_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There a ``text`` block is what the ``python`` block before it prints."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with model_of(page, monkeypatch):
        for block in blocks(page):
            if block.language == "python":
                run_python(block, page, names)
                printed = capsys.readouterr().out
            elif block.language == "text":
                assert matches(block.text, printed), f"line {block.line}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_links_lead_to_files(page: Path) -> None:
    targets = [
        t
        for t, _ in LINK.findall(page.read_text(encoding="utf-8"))
        if "://" not in t and not t.startswith("mailto:")
    ]
    assert [t for t in targets if not (page.parent / t).exists()] == []


def test_what_pages_name_of_an_engine_and_a_retrieval_exists() -> None:
    engine = winnow.open("example:cottage")
    retrieval = engine.sync.retrieve("turn off the desk lamp")
    values = {"engine": engine, "engine.sync": engine.sync, "retrieval": retrieval, "found": retrieval}
    named = re.compile(rf"`(?:await )?({'|'.join(values)})\.([a-z_]+)[`(.\[]")
    missing = {
        (label(page), f"{value}.{name}")
        for page in PAGES
        for value, name in named.findall(page.read_text(encoding="utf-8"))
        if not (
            hasattr(values[value], name) or page.name.startswith(("architecture", "development", "glossary"))
        )
    }
    assert missing == set()


def test_pages_named_in_the_source_exist() -> None:
    named = {
        n
        for m in (ROOT / "src").rglob("*.py")
        for n in re.findall(r"\bdocs/[\w./-]+\.md\b", m.read_text(encoding="utf-8"))
    }
    assert sorted(n for n in named if not (ROOT / n).exists()) == []


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("*.zh.md"), *(ROOT / "docs").rglob("*.zh.md")]), ids=label
)
def test_a_chinese_page_has_the_sections_of_the_english_one(page: Path) -> None:
    assert headings(page) == headings(page.with_name(page.name.replace(".zh", "")))


def headings(page: Path) -> list[str]:
    """The levels of the headings, in order."""
    return re.findall(r"^(#+) ", page.read_text(encoding="utf-8"), re.MULTILINE)


def commands(command: Any, path: str) -> Iterator[tuple[str, list[str]]]:
    """Each command, and each group with options of its own, with its long options."""
    children = getattr(command, "commands", {})
    shown = [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]
    if shown or not children:
        yield path, [o for p in shown for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
    for name, child in children.items():
        if not child.hidden:
            yield from commands(child, f"{path} {name}")


def test_the_reference_names_every_command_and_option() -> None:
    built("winnow.app", "winnow.app.cli")
    from typer.main import get_command

    from winnow.app.cli.program import app

    sections = re.split(r"^#+ `", (ROOT / "docs/cli.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = {s.partition("`")[0]: s for s in sections}
    missing = [
        f"{path} {option}".strip()
        for path, options in commands(get_command(app), "winnow")
        for option in ["", *options]
        if path not in text or not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text[path])
    ]
    assert missing == []


def test_every_setting_is_documented() -> None:
    built("winnow.app.config")
    from winnow.app.config.settings import Settings

    renamed = {
        "data": "WINNOW_HOME",
        "home": "WINNOW_DEFAULT_HOME",
        "bulk_arbitration": "ENABLE_BULK_ARBITRATION_LLM",
    }
    names = [renamed.get(f.name, f"WINNOW_{f.name.upper()}") for f in fields(Settings)]
    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert [n for n in names if f"`{n}`" not in page] == []


def test_every_setting_of_histories_is_documented() -> None:
    from winnow.app.config.files import HISTORY_SHAPE

    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    known = [name for section in HISTORY_SHAPE.values() for name in leaves(section, "")]
    assert [name for name in known if f"`{name}`" not in page] == []


def test_every_setting_of_documents_is_documented() -> None:
    from winnow.app.config.files import KNOWLEDGE_SHAPE

    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert [name for name in leaves(KNOWLEDGE_SHAPE, "") if f"`{name}`" not in page] == []


def test_every_setting_of_acts_is_documented() -> None:
    from winnow.app.config.files import ACTING_SHAPE

    for name in ("acting.md", "acting.zh.md"):
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        known = [path.rpartition(".")[2] for path in leaves(ACTING_SHAPE, "")]
        assert [key for key in known if not re.search(rf"^ *{key}:", page, re.MULTILINE)] == []


def leaves(tree: Any, above: str) -> Iterator[str]:
    """The settings of a section, each with the sections it stands in."""
    for name, below in tree.items():
        if isinstance(below, dict):
            yield from leaves(below, f"{above}{name}.")
        else:
            yield f"{above}{name}"


def test_a_session_stands_near_the_top_of_the_readme() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert "<!-- session -->" in lines[:30]
