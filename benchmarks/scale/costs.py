"""What a tenant costs, reckoned from what was measured: the tables of ``docs/cost-model.md``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks import places, tables

USERS = (10_000, 100_000, 1_000_000, 10_000_000)
GB, MILLION, DAY_MS = 1e9, 1e6, 86_400_000
BAND = ("persons", "first_cpu_p50", "first_cpu_p95", "again_cpu_p50", "again_cpu_p95")
KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True, slots=True)
class Habits:
    """What is assumed of persons; whoever knows better puts in other numbers."""

    messages: int = 100
    """Of a person."""
    questions: float = 2.0
    """That reach the history, a day."""
    first: float = 0.5
    """Share of questions that meet a history which is not open."""
    here: float = 0.02
    """Share of persons whose histories are open at one time."""
    dimension: int = 1024
    """Numbers in a vector of the model."""
    peak: float = 5.0
    """The busiest minute against the mean."""


@dataclass(frozen=True, slots=True)
class Constants:
    """What was measured."""

    text: float
    """Bytes of a message's text."""
    store: Mapping[str, float]
    """Kind of database -> bytes of a message in it, keys and indexes included."""
    vector: Mapping[str, float]
    """Kind of database -> bytes of a stored vector beside its numbers."""
    index: float
    """Bytes of a message in an open history."""
    beside: int
    """Megabytes a process grows by beside open histories: what texts were read to be, and vectors."""
    cache: int
    """Bytes of a vector in memory beside its numbers."""
    tokens: float
    """Of a text."""
    distinct: float
    """Texts a message, 0..1: what was said before is not embedded again."""
    batch: float
    """Texts of one request."""
    per_second: Mapping[str, float]
    """Kind of database -> texts a second that two workers store, by the table."""
    first: float
    """Milliseconds of a processor for a first question, on average."""
    again: float
    """The same for a further one; at the median."""


def measured(data: Mapping[str, Any]) -> Constants:
    """The constants in the kept result."""
    from winnow.adapters.models.vector_cache import ENTRY_OVERHEAD_BYTES

    fill, asked = data["fill"], data["ask"]["postgresql store"]
    one = fill["postgresql"]
    return Constants(
        data["load"]["text_bytes"],
        {kind: data["load"][f"{kind} store"]["bytes_per_message"] for kind in KINDS},
        {kind: round(fill[kind]["bytes_per_vector"] - fill[kind]["numbers_per_vector"]) for kind in KINDS},
        round(asked["held_bytes"] / asked["held_messages"]),
        _beside(data["bound"]["sqlite store"]),
        ENTRY_OVERHEAD_BYTES,
        one["tokens_per_text"],
        round(one["texts"] / one["messages"], 3),
        round(one["server"][-1]["made"] / one["server"][-1]["calls"], 1),
        {kind: fill[kind]["table"][-1]["texts_per_second"] for kind in KINDS},
        asked["all"]["first_cpu_mean"],
        asked["all"]["again_cpu_mean"],
    )


def _beside(bound: Mapping[str, int]) -> int:
    grown = bound["rss_after"] - bound["rss_before"]
    return round((grown - bound["held_bytes"]) / MILLION)


def cost(users: int, known: Constants, habits: Habits | None = None) -> dict[str, float]:
    """What so many users of PostgreSQL take: see the formulas of the page."""
    habits = habits or Habits()
    messages = users * habits.messages
    texts = messages * known.distinct
    numbers = 4 * habits.dimension
    asked = users * habits.questions
    ms = habits.first * known.first + (1 - habits.first) * known.again
    return {
        "users": users,
        "messages": messages,
        "messages_gb": messages * known.store["postgresql"] / GB,
        "vectors_gb": texts * (numbers + known.vector["postgresql"]) / GB,
        "tokens_m": texts * known.tokens / MILLION,
        "calls": texts / known.batch,
        "open_gb": users * habits.here * habits.messages * (known.index + numbers) / GB,
        "cores": asked * ms / DAY_MS * habits.peak,
    }


WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "constant": ("what", "measured"),
        "text": "bytes of a message's text (UTF-8)",
        "store": "bytes of a message in the store, keys and indexes included: {0}",
        "vector": "bytes of a stored vector beside its numbers: {0}",
        "index": "bytes of a message in an open history",
        "beside": "megabytes a process grows by beside open histories",
        "cache": "bytes of a vector in memory beside its numbers",
        "tokens": "tokens of a text",
        "distinct": "texts that differ, of a hundred messages",
        "batch": "texts of one request",
        "per_second": "texts a second that two workers look up, embed by the built-in table and store: {0}",
        "first": "milliseconds of a processor for a first question, on average",
        "again": "milliseconds of a processor for a further question, on average",
        "band": ("messages of a person", "persons", "first p50", "first p95", "again p50", "again p95"),
        "costs": (
            "users",
            "messages",
            "messages, GB",
            "vectors, GB",
            "tokens, million",
            "requests",
            "open histories, GB",
            "processors at the peak",
        ),
        "bands": "{0} to {1}",
    },
    "zh": {
        "constant": ("项目", "测得"),
        "text": "一条消息文字的字节数（UTF-8）",
        "store": "一条消息在存储里的字节数，含键和索引：{0}",
        "vector": "一个存下的向量除数值以外的字节数：{0}",
        "index": "一条消息在已打开历史里的字节数",
        "beside": "除打开的历史以外进程增长的兆字节数",
        "cache": "一个向量在内存里除数值以外的字节数",
        "tokens": "一段文字的词元数",
        "distinct": "一百条消息里不同的文字数",
        "batch": "一次请求的文字数",
        "per_second": "两个工作进程每秒查找、用内置词表嵌入并存下的文字数：{0}",
        "first": "第一次提问平均占用处理器的毫秒数",
        "again": "再次提问平均占用处理器的毫秒数",
        "band": ("一个人的消息数", "人数", "首次 p50", "首次 p95", "再次 p50", "再次 p95"),
        "costs": (
            "用户",
            "消息",
            "消息，GB",
            "向量，GB",
            "词元，百万",
            "请求",
            "打开的历史，GB",
            "高峰时的处理器",
        ),
        "bands": "{0} 到 {1}",
    },
}


def page_tables(language: str) -> dict[str, str]:
    """Marker -> table of the kept result; none where nothing is kept."""
    data = places.result("scale")
    if not {"load", "ask", "bound", "fill"} <= data.keys():
        return {}
    known, said = measured(data), WORDS[language]
    return {
        "constants": tables.markdown(said["constant"], _constants(known, said)),
        "questions": tables.markdown(said["band"], _bands(data["ask"], said)),
        "costs": tables.markdown(said["costs"], [_shown(cost(users, known)) for users in USERS]),
    }


def _constants(known: Constants, said: Mapping[str, Any]) -> list[list[str]]:
    rows: list[tuple[str, float]] = [("text", known.text)]
    rows += [(f"store {kind}", value) for kind, value in known.store.items()]
    rows += [(f"vector {kind}", value) for kind, value in known.vector.items()]
    rows += [
        ("index", known.index),
        ("beside", known.beside),
        ("cache", known.cache),
        ("tokens", known.tokens),
    ]
    rows += [("distinct", 100 * known.distinct), ("batch", known.batch)]
    rows += [(f"per_second {kind}", value) for kind, value in known.per_second.items()]
    rows += [("first", known.first), ("again", known.again)]
    return [[_named(name, said), _number(value)] for name, value in rows]


def _named(name: str, said: Mapping[str, Any]) -> str:
    name, _, kind = name.partition(" ")
    return str(said[name]).format(KINDS.get(kind, ""))


def _bands(asked: Mapping[str, Any], said: Mapping[str, Any]) -> list[list[str]]:
    """Milliseconds of a processor on PostgreSQL."""
    bands = asked["postgresql store"]["by_size"]
    highs = [int(name.removeprefix("up to ")) for name in bands]
    lows = [1, *(high + 1 for high in highs)]
    return [
        [
            said["bands"].format(low, high),
            *(_number(found[name]) for name in BAND),
        ]
        for low, high, found in zip(lows, highs, bands.values(), strict=False)
    ]


def _shown(costs: Mapping[str, float]) -> list[str]:
    return [_number(value) for value in costs.values()]


def _number(value: float) -> str:
    """With as many digits as mean something."""
    if isinstance(value, int) or value >= 100:
        return f"{round(value):,}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"
