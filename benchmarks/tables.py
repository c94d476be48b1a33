"""Figures as tables: on the terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

COLUMNS = {
    "n": "n", "exact": "exact", "completed": "completed", "miscontrol": "miscontrol",
    "device_R@5": "device R@5", "command_R@1": "command R@1", "command_R@10": "command R@10",
    "tokens_p50": "tokens p50", "tokens_p95": "tokens p95", "ms_p50": "ms p50", "ms_p95": "ms p95",
}  # fmt: skip
SIZE_COLUMNS = {
    "devices": "devices", "p50": "briefing p50", "p95": "briefing p95",
    "names": "every device, names", "full": "every device",
}  # fmt: skip
STAGES = ("understand", "recall", "decide", "assemble", "total")
STAGE_COLUMNS = {
    **{f"{stage}_{p}": f"{stage} {p}" for stage in STAGES for p in ("p50", "p95")},
    **{f"cpu_{p}": f"processor {p}" for p in ("p50", "p95")},
}
PEER_COLUMNS = {
    "ms_p50": "ms p50", "ms_p95": "ms p95", "R@1": "device R@1", "R@5": "device R@5",
    "times_winnow": "time / Winnow",
}  # fmt: skip
STRATEGY_HEAD = "vectors, messages, strategy"
STRATEGY_COLUMNS = {
    "cold_p50": "cold p50", "cold_max": "cold worst", "warm_up_s": "vectors ready, s", "new_p50": "new p50",
    "new_p95": "new p95", "warm_p50": "warm p50", "warm_p95": "warm p95", "own_p95": "warm p95, processor",
}  # fmt: skip
STEADY_COLUMNS = {name: head for name, head in COLUMNS.items() if not name.startswith("ms")}
"""Figures that are the same on every machine."""
SHORT = ("n", "exact", "completed", "miscontrol", "tokens_p50", "tokens_p95")
MEANINGS = {
    "paraphrases zh": "中文释义，找另一句", "paraphrases en": "英文释义，找另一句",
    "commands zh": "中文换说法，找命令", "commands en": "英文换说法，找命令",
    "names en->zh": "英文命令名，找中文命令", "commands en->zh": "英文换说法，找中文命令",
    "names zh->en": "中文命令名，找英文命令", "commands zh->en": "中文换说法，找英文命令",
}  # fmt: skip
MEANING_HEADS = {
    "en": {"chance": "chance", "words": "words (BM25)", "hashing": "hashing", "static": "static"},
    "zh": {"chance": "随机", "words": "只看词（BM25）", "hashing": "哈希", "static": "静态词表"},
}
PASSAGE_HEADS = {
    "en": {
        "words R@1": "words R@1", "words R@10": "R@10", "both R@1": "words and meaning R@1",
        "both R@10": "R@10 ",
    },
    "zh": {"words R@1": "仅词 R@1", "words R@10": "R@10", "both R@1": "词加语义 R@1", "both R@10": "R@10 "},
}  # fmt: skip
WORDS = {
    "zh": {
        "file": "文件", "exact": "完全正确", "completed": "完成", "miscontrol": "误控",
        "device R@1": "设备 R@1", "device R@5": "设备 R@5",
        "command R@1": "命令 R@1", "command R@10": "命令 R@10",
        "tokens p50": "词元 p50", "tokens p95": "词元 p95", "one device": "只动一个设备",
        "gold not in doubt": "答案无疑问",
        "home": "家庭", "devices": "设备数", "briefing p50": "简报 p50", "briefing p95": "简报 p95",
        "every device, names": "全部设备，仅名称", "every device": "全部设备，含命令与状态",
        "ms p50": "毫秒 p50", "ms p95": "毫秒 p95",
        "first contact": "第一次接触", "wrong acts": "误动作", "but for the form": "其中只差写法",
        "{} of {}": "{1} 条里 {0} 条", "exact by now": "如今完全正确", "wrong by now": "如今误动作",
        "learned from": "学过", "all": "全部", "partly": "部分", "no": "没有",
        "goal": "目标", "bound": "界限", "measured": "测得", "met": "达到", "yes": "是", "**no**": "**否**",
        "name": "名称", "what it measures": "测量什么", "public sets": "公开数据", "seconds": "秒",
        "command": "命令", "why not": "为何不在其中", "last run": "最近一次", "figures": "数字",
        "page": "页面", "licence": "许可证", "read by": "用于", "none stated": "未声明",
        "none stated for the texts": "文本未声明",
        "MIT; passages under terms of their own": "MIT；段落另有条款",
        "public set": "公开数据",
        "understand": "理解", "recall": "召回", "decide": "判定", "assemble": "组装", "total": "合计",
        "processor": "处理器",
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
    cells = []
    for name, figures in rows:
        file, _, part = name.partition(", ")
        shown = ", ".join(filter(None, [file, said.get(part, part)])) if part else said.get(name, name)
        cells.append([shown, *(cell(figures.get(c)) for c in columns)])
    return markdown([said.get(head, head) for head in (first, *columns.values())], cells)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], right: int | None = None) -> str:
    """A table of texts; columns but the first are set to the right, or only the last so many."""
    left = 1 if right is None else len(heads) - right
    lines = [heads, ["---"] * left + ["---:"] * (len(heads) - left), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


ACTS = ("file", "act rows", "acted", "state equal", "told by the table", "by a second home", "not judged")
FAULTS = {
    "rows": "acts", "calls": "calls", "twice": "executed twice", "set again": "set again",
    "false done": "told done and was not", "not done": "not done", "named": "told so",
    "untold": "taken, nothing tells", "unnamed": "kept quiet",
}  # fmt: skip


def acting(found: Mapping[str, Any], share: float, seeds: int) -> str:
    """What came of acts, as two tables."""
    acts = []
    for name, row in found.items():
        s = Counter(row["states"])
        judged = s["acted"] - s["unjudged"]
        equal = f"{s['equal'] / judged:.2%}" if judged else ""
        counts = (row["rows"], s["acted"], equal, s["by table"], s["by home"], s["unjudged"])
        acts.append([name, *map(str, counts)])
    failed = [[name, *(str(row["faults"].get(key, 0)) for key in FAULTS)] for name, row in found.items()]
    told = f"{share:.0%} of the devices fail, {seeds} seeds:"
    return f"{markdown(ACTS, acts)}\n\n{told}\n\n{markdown(('file', *FAULTS.values()), failed)}"


def file_rows(
    files: Mapping[str, Mapping[str, Any]], *, categories: bool
) -> list[tuple[str, Mapping[str, Any]]]:
    """(name, figures) of each file, of orders for one device, without doubtful rows, and of categories."""
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for name, found in files.items():
        rows.append((name, found["all"]))
        rows.append((f"{name}, one device", found["one_device"]))
        rows += undoubted(name, found)
        if categories:
            rows += [(f"  {category}", figures) for category, figures in found["categories"].items()]
    return rows


def undoubted(name: str, found: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The row without those whose gold is in doubt, where a file has any."""
    return [(f"{name}, gold not in doubt", found["undoubted"])] if "undoubted" in found else []


def rivals(homes: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Winnow and its peers, home by home."""
    out: list[tuple[str, Mapping[str, Any]]] = []
    for h in homes:
        own = {
            **h["orders"],
            "ms_p50": h["orders"]["total_p50"],
            "ms_p95": h["orders"]["total_p95"],
            "times_winnow": 1.0,
        }
        out += [(f"{h['home']}, {name}", figures) for name, figures in {"Winnow": own, **h["peers"]}.items()]
    return out


def strategies(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Each row with its name."""
    return [(f"{row['vectors']}, {row['messages']}, {row['strategy']}", row) for row in rows]
