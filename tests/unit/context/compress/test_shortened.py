"""Texts made to fit beside a question, as the table has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.homes import embedder

from winnow.context.compress.compress import compress
from winnow.language.tables import parse_yaml
from winnow.types.context import Item

TABLE: Mapping[str, Any] = parse_yaml(Path(__file__).with_name("shortened.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", TABLE["rows"], ids=lambda row: f"{row['tokens']} {row['question'][:24]}")
def test_texts_are_shortened_to_what_answers(row: Mapping[str, Any]) -> None:
    texts = [Item(name, TABLE["texts"][name]) for name in row["texts"]]
    found = compress(texts, row["question"], row["tokens"], meaning=embedder())
    assert (found.level, found.tokens) == (row["level"], row["used"])
    assert {one.item.id: [one.method, one.text] for one in found.kept} == row["kept"]
    assert {one.id: one.reason for one in found.cut} == row.get("cut", {})
