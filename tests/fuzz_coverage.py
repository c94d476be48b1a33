"""Fuzz the parsers of ``tests/parsers.py``, led by the paths that the bytes take through them (atheris).

``python -m tests.fuzz_coverage --seconds 60`` gives each parser so long, in a process of its own, and prints
what was found. What ends in a traceback is kept under build/fuzz, to be read again: ``--read PARSER FILE``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

FOUND = Path("build/fuzz")


def fuzz(name: str, seconds: int) -> None:
    """Feed one parser for so long; does not return."""
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["winnow"]):
        from tests.parsers import PARSERS, misread
    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    for n, seed in enumerate(PARSERS[name].seeds()):
        (folder / f"seed{n}").write_bytes(seed)

    def once(data: bytes) -> None:
        if why := misread(name, data):
            raise AssertionError(why)

    options = [
        f"-max_total_time={seconds}",
        "-max_len=20000",
        "-timeout=30",
        "-rss_limit_mb=3000",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={folder}/found-", str(folder)], once)
    atheris.Fuzz()


def main() -> int:
    """Fuzz all parsers, or those that are named; 1 where one ended in a traceback."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default="", help="one parser, in this process")
    parser.add_argument("--read", nargs=2, metavar=("PARSER", "FILE"))
    given = parser.parse_args()
    if given.only:
        fuzz(given.only, given.seconds)
    from tests.parsers import PARSERS, misread

    if given.read:
        why = misread(given.read[0], Path(given.read[1]).read_bytes())
        print(why or "read, or refused with a reason")
        return int(bool(why))
    bad = 0
    for name in PARSERS:
        command = [
            sys.executable,
            "-m",
            "tests.fuzz_coverage",
            "--only",
            name,
            "--seconds",
            str(given.seconds),
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        told = done.stdout + done.stderr
        runs, edges = (re.findall(form, told) for form in (r"#(\d+)\s", r"cov: (\d+)"))
        print(
            f"{name:15} {runs[-1] if runs else 0:>9} runs, {edges[-1] if edges else 0:>6} edges", flush=True
        )
        if done.returncode:
            bad += 1
            print("\n".join(told.splitlines()[-40:]))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
