"""A chat that remembers, over the application's own table of messages in PostgreSQL. Winnow only reads it.

DATABASE_URL=postgresql://localhost/app python examples/postgres_memory.py ida
"""

from __future__ import annotations

import os
import sys
from uuid import uuid4

import psycopg
from openai import OpenAI

import winnow
from winnow import Engine

TABLE = """
create table if not exists messages (
    id uuid primary key, user_id text not null, conversation text not null,
    role text not null, content text not null, created_at timestamptz not null default clock_timestamp()
)"""
WRITE = "insert into messages (id, user_id, conversation, role, content) values (%s, %s, %s, %s, %s)"
TALK = "select role, content from messages where user_id = %s and conversation = %s order by created_at"
SYSTEM = "You know this person. Say only what the data and the talk tell."


def answer(engine: Engine, db: psycopg.Connection, user: str, conversation: str, words: str) -> str:
    """One turn: the talk so far is history, all earlier talks are searched."""
    db.execute(WRITE, (uuid4(), user, conversation, "user", words))
    talk = [{"role": role, "content": text} for role, text in db.execute(TALK, (user, conversation))]
    turn = engine.sync.retrieve([{"role": "system", "content": SYSTEM}, *talk], user=user)
    with OpenAI() as client:
        model = os.environ.get("MODEL", "my-model")
        came = client.chat.completions.create(model=model, messages=list(turn.context.messages))
    reply = came.choices[0].message.content or ""
    db.execute(WRITE, (uuid4(), user, conversation, "assistant", reply))
    return reply


def main(user: str) -> None:
    """A line a turn; each run is a new conversation."""
    url, conversation = os.environ["DATABASE_URL"], uuid4().hex
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(TABLE)
        engine = winnow.open(history=url)
        for line in sys.stdin:
            print(answer(engine, db, user, conversation, line.strip()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
