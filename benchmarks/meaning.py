"""How well embedders know meaning: paraphrases and commands said otherwise, Chinese, English and across.

    python -m benchmarks.meaning                     the embedders of the package
    python -m benchmarks.meaning --table FOLDER      another table of the static embedder
    python -m benchmarks.meaning --check             fails unless the figures are those kept, within two
    points

Every figure is hit@1 in percent: how often the nearest text is the right one. A paraphrase is sought among
all other texts of its file; a
command, said otherwise or in the other language, among the names of all commands. ``chance`` is what guessing
gets.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from benchmarks import places
from winnow.adapters.models.embedders import HashingEmbedder, StaticEmbedder
from winnow.ports.services import Embedder
from winnow.retrieve.bm25 import LexicalIndex

DATA = places.DATA / "meaning"
TOLERANCE = 2.0
"""Points by which a table trained anew may differ."""
LANGUAGES = ("zh", "en")
SHORT_TEXTS = 20_000
Figures = dict[str, float]
Scores = npt.NDArray[np.float32]
Nearness = Callable[[Sequence[str], Sequence[str]], Scores]
"""(asked, offered) -> how near each asked text is to each offered one."""


def pairs(language: str) -> list[list[str]]:
    """The paraphrases of a language, two texts each."""
    return [line.split("\t") for line in (DATA / f"pairs.{language}.tsv").read_text("utf-8").splitlines()]


def commands() -> list[dict[str, Any]]:
    """Sixty commands: ``zh``, ``en`` and what else is ``said``, by language."""
    rows: list[dict[str, Any]] = yaml.safe_load((DATA / "commands.yaml").read_text("utf-8"))
    return rows


def by_words(asked: Sequence[str], offered: Sequence[str]) -> Scores:
    """How near texts are by the words they have in common (BM25): no vectors at all."""
    index = LexicalIndex.build(offered)
    return np.array([index.scores(text) for text in asked], np.float32)


def by_vectors(embedder: Embedder) -> Nearness:
    """How near texts are by the cosine of their vectors."""
    return lambda asked, offered: np.asarray(embedder.embed(asked) @ embedder.embed(offered).T, np.float32)


def figures(near: Nearness) -> Figures:
    """All figures of one way to compare texts."""
    rows = commands()
    out = {f"paraphrases {language}": _paraphrases(near, pairs(language)) for language in LANGUAGES}
    for language in LANGUAGES:
        said = [(text, n) for n, row in enumerate(rows) for text in row["said"][language]]
        out[f"commands {language}"] = _named(near, said, [row[language] for row in rows])
    for asked, named in (("en", "zh"), ("zh", "en")):
        names = [row[named] for row in rows]
        said = [(text, n) for n, row in enumerate(rows) for text in row["said"][asked]]
        out[f"names {asked}->{named}"] = _named(near, [(row[asked], n) for n, row in enumerate(rows)], names)
        out[f"commands {asked}->{named}"] = _named(near, said, names)
    return out


def _paraphrases(near: Nearness, rows: Sequence[Sequence[str]]) -> float:
    texts = [text for row in rows for text in row]
    scores = near(texts, texts)
    np.fill_diagonal(scores, -2)
    other = np.arange(len(scores)) ^ 1
    return _share(scores, other)


def _named(near: Nearness, said: Sequence[tuple[str, int]], names: Sequence[str]) -> float:
    return _share(near([text for text, _ in said], names), np.array([n for _, n in said]))


def _share(scores: Scores, right: np.ndarray[Any, Any]) -> float:
    """Percent of rows whose right column alone has the highest score: a tie is no hit."""
    rows = np.arange(len(scores))
    best = scores[rows, right].copy()
    scores[rows, right] = -3
    return round(100 * float((best > scores.max(axis=1)).mean()), 1)


def chance() -> Figures:
    """What guessing gets."""
    names = 100 / len(commands())
    return {
        name: round(100 / (2 * len(pairs(name[-2:])) - 1) if name.startswith("para") else names, 1)
        for name in figures(by_words)
    }


def cost(folder: Path | None) -> Figures:
    """What an embedder costs.

    Seconds to load, MiB of memory that loading and embedding take, short texts a second on one core, MB of
    files.
    """
    before = _resident()
    start = time.perf_counter()
    embedder = StaticEmbedder(folder) if folder else StaticEmbedder()
    embedder.embed(["灯"])
    loaded = time.perf_counter() - start
    texts = list(chain.from_iterable(pairs("zh") + pairs("en")))
    texts = (texts * (SHORT_TEXTS // len(texts) + 1))[:SHORT_TEXTS]
    start = time.thread_time()
    embedder.embed(texts)
    rate = SHORT_TEXTS / (time.thread_time() - start)
    size = sum(path.stat().st_size for path in embedder.files)
    return {
        "load s": round(loaded, 3),
        "memory MiB": round(_resident() - before, 1),
        "texts a second": round(rate),
        "files MB": round(size / 1e6, 2),
    }


def _resident() -> float:
    """The most memory this process has held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


def main() -> None:
    """Measure and print; keep the figures of the package's own table, or compare with those kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, help="folder of another table")
    parser.add_argument(
        "--check", action="store_true", help="compare with the figures that are kept, and write nothing"
    )
    options = parser.parse_args()
    spent = cost(options.table)
    static = StaticEmbedder(options.table) if options.table else StaticEmbedder()
    columns = {
        "chance": chance(),
        "words": figures(by_words),
        "hashing": figures(by_vectors(HashingEmbedder())),
        "static": figures(by_vectors(static)),
    }
    print(f"{'hit@1, %':20s}" + "".join(f"{name:>10s}" for name in columns))
    for name in columns["static"]:
        print(f"{name:20s}" + "".join(f"{column[name]:10.1f}" for column in columns.values()))
    print("  ".join(f"{name}: {value}" for name, value in spent.items()))
    if options.check:
        kept = places.result("meaning")["hit@1"]["static"]
        worse = [name for name, value in columns["static"].items() if value < kept[name] - TOLERANCE]
        sys.exit(f"Worse than kept: {', '.join(worse)}" if worse else 0)
    if not options.table:
        places.keep("meaning", {"table": static.version, "hit@1": columns})


if __name__ == "__main__":
    main()
