"""``python -m benchmarks.turns``: what understanding a turn costs with ten messages before it.

Measured are intent and standalone query, by rules. Each talk is told once, with its own things and in its own
order, so that no cache of an earlier one helps.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter, thread_time

import yaml

from benchmarks import places
from benchmarks.scoring import percentile
from winnow.types.utterance import Turn
from winnow.understand.intent.classify import intent_of
from winnow.understand.rewrite.rewrite import rewrite

TALKS = 400
WORDS = yaml.safe_load((places.DATA / "turns.yaml").read_text("utf-8"))


def talks(language: str, count: int = TALKS, seed: int = 7) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """A turn and the ten messages before it."""
    rng = random.Random(seed)

    def filled(template: str) -> str:
        return template.format(*rng.sample(WORDS["things"][language], 2))

    for n in range(count):
        turns = [
            Turn(
                "assistant" if i % 2 else "user",
                filled(rng.choice((WORDS["told"] if i % 2 else WORDS["asked"])[language])),
            )
            for i in range(10)
        ]
        yield filled(WORDS["now"][language][n % len(WORDS["now"][language])]), tuple(turns)


def cost(language: str) -> dict[str, float]:
    """Milliseconds of intent, of rewriting where it is needed, and of both.

    Median and 95th of a hundred, and both in CPU time.
    """
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
    return {
        f"{name}_{p}": round(percentile(values, share), 2)
        for name, values in spent.items()
        for p, share in (("p50", 50), ("p95", 95))
    }


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
