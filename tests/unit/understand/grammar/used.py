"""``python -m tests.unit.understand.grammar.used``: how often each line of the grammar is used.

Over every sentence of the scenarios and of the corpus beside this file, each read in the home it is said to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests import homes
from tests.scenarios import runner
from tests.unit.understand.grammar.corpus import sentences
from tests.unit.understand.grammar.homes import HOMES, LANGUAGES, parsed_in
from tests.unit.understand.grammar.lines import used

from winnow.errors import WinnowError
from winnow.language.registry import language_of
from winnow.language.tables import parse_yaml
from winnow.understand.grammar.rulebook import GrammarLine, load_rulebook

SCENARIOS = ("*.yaml", "contact/*.yaml", "careful/*.yaml", "transform/*.yaml")


def said() -> Iterator[tuple[str, str]]:
    """(home, sentence) of every scenario and of the corpus."""
    folder = Path(runner.__file__).parent
    for path in sorted(p for pattern in SCENARIOS for p in folder.glob(pattern)):
        rows = parse_yaml(path.read_text("utf-8"))
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and {"say", "home"} <= row.keys():
                yield str(row["home"]), str(row["say"])
    for language in LANGUAGES:
        home = HOMES[language].partition(":")[2]
        yield from ((home, sentence) for sentence in sentences(language))


def counted() -> Counter[GrammarLine]:
    """Line -> sentences whose best parse has it."""
    found: Counter[GrammarLine] = Counter()
    for home, sentence in dict.fromkeys(said()):
        language = language_of(sentence)
        try:
            vocabulary = homes.engine(home).sync.load_home().vocabulary
        except WinnowError:
            continue
        parse = parsed_in(vocabulary, sentence, language)
        found.update(set(used(parse.tree, language)) if parse else ())
    return found


def main() -> None:
    """Every line with its count, those of none last."""
    found = counted()
    every = dict.fromkeys(line for language in LANGUAGES for line in load_rulebook(language).lines)
    for line in sorted(every, key=lambda one: -found[one]):
        print(f"{found[line]:5d}  {line.language:<6} {line.left}: {line.text}")
    print(f"{sum(not found[line] for line in every)} of {len(every)} lines are used by no sentence")


if __name__ == "__main__":
    main()
