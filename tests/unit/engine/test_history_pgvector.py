"""The host's own vectors are searched where they are, and count beside the words."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

import winnow
from winnow import Utterance
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.errors import ConfigError, StoreError
from winnow.types.retrieval import Retrieval

SAID = ("The surgeon postponed it.", "My brother sings in a choir.", "Salma lent me her telescope.")
TABLE = open_builtin_embedder()


@pytest.fixture
def url(postgres: sa.URL) -> str:
    """A table of messages with a vector of each, as the built-in table makes them."""
    engine = sa.create_engine(postgres)
    rows = [{"text": text, "v": str(TABLE.embed([text])[0].tolist())} for text in SAID]
    with engine.begin() as db:
        db.exec_driver_sql("CREATE EXTENSION vector")
        db.exec_driver_sql(
            "CREATE TABLE messages (id serial PRIMARY KEY, user_id text, role text DEFAULT 'user',"
            " content text, created_at timestamptz DEFAULT now(), embedding vector(128))"
        )
        insert = (
            "INSERT INTO messages (user_id, content, embedding) VALUES ('nina', :text, CAST(:v AS vector))"
        )
        db.execute(sa.text(insert), rows)
    engine.dispose()
    return postgres.render_as_string(hide_password=False)


def asked(url: str, text: str, **search: Any) -> Retrieval:
    vectors = {"type": "pgvector", "embedding_field": "embedding", "embedding_dim": 128, **search}
    engine = winnow.open(history={"vector_search": vectors, "messages": {"url": url}})
    return engine.sync.retrieve(Utterance(text, user="nina"))


def test_the_nearest_of_the_host_stand_first_where_no_word_is_shared(url: str) -> None:
    found = asked(url, "when is my operation at the hospital?").results[0]
    assert [step.chosen for step in found.steps] == ["built", "pgvector", "3"]
    assert found.candidates[0].ref.id == "1"
    assert any(reason.lane == "meaning" for reason in found.candidates[0].evidence)


def test_a_dimension_that_is_not_the_columns_is_told(url: str) -> None:
    with pytest.raises((ConfigError, StoreError), match="128"):
        asked(url, "when is my operation at the hospital?", embedding_dim=1536)
