"""The runner itself: what counts as the same output."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.runner import Block, blocks, matches, run_python


def test_blocks_carry_their_language_and_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Text\n\n```python\nx = 1\n```\n\n```console\n$ winnow\n```\n", encoding="utf-8")
    assert list(blocks(page)) == [Block("python", "x = 1\n", 4), Block("console", "$ winnow\n", 8)]


def test_a_python_block_sees_the_names_before_it_and_may_await(tmp_path: Path) -> None:
    names: dict[str, object] = {"x": 1}
    run_python(Block("python", "import asyncio\nawait asyncio.sleep(0)\ny = x + 1\n", 1), tmp_path, names)
    assert names["y"] == 2


def test_a_failing_assertion_in_a_block_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        run_python(Block("python", "assert 1 == 2\n", 1), tmp_path, {})


@pytest.mark.parametrize(
    ("expected", "output", "same"),
    [
        ("done in 3 ms\n", "done in 41.5 ms\n", True),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("...\n", "", True),
        ("a\nz\n", "a\nb\nz\n", False),
        ("a\n", "b\n", False),
    ],
)
def test_output_is_compared_line_by_line(expected: str, output: str, same: bool) -> None:
    assert matches(expected, output) is same
