"""The figures of turns: of one in lines, of all that were counted in lines and as Prometheus reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from winnow.say.messages import message
from winnow.surfaces.caches import escape_label
from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.types.feedback import Total
from winnow.types.metrics import Metrics

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
    for said in metrics.statements:
        verdict = "+" if said.supported else "-"
        place = f"{said.by.kind}:{encode(said.by.id)}" if said.by else "nowhere"
        lacking = f", not there: {', '.join(map(encode, said.missing))}" if said.missing else ""
        yield f"   {verdict} {said.share:.2f}  {encode(said.text, LONG)}  [{place}{lacking}]"


def total_lines(totals: Mapping[str, Total], language: Language) -> Iterator[str]:
    """How many turns were counted, and the mean of each figure."""
    if not totals:
        return
    yield message("metrics_turns", language, count=totals.get("turns", Total()).count)
    for name, total in totals.items():
        if name != "turns":
            yield f"  {name:24s} {total.mean:10.2f}  ({total.count})"


def prometheus(totals: Mapping[str, Total]) -> str:
    """The totals in the text format of Prometheus (version 0.0.4): a summary, without quantiles, of each.

    ``ms recall`` is ``ms`` with the label ``of="recall"``.
    """
    rows = []
    for name, total in totals.items():
        figure, _, of = name.partition(" ")
        metric = f"winnow_turn_{re.sub('[^a-z_]', '_', figure)}"
        labels = f'{{of="{escape_label(of)}"}}' if of else ""
        rows.append(f"# TYPE {metric} summary\n")
        rows.append(f"{metric}_sum{labels} {total.sum:.6g}\n")
        rows.append(f"{metric}_count{labels} {total.count}\n")
    return "".join(rows)
