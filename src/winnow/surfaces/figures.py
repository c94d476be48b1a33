"""The figures of turns: of one in lines, of all that were counted in lines and as Prometheus reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from winnow.say.messages import message
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.feedback import Total
from winnow.types.metrics import Metrics, Statement

LONG = 120
"""Characters of a statement that are printed."""
SHARES = ("relevance", "coverage", "utilisation", "completeness", "support")


def figure_lines(metrics: Metrics) -> Iterator[str]:
    """``relevance 0.62  coverage 0.90 (not: garage)``, then each statement of an answer."""
    if not metrics.data:
        return
    known = ((name, getattr(metrics, name)) for name in SHARES)
    shares = "  ".join(f"{name} {share:.2f}" for name, share in known if share is not None)
    left = f"  (not covered: {', '.join(map(encode, metrics.uncovered))})" if metrics.uncovered else ""
    yield f"{metrics.data} of {metrics.tokens} tokens are data  {shares}{left}"
    yield from map(_statement, metrics.statements)


def _statement(said: Statement) -> str:
    verdict = "+" if said.supported else "-"
    place = f"{said.by.kind}:{encode(said.by.id)}" if said.by else "nowhere"
    lacking = f", not there: {', '.join(map(encode, said.missing))}" if said.missing else ""
    return f"   {verdict} {said.share:.2f}  {encode(said.text, LONG)}  [{place}{lacking}]"


def total_lines(totals: Mapping[str, Total], language: Language) -> Iterator[str]:
    """How many turns were counted, and the mean of each figure."""
    if not totals:
        return
    yield message("metrics_turns", language, count=totals.get("turns", Total()).count)
    for name, total in totals.items():
        if name != "turns":
            yield f"  {name:24s} {total.mean:10.2f}  ({total.count})"


def prometheus(totals: Mapping[str, Total]) -> str:
    """The totals in the text format of Prometheus (version 0.0.4): a sum and a count of each figure."""
    return "".join(f"{row}\n" for name, total in totals.items() for row in _summary(name, total))


def _summary(name: str, total: Total) -> Iterator[str]:
    """A figure as a summary without quantiles; ``ms recall`` is ``ms`` with the label ``of="recall"``."""
    figure, _, of = name.partition(" ")
    metric = f"winnow_turn_{re.sub('[^a-z_]', '_', figure)}"
    labels = f'{{of="{_escaped(of)}"}}' if of else ""
    yield f"# TYPE {metric} summary"
    yield f"{metric}_sum{labels} {total.sum:.6g}"
    yield f"{metric}_count{labels} {total.count}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
