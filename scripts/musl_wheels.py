"""Whether all that the integration for Home Assistant needs has wheels for Alpine Linux, and which.

    python scripts/musl_wheels.py [--write]

Home Assistant OS and the official container are Alpine Linux, whose C library is musl. For every Python and
processor below, pip resolves the ``requirements`` of ``manifest.json``, and what these need, from wheels
alone; what has none is an error. ``--write`` puts the table into ``docs/home-assistant.md`` and its
translation. It asks the package index that pip is set up with, so it is no test.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MANIFEST = PROJECT / "custom_components" / "winnow" / "manifest.json"
PAGES = (PROJECT / "docs" / "home-assistant.md", PROJECT / "docs" / "home-assistant.zh.md")
PYTHONS = ("313", "314")
PROCESSORS = ("x86_64", "aarch64")
MUSL = ("musllinux_1_1", "musllinux_1_2")
MARKS = "<!-- wheels -->", "<!-- /wheels -->"


def wheels(python: str, processor: str, folder: Path) -> dict[str, str]:
    """Package -> version and platform of the wheel that pip chooses.

    Raises CalledProcessError where one is missing.
    """
    platforms = [f"--platform={musl}_{processor}" for musl in MUSL]
    needs = json.loads(MANIFEST.read_text("utf-8"))["requirements"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--only-binary=:all:", f"--python-version={python}", f"--dest={folder}", *platforms, *needs]
    subprocess.run(command, check=True)
    parts = (file.stem.split("-") for file in folder.glob("*.whl"))
    return {
        name.lower().replace("_", "-"): f"{version} {tags[-1].split('.')[-1].removesuffix(f'_{processor}')}"
        for name, version, *tags in parts
    }


def table() -> str:
    """A row a package, a column for every Python and processor."""
    columns: dict[str, dict[str, str]] = {}
    for python in PYTHONS:
        for processor in PROCESSORS:
            with tempfile.TemporaryDirectory() as folder:
                columns[f"{python[0]}.{python[1:]} {processor}"] = wheels(python, processor, Path(folder))
    names = sorted(set().union(*columns.values()))
    rows = [["package", *columns], ["---"] * (len(columns) + 1)]
    rows += [[name, *(column.get(name, "") for column in columns.values())] for name in names]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    text = table()
    print(text)
    if "--write" in sys.argv:
        for page in PAGES:
            before, _, rest = page.read_text("utf-8").partition(MARKS[0])
            after = rest.partition(MARKS[1])[2]
            page.write_text(f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}", "utf-8")
