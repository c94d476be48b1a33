"""Data files as YAML: the tables of the package, and files a person wrote."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(package: str, name: str) -> Any:
    """The data of ``name`` beside the modules of ``package``, read once.

    ``name`` may go through folders: ``words/zh.yaml``.
    """
    return parse_yaml(files(package).joinpath(*name.split("/")).read_text("utf-8"))


def parse_yaml(text: str) -> Any:
    """The data of a YAML text; only plain data is built. Raises yaml.YAMLError."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe; the C one is ten times as fast
