"""Private first, through the whole call and a real store: who is asked, and what nobody else sees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import winnow
from winnow import Engine, Retrieval, Utterance
from winnow.app.config.settings import Settings
from winnow.ports.services import run_blocking
from winnow.ports.stores import StoredDocument
from winnow.retrieve.tiers import OTHER_DOMAIN
from winnow.types.document import Document, KnowledgeTier, Passage
from winnow.types.scope import Scope

OURS = {
    "boiler": "The boiler in the cellar was serviced in March. The engineer replaced its pressure valve.",
    "roof": "The roof was tiled anew by Hansen and Sons. They left twelve spare tiles behind the shed.",
    "bins": "Bins are emptied on Thursdays. The green one takes leaves and cut grass.",
}
PUBLIC = {
    "heat pumps": "A heat pump takes warmth from outside. Below minus fifteen degrees it needs a rod.",
    "boilers": "A boiler should be serviced once a year by an engineer.",
    "law": "Tenants pay for the yearly service of a heat pump if the lease says so.",
}
DOMAINS = {"law": "law", "heat pumps": "warmth"}
PRIVATE = Utterance("Which valve of the boiler in the cellar did the engineer replace?", user="ida")
GENERAL = Utterance("Below how many degrees does a heat pump need a heating rod?", user="ida")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiers")
    storage = engine(folder).storage
    kept: Mapping[KnowledgeTier, Mapping[str, str]] = {"private": OURS, "public": PUBLIC}
    for tier, texts in kept.items():
        run_blocking(
            storage.documents.put(Scope("default", "ida"), tier, [entry(*told) for told in texts.items()])
        )
    return folder


def entry(name: str, text: str) -> StoredDocument:
    document = Document(name, name, source=f"{name}.md", domain=DOMAINS.get(name, ""))
    return StoredDocument(document, text, (Passage(f"{name}#0", document, text),))


def engine(folder: Path, **knowledge: object) -> Engine:
    return winnow.open(settings=Settings(folder), knowledge=knowledge)


def asked(found: Retrieval) -> dict[str, str]:
    return {step.what: step.chosen for step in found.gate}


def told(found: Retrieval) -> dict[str, str]:
    """Source -> tier and place of the best that it offers."""
    best = {s.source: s.candidates[0].data for s in found.results if s.candidates}
    return {
        name: f"{data['tier']} {data['source']}" for name, data in best.items() if isinstance(data, Mapping)
    }


def test_a_question_that_a_document_of_ones_own_answers_stays_private(store: Path) -> None:
    found = engine(store).sync.retrieve(PRIVATE)
    assert asked(found)["public"] == "not asked"
    assert told(found) == {"knowledge": "private boiler.md"}
    assert found.sufficiency is not None
    assert found.sufficiency.enough
    assert "pressure valve" in str(found.context.messages)


def test_a_question_that_none_of_them_answers_is_asked_of_everybodys(store: Path) -> None:
    found = engine(store).sync.retrieve(GENERAL)
    assert asked(found)["public"] == "asked"
    assert told(found)["public"] == "public heat pumps.md"
    assert "minus fifteen" in str(found.context.messages)


def test_what_is_hardly_about_the_question_is_not_told(store: Path) -> None:
    (own,) = [s for s in engine(store).sync.retrieve(PRIVATE).results if s.source == "knowledge"]
    assert [candidate.ref.id for candidate in own.candidates] == ["boiler#0"]


def test_private_documents_alone_where_public_ones_are_off(store: Path) -> None:
    found = engine(store, public={"enabled": False}).sync.retrieve(GENERAL)
    assert "public" not in asked(found)
    assert "minus fifteen" not in str(found.context.messages)


def test_somebody_else_sees_the_public_ones_only(store: Path) -> None:
    found = engine(store).sync.retrieve(Utterance(PRIVATE.text, user="eve"))
    assert told(found).keys() <= {"public"}
    assert "pressure valve" not in str(found.context.messages)


def test_words_of_a_domain_choose_among_public_documents(store: Path) -> None:
    question = Utterance("What does a tenant pay for the yearly service of a heat pump?", user="ida")
    domains = {"law": ["tenant", "lease"], "warmth": []}
    found = engine(store, public={"domains": domains}).sync.retrieve(question)
    (public,) = [s for s in found.results if s.source == "public"]
    assert public.candidates[0].ref.id == "law#0"
    assert {d.id: d.reason for d in public.dropped}.get("heat pumps#0") == OTHER_DOMAIN


def test_the_public_index_is_glanced_at_only_where_that_is_allowed(store: Path) -> None:
    with_glance, without = (
        engine(store, public={"glance": glance}).sync.retrieve(PRIVATE) for glance in (True, False)
    )
    assert with_glance.sufficiency is not None
    assert without.sufficiency is not None
    assert with_glance.sufficiency.confidence != without.sufficiency.confidence
    assert with_glance.sufficiency.enough
    assert without.sufficiency.enough
