"""The default of every setting is the same in docs/settings.md, in its description, and in the code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from tests.docs.test_documents import leaves

from winnow.app.config import files, settings
from winnow.app.config.settings import Settings, load_settings
from winnow.types.document import KnowledgeSettings
from winnow.types.message import HistorySettings, HostColumns, HostTable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
ROW = re.compile(r"^\| (?P<names>(?:`[^`]+`|–)[^|]*)\|(?P<rest>.*)\|$", re.MULTILINE)
LITERAL = re.compile(r"(?P<number>\d+(?:\.\d+)?)|(?P<switch>true|false)|`(?P<word>[^`]+)`")
EMPTY = ("", None, 0, 0.0)
"""Defaults that are told in words: nothing is set."""
ENVIRONMENT_ONLY = {"WINNOW_HOME", "WINNOW_MODEL_KEY", "WINNOW_MESSAGES_URL"}
"""Variables that are no field of the settings: the page says where each comes from."""


def rows(section: str, column: int) -> Iterator[tuple[str, str]]:
    """Name and default of each row of the tables of that section of the page."""
    for row in ROW.finditer(section):
        cells = [cell.strip() for cell in row["rest"].split("|")]
        names = re.findall(r"`([^`]+)`", row["names"]) or re.findall(r"`([^`]+)`", cells[0])
        told = cells[column].split(", ") if len(names) > 1 else [cells[column]]
        yield from zip(names, told * len(names) if len(told) == 1 else told, strict=True)


def sections() -> dict[str, str]:
    """Heading -> what stands under it; the first table is under no heading of its own."""
    parts = re.split(r"^#+ (.*)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def documented() -> dict[str, str]:
    """Name of each setting on the page -> its default there."""
    told = sections()
    known = dict(rows(told["Settings"], 1))
    under_messages = told["history.yaml"].index("Under `messages`")
    search, host = told["history.yaml"][:under_messages], told["history.yaml"][under_messages:]
    known |= {f"vector_search.{name}": default for name, default in rows(search, 0)}
    known |= {f"messages.{name}": default for name, default in rows(host, 0)}
    return known | {f"knowledge: {name}": default for name, default in rows(told["knowledge.yaml"], 0)}


def in_code() -> dict[str, Any]:
    """The same from the dataclasses that hold the defaults."""
    plain = {f.name: f.default for f in fields(Settings) if f.name not in ("data", "model_key")}
    search = {f.name: f.default for f in fields(HistorySettings)}
    host = {f.name: f.default if isinstance(f.default, str) else "" for f in fields(HostTable)}
    columns = {f.name: f.default for f in fields(HostColumns)}
    found: dict[str, Any] = dict(plain)
    for path in leaves(files.HISTORY_SHAPE, ""):
        name = path.rpartition(".")[2]
        of = columns if ".columns." in path else host if path.startswith("messages.") else search
        found[path] = of[name]
    found["messages.skip_roles"] = HostTable("").skip_roles
    default = KnowledgeSettings()
    return found | {
        f"knowledge: {path}": getattr(default, name) for path, name in files.FIELD_OF_PATH.items()
    }


def is_same(told: str, default: Any) -> bool:
    """Whether the page tells that default: literally, or in words where nothing is set."""
    if isinstance(default, tuple):
        return told == ", ".join(f"`{one}`" for one in default)
    if isinstance(default, Mapping):
        return told == "none" and not default
    said = LITERAL.match(told)
    exact = said is not None and (said.end() == len(told) or told[said.end()] == ":")
    if not exact:
        return default in EMPTY and not isinstance(default, bool)
    assert said is not None
    if isinstance(default, bool):
        return said["switch"] == str(default).lower()
    if isinstance(default, int | float):
        return said["number"] is not None and float(said["number"]) == default
    return said["word"] == default


def test_the_page_tells_every_setting_and_no_other() -> None:
    told, known = documented(), in_code()
    assert len(known) > 80
    of_host = {"messages.url"}  # needed, and so without a default
    assert set(told) - ENVIRONMENT_ONLY - of_host == set(known) - of_host


def test_every_default_is_what_the_page_says() -> None:
    told, known = documented(), in_code()
    wrong = {name: (told[name], known[name]) for name in known if not is_same(told[name], known[name])}
    assert wrong == {}


@pytest.mark.parametrize(
    ("told", "default"),
    [("true", False), ("false", True), ("5", 6.0), ("none", 3), ("`a`", "b"), ("`a`", ""), ("none", True)],
)
def test_another_default_is_noticed(told: str, default: object) -> None:
    assert not is_same(told, default)


def described() -> dict[str, str]:
    """Field of the settings -> what its description says behind ``Default``."""
    (made,) = (n for n in ast.parse(inspect.getsource(settings)).body if getattr(n, "name", "") == "Settings")
    assert isinstance(made, ast.ClassDef)
    found = {}
    for one, after in zip(made.body, made.body[1:], strict=False):
        if (
            isinstance(one, ast.AnnAssign)
            and isinstance(after, ast.Expr)
            and isinstance(one.target, ast.Name)
        ):
            text = " ".join(str(ast.literal_eval(after.value)).split())
            if default := re.search(r"Default:? (.+?)\.?$", text):
                found[one.target.id] = default[1]
    return found


def test_the_description_of_a_setting_tells_the_same_default() -> None:
    known, told = in_code(), described()
    assert len(told) > 25
    for name, said in told.items():
        if isinstance(known.get(name), bool):
            assert said == ("yes" if known[name] else "no"), name
        elif isinstance(known.get(name), int | float):
            assert float(said) == known[name], name


def test_what_people_say_is_not_kept_as_facts_unless_that_is_asked_for(tmp_path: Path) -> None:
    loaded = load_settings({}, tmp_path)
    assert (loaded.extract_facts, loaded.learn, loaded.metrics) == (False, False, False)
    assert load_settings({"WINNOW_EXTRACT_FACTS": "yes"}, tmp_path).extract_facts
