"""Follow-ups about recipes: how often the recipe comes first.

Looked up are the words as said, as rewritten, and as they would be said in full.

    python -m benchmarks.followups RECIPES

RECIPES is a .jsonl file of {"id", "title", "text"} or a folder of Markdown recipes. They are not part of
this repository. Get them with ``git clone https://github.com/Anduin2017/HowToCook`` (Unlicense) and name
its folder ``dishes``. Conversations are made by the templates below, the same ones every time.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from winnow.retrieve.bm25 import LexicalIndex
from winnow.types.utterance import Turn
from winnow.understand.rewrite.rewrite import rewrite

SOURCE = "git clone https://github.com/Anduin2017/HowToCook (folder dishes)"
OPENINGS = (
    "{dish}怎么做",
    "教我做{dish}",
    "{dish}的做法",
    "我想做{dish}",
    "请问{dish}怎么做啊",
    "今晚想吃{dish}，怎么弄",
)
FOLLOW_UPS = (
    ("pronoun", "这个要放多少盐", "{dish}要放多少盐"),
    ("pronoun", "那它要准备什么食材", "那{dish}要准备什么食材"),
    ("pronoun", "这道菜难不难", "{dish}难不难"),
    ("pronoun", "它的热量高吗", "{dish}的热量高吗"),
    ("pronoun", "做这个要多长时间", "做{dish}要多长时间"),
    ("ellipsis", "第二步要多久", "{dish}第二步要多久"),
    ("ellipsis", "可以不放糖吗", "{dish}可以不放糖吗"),
    ("ellipsis", "要准备哪些材料", "{dish}要准备哪些材料"),
    ("ellipsis", "大概要煮多久", "{dish}大概要煮多久"),
    ("ellipsis", "能放冰箱吗", "{dish}能放冰箱吗"),
    ("ellipsis", "没有烤箱行吗", "{dish}没有烤箱行吗"),
    ("other", "那{dish}呢", "{dish}怎么做"),
    ("corrected", "不对，我说的是{dish}", "{dish}怎么做"),
    ("ordinal", "第二个怎么做", "{dish}怎么做"),
    ("ordinal", "最后一个要放多少油", "{dish}要放多少油"),
    ("earlier", "上一道菜要多少水", "{dish}要多少水"),
)
"""Kind, what is said, and what it means."""
THANKS = (Turn("user", "好的谢谢"), Turn("assistant", "不客气，还想知道什么？"))


@dataclass(frozen=True, slots=True)
class Recipe:
    """One document."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """A follow-up and the number of the recipe that answers it."""

    kind: str
    history: tuple[Turn, ...]
    said: str
    meant: str
    recipe: int


def recipes(path: Path) -> list[Recipe]:
    """Every recipe of a file or folder."""
    if path.is_dir():
        files = sorted(p for p in path.rglob("*.md") if "template" not in p.parts)
        return [Recipe(p.stem, p.read_text("utf-8")) for p in files]
    return [
        Recipe(row["title"], row["text"]) for row in map(json.loads, path.read_text("utf-8").splitlines())
    ]


def talks(known: Sequence[Recipe], seed: int = 0) -> Iterator[Talk]:
    """Two conversations about every recipe whose name occurs once, some after talk about another one."""
    chance = random.Random(seed)
    titles = [recipe.title for recipe in known]
    named = [
        i
        for i, title in enumerate(titles)
        if titles.count(title) == 1 and re.fullmatch(r"[\u4e00-\u9fff]{2,8}", title)
    ]
    for i in named:
        for kind, said, meant in chance.sample(FOLLOW_UPS, 2):
            other = chance.choice(
                [j for j in named if titles[j] not in titles[i] and titles[i] not in titles[j]]
            )
            history = _history(kind, i, other, known, chance)
            yield Talk(kind, history, said.format(dish=titles[i]), meant.format(dish=titles[i]), i)


def _history(
    kind: str, i: int, other: int, known: Sequence[Recipe], chance: random.Random
) -> tuple[Turn, ...]:
    mine, others = _asked(known[i], chance), _asked(known[other], chance)
    if kind == "ordinal":
        names = [known[other].title, known[i].title]
        told = chance.choice(("推荐{0}、{1}。", "1. {0}\n2. {1}", "可以试试{0}和{1}")).format(*names)
        return Turn("user", "晚上做什么菜好"), Turn("assistant", told)
    if kind in ("other", "corrected"):
        return Turn("user", f"{known[other].title}怎么做"), others[1]
    if kind == "earlier":
        return *mine, *others
    before = others if chance.random() < 0.4 else ()
    return *before, *mine, *(THANKS if chance.random() < 0.3 else ())


def _asked(recipe: Recipe, chance: random.Random) -> tuple[Turn, Turn]:
    """The question for a recipe and the start of an answer: its first steps."""
    steps = re.findall(r"(?m)^(?:\d+\.|[-*])\s*(.+)$", recipe.text.rpartition("## 操作")[2])
    told = "\n".join(f"{n}. {step}" for n, step in enumerate(steps[:5], 1)) or recipe.text[:200]
    return Turn("user", chance.choice(OPENINGS).format(dish=recipe.title)), Turn("assistant", told)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; without recipes, say where to get them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recipes", type=Path)
    parser.add_argument("--failures", type=int, default=0, help="how many wrong ones are shown")
    options = parser.parse_args(argv)
    if not options.recipes.exists():
        print(f"skipped: no recipes at {options.recipes}. Get them: {SOURCE}")
        return 0
    known = recipes(options.recipes)
    _report(known, list(talks(known)), options.failures)
    return 0


def _report(known: Sequence[Recipe], asked: Sequence[Talk], shown: int) -> None:
    index = LexicalIndex.build([f"{r.title}\n{r.title}\n{r.text}" for r in known])
    took, texts = [], []
    for talk in asked:
        start = perf_counter()
        texts.append(rewrite(talk.said, talk.history).query)
        took.append((perf_counter() - start) * 1000)
    wrong = [
        (talk, text) for talk, text in zip(asked, texts, strict=True) if not _first(index, text, talk.recipe)
    ]
    print(f"{'':10} {'n':>5} {'said':>7} {'rewritten':>10} {'meant':>7}   R@1")
    for kind in ("all", *dict.fromkeys(talk.kind for talk in asked)):
        rows = [(talk, text) for talk, text in zip(asked, texts, strict=True) if kind in ("all", talk.kind)]
        shares = [
            np.mean([_first(index, q(t, x), t.recipe) for t, x in rows])
            for q in (lambda t, _: t.said, lambda _, x: x, lambda t, _: t.meant)
        ]
        print(f"{kind:10} {len(rows):>5} {shares[0]:>7.3f} {shares[1]:>10.3f} {shares[2]:>7.3f}")
    print(f"rewriting took {np.median(took):.2f} ms, 95 of 100 under {np.percentile(took, 95):.2f} ms")
    for talk, text in wrong[:shown]:
        before = [t.content[:40] for t in talk.history]
        print(f"  {talk.kind}: {before} {talk.said} -> {text}, meant {talk.meant}")


def _first(index: LexicalIndex, query: str, recipe: int) -> bool:
    return int(np.argmax(index.scores(query))) == recipe


if __name__ == "__main__":
    raise SystemExit(main())
