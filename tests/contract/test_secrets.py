"""No secret is kept in the repository: none of the forms that keys of well-known services have."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORMS = {
    "private key": (b"-----BEGIN ", rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s"),
    "AWS": (b"AKIA", rb"\bAKIA[0-9A-Z]{16}\b"),
    "GitHub": (b"gh", rb"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{50,})"),
    "GitLab": (b"glpat-", rb"\bglpat-[\w-]{20}"),
    "Slack": (b"xox", rb"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    "OpenAI or Anthropic": (b"sk-", rb"\bsk-(?:proj-|ant-|svcacct-)?[A-Za-z0-9_-]{32,}"),
    "Google": (b"AIza", rb"\bAIza[\w-]{35}\b"),
    "Hugging Face": (b"hf_", rb"\bhf_[A-Za-z0-9]{34}\b"),
    "PyPI": (b"pypi-", rb"\bpypi-AgEI[\w-]{50,}"),
    "a web token": (b"eyJ", rb"\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{16,}"),
    "a password in a URL": (b"://", rb"://[\w.-]{1,40}:[^\s:@/'\"{}$<>*]{12,80}@[\w-]+\.[a-z][\w.-]+"),
}
"""What is looked for by what it is a key of: bytes that are in it, and its form.

Random texts of other forms are ids of homes here, by the thousand.
"""
MADE_UP = frozenset({"tests/contract/test_secrets.py"})


def secrets(data: bytes) -> list[str]:
    """What kinds of secrets stand in the bytes."""
    return [kind for kind, (part, form) in FORMS.items() if part in data and re.search(form, data)]


def test_no_file_holds_one() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("no checkout of git: an archive holds what was committed")
    paths = [name for name in listed.stdout.decode().split("\0") if name and name not in MADE_UP]
    found = {name: secrets((ROOT / name).read_bytes()) for name in paths if (ROOT / name).is_file()}
    assert {name: kinds for name, kinds in found.items() if kinds} == {}
    assert len(found) > 1000


@pytest.mark.parametrize(
    ("kind", "made_up"),
    [
        ("private key", "-----BEGIN RSA PRIVATE KEY-----\n"),
        ("AWS", "AKIA" + "A1B2C3D4" * 2),
        ("GitHub", "ghp_" + "a1B2c3" * 6),
        ("OpenAI or Anthropic", "sk-proj-" + "a1B2c3d4" * 5),
        ("Google", "AIza" + "a1B2c" * 7),
        ("a web token", "eyJ" + "a1B2" * 5 + ".eyJ" + "a1B2" * 5 + "." + "a1B2" * 5),
        ("a password in a URL", "postgresql://winnow:correcthorsebattery@db.example.org/winnow"),
    ],
)
def test_a_secret_is_seen(kind: str, made_up: str) -> None:
    assert secrets(f"token = '{made_up}'".encode()) == [kind]
