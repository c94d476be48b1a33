"""The integration for Home Assistant: what its own checks would ask of its files."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import winnow
from winnow.types.plan import DANGERS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "custom_components" / "winnow"
WANTED = {"domain", "name", "codeowners", "documentation", "iot_class", "issue_tracker", "version"}
LANGUAGES = ("en", "zh-Hans")


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def keys(tree: Any, at: str = "") -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from keys(value, f"{at}{key}.")
        else:
            yield at + key


def placeholders(tree: Any) -> dict[str, set[str]]:
    return {k: set(re.findall(r"{(\w+)}", v)) for k, v in texts(tree).items()}


def texts(tree: Any, at: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in tree.items():
        found |= texts(value, f"{at}{key}.") if isinstance(value, dict) else {at + key: value}
    return found


def test_the_manifest_has_what_a_custom_integration_needs_in_the_order_that_is_checked() -> None:
    manifest = read("manifest.json")
    assert manifest.keys() >= WANTED
    assert list(manifest) == ["domain", "name", *sorted(manifest.keys() - {"domain", "name"})]
    assert manifest["domain"] == FOLDER.name
    assert (manifest["integration_type"], manifest["iot_class"]) == ("service", "calculated")
    assert manifest["config_flow"] is True


def test_the_version_is_that_of_the_library_in_its_zip() -> None:
    assert read("manifest.json")["version"] == winnow.__version__


def test_hacs_finds_a_name_and_one_integration() -> None:
    about = json.loads((ROOT / "hacs.json").read_text("utf-8"))
    assert (about["name"], about["filename"], about["zip_release"]) == ("Winnow", "winnow.zip", True)
    assert [path.name for path in FOLDER.parent.iterdir() if path.is_dir()] == ["winnow"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_string_and_no_other(language: str) -> None:
    wanted, found = read("strings.json"), read(f"translations/{language}.json")
    assert sorted(keys(found)) == sorted(keys(wanted))
    assert placeholders(found) == placeholders(wanted)
    assert all(text.strip() for text in texts(found).values())


def test_the_sentences_are_the_same_in_both_languages() -> None:
    sentences = read("sentences.json")
    assert sentences.keys() == {"en", "zh"}
    assert placeholders(sentences["en"]) == placeholders(sentences["zh"])


def test_every_field_of_the_options_and_every_danger_has_a_name() -> None:
    strings = read("strings.json")
    constants = constants_of("const.py")
    fields = {value for name, value in constants.items() if name.startswith("CONF_")}
    assert strings["options"]["step"]["init"]["data"].keys() == fields
    assert strings["options"]["step"]["init"]["data_description"].keys() == fields
    assert tuple(constants["DANGERS"]) == DANGERS
    assert tuple(strings["selector"]["danger"]["options"]) == DANGERS


@pytest.mark.parametrize("page", ["home-assistant.md", "home-assistant.zh.md"])
def test_the_page_names_every_option(page: str) -> None:
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / page).read_text("utf-8"), re.MULTILINE)
    assert named == list(read("strings.json")["options"]["step"]["init"]["data"])


def test_every_issue_that_is_raised_can_be_read() -> None:
    raised = {"not_built", "nothing_exposed", "same_name"}
    assert read("strings.json")["issues"].keys() == raised
    assert all(f'"{code}"' in (FOLDER / "issues.py").read_text("utf-8") for code in raised)


def test_every_error_of_a_set_up_can_be_read() -> None:
    raised = set(re.findall(r'_failure\(\w+, "(\w+)"', (FOLDER / "__init__.py").read_text("utf-8")))
    assert read("strings.json")["exceptions"].keys() == raised
    assert all("{error}" in about["message"] for about in read("strings.json")["exceptions"].values())


def constants_of(name: str) -> dict[str, Any]:
    """The plain values that a module assigns, without importing it."""
    tree = ast.parse((FOLDER / name).read_text("utf-8"))
    made = [node for node in tree.body if isinstance(node, ast.Assign)]
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in made
        if isinstance(node.targets[0], ast.Name)
    }
