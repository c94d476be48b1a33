"""What a model wants to stand before questions and before passages, from ``prefixes.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from winnow.text.tables import table
from winnow.types.space import Kind

NONE: Mapping[Kind, str] = {"question": "", "passage": ""}


def prefixes_of(model: str) -> Mapping[Kind, str]:
    """The prefix of each kind of text for the model of that name; empty where it wants none."""
    name = model.lower()
    for row in table("winnow.models", "prefixes.yaml"):
        if any(fnmatchcase(name, pattern) for pattern in row["names"]):
            return {"question": row["question"], "passage": row["passage"]}
    return NONE
