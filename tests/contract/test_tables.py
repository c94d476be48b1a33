"""No table of the package gives a key twice: the second would silently take the place of the first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "src" / "winnow").rglob("*.yaml"))


def repeated(node: yaml.Node | None) -> list[str]:
    """Keys that a mapping gives more than once, with their lines, at any depth."""
    if isinstance(node, yaml.SequenceNode):
        return [one for value in node.value for one in repeated(value)]
    if not isinstance(node, yaml.MappingNode):
        return []
    counts = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
    twice = [
        f"{key.value} (line {key.start_mark.line + 1})" for key, _ in node.value if counts[key.value] > 1
    ]
    return twice + [one for _, value in node.value for one in repeated(value)]


@pytest.mark.parametrize("table", TABLES, ids=lambda path: str(Path(path).relative_to(ROOT / "src")))
def test_no_key_stands_twice(table: Path) -> None:
    assert not repeated(yaml.compose(table.read_text("utf-8"), Loader=yaml.CSafeLoader))


def test_a_key_that_stands_twice_is_found() -> None:
    assert repeated(yaml.compose("a: {b: [1], b: [2]}", Loader=yaml.SafeLoader)) == [
        "b (line 1)",
        "b (line 1)",
    ]
