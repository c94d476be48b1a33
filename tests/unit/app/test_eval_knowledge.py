"""The task ``knowledge``: passages of a file of documents, for questions that may hang on a talk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.evaluation.cases import read_cases
from benchmarks.evaluation.text_tasks import KnowledgePredictor, knowledge_case

from winnow.errors import CaseError

DOCUMENTS = [
    {
        "id": "loom",
        "title": "Looms",
        "text": "A floor loom has treadles. It weighs ninety kilograms.",
    },
    {"id": "kiln", "title": "Kilns", "text": "A wood kiln is fired for three days and cools for two."},
    {"id": "dye", "title": "", "text": "Walnut shells dye wool brown without a mordant."},
]


def written(folder: Path, *cases: dict[str, object]) -> Path:
    place = folder / "dev" / "knowledge"
    place.mkdir(parents=True)
    (folder / "docs").mkdir()
    lines = "".join(json.dumps(row) + "\n" for row in DOCUMENTS)
    (folder / "docs" / "crafts.en.docs.jsonl").write_text(lines, "utf-8")
    path = place / "crafts.en.queries.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    return path


@pytest.mark.parametrize("beside", ["docs", "dev/docs", "dev/knowledge"])
def test_the_documents_are_found_beside_the_cases_or_above(tmp_path: Path, beside: str) -> None:
    path = written(tmp_path, {"id": "1", "query": "how long is a wood kiln fired"})
    if beside != "docs":
        (tmp_path / beside).mkdir(exist_ok=True)
        (tmp_path / "docs" / "crafts.en.docs.jsonl").rename(tmp_path / beside / "crafts.en.docs.jsonl")
    (case,) = read_cases(path, knowledge_case)
    assert KnowledgePredictor().predict(case)["ids"][0] == "kiln"


def test_a_question_that_hangs_on_the_talk_is_looked_up_whole(tmp_path: Path) -> None:
    history = [{"role": "user", "content": "What is a floor loom?"}]
    path = written(tmp_path, {"id": "1", "query": "How much does it weigh?", "history": history})
    (case,) = read_cases(path, knowledge_case)
    predicted = KnowledgePredictor().predict(case)
    assert predicted["ids"][0] == "loom"
    assert "loom" in predicted["query"]
    assert predicted["ms"] > 0


def test_cases_without_their_documents_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "lost.jsonl"
    path.write_text('{"id": "1", "query": "anything"}\n', "utf-8")
    with pytest.raises(CaseError, match=r"lost\.docs\.jsonl"):
        read_cases(path, knowledge_case)
