"""Write ``winnow/language/data/prepared.txt``: what takes long to make of the tables, made.

    .venv/bin/python scripts/prepare_tables.py [--check]

A line is the digest of a text and what was made of it as JSON. To be run where a table, or what reads one,
changed. ``--check`` writes nothing and fails where the file is not what it would write.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from winnow.language import lexicon, tables
from winnow.language.registry import LANGUAGES
from winnow.language.ways.templates import rules
from winnow.understand.grammar.rulebook import load_rulebook

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "winnow"
PREPARED = PACKAGE / "language" / "data" / "prepared.txt"
APART = (
    PACKAGE / "examples",
    PACKAGE / "understand" / "grammar" / "rules",
    *PACKAGE.glob("language/*/grammar"),
)
"""Tables of homes are no tables of the package; those of the grammar are read by the grammar."""


def prepared_text() -> str:
    """The text of the file; the same tables give the same text."""
    tables.prepared_data = dict  # type: ignore[assignment] - nothing is prepared yet
    for file in PACKAGE.rglob("*.yaml"):
        if not set(APART) & set(file.parents):
            tables.prepared("yaml", file.read_text("utf-8"), tables.parse_yaml)
    lexicon.entries()
    lexicon.surfaces()
    for language in LANGUAGES:
        lexicon.past_entries(language)
        lexicon.surfaces("type", language)
        rules(language)
        lexicon.kind_words(language)
        for idioms, remarks in ((False, False), (True, False), (True, True)):
            load_rulebook(language, idioms=idioms, remarks=remarks)
    lines = {
        name: json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        for name, made in tables.MADE.items()
    }
    # Keys that are no strings would come back as strings: such a table is read as it was written.
    return "".join(
        f"{n} {lines[n]}\n" for n in sorted(lines) if json.loads(lines[n]) == _listed(tables.MADE[n])
    )


def _listed(made: object) -> object:
    """The data with lists in the place of tuples, which JSON does not have."""
    match made:
        case list() | tuple():
            return [_listed(one) for one in made]
        case dict():
            return {key: _listed(one) for key, one in made.items()}
    return made


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PREPARED.read_text("utf-8") != prepared_text())
    PREPARED.write_text(prepared_text(), "utf-8")
