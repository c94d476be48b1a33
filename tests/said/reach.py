"""How many ways of saying a plain act are carried out, in a home with one thing of each kind.

    python -m tests.said.reach [en|zh] [--held] [--rules | --fold] [--only on,off] [--show]

``--held``: the lines nobody learned from. ``--rules``: with the grammar alone, the files of ways left out.
``--fold``: on a fourth of the learned lines, taken out of the files for it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from tests.said.lines import FOLDER, HELD, LEARNED, is_folded, lines

import winnow
from winnow import Act, Clarify, Confirm, Engine
from winnow.language.ways import templates as read
from winnow.language.ways.templates import ParaphraseTemplate
from winnow.understand.grammar import senses as finding

LANGUAGES = ("zh", "en")
DONE, ASKED, WRONG, REFUSED = "done", "asked", "wrong", "refused"


@cache
def things() -> dict[str, Any]:
    """What stands in the holes, and what an act may come to."""
    return dict(yaml.safe_load((FOLDER / "home" / "things.yaml").read_text("utf-8")))


@cache
def home(language: str) -> Engine:
    """The home with one thing of each kind."""
    return winnow.open(FOLDER / "home" / language)


def filled(way: ParaphraseTemplate, language: str) -> str:
    """The line with things of the home in its holes."""
    told = things()[language]
    value = told["values"].get("mode" if way.act == "mode" else way.kind, told["values"]["any"])
    thing = told["things"]["fan" if way.act == "mode" else way.kind]
    holes = {"{t}": thing, "{p}": told["place"], "{v}": value, "{s}": told["things"]["scene"]}
    said = way.text
    for hole, words in holes.items():
        said = said.replace(hole, words)
    return said


def outcome(way: ParaphraseTemplate, language: str, said: str = "") -> str:
    """What becomes of a line: ``done`` (after a yes too), ``asked``, ``wrong`` (another act), ``refused``."""
    verdict = home(language).sync.retrieve(said or filled(way, language)).verdict
    calls = (
        verdict.proposed
        if isinstance(verdict, Confirm)
        else verdict.calls
        if isinstance(verdict, Act)
        else ()
    )
    if calls and _fits(way, calls):
        return DONE
    if calls and isinstance(verdict, Act):
        return WRONG
    return ASKED if isinstance(verdict, Clarify) else REFUSED


def _fits(way: ParaphraseTemplate, calls: Sequence[Any]) -> bool:
    wanted = things()["acts"][way.act]
    device = None if "{p}" in way.text else things()["devices"].get(way.kind)
    right = all(any(name in call.command_id for name in wanted) for call in calls)
    return right and (device is None or any(call.device_id == device for call in calls))


def asked(found: Iterable[ParaphraseTemplate]) -> Iterator[ParaphraseTemplate]:
    """The lines this home can be asked with: it has a thing of the kind that can do the act."""
    for way in found:
        known = way.act in things()["acts"] and way.kind in things()["en"]["things"]
        if known and "{x}" not in way.text and f"{way.kind} {way.act}" not in things()["lacking"]:
            yield way


def any_way(way: ParaphraseTemplate) -> bool:
    """All of them."""
    return True


@contextmanager
def without(left_out: Any) -> Iterator[None]:
    """The engine without some of its ways: those that ``left_out(way)`` is true of."""
    known = read.ways

    def kept(language: str) -> tuple[ParaphraseTemplate, ...]:
        return tuple(way for way in read.ways(language) if not left_out(way))

    setattr(finding, "ways", kept)  # noqa: B010 - it is imported there by name
    finding._templates.cache_clear()
    try:
        yield
    finally:
        setattr(finding, "ways", known)  # noqa: B010
        finding._templates.cache_clear()


def counted(
    language: str, folder: Path = LEARNED, only: Sequence[str] = (), *, fold: bool = False
) -> Counter[str]:
    """Outcomes by ``act kind outcome``."""
    found: Counter[str] = Counter()
    for way in asked(lines(language, folder)):
        if (not only or way.act in only) and (not fold or is_folded(way)):
            found[f"{way.act} {way.kind} {outcome(way, language)}"] += 1
    return found


def shares(found: Counter[str]) -> dict[str, float]:
    """Percent of the lines with each outcome, and how many lines there were."""
    total = Counter(dict.fromkeys((DONE, ASKED, WRONG, REFUSED), 0))
    for key, n in found.items():
        total[key.rsplit(" ", 1)[1]] += n
    lines_said = sum(total.values())
    return {"lines": lines_said, **{k: round(100 * n / max(1, lines_said), 1) for k, n in total.items()}}


def main(words: Sequence[str] | None = None) -> None:
    """Print the shares by act and kind, and of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--only", default="")
    for name in ("--held", "--rules", "--fold", "--show"):
        parser.add_argument(name, action="store_true")
    told = parser.parse_args(words)
    only = [act for act in told.only.split(",") if act]
    left_out = any_way if told.rules else is_folded if told.fold else lambda way: False
    with without(left_out):
        for language in told.languages:
            found = counted(language, HELD if told.held else LEARNED, only, fold=told.fold)
            for head in sorted({key.rsplit(" ", 1)[0] for key in found}) if told.show else ():
                part = Counter({k: n for k, n in found.items() if k.rsplit(" ", 1)[0] == head})
                print(f"  {head:16}", shares(part))
            print(language, shares(found))


if __name__ == "__main__":
    main()
