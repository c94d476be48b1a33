"""Documents, messages and facts of persons: added, found, listed and forgotten through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

import winnow
from winnow import DocumentsUnread, Engine, Message, Turn, WinnowError
from winnow.errors import MessageError
from winnow.types.candidate import wall_clock

TEA = {"id": "tea", "title": "Tea", "text": "Green tea is brewed for three minutes at 80 degrees."}
LOCKER = "The locker number of Ida in the bakery is 417."


@pytest.fixture
def engine() -> Engine:
    return winnow.open("example:cottage")


def texts(engine: Engine, query: str, **whose: str) -> list[str]:
    found = engine.sync.search(query, **whose)  # type: ignore[arg-type]
    return [one.data["text"] for shortlist in found for one in shortlist.candidates]  # type: ignore[index]


def test_texts_and_records_are_found_by_whom_they_belong_to(engine: Engine) -> None:
    report = engine.sync.add_documents([LOCKER, TEA], user="ida")
    assert (report.added, report.total) == (2, 2)
    assert engine.sync.add_documents([LOCKER, TEA], user="ida").unchanged == 2
    assert texts(engine, "how long is tea brewed?", user="ida") == [TEA["text"]]
    assert texts(engine, "how long is tea brewed?", user="bob") == []
    assert texts(engine, "how long is tea brewed?", user="ida", tenant="other") == []


def test_a_record_of_a_known_id_takes_the_place_of_the_old_one(engine: Engine) -> None:
    engine.sync.add_documents([TEA], user="ida")
    assert engine.sync.add_documents([{**TEA, "text": "Tea takes five minutes."}], user="ida").changed == 1
    assert texts(engine, "how long does tea take?", user="ida") == ["Tea takes five minutes."]
    assert engine.sync.documents(user="ida")["tea"].title == "Tea"


def test_a_folder_is_added_and_forgotten_by_its_collection(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "boiler.md").write_text("# Boiler\n\nHansen services the boiler every May.")
    engine.sync.add_documents(tmp_path, user="ida", collection="house")
    engine.sync.add_documents([TEA], user="ida")
    assert texts(engine, "who services the boiler?", user="ida")
    assert engine.sync.forget_documents(user="ida", collection="house") == 1
    assert list(engine.sync.documents(user="ida")) == ["tea"]
    assert engine.sync.forget_documents(user="ida") == 1


def test_everybodys_documents_are_said_to_be_so(engine: Engine) -> None:
    engine.sync.add_documents([TEA], public=True)
    assert texts(engine, "how long is tea brewed?", user="bob") == [TEA["text"]]
    for whose in ({}, {"user": "ida", "public": True}):
        with pytest.raises(WinnowError, match="whose documents"):
            engine.sync.add_documents([TEA], **whose)  # type: ignore[arg-type]


def test_what_is_no_document_is_told(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(DocumentsUnread, match="has no text"):
        engine.sync.add_documents([{"title": "Empty"}], user="ida")
    with pytest.raises(OSError, match="missing"):
        engine.sync.add_documents(tmp_path / "missing", user="ida")


def test_messages_are_found_in_later_talks_and_forgotten(engine: Engine) -> None:
    said = [
        {"role": "user", "content": "My car is parked on level 3.", "id": "m1", "created_at": "2026-02-01"},
        {"role": "tool", "content": "{}"},
        Turn("assistant", "Noted: level 3."),
        Message("m2", "user", "The dentist is called Okafor.", wall_clock(1772355600)),
    ]
    assert engine.sync.add_messages(said, user="ida", conversation="monday") == 3
    assert engine.sync.add_messages(said[:1], user="ida", conversation="monday") == 0
    assert "parked" in texts(engine, "where is my car parked?", user="ida")[0]
    kept = engine.sync.messages(user="ida", conversation="monday")
    assert [m.role for m in kept] == ["user", "user", "assistant"]
    assert engine.sync.messages(user="bob") == ()
    assert engine.sync.forget_messages(["m2"], user="ida") == 1
    assert engine.sync.forget_messages(user="ida", conversation="tuesday") == 0
    assert engine.sync.forget_messages(user="ida", conversation="monday") == 2
    assert texts(engine, "where is my car parked?", user="ida") == []


def test_the_same_words_said_again_are_another_message(engine: Engine) -> None:
    hello = [{"role": "user", "content": "hello"}]
    assert [engine.sync.add_messages(hello, user="ida") for _ in range(2)] == [1, 1]


def test_a_message_without_a_person_or_a_role_is_refused(engine: Engine) -> None:
    with pytest.raises(WinnowError, match="must name a person"):
        engine.sync.add_messages([{"role": "user", "content": "hello"}], user="")
    for wrong, why in (([{"content": "x"}], "who said it"), ("hello", "neither a message nor a turn")):
        with pytest.raises(MessageError, match=why):
            engine.sync.add_messages([{"role": "user", "content": "kept?"}, *wrong], user="ida")
    assert engine.sync.messages(user="ida") == ()


def test_a_table_of_the_host_is_only_read(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'app.db'}"
    with sa.create_engine(url).begin() as db:
        db.execute(
            sa.text("create table messages (id text, user_id text, role text, content text, created_at text)")
        )
        row = "insert into messages values ('1', 'ida', 'user', 'My dentist is Okafor.', '2026-03-01T09:00')"
        db.execute(sa.text(row))
    engine = winnow.open("example:cottage", history=url)
    assert [m.content for m in engine.sync.messages(user="ida")] == ["My dentist is Okafor."]
    with pytest.raises(WinnowError, match="only read"):
        engine.sync.add_messages([{"role": "user", "content": "hello"}], user="ida")


def test_facts_are_kept_replaced_and_forgotten(engine: Engine) -> None:
    first = engine.sync.add_facts(["I live in Porto.", "I am allergic to walnuts."], user="ida")
    assert [fact.status for fact in first] == ["current", "current"]
    assert engine.sync.add_facts("I live in Porto.", user="ida") == ()
    moved = engine.sync.add_facts("I moved to Lisbon.", user="ida")
    assert {fact.text: fact.status for fact in moved}["I live in Porto."] == "superseded"
    assert len(engine.sync.facts(user="ida")) == 3
    assert engine.sync.forget_facts([first[1].id], user="ida") == 1
    assert engine.sync.forget_facts(user="ida") == 2


async def _all_at_once(engine: Engine) -> list[str]:
    await engine.add_documents([TEA], user="ida")
    found = await engine.search("how long is tea brewed?", user="ida", limit=1)
    return [one.ref.kind for shortlist in found for one in shortlist.candidates]


def test_the_same_in_an_event_loop(engine: Engine) -> None:
    import asyncio

    assert asyncio.run(_all_at_once(engine)) == ["passage"]
