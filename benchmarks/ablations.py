"""What each reason, way of looking and gate is worth: each is switched off alone and all is asked again.

    python -m benchmarks.ablations [--only devices gates ...]

A reason is switched off by setting its weight to 0 in the table that is read, a gate by the setting that
opens it. The other weights stay as they were fitted, so what a reason is worth here is at most what it would
be worth after a new fit. ``devices``: the committed case files and every 24th sentence of the first
contacts. ``gates`` and ``sentences``: the persons of ``absent`` that nothing was fitted on. The others need
``WINNOW_BENCH`` (LoCoMo, MemDaily, CMRC 2018, XQuAD, HowToCook); what is absent is left out.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean
from typing import Any

from tests.scenarios import contacts, runner

import winnow
from benchmarks import absent, compress, knowledge, messages, places
from benchmarks.devices import measured as answered_cases
from benchmarks.evaluation.cases import case_files
from winnow.adapters.models.embedders import StaticEmbedder
from winnow.app.config.settings import load_settings
from winnow.context.compress.features import weights_for
from winnow.language.tables import table
from winnow.retrieve.history.rank import history_weights

Figures = Mapping[str, float]
EVERY = 24
"""One sentence of so many of the first contacts is asked."""
NOTHING = "nothing switched off"


@contextmanager
def without(package: str, name: str, *keys: str) -> Iterator[None]:
    """Whatever stands at these keys of a table of the package counts 0 meanwhile."""
    *parents, last = keys
    held = table(package, name)
    for key in parents:
        held = held[key]
    before = held[last]
    held[last] = 0.0
    try:
        yield
    finally:
        held[last] = before


def each_off(package: str, name: str, *parents: str, but: Sequence[str] = ("bias",)) -> dict[str, Any]:
    """A context for every number below these keys."""
    held = table(package, name)
    for key in parents:
        held = held[key]
    return {
        key: without(package, name, *parents, key)
        for key, value in held.items()
        if isinstance(value, int | float) and key not in but
    }


@contextmanager
def together(off: Mapping[str, Any]) -> Iterator[None]:
    """All of them at once."""
    with ExitStack() as stack:
        for context in off.values():
            stack.enter_context(context)
        yield


def switched(off: Mapping[str, Any], figures: Callable[[], Figures]) -> dict[str, Figures]:
    """The figures with nothing switched off, and with each alone."""
    found = {NOTHING: figures()}
    print(f"   {NOTHING:28} {found[NOTHING]}", flush=True)
    for name, context in off.items():
        with context:
            found[name] = figures()
            print(f"   {name:28} {found[name]}", flush=True)
    return found


def devices() -> dict[str, Figures]:
    """Exact and wrong acts, in per cent."""
    said = [one for file in contacts.WRITTEN for one in runner.read(file)][::EVERY]

    def figures() -> Figures:
        cases = answered_cases(case_files(places.DATA), places.HOMES)["together"]
        rows = [contacts.judged(one) for one in said]
        told = contacts.figures(rows)
        return {
            "cases exact": cases["exact"], "cases wrong": cases["miscontrol"],
            "contacts exact": told["exact"], "contacts wrong": told["wrong acts"],
        }  # fmt: skip

    off = {f"score: {name}": each for name, each in each_off("winnow.decide", "weights.yaml").items()}
    off["score: all of them"] = together(each_off("winnow.decide", "weights.yaml"))
    off |= {f"order of commands: {k}": v for k, v in each_off("winnow.retrieve.home", "weights.yaml").items()}
    off["order of commands: all of it"] = together(each_off("winnow.retrieve.home", "weights.yaml"))
    off |= {
        f"guess: {name}": without("winnow.retrieve.home", "weak.yaml", name, "times")
        for name in table("winnow.retrieve.home", "weak.yaml")
    }
    return switched(off, figures)


def histories() -> dict[str, Figures]:
    """R@5 and R@10 of the messages, by the weights in force."""
    folder = places.further() / "dev" / "messages"
    files = {name: folder / f"{name}.jsonl" for name in messages.NAMES}
    asked = {name: list(messages.asked(path)) for name, path in files.items() if path.is_file()}

    def figures(by: Figures) -> Figures:
        found = {name: messages.figures(some, lambda _: by) for name, some in asked.items()}
        return {f"{name} R@{k}": row[f"R@{k}"] for name, row in found.items() for k in (5, 10)}

    own = history_weights()
    found = {NOTHING: figures(own)}
    return found | {name: figures({**own, name: 0.0}) for name in own} if asked else {}


def passages() -> dict[str, Figures]:
    """R@1 of passages and hit@5 of sentences; each reason is switched off in both languages at once."""
    meaning = StaticEmbedder()
    named = {
        name: knowledge.task(places.further(), name, name) for name in ("xquad.en", "cmrc.zh", "howtocook.zh")
    }
    tasks = {name: task for name, task in named.items() if task}

    def figures() -> Figures:
        found = {name: knowledge.measured(task, meaning) for name, task in tasks.items()}
        return {f"{name} {k}": row[k] for name, row in found.items() for k in ("R@1", "hit@5") if k in row}

    if not tasks:
        return {}
    held = table("winnow.retrieve.documents", "weights.yaml")
    reasons = {(what, name) for what in ("passage", "sentence") for by in held[what].values() for name in by}
    off = {f"{what}: {name}": _in_both(what, name) for what, name in sorted(reasons)}
    return switched(off, figures)


@contextmanager
def _in_both(what: str, name: str) -> Iterator[None]:
    held = table("winnow.retrieve.documents", "weights.yaml")[what]
    before = {language: by[name] for language, by in held.items() if name in by}
    for language in before:
        held[language][name] = 0.0
    try:
        yield
    finally:
        for language, weight in before.items():
            held[language][name] = weight


def compression() -> dict[str, Figures]:
    """Answers kept, in per cent, by the weights in force."""
    files = compress.files(places.further())

    def figures(off: str) -> Figures:
        def keep(file: str, question: compress.Question, rate: float) -> compress.Texts:
            by = weights_for(file.partition(".")[2], compress.FULL)
            return compress.kept_texts(compress.kept_by(question, {**by, off: 0.0} if off else by, rate))

        found: dict[str, float] = {}
        for rate, condition in compress.TOLD[1:3]:
            for name, asked in files.items():
                some = [one for one in asked if one.condition == condition]
                right = [one.answered(keep(name, one, rate)) for one in some]
                found[f"{name} {condition}@{rate}"] = round(100 * mean(right), 1)
        return found

    names = weights_for("en", compress.FULL) if files else ()
    return {name or NOTHING: figures(name) for name in ("", *names)} if files else {}


def answers(ranking: Mapping[str, Any]) -> Figures:
    """What persons that nothing was fitted on are given, where something answers and where nothing does."""
    found: dict[str, float] = {}
    for language in absent.LANGUAGES:
        one = absent.person(language, absent.JUDGED)
        with tempfile.TemporaryDirectory() as folder:
            absent.filled(Path(folder), one)
            settings = load_settings({"WINNOW_HOME": folder})
            engine = winnow.open(settings=settings, knowledge={"ranking": dict(ranking)})
            empty = [absent.answered(engine, question) for question in one.absent]
            there = [absent.answered(engine, question, answer) for question, answer in one.asked]
        told = absent.figures(empty, there)
        found[f"says nothing was found, {language}"] = told["it says that nothing was found"]
        found[f"answer given, {language}"] = told["answer given where there is one"]
        found[f"tokens, {language}"] = told["tokens where something answers"]
    return found


GATES: Mapping[str, Mapping[str, Any]] = {
    NOTHING: {},
    "floor of each source": {"nothing_below": 0.0},
    "floor of all sources": {"nothing_at_all_below": 0.0},
    "both floors": {"nothing_below": 0.0, "nothing_at_all_below": 0.0},
    "share of the best": {"least_share": 1.0},
}
"""Gate -> the settings that open it."""


def gates() -> dict[str, Figures]:
    """Each gate of what is given opened in turn."""
    found = {}
    for name, ranking in GATES.items():
        found[name] = answers(ranking)
        print(f"   {name:28} {found[name]}", flush=True)
    return found


def sentences() -> dict[str, Figures]:
    """Each reason for a sentence of what was found."""
    return switched(each_off("winnow.context", "data/choice.yaml", "meaning"), lambda: answers({}))


PARTS: Mapping[str, Callable[[], dict[str, Figures]]] = {
    "messages": histories,
    "compression": compression,
    "devices": devices,
    "gates": gates,
    "passages": passages,
    "sentences": sentences,
}


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    given = parser.parse_args()
    for name in given.only:
        print(name, flush=True)
        if found := PARTS[name]():
            for what, figures in found.items():
                print(f"   {what:28} {figures}")
            places.keep("ablations", {**places.measured("ablations"), name: found})
        else:
            print(f"   left out: its data is not in {places.further()}")


if __name__ == "__main__":
    main()
