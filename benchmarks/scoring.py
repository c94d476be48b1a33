"""Scores predictions against cases: what was decided, what would be called, what was found, what it cost.

A case is a row of a case file, a prediction a row that ``winnow eval devices`` writes. ``docs/evaluation.md``
says what each figure means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from benchmarks.deeds import Row, covered, matching, spelled
from winnow.language.tokens import count_tokens

Figures = dict[str, float | None]
DEPTHS = (1, 5, 10)
"""Places of a shortlist that recall is measured at."""
MOST_CANDIDATES = 5
"""Options up to which a question still leads to the answer."""
NOTHING: Row = {"decision": None, "calls": (), "shortlist": (), "reads": (), "candidates": ()}
RATES = (
    "exact",
    "completed",
    "miscontrol",
    "unneeded_clarify",
    "unneeded_confirm",
    "missed_clarify",
    "clarify_candidates",
    "abstain_right",
    "confirm_right",
    "bulk_coverage",
    "reads_recall",
    *(f"{what}_R@{k}" for what in ("device", "command") for k in DEPTHS),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One case with its prediction, and how its calls compare with each list of calls that is right."""

    case: Row
    answer: Row

    @property
    def gold(self) -> Row:
        """What is expected."""
        expected: Row = self.case["expect"]
        return expected

    @property
    def wants(self) -> str:
        """The decision that is right."""
        return str(self.gold["decision"])

    @property
    def decision(self) -> Any:
        """The decision that was made."""
        return self.answer["decision"]

    @property
    def acts(self) -> bool:
        """Whether something would be done without asking."""
        return self.decision == "act" and bool(self.answer["calls"])

    @property
    def conditional(self) -> bool:
        """Whether the sentence hangs on a condition."""
        return "condition_holds" in self.gold

    @property
    def bulk(self) -> bool:
        """Whether the sentence is about a set."""
        return "bulk" in self.case.get("tags", ())

    def compared(self, also: bool = True) -> list[tuple[int, int, int]]:
        """(done, unwanted, asked) for the expected calls and for each alternative.

        The expected calls are left out where ``also`` is all that is wanted.
        """
        lists = [*([self.gold["calls"]] if also else []), *(self.gold.get("alternatives") or ())]
        optional = self.gold.get("optional") or ()
        return [(*matching(self.answer["calls"], calls, optional), len(calls)) for calls in lists if calls]

    def called_right(self) -> bool:
        """Exactly one of the call lists that are right."""
        return any(done == asked and not unwanted for done, unwanted, asked in self.compared())

    def read_right(self) -> bool:
        """Everything that had to be read was read."""
        return covered(self.answer["reads"], self.gold["reads"])

    def answered(self) -> list[Sequence[Row]]:
        """The lists of readings that are right and were covered."""
        lists = [self.gold["reads"], *(self.gold.get("read_alternatives") or ())]
        return [reads for reads in lists if covered(self.answer["reads"], reads)]


def paired(case: Row, prediction: Row | None) -> Pair:
    """The case with its prediction; none at all counts as an empty one."""
    return Pair(case, {**NOTHING, **{k: v for k, v in (prediction or {}).items() if v is not None}})


def exact(pair: Pair) -> bool:
    """The right decision, and exactly the right calls or readings."""
    made, wants = pair.decision, pair.wants
    if made == "act" and (wants == "act" or pair.gold.get("alternatives")):
        return pair.called_right() and (pair.read_right() or not pair.conditional)
    if made not in {wants, *(pair.gold.get("decision_also") or ())}:
        return False
    if made == "confirm":
        return pair.called_right()
    if made == wants == "query":
        return any(
            _devices(pair.answer["reads"]) == len({r["device"] for r in reads}) for reads in pair.answered()
        )
    return pair.read_right() if pair.conditional and made in ("none", "query") else True


def completed(pair: Pair) -> bool:
    """Exact, or one step from it.

    A question that offers all that is wanted, a reading that includes all that was asked.
    """
    if exact(pair):
        return True
    wanted, offered = _wanted(pair), set(pair.answer["candidates"])
    if pair.decision == "clarify" and pair.wants in ("act", "confirm"):
        return bool(wanted) and len(offered) <= MOST_CANDIDATES and wanted <= offered
    few = _devices(pair.answer["reads"]) <= max(MOST_CANDIDATES, 2 * len(pair.gold["reads"]))
    return pair.decision == pair.wants == "query" and few and bool(pair.answered())


def miscontrol(pair: Pair) -> bool:
    """It acts, and does something nobody wanted, or did not look at a condition that does not hold."""
    if not pair.acts:
        return False
    if pair.wants != "act":
        return all(unwanted for _, unwanted, _ in pair.compared(also=False))
    unread = pair.conditional and not pair.gold["condition_holds"] and not pair.read_right()
    return unread or min((unwanted for _, unwanted, _ in pair.compared()), default=0) > 0


def rates(pair: Pair) -> dict[str, float]:
    """Figure -> 0..1, for the figures that this case has a say in."""
    wants, wrong = pair.wants, miscontrol(pair)
    out: dict[str, float] = {"exact": exact(pair), "completed": completed(pair), "miscontrol": wrong}
    if wants in ("act", "confirm"):
        out["unneeded_clarify"] = pair.decision == "clarify"
    if wants == "act" and "confirm" not in (pair.gold.get("decision_also") or ()):
        out["unneeded_confirm"] = pair.decision == "confirm"
    if wants == "clarify":
        out["missed_clarify"] = wrong
        if offer := set(pair.gold["candidates"]):
            out["clarify_candidates"] = pair.decision == "clarify" and offer <= set(pair.answer["candidates"])
    if wants in ("reject", "none"):
        out["abstain_right"] = not wrong
    if wants == "confirm":
        out["confirm_right"] = pair.decision == "confirm" and pair.called_right()
    if pair.gold["reads"]:
        out["reads_recall"] = _mean([covered(pair.answer["reads"], [r]) for r in pair.gold["reads"]])
    return {**out, **_coverage(pair), **_recall(pair)}


def _coverage(pair: Pair) -> dict[str, float]:
    """Share of a set that the calls reach."""
    if not pair.bulk or not (wanted := _wanted(pair)):
        return {}
    reached = (
        {c.get("device") for c in pair.answer["calls"]} if pair.decision in ("act", "confirm") else set()
    )
    return {"bulk_coverage": len(reached & wanted) / len(wanted)}


def _recall(pair: Pair) -> dict[str, float]:
    """Share of the wanted devices, and of the wanted calls, among the first places of the shortlist."""
    wanted = _wanted(pair) or {r["device"] for r in pair.gold["reads"]}
    if pair.bulk or not wanted or pair.wants not in ("act", "confirm", "query"):
        return {}
    order = list(dict.fromkeys(s.get("device") for s in pair.answer["shortlist"]))
    out = {f"device_R@{k}": len(wanted.intersection(order[:k])) / len(wanted) for k in DEPTHS}
    commands = [s for s in pair.answer["shortlist"] if s.get("command")]
    if pair.gold["calls"] and commands:
        for k in DEPTHS:
            out[f"command_R@{k}"] = _mean(
                [any(_offers(s, call) for s in commands[:k]) for call in pair.gold["calls"]]
            )
    return out


def _offers(place: Row, call: Row) -> bool:
    return (
        place["device"] == call["device"]
        and spelled(place["device"], place["command"], None)[0] in call["commands"]
    )


def _wanted(pair: Pair) -> set[str]:
    return {call["device"] for call in pair.gold["calls"]}


def _devices(reads: Iterable[Row]) -> int:
    return len({r.get("device") for r in reads})


def one_device(case: Row) -> bool:
    """Whether the case asks for one act on one device: the plainest and commonest kind of order."""
    return (
        case["expect"]["decision"] == "act"
        and len({c["device"] for c in case["expect"]["calls"]}) == 1
        and "bulk" not in case["tags"]
    )


def figures(cases: Sequence[Row], predictions: Mapping[str, Row]) -> Figures:
    """All figures of these cases; ``predictions`` by id.

    Rates are percentages with one decimal, None when no case has a say; tokens are of briefings that are not
    empty; ``ms`` is what one
    answer took.
    """
    marked = [rates(paired(case, predictions.get(case["id"]))) for case in cases]
    out: Figures = {"n": len(cases)}
    for name in RATES:
        told = [m[name] for m in marked if name in m]
        out[name] = round(100 * _mean(told), 1) if told else None
    known = [p for case in cases if (p := predictions.get(case["id"]))]
    tokens = [count_tokens(p["context"]) for p in known if p.get("context")]
    ms = [float(p["ms"]) for p in known if p.get("ms") is not None]
    for name, values in (("tokens", tokens), ("ms", ms)):
        out[f"{name}_p50"], out[f"{name}_p95"] = percentile(values, 50), percentile(values, 95)
    out["tokens_mean"] = round(_mean(tokens), 1) if tokens else None
    return out


def percentile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that ``share`` per cent of all are not above, to two decimals; None of nothing."""
    ordered = sorted(values)
    return round(ordered[max(0, ceil(share / 100 * len(ordered)) - 1)], 2) if ordered else None


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
