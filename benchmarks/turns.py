"""``python -m benchmarks.turns``: what understanding a turn costs with ten messages before it: intent and standalone query, by rules.

Each talk is told once, with its own things and in its own order, so that no cache of an earlier one helps.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, thread_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that it runs as a file, as a module and in tests

from benchmarks import places
from benchmarks.scoring import percentile
from winnow.types.dialogue import Turn
from winnow.understand.intent import intent_of
from winnow.understand.rewrite import rewrite

TALKS = 400
THINGS = {
    "zh": (
        "糖醋排骨",
        "番茄炖牛腩",
        "葱油拌面",
        "洗碗机",
        "扫地机器人",
        "平江路",
        "城南旧书店",
        "空气炸锅",
        "山药排骨汤",
        "蓝莓慕斯",
        "露营帐篷",
        "折叠自行车",
    ),
    "en": (
        "leek tart",
        "beef stew",
        "rye loaf",
        "dishwasher",
        "robot vacuum",
        "old harbour",
        "book shop",
        "air fryer",
        "oat soup",
        "folding bike",
    ),
}
ASKED = {
    "zh": ("{}怎么做", "{}要多久", "推荐一个{}", "{}多少钱", "{}适合几个人", "想了解一下{}"),
    "en": ("how do I make a {}", "tell me about the {}", "what does a {} cost", "who is the {} for", "find me a {}"),
}
TOLD = {
    "zh": ("{}分三步。1. 先准备材料。2. 中火处理二十分钟。3. 收尾放凉。", "可以看看{}和{}，口碑都不错，价格也合适。", "{}一般要四十分钟左右，人多的时候更久一些。"),
    "en": ("For the {}, prepare everything first, then give it twenty minutes, and let it cool.", "People like the {} and the {}; both are good value.",
           "The {} usually takes forty minutes, and longer when many people come."),
}  # fmt: skip
NOW = {
    "zh": ("这个要放多少盐", "第二步要多久", "那{}呢", "它贵吗", "有没有更便宜的", "好的，谢谢", "谢谢，那还需要准备什么", "{}能不能提前一天做", "第一个怎么样", "我再想想"),
    "en": ("how long does it take", "what about the {}", "is it expensive", "the second one, please", "thanks, got it", "and who made it",
           "can I do that a day early", "does the {} need salt", "tell me more about them", "I will think about it"),
}  # fmt: skip


def talks(language: str, count: int = TALKS, seed: int = 7) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """A turn and the ten messages before it."""
    rng = random.Random(seed)

    def filled(template: str) -> str:
        return template.format(*rng.sample(THINGS[language], 2))

    for n in range(count):
        turns = [
            Turn("user", filled(rng.choice(ASKED[language]))) if i % 2 == 0 else Turn("assistant", filled(rng.choice(TOLD[language])))
            for i in range(10)
        ]
        yield filled(NOW[language][n % len(NOW[language])]), tuple(turns)


def cost(language: str) -> dict[str, float]:
    """Milliseconds of intent, of rewriting where it is needed, and of both: median and 95th of a hundred, and both in CPU time."""
    spent: dict[str, list[float]] = {"intent": [], "rewrite": [], "both": [], "cpu": []}
    for n, (text, history) in enumerate(talks(language)):
        cpu, start = thread_time(), perf_counter()
        intent = intent_of(text, history)
        between = perf_counter()
        if intent.need_retrieval:
            rewrite(text, history)
        end = perf_counter()
        if n >= 10:  # the first ones load dictionaries and weights
            spent["intent"].append((between - start) * 1000)
            spent["rewrite"] += [(end - between) * 1000] if intent.need_retrieval else []
            spent["both"].append((end - start) * 1000)
            spent["cpu"].append((thread_time() - cpu) * 1000)
    return {f"{name}_{p}": round(percentile(values, share), 2) for name, values in spent.items() for p, share in (("p50", 50), ("p95", 95))}


def main() -> None:
    from rich.console import Console
    from rich.table import Table

    found = {language: cost(language) for language in ("zh", "en")}
    places.keep("turns", {"talks": TALKS, "ms": found})
    table = Table(title="milliseconds a turn, ten messages before it", title_justify="left")
    for name in ("", *found["zh"]):
        table.add_column(name)
    for language, row in found.items():
        table.add_row(language, *(f"{value:.2f}" for value in row.values()))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
