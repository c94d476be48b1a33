"""What is wrong with the ways of saying and the words of the lexicon: ``make lexicon-audit``.

Ways: in how many hands each is, what the grammar reads without it (``spare``), what is not read as its act in
three orders (``unread``), what acts where nothing is ordered (``acts``), what stands under two acts that
undo each other (``both``). Words: those of several words that stand in one known sentence only (``lone``).

    python -m tests.said.audit [en|zh] [--check] [--write]

``--check``: end with 1 where a way is in ``acts``, ``both`` or ``unread``, or a word in ``lone``.
``--write``: leave out of the files of ways what is spare, unread or acts.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from rich.progress import track
from tests.said.lines import FOLDER, lines
from tests.said.reach import DONE, LANGUAGES, any_way, asked, filled, home, outcome, without

from winnow import Act, Confirm
from winnow.language import lexicon, registry
from winnow.language.ways import templates as read
from winnow.language.ways.templates import ParaphraseTemplate, acts, parse_templates, ways

WAYS = Path(read.__file__).parent
SCENARIOS = FOLDER.parent / "scenarios"


@cache
def carriers(language: str) -> dict[str, list[str]]:
    """Sentences that a way is put into."""
    return dict(yaml.safe_load((FOLDER / "home" / "carriers.yaml").read_text("utf-8"))[language])


def hands(found: Iterable[ParaphraseTemplate]) -> Counter[str]:
    """How many ways are in no hand, in one and in several."""
    return Counter(("none", "one", "several")[min(2, len(way.hands))] for way in found)


def both(language: str) -> Iterator[tuple[ParaphraseTemplate, ParaphraseTemplate]]:
    """Ways that stand under two acts of opposite direction for the same things."""
    by_text: dict[str, list[ParaphraseTemplate]] = {}
    for way in ways(language):
        by_text.setdefault(way.text, []).append(way)
    against = {frozenset(pair) for pair in acts()["opposite"]}
    for same in by_text.values():
        for n, one in enumerate(same):
            yield from ((one, o) for o in same[n + 1 :] if {one.act, o.act} in against and _meet(one, o))


def _meet(one: ParaphraseTemplate, other: ParaphraseTemplate) -> bool:
    groups = acts()["kinds"]
    kinds = [set(groups.get(w.kind, ())) for w in (one, other)]
    return one.kind == other.kind or bool(kinds[0] & kinds[1])


def every(way: ParaphraseTemplate) -> bool:
    """No way is passed over."""
    return True


def unread(
    language: str, wanted: Callable[[ParaphraseTemplate], bool] = every
) -> Iterator[ParaphraseTemplate]:
    """Ways that are not carried out in each of the orders they are put into."""
    for way in filter(wanted, _said(language, "unread")):
        said = filled(way, language)
        orders = (carrier.replace("{w}", said) for carrier in carriers(language)["orders"])
        if any(outcome(way, language, order) != DONE for order in orders):
            yield way


def acting(
    language: str, wanted: Callable[[ParaphraseTemplate], bool] = every
) -> Iterator[tuple[ParaphraseTemplate, str]]:
    """Ways after which something is done where nothing was ordered."""
    told = carriers(language)
    for way in filter(wanted, _said(language, "acts")):
        said = filled(way, language)
        if not said.startswith(tuple(told["negative"])):
            for carrier in told["none"]:
                sentence = carrier.replace("{w}", said)
                if isinstance(home(language).sync.retrieve(sentence).verdict, Act | Confirm):
                    yield way, sentence


def spare(language: str) -> Iterator[ParaphraseTemplate]:
    """Ways that the grammar reads as their act without them."""
    with without(any_way):
        for way in _said(language, "spare"):
            if outcome(way, language) == DONE:
                yield way


def _said(language: str, what: str) -> Iterable[ParaphraseTemplate]:
    found = list(asked(ways(language)))
    return track(found, f"{language} {what}", disable=not sys.stderr.isatty())


_SECTIONS = ("verb", "step", "type", "room", "mode", "white", "extreme")
"""Sections whose words are looked for in what people said; closed classes of a language are none of them."""


def lone(language: str) -> Iterator[str]:
    """Words of the lexicon, of several words, that stand in one known sentence only, in whichever form."""
    told = [" ".join(text.lower().split()) for text in _sentences(language)]
    for row in lexicon._rows_of(language):
        if row.section in _SECTIONS and _is_long(row.surface, language):
            forms = {form.surface for form in lexicon._forms(row, registry.LANGUAGES[language])}
            if sum(any(form in text for form in forms) for text in told) == 1:
                yield f"{row.section}: {row.surface}"


def _is_long(word: str, language: str) -> bool:
    if language == "en":
        return word.isascii() and " " in word
    return not word.isascii() and len(word) > 3


def _sentences(language: str) -> Iterator[str]:
    """What is known of what people say: the lists, and the sentences of the scenarios."""
    yield from (way.text for way in lines(language))
    for file in SCENARIOS.rglob("*.yaml"):
        yield from re.findall(r"(?:say|user): (.+)", file.read_text("utf-8"))


def pruned(language: str, gone: set[ParaphraseTemplate]) -> None:
    """Write the files of ways anew, without some."""
    for file in sorted((WAYS / language).glob("*.txt")):
        blocks: dict[str, list[str]] = {}
        for way in parse_templates(file.read_text("utf-8")):
            if way not in gone:
                blocks.setdefault(f"== {way.act} {way.kind}", []).append(f"{way.text}\t{way.hands}")
        text = "".join(f"{head}\n" + "".join(f"{row}\n" for row in rows) for head, rows in blocks.items())
        file.write_text(text, "utf-8")


def main(words: Sequence[str] | None = None) -> None:
    """Print what was found, language by language."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args(words)
    bad = 0
    for language in told.languages:
        found: dict[str, list[Any]] = {
            "both": list(both(language)),
            "unread": list(unread(language)),
            "acts": list(acting(language)),
            "spare": list(spare(language)),
            "lone": list(lone(language)),
        }
        print(language, len(ways(language)), "ways; hands:", dict(hands(ways(language))))
        for name, rows in found.items():
            print(f"  {name}: {len(rows)}")
            for row in rows[:20]:
                print("     ", row)
        bad += sum(len(found[name]) for name in ("both", "unread", "acts", "lone"))
        if told.write:
            pruned(language, {*found["unread"], *found["spare"], *(way for way, _ in found["acts"])})
    sys.exit(bool(told.check and bad))


if __name__ == "__main__":
    main()
