"""The pages about the frameworks run, and print what they say they print."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.runner import blocks, matches, run_python

for package in ("langchain_core", "llama_index.core", "haystack"):
    pytest.importorskip(package, reason=f"{package} is not installed here: make test-integrations")

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs").glob("integrations*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_runs_and_prints_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page):
        if block.language == "python":
            run_python(block, page, names)
            printed = capsys.readouterr().out
        elif block.language == "text":
            assert matches(block.text, printed), f"line {block.line}\n{printed}"
