"""A shelf of passages in both languages, written for these tests."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.ports.stores import Segment
from winnow.retrieve.documents.features import find_passages
from winnow.retrieve.documents.index import PassageIndex, segment_of
from winnow.retrieve.documents.rank import rank_passages
from winnow.types.candidate import Search, Shortlist
from winnow.types.document import Document, Passage

BREAD = Document("bread", "Sourdough", domain="cooking", source="bread.md")
TEXTS = {
    "starter": "Feed the starter with rye flour and water every morning until it doubles.",
    "bake": "Bake the loaf in a closed pot for forty minutes, then open the lid.",
    "boiler": "The boiler loses pressure when the valve below it drips.",
    "lease": "The lease ends in March; the deposit is returned within six weeks.",
    "kiln": "茶叶在竹焙笼里用炭火烘焙，每隔一刻钟翻动一次。",
    "bike": "自行车的链条每骑三百公里要清洗并上油。",
    "permit": "施工许可证由区建设局发放，有效期两年。",
}


def passage(id_: str, text: str = "", document: Document | None = None) -> Passage:
    return Passage(id_, document or Document(f"of {id_}"), text or TEXTS[id_])


ALL = tuple(passage(id_, document=BREAD if id_ in ("starter", "bake") else None) for id_ in TEXTS)


def index_of(*groups: Sequence[Passage]) -> PassageIndex:
    return PassageIndex.of([Segment(f"s{n}", segment_of(group)) for n, group in enumerate(groups)])


def ask(index: PassageIndex, question: str, passages: Sequence[Passage] = ALL, limit: int = 3) -> Shortlist:
    search = Search(question)
    return rank_passages(search, find_passages(search, index, 20), {one.id: one for one in passages}, limit)


def ids(found: Shortlist) -> list[str]:
    return [candidate.ref.id for candidate in found.candidates]
