"""Data files as YAML: tables of the package, what is kept made of them, and files a person wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any


@cache
def table(package: str, name: str) -> Any:
    """The data of ``name`` beside the modules of ``package``, read once.

    ``name`` may go through folders: ``words/types.yaml``.
    """
    return prepared("yaml", table_text(package, name), parse_yaml)


def table_text(package: str, name: str) -> str:
    """The text of such a table."""
    return files(package).joinpath(*name.split("/")).read_text("utf-8")


def parse_yaml(text: str) -> Any:
    """The data of a YAML text; only plain data is built. Raises yaml.YAMLError."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe; the C one is ten times as fast


MADE: dict[str, Any] = {}
"""Digest -> what this process made of a text that nothing was prepared for."""


def prepared(kind: str, text: str, make: Callable[[str], Any]) -> Any:
    """What ``make`` makes of a text of the package, as plain data; ``kind`` tells one ``make`` from another.

    It is read where exactly this text was prepared, and made where not: a changed table is only slower.
    """
    name = blake2b(f"{kind}\n{text}".encode(), digest_size=12).hexdigest()
    known = prepared_data().pop(name.encode(), None)  # what is made of it is kept by whoever asks
    if known is not None:
        return json.loads(known)
    MADE[name] = make(text)
    return MADE[name]


@cache
def prepared_data() -> dict[bytes, bytes]:
    """Digest -> JSON. It is parsed where it is asked for: a process needs few of the tables."""
    lines = files("winnow.language").joinpath("data", "prepared.txt").read_bytes().splitlines()
    return {name: made for name, _, made in (line.partition(b" ") for line in lines)}
