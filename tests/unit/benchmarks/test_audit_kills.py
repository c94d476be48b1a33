"""A process that is killed in the middle of acts leaves a log that holds, and says what is unknown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system with fork")
def test_a_killed_process_leaves_a_log_that_holds_and_says_what_nobody_knows() -> None:
    command = [sys.executable, "-m", "benchmarks.audit", "--kills", "6", "--most", "12"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    ran = subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"^6 kills, [1-9]\d* acts, .* 0 wrong$", ran.stdout, re.MULTILINE), ran.stdout
