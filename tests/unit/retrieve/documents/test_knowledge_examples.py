"""The documents that come along: found by name, and alike in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.retrieve.documents.files import EXAMPLES_FOLDER, SourceFile, document_files, document_path


@pytest.mark.parametrize("name", ["en/private", "en/public", "zh/private", "zh/public"])
def test_an_example_is_a_folder_of_three_documents(name: str) -> None:
    folder = document_path(f"example:{name}")
    assert Path(folder) == EXAMPLES_FOLDER / name
    assert len([one for one in document_files(Path(folder)) if isinstance(one, SourceFile)]) == 3


@pytest.mark.parametrize("source", ["notes", "example:en/none", "example:../../homes/none", "-"])
def test_what_is_no_example_stays_as_it_is(source: str) -> None:
    assert document_path(source) == source
