"""Figures as tables: on the terminal, and between the markers of the evaluation pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

COLUMNS = {
    "n": "n", "exact": "exact", "completed": "completed", "miscontrol": "miscontrol",
    "device_R@5": "device R@5", "command_R@1": "command R@1", "command_R@10": "command R@10",
    "tokens_p50": "tokens p50", "tokens_p95": "tokens p95", "ms_p50": "ms p50", "ms_p95": "ms p95",
}  # fmt: skip
STEADY = tuple(name for name in COLUMNS if not name.startswith("ms"))
"""Figures that are the same on every machine."""
WORDS = {
    "zh": {
        "file": "文件", "exact": "完全正确", "completed": "完成", "miscontrol": "误控",
        "device R@1": "设备 R@1", "device R@5": "设备 R@5",
        "command R@1": "命令 R@1", "command R@10": "命令 R@10",
        "tokens p50": "词元 p50", "tokens p95": "词元 p95", "one device": "只动一个设备",
        "home": "家庭", "devices": "设备数", "briefing p50": "简报 p50", "briefing p95": "简报 p95",
        "every device, names": "全部设备，仅名称", "every device": "全部设备，含命令与状态",
        "ms p50": "毫秒 p50", "ms p95": "毫秒 p95",
        "understand": "理解", "recall": "召回", "decide": "判定", "assemble": "组装", "total": "合计",
    },
    "en": {},
}  # fmt: skip


def cell(value: object) -> str:
    """A figure as text; empty for none."""
    if isinstance(value, float):
        return (
            f"{value:.2f}"
            if abs(value) < 1 and value
            else f"{value:.1f}"
            if abs(value) < 1000
            else f"{value:.0f}"
        )
    return "" if value is None else str(value)


def terminal(
    title: str, first: str, rows: Sequence[tuple[str, Mapping[str, Any]]], columns: Mapping[str, str]
) -> Table:
    """A table for the terminal; names that begin with a space are drawn dim."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", header_style="bold")
    table.add_column(first, no_wrap=True, min_width=max((len(name) for name, _ in rows), default=0))
    for heading in columns.values():
        table.add_column(heading, justify="right")
    for name, figures in rows:
        table.add_row(
            name, *(cell(figures.get(c)) for c in columns), style="dim" if name.startswith(" ") else ""
        )
    return table


def page_table(
    first: str, rows: Sequence[tuple[str, Mapping[str, Any]]], columns: Mapping[str, str], language: str
) -> str:
    """The same as Markdown."""
    said = WORDS[language]
    heads = [said.get(head, head) for head in (first, *columns.values())]
    lines = [_row(heads), _row(["---", *("---:" for _ in columns)])]
    for name, figures in rows:
        file, _, part = name.partition(", ")
        shown = ", ".join(filter(None, [file, said.get(part, part)])) if part else said.get(name, name)
        lines.append(_row([shown, *(cell(figures.get(c)) for c in columns)]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def filled(page: str, marker: str, text: str) -> str:
    """The page with ``text`` between ``<!-- marker -->`` and ``<!-- /marker -->``.

    Raises ValueError when the markers are missing.
    """
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"<!-- {marker} --> ... <!-- /{marker} --> is missing")
    return pattern.sub(lambda m: f"{m[1]}\n{text}\n\n{m[2]}", page)


def fill(path: Path, marker: str, text: str) -> None:
    """Write ``text`` between the markers of the file."""
    path.write_text(filled(path.read_text("utf-8"), marker, text), "utf-8")


def file_rows(
    files: Mapping[str, Mapping[str, Any]], *, categories: bool
) -> list[tuple[str, Mapping[str, Any]]]:
    """(name, figures) of each file, of its orders for one device, and of its categories."""
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for name, found in files.items():
        rows.append((name, found["all"]))
        rows.append((f"{name}, one device", found["one_device"]))
        if categories:
            rows += [(f"  {category}", figures) for category, figures in found["categories"].items()]
    return rows
