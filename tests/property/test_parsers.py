"""Whatever bytes come, a parser reads them or says why not; ``make fuzz-coverage`` looks for worse ones."""

from __future__ import annotations

from base64 import b64decode
from random import Random

import pytest
from tests.parsers import PARSERS, Parser, damaged, misread

from winnow.errors import WinnowError
from winnow.retrieve.documents.document_reader import front_matter

TIMES = {"messages": 150, "document": 150, "reply": 150}
"""Of what takes no time; others 40."""


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_right_is_read_and_what_is_damaged_has_a_reason(name: str) -> None:
    seeds, random = PARSERS[name].seeds(), Random(name)
    PARSERS[name].read(seeds[0])
    assert [misread(name, seed) for seed in seeds] == [""] * len(seeds)
    bad = [
        (data, why)
        for n in range(TIMES.get(name, 40))
        if (why := misread(name, data := damaged(seeds[n % len(seeds)], random)))
    ]
    assert bad == []


def test_what_a_parser_may_not_raise_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def worse(data: bytes) -> object:
        raise KeyError(data)

    def silent(data: bytes) -> object:
        raise WinnowError("wrong")

    for read, told in ((worse, "KeyError"), (silent, "without a next step")):
        monkeypatch.setitem(PARSERS, "worse", Parser(read, list))  # type: ignore[arg-type]
        assert told in misread("worse", b"x")


NAMELESS = (
    "UEsDBBQAAAAAANacfV1udWxsCn1QSwECFAMUAAAAAADWnH1din3v+ngAAAB4AAD/9P///////wAAAAAAgGYAAAAAAAAAdGVzLmpzb25QSwUG"
    "AAAAAAEAAQA5AAAAoQAAAAAA"
)
"""A ZIP whose one entry has no name."""


def test_an_entry_without_a_name_and_brackets_by_the_thousand_are_no_trouble() -> None:
    assert misread("home", b64decode(NAMELESS)) == ""
    deep = f"---\na: {'[' * 19_000}\n---\nSix hives."
    assert front_matter(deep) == ({}, deep)
    assert front_matter("---\ntags: [a, [b]]\n---\nSix.") == ({"tags": ["a", ["b"]]}, "Six.")
