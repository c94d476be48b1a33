"""Fit the weights of English rewriting on rewritten follow-ups, measured on conversations held out.

    python training/fit_rewrite_en.py FILE...              cross-validate: five folds
    python training/fit_rewrite_en.py FILE... --write      and put the weights fitted on all rows in force

The weights are ``src/winnow/understand/rewrite/en/weights.yaml``; no conversation is in two folds. A row of a
file is ``{"id", "history": [{"role", "content"}], "query", "rewrite"}``, with ``title`` and ``section`` where
the conversation is about a page: then they open the history. For each slot of a query the right choice is the
one that brings the query closest to the rewrite (ROUGE-L, and more for a match of all words). The weights are
those of a softmax over leaving the slot and every phrase. Nothing is random.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
import yaml
from rapidfuzz.distance import LCSseq

from winnow.types.utterance import Turn
from winnow.understand.rewrite.en.rank import SlotChoice, choices
from winnow.understand.rewrite.en.slots import EnglishSlot, EnglishToken, find_slots, tokens
from winnow.understand.rewrite.rewrite import MAX_SLOTS, MAX_TURNS, phrase_in_style, setting

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "src" / "winnow" / "understand" / "rewrite" / "en" / "weights.yaml"
FOLDS = 5
WHOLE = 0.3
"""What a query that says all words of the rewrite in order is worth beyond its ROUGE-L."""
L2 = 8.0
STEPS, RATE = 400, 0.05
RARE = 3
"""Features seen on fewer choices get no weight."""
SMALL = 0.01
Floats = npt.NDArray[np.float64]
Table = Mapping[str, float]


@dataclass(slots=True)
class Row:
    """A follow-up with its slots, the choices of each and what each choice is worth."""

    source: str
    fold: int
    query: str
    rewrite: str
    read: tuple[EnglishToken, ...] = ()
    found: list[EnglishSlot] = field(default_factory=list)
    options: list[list[SlotChoice]] = field(default_factory=list)
    worth: list[Floats] = field(default_factory=list)


def units(text: str) -> list[str]:
    """Words of ``text`` in lower case."""
    return re.findall(r"[a-z0-9']+", text.lower())


def rouge(said: Sequence[str], meant: Sequence[str]) -> float:
    """ROUGE-L of two word lists, 0 to 1."""
    return 2 * LCSseq.similarity(said, meant) / (len(said) + len(meant)) if said and meant else 0.0


def history(case: Mapping[str, Any]) -> list[Turn]:
    """The last turns of a case, behind the title and section of the page it is about."""
    page = [Turn("assistant", case[key]) for key in ("title", "section") if case.get(key)]
    return page + [Turn(t["role"], t["content"]) for t in case["history"]][len(page) - MAX_TURNS :]


def rows(paths: Sequence[Path]) -> Iterator[Row]:
    """The rows of case files; a conversation, which is the id without its last numbers, is in one fold."""
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            talk = re.sub(r"[-_](?:turn)?\d+(?:[-_]\d+)?$", "", case["id"])
            row = Row(path.name.split(".")[0], crc32(talk.encode()) % FOLDS, case["query"], case["rewrite"])
            _weigh_options(row, history(case))
            yield row


def _weigh_options(row: Row, turns: Sequence[Turn]) -> None:
    row.read = tokens(row.query)
    row.found = list(find_slots(row.read))[:MAX_SLOTS] if turns else []
    if not row.found:
        return
    now, meant = setting(row.read, turns), units(row.rewrite)
    for i, slot in enumerate(row.found):
        options = choices(slot, now, row.found[:i])
        said = [units(patched(row, [(slot, option)])) for option in options]
        row.options.append(options)
        row.worth.append(np.array([rouge(s, meant) + WHOLE * (s == meant) for s in said]))


def patched(row: Row, chosen: Sequence[tuple[EnglishSlot, SlotChoice]]) -> str:
    """The query with its slots as chosen."""
    text = row.query
    for slot, choice in reversed(chosen):
        if choice.mention is not None:
            at, end = row.read[slot.start].start, row.read[slot.end - 1].end
            text = text[:at] + phrase_in_style(row.query, row.read, slot, choice.text) + text[end:]
    return text


def named(slot: EnglishSlot, choice: SlotChoice) -> Iterator[tuple[str, float]]:
    """The features of a choice, for all slots and for those of its group."""
    for name, value in choice.features.items():
        yield f"all:{name}", value
        yield f"{slot.group}:{name}", value


def frequent(made: Sequence[Sequence[tuple[str, float]]]) -> list[str]:
    """The features that are not rare."""
    seen = Counter(name for found in made for name, _ in found)
    return sorted(name for name, n in seen.items() if n >= RARE)


class Softmax:
    """The choices of many slots as one sparse matrix, with what is right for each slot."""

    def __init__(self, taught: Sequence[Row]) -> None:
        options = [pair for row in taught for pair in zip(row.found, row.options, strict=True)]
        made = [list(named(slot, choice)) for slot, offered in options for choice in offered]
        self.names = frequent(made)
        self._fill(made)
        self._group([len(offered) for _, offered in options])
        self._teach(np.concatenate([w for row in taught for w in row.worth]))

    def _fill(self, made: Sequence[Sequence[tuple[str, float]]]) -> None:
        """The entries of the matrix: choice, feature, value."""
        index = {name: i for i, name in enumerate(self.names)}
        entries = [
            (at, index[name], value)
            for at, found in enumerate(made)
            for name, value in found
            if name in index
        ]
        at, feature, value = zip(*entries, strict=True)
        self.at, self.feature, self.value = np.array(at), np.array(feature), np.array(value)

    def _group(self, sizes: Sequence[int]) -> None:
        """Where the choices of each slot start, and the slot of each choice."""
        self.start = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        self.slot = np.repeat(np.arange(len(sizes)), sizes)

    def _teach(self, worth: Floats) -> None:
        best, stay = np.maximum.reduceat(worth, self.start), worth[self.start]
        gains = best > stay + 1e-9
        self.right = (worth >= best[self.slot] - 1e-9) & gains[self.slot]
        self.right[self.start] = ~gains
        self.weight = np.where(gains, np.clip((best - stay) * 8, 0.2, 2), 1.0)

    def slope(self, w: Floats) -> Floats:
        """Gradient of the loss: minus the weighted log-likelihood of the right choices, plus L2."""
        scores = np.bincount(self.at, self.value * w[self.feature], len(self.slot))
        scores -= np.maximum.reduceat(scores, self.start)[self.slot]
        likely = np.exp(scores)
        likely /= np.add.reduceat(likely, self.start)[self.slot]
        right = likely * self.right
        right /= np.maximum(np.add.reduceat(right, self.start), 1e-12)[self.slot]
        missed = (likely - right) * self.weight[self.slot]
        return np.bincount(self.feature, self.value * missed[self.at], len(w)) + L2 * w

    def fitted(self) -> dict[str, float]:
        """The weights, by Adam."""
        w = np.zeros(len(self.names))
        mean, square = np.zeros_like(w), np.zeros_like(w)
        for step in range(1, STEPS + 1):
            slope = self.slope(w)
            mean = 0.9 * mean + 0.1 * slope
            square = 0.99 * square + 0.01 * slope * slope
            rate = RATE * (1.0 if step < 0.7 * STEPS else 0.3)
            w -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        return dict(zip(self.names, w.tolist(), strict=True))


def best(row: Row, table: Table) -> str:
    """The query rewritten with the weights of ``table``."""
    chosen = []
    for slot, options in zip(row.found, row.options, strict=True):
        scores = [
            sum(value * table.get(name, 0.0) for name, value in named(slot, option)) for option in options
        ]
        chosen.append((slot, options[int(np.argmax(scores))]))
    return patched(row, chosen)


def report(taken: Sequence[Row], made: Sequence[str], label: str) -> list[str]:
    """One line per source: share of exact matches, ROUGE-L, and complete queries left as they were."""
    lines = []
    for source in dict.fromkeys(row.source for row in taken):
        ours = [pair for pair in zip(taken, made, strict=True) if pair[0].source == source]
        lines.append(f"{label:9s} {source:10s} {_figures(ours)}")
    return lines


def _figures(rewritten: Sequence[tuple[Row, str]]) -> str:
    words = [(units(query), units(row.rewrite), units(row.query)) for row, query in rewritten]
    exact = np.mean([said == meant for said, meant, _ in words])
    close = np.mean([rouge(said, meant) for said, meant, _ in words])
    kept = np.mean([said == asked for said, meant, asked in words if meant == asked])
    return f"EM {exact:.1%}  ROUGE-L {close:.1%}  left as they were {kept:.1%}  of {len(words)}"


def held_out(taken: Sequence[Row]) -> list[str]:
    """Every row rewritten with weights that were fitted without the conversations of its fold."""
    others = ([row for row in taken if row.fold != fold and row.found] for fold in range(FOLDS))
    tables = [Softmax(part).fitted() for part in others]
    return [best(row, tables[row.fold]) for row in taken]


def write(table: Table, figures: Sequence[str]) -> None:
    """Put weights in force."""
    grouped: dict[str, dict[str, float]] = {}
    for name, value in sorted(table.items()):
        if abs(value) >= SMALL:
            group, _, feature = name.partition(":")
            grouped.setdefault(group, {})[feature] = round(value, 3)
    head = "".join(f"#: {line}\n" for line in ["Fitted by training/fit_rewrite_en.py.", *figures])
    TARGET.write_text(head + yaml.safe_dump(grouped, default_flow_style=False), encoding="utf-8")


def main() -> None:
    """Compare and, when asked, write."""
    given = _options()
    taken = list(rows(given.files))
    made = held_out(taken)
    table = Softmax([row for row in taken if row.found]).fitted()
    figures = [
        *report(taken, [row.query for row in taken], "as said"),
        *report(taken, made, "held out"),
        *report(taken, [best(row, table) for row in taken], "all rows"),
    ]
    sys.stdout.write("\n".join(figures) + "\n")
    if given.dump:
        given.dump.write_text(json.dumps(made), encoding="utf-8")
    if given.write:
        write(table, figures)


def _options() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--dump", type=Path, help="where to write the rewritten queries of rows held out")
    return parser.parse_args()


if __name__ == "__main__":
    main()
