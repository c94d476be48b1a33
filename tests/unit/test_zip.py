"""The zip for Home Assistant: the library in it works where Winnow itself is not installed."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest
from scripts import home_assistant_zip

TURN = """
import asyncio
import sys
sys.path += sys.argv[1:]
sys.modules |= dict.fromkeys(["rs_bpe", "semantic_text_splitter", "typer", "rich"])  # not in the manifest
import winnow
assert winnow.__file__.startswith(sys.argv[2]), winnow.__file__
engine = winnow.open()
print(type(engine.sync.retrieve("what is on the shopping list?").verdict).__name__)
asyncio.run(engine.aclose())
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("zip") / "winnow.zip"
    home_assistant_zip.write(target)
    return target


def test_it_is_unpacked_into_the_folder_of_the_integration(archive: Path) -> None:
    names = ZipFile(archive).namelist()
    assert {"manifest.json", "__init__.py", "LICENSE", "vendor/winnow/__init__.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or "app/cli" in name]


def test_the_same_sources_give_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    home_assistant_zip.write(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


@pytest.mark.slow
def test_the_library_in_it_answers_in_an_interpreter_that_has_no_winnow(
    archive: Path, tmp_path: Path
) -> None:
    ZipFile(archive).extractall(tmp_path)
    packages, library = sysconfig.get_paths()["purelib"], str(tmp_path / "vendor")
    command = [sys.executable, "-I", "-S", "-c", TURN, packages, library]  # without the editable install
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"WINNOW_HOME": str(tmp_path)},
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "Nothing"), ran.stderr
