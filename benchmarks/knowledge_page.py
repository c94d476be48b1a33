"""The figures of docs/bring-your-knowledge*.md, taken from what the other benchmarks kept.

    python -m benchmarks.knowledge_page

Nothing is measured here: each row names the command that measured it; what it did not write yet is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks import places, tables

PAGES = {"en": "docs/bring-your-knowledge.md", "zh": "docs/bring-your-knowledge.zh.md"}
HEADS = {"en": ("what", "figure", "measured by"), "zh": ("项目", "数字", "测量命令")}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what it says in each language, and where its figures stand in a result file."""

    result: str
    en: str
    zh: str
    figures: Mapping[str, tuple[str, ...]]
    """What a figure is called -> the keys that lead to it."""
    unit: str = " %"


ROWS = (
    Row(
        "knowledge",
        "the passage that answers is first, R@1",
        "回答问题的段落排第一，R@1",
        {name: ("found", name, "R@1") for name in ("cmrc.zh", "xquad.zh", "xquad.en", "howtocook.zh")},
    ),
    Row(
        "compress",
        "the answer is still there in a quarter of five passages",
        "五个段落压到四分之一，答案还在",
        {name: ("fitted on others", name, "top5@0.25") for name in ("cmrc.zh", "xquad.en")},
    ),
    Row(
        "compress",
        "the answer is still there in a tenth of five passages",
        "五个段落压到十分之一，答案还在",
        {name: ("fitted on others", name, "top5@0.1") for name in ("cmrc.zh", "xquad.en")},
    ),
    Row(
        "sufficiency",
        "public collections are asked where they are needed",
        "需要公共资料时会去查",
        {name: (name, "all", "needed, public index") for name in ("cmrc.zh", "xquad.en")},
    ),
    Row(
        "sufficiency",
        "they are not asked where they are not",
        "不需要时不查",
        {name: (name, "all", "spared, public index") for name in ("cmrc.zh", "xquad.en")},
    ),
    Row(
        "assistant",
        "the answer is in the messages of a turn, of writers fitted on and not",
        "一轮的消息里有答案，作者参与拟合的与未参与的",
        {name: (f"turns.{name}", "answer in the messages") for name in ("first", "second")},
    ),
    Row(
        "absent",
        "nothing is given where nothing answers, of persons not fitted on",
        "哪里都没有答案时什么也不给，未参与拟合的人",
        {
            language: (f"{language}, judged by", "nothing given where nothing answers")
            for language in ("zh", "en")
        },
    ),
    Row(
        "dialogues",
        "a fact stated in a dialogue of 300 turns is there when it is asked for",
        "300 轮对话里说过的事实，问到时在上下文里",
        {language: ("windows", f"mixed.{language}", "present") for language in ("zh", "en")},
    ),
    Row(
        "dialogues",
        "turns within the budget",
        "未超预算的轮次",
        {language: ("windows", f"mixed.{language}", "within_budget") for language in ("zh", "en")},
    ),
    Row(
        "dialogues",
        "time of assembling a turn's messages, p95",
        "组装一轮消息的时间，p95",
        {language: ("windows", f"mixed.{language}", "ms_p95") for language in ("zh", "en")},
        " ms",
    ),
)


def table(language: str) -> str:
    """The table in that language, of what was kept."""
    heads = HEADS[language]
    lines = ["| " + " | ".join(heads) + " |", "| --- | --- | --- |"]
    for row in ROWS:
        if figures := ", ".join(_figures(row)):
            what = row.zh if language == "zh" else row.en
            lines.append(f"| {what} | {figures} | `python -m benchmarks.{row.result}` |")
    return "\n".join(lines)


def _figures(row: Row) -> Iterator[str]:
    for name, keys in row.figures.items():
        value: Any = places.result(row.result)
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            yield f"{name} {value}{row.unit}"


def main() -> None:
    """Fill both pages."""
    for language, page in PAGES.items():
        tables.fill(places.ROOT / page, "knowledge", table(language))


if __name__ == "__main__":
    main()
