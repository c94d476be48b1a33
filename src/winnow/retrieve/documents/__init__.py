"""Passages of documents: ingested, indexed, ranked by words, feedback and meaning."""

from collections.abc import Mapping

from winnow.types.candidate import SourceRow
from winnow.types.document import KnowledgeTier

PRIVATE_DOCUMENTS = SourceRow("knowledge", tier="private")
PUBLIC_DOCUMENTS = SourceRow("public", tier="public")
DOCUMENT_ROWS: Mapping[KnowledgeTier, SourceRow] = {"private": PRIVATE_DOCUMENTS, "public": PUBLIC_DOCUMENTS}
