"""What is kept made of the tables is what would be made of them, and a table it lacks is read as written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from winnow.language import tables
from winnow.language.patterns import lazy_pattern

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_prepared_is_what_would_be_made() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "prepare_tables.py", "--check"], check=False)
    assert done.returncode == 0, "a table changed: run scripts/prepare_tables.py"


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
