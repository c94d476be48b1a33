"""The table of figures says what was kept, and leaves out what was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import knowledge_page, places


def test_the_table_holds_what_was_kept_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "RESULTS", tmp_path)
    assert len(knowledge_page.table("en").splitlines()) == 2
    kept = {"windows": {"mixed.zh": {"present": 97.6, "ms_p95": 8.1}}}
    (tmp_path / "dialogues.json").write_text(json.dumps(kept), "utf-8")
    lines = knowledge_page.table("zh").splitlines()
    assert (
        lines[2]
        == "| 300 轮对话里说过的事实，问到时在上下文里 | zh 97.6 % | `python -m benchmarks.dialogues` |"
    )
    assert lines[3].split(" | ")[1] == "zh 8.1 ms"
    assert len(lines) == 4


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pages_have_a_place_for_it(language: str) -> None:
    page = (places.ROOT / knowledge_page.PAGES[language]).read_text("utf-8")
    assert page.count("<!-- knowledge -->") == page.count("<!-- /knowledge -->") == 1
