"""What is installed is what works in a clone: the package carries all the files it reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package_once(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = [name for name in ZipFile(wheel).namelist() if name.startswith("winnow/")]
    files = (p for p in SOURCE.rglob("*") if p.is_file() and p.suffix != ".pyc")
    assert sorted(held) == sorted(p.relative_to(SOURCE).as_posix() for p in files)
    assert {"winnow/examples/homes/cottage/states.json", "winnow/app/trace.schema.json"} <= set(held)
