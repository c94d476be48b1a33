"""How much of a fixed sample may break the law: what does now, and what is to be reached."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tests.scenarios.transform.frames import LANGUAGES
from tests.scenarios.transform.judge import kinds, outcome, sample

from winnow.language.tables import parse_yaml

KEPT = Path(__file__).resolve().parent / "limits.yaml"


@cache
def limits() -> Any:
    """``sample``: sentences a kind; ``goal``: percent by law; ``now``: percent by kind and language."""
    return parse_yaml(KEPT.read_text("utf-8"))


def measured(kind: str, language: str, count: int) -> float:
    """Percent of the sample that breaks the law."""
    found = [one for row in sample(kind, language, count) if (one := outcome(row)) is not None]
    return round(100 * sum(one.bad for one in found) / max(1, len(found)), 1)


def keep() -> None:
    """Write the figures of today beside the goals."""
    count = limits()["sample"]
    rows = [
        f"  {kind}: {{" + ", ".join(f"{lang}: {measured(kind, lang, count)}" for lang in LANGUAGES) + "}"
        for _, kind in kinds()
    ]
    head = KEPT.read_text("utf-8").partition("now:")[0]
    KEPT.write_text(head + "now:\n" + "\n".join(rows) + "\n", "utf-8")
