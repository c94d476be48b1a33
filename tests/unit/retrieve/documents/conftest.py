from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.ports.services import run_blocking
from winnow.ports.stores import Storage
from winnow.retrieve.documents.conversion import IngestLimits
from winnow.retrieve.documents.document_reader import DocumentDefaults
from winnow.retrieve.documents.index import segment_of
from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest, add_documents
from winnow.retrieve.documents.source import DocumentSource
from winnow.types.candidate import Search
from winnow.types.document import AddReport, Document, KnowledgeSettings
from winnow.types.scope import Scope

NOW = datetime(2026, 5, 4)  # noqa: DTZ001 - a wall clock has no zone
ALL = KnowledgeSettings(private_least=0.0)


@dataclass
class Notes:
    """A folder of files, and the store they are added to."""

    folder: Path
    storage: Storage = field(default_factory=lambda: memory_storage(FrozenClock()))
    limits: IngestLimits = field(default_factory=IngestLimits)

    @property
    def shelf(self) -> DocumentLibrary:
        return DocumentLibrary(Scope(user="ida"), "private", self.storage.documents, segment_of)

    def write(self, name: str, held: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held.encode() if isinstance(held, str) else held)
        return path

    def add(self, path: str | Path = "", **told: Any) -> AddReport:
        how = {name: told.pop(name) for name in ("prune", "name") if name in told}
        adding = IngestRequest(
            str(path or self.folder), DocumentDefaults(**told), limits=self.limits, zone="", **how
        )
        return run_blocking(add_documents(self.shelf, adding))

    def documents(self) -> dict[str, Document]:
        return dict(run_blocking(self.storage.documents.documents(Scope(user="ida"), "private")))

    def text(self, id_: str) -> str:
        return run_blocking(self.storage.documents.text(Scope(user="ida"), "private", id_))

    def found(self, question: str) -> list[str]:
        """Ids of documents that answer it, best first."""
        knowledge = DocumentSource(self.storage.documents, "private", open_builtin_embedder(), ALL)
        best = run_blocking(knowledge(Search(question, NOW), Scope(user="ida"), 10)).candidates
        return [str(each.data["document"]) for each in best if isinstance(each.data, dict)]

    def refused(self, report: AddReport) -> dict[str, str]:
        return {problem.file: problem.message for problem in report.problems}


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    folder = tmp_path / "notes"
    folder.mkdir()
    return Notes(folder)


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Notes]:
    """Further folders."""

    def made(name: str) -> Notes:
        (tmp_path / name).mkdir()
        return Notes(tmp_path / name)

    return made
