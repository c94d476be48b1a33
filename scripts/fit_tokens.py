"""Fit what ``estimate_tokens`` counts by to the exact counts of ``rs-bpe``, write it, and print the error.

    python scripts/fit_tokens.py [--write] KIND=FILE...

KIND is what a file holds: zh, en, code, json or mixed. Of ``.jsonl`` files the texts of the rows are prose,
or for json the rows themselves. Each file is cut into pieces of 100 to 1,500 characters; for mixed, pieces of
the others are put together as well. A fourth of the pieces, by a digest, is held out and only measured.
``--write`` makes src/winnow/language/vocabulary/*.json and src/winnow/language/estimate.yaml.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml
from rs_bpe.bpe import openai

from winnow.language.token_estimate import HAN, PARTS, Kind, features, kind_of

HERE = Path(__file__).parents[1] / "src/winnow/language"
VOCABULARIES: Mapping[str, tuple[Any, int]] = {
    "o200k": (openai.o200k_base(), 199_998),
    "cl100k": (openai.cl100k_base(), 100_256),
}
FREQUENT, CHINESE = 30_000, 3_000
"""Tokens of the vocabulary that are looked at, most frequent first, and Chinese ones that are taken."""
PER_FILE, PER_KIND, JOINED = 60, 2_500, 500
"""Pieces at most of one file and of one kind, and pieces that are put together."""
RIDGE = 1e-6
TEXTS = ("title", "text", "content")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """Pieces of texts as what is counted in them, with their exact counts."""

    said: list[str]
    """What the files were said to hold."""
    kinds: list[Kind]
    rows: Floats
    tokens: Floats
    held_out: npt.NDArray[np.bool_]

    def fitted(self, kind: Kind) -> Floats:
        """The weights with the least relative error on the texts of that kind, as the estimator sees them."""
        chosen = ~self.held_out & np.array([k == kind for k in self.kinds])
        rows = self.rows[chosen] / self.tokens[chosen, None]
        weights: Floats = np.linalg.solve(rows.T @ rows + RIDGE * len(rows) * np.eye(len(PARTS)), rows.sum(0))
        return weights

    def error(self, weights: Mapping[Kind, Floats], said: str) -> str:
        """The error on the held-out pieces of files that were said to hold that."""
        chosen = [n for n in np.flatnonzero(self.held_out) if self.said[n] == said]
        told = np.array([max(1, round(float(self.rows[n] @ weights[self.kinds[n]]))) for n in chosen])
        error = np.abs(told - self.tokens[chosen]) / self.tokens[chosen]
        high, mean = 100 * np.quantile(error, 0.95), 100 * error.mean()
        return f"{said} {high:.1f} (mean {mean:.1f}, {len(chosen)} pieces)"


def vocabulary(name: str) -> dict[str, list[str]]:
    """The frequent tokens of a vocabulary, whose numbers go by their frequency, by what they are."""
    found: dict[str, dict[str, None]] = {key: {} for key in ("words", "joined", "marks", "han", "signs")}
    for number, token in tokens(name):
        if re.fullmatch(f"[{HAN}]{{2,5}}", token) and len(found["han"]) < CHINESE:
            found["han"][token] = None
        if len(token) == 1 and not token.isascii():
            found["signs"][token] = None
        if number < FREQUENT and (of := what(token)):
            found[of][token.strip(" ").lower() if of == "words" else token.lower()] = None
    return {key: sorted(values) for key, values in found.items()}


def what(token: str) -> str:
    """Where a frequent token belongs; empty: nowhere."""
    if re.fullmatch(r" *[A-Za-z]{2,14}", token):
        return "words"
    if token.isascii() and re.fullmatch(r"[^ A-Za-z0-9\n][A-Za-z]{2,12}", token):
        return "joined"
    return "marks" if re.fullmatch(r"(?=.{2,7}$) ?[!-/:-@\[-`{-~]+[\r\n]*", token, re.DOTALL) else ""


def tokens(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of those tokens that are whole texts."""
    tokenizer, size = VOCABULARIES[name]
    for number in range(size):
        text = tokenizer.decode([number])
        if text and "\ufffd" not in text:
            yield number, text


def pieces(given: Sequence[tuple[str, Path]], rng: random.Random) -> dict[str, list[str]]:
    """The pieces of all files by what they hold."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for said, path in given:
        by_kind[said] += cut(text_of(said, path), rng)
    for found in by_kind.values():
        rng.shuffle(found)
        del found[PER_KIND:]
    for _ in range(JOINED):
        by_kind["mixed"].append("\n".join(some_of(by_kind, rng) for _ in range(rng.randint(2, 4))))
    return by_kind


def some_of(by_kind: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    """A stretch of a piece of any other kind."""
    piece = rng.choice(by_kind[rng.choice([kind for kind in by_kind if kind != "mixed"])])
    start = rng.randint(0, max(0, len(piece) - 60))
    return piece[start : start + rng.randint(60, 400)]


def text_of(said: str, path: Path) -> str:
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        return "\n".join(compact(row) if said == "json" else prose(row) for row in rows)
    return compact(json.loads(text)) + text if path.suffix == ".json" else text


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def prose(row: Mapping[str, Any]) -> str:
    return "\n".join(str(row[name]) for name in TEXTS if row.get(name))


def cut(text: str, rng: random.Random) -> list[str]:
    """Pieces from all over a text."""
    found = []
    while len(text) >= 100:
        size = rng.randint(100, 1500)
        found.append(text[:size])
        text = text[size:]
    rng.shuffle(found)
    return [piece for piece in found if len(piece) >= 100][: PER_FILE if len(found) < 400 else 10 * PER_FILE]


def measured(by_kind: Mapping[str, Sequence[str]], name: str) -> Measured:
    """All pieces counted, by the vocabulary and by the estimator's parts."""
    said = [(kind, piece) for kind, found in by_kind.items() for piece in found]
    rows = [features(piece, name) for _, piece in said]
    return Measured(
        [kind for kind, _ in said],
        [kind_of(row) for row in rows],
        np.array(rows, float),
        np.array([VOCABULARIES[name][0].count(piece) for _, piece in said], float),
        np.array([is_held_out(piece) for _, piece in said]),
    )


def is_held_out(piece: str) -> bool:
    """A fourth of all pieces, the same ones each time."""
    return blake2b(piece.encode("utf-8", "replace"), digest_size=1).digest()[0] % 4 == 0


HEAD = """\
# Worth of each part in tokens, for each kind of text (estimate.py); made by scripts/fit_tokens.py.
# In percent, the error that 95 in 100 held-out pieces of 100 to 1,500 characters stay below:
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="+", metavar="KIND=FILE")
    asked = parser.parse_args()
    given = [(said, Path(path)) for said, path in (one.split("=", 1) for one in asked.files)]
    by_kind = pieces(given, random.Random(0))
    told, head = {}, HEAD
    for name in VOCABULARIES:
        if asked.write:
            words = json.dumps(vocabulary(name), ensure_ascii=False)
            (HERE / "vocabulary" / f"{name}.json").write_text(words, "utf-8")
        seen = measured(by_kind, name)
        weights: dict[Kind, Floats] = {kind: seen.fitted(kind) for kind in sorted(set(seen.kinds))}
        errors = ", ".join(seen.error(weights, said) for said in by_kind)
        print(f"{name}: {errors}")
        head += f"# {name}: {errors}\n"
        told[name] = {
            kind: dict(zip(PARTS, found.round(3).tolist(), strict=True)) for kind, found in weights.items()
        }
    if asked.write:
        data = yaml.safe_dump(told, sort_keys=False, default_flow_style=None, width=140)
        (HERE / "estimate.yaml").write_text(head + data, "utf-8")


if __name__ == "__main__":
    main()
