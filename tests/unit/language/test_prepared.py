"""What is kept made of the tables is what would be made of them, and a table it lacks is read as written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from winnow.language import lexicon, tables
from winnow.language.patterns import lazy_pattern
from winnow.language.registry import LANGUAGES
from winnow.language.ways import templates
from winnow.understand.grammar import rulebook

ROOT = Path(__file__).resolve().parents[3]
PREPARED = tables.prepared_data.__wrapped__()
"""Digest -> JSON, as the file has it."""


def makers() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is made of the tables, anew and not as kept."""
    yield "entries", lexicon.entries.__wrapped__
    yield "surfaces", partial(lexicon._by_section.__wrapped__, "")
    for code in LANGUAGES:
        yield f"past entries {code}", partial(lexicon.past_entries.__wrapped__, code)
        yield f"surfaces {code}", partial(lexicon._by_section.__wrapped__, code)
        yield f"kind words {code}", partial(lexicon.kind_words.__wrapped__, code)
        yield f"ways {code}", partial(templates.rules.__wrapped__, code)
        yield f"grammar {code}", partial(rulebook._load_rulebook.__wrapped__, code, False, False, False)


MAKERS = dict(makers())


def test_what_is_prepared_is_what_would_be_made() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "prepare_tables.py", "--check"], check=False)
    assert done.returncode == 0, "a table changed: run scripts/prepare_tables.py"


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_in_this_process_is_what_was_prepared(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "prepared_data", dict)
    monkeypatch.setattr(tables, "MADE", {})
    MAKERS[name]()
    assert tables.MADE
    for digest, made in tables.MADE.items():
        assert json.loads(json.dumps(made)) == json.loads(PREPARED[digest.encode()])


def test_a_text_that_was_never_prepared_is_made() -> None:
    assert tables.prepared("yaml", "this: [table, stands, nowhere]", tables.parse_yaml) == {
        "this": ["table", "stands", "nowhere"]
    }


def test_what_was_prepared_is_asked_before_anything_is_made(monkeypatch) -> None:
    tables.prepared("yaml", "kept: 1", tables.parse_yaml)
    [name] = [name for name, made in tables.MADE.items() if made == {"kept": 1}]
    monkeypatch.setattr(tables, "prepared_data", lambda: {name.encode(): b'{"kept":2}'})
    assert tables.prepared("yaml", "kept: 1", tables.parse_yaml) == {"kept": 2}


def test_a_lazy_pattern_does_what_a_compiled_one_does() -> None:
    digits = lazy_pattern(r"(?P<one>\d)x")
    assert digits.sub("y", "1x 2x") == "y y"
    assert (digits.pattern, digits.groups) == (r"(?P<one>\d)x", 1)
