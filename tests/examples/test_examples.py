"""The programs that people copy run, each as it is started, against real servers on this machine."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import socket
from threading import Thread
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
import uvicorn
from tests.model_server import ModelServer
from tests.openai_stand_in import openai_server

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with openai_server() as running:
        yield running


def run(name: str, *arguments: str, read: str = "", **more: str) -> list[str]:
    """What the program prints, line by line."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
        input=read,
        env={**os.environ, "OPENAI_API_KEY": "none", **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_loop_acts_asks_and_answers(model: ModelServer) -> None:
    said = "turn off the desk lamp\nunlock the front door\nyes please\n"
    assert run("openai_loop.py", read=said, OPENAI_BASE_URL=model.url) == [
        "Done: Study Desk Lamp.",
        "Shall I really unlock Front Door (Hall)?",
        "Done: Hall Front Door.",
    ]
    last = [m["role"] for m in model.asked[-1].body["messages"]]
    assert last[-3:] == ["user", "assistant", "tool"]


def test_a_home_is_spoken_to_without_a_model() -> None:
    said = "turn off the desk lamp\nis the desk lamp on?\nunlock the front door\nyes\n"
    said += "undo that\nopen the sauna\n"
    lines = run("voice_home.py", read=said)
    assert lines[:4] == [
        "Turned off Study Desk Lamp.",
        "Desk Lamp: off",
        "Shall I really unlock Front Door (Hall)?",
        "Unlocked Hall Front Door.",
    ]
    assert "Front Door" in lines[4]
    assert "sauna" in lines[5]


def test_a_chat_remembers_what_stands_in_the_tables_of_the_application(
    postgres: sa.URL, model: ModelServer
) -> None:
    url = postgres.set(drivername="postgresql").render_as_string(hide_password=False)
    where = {"DATABASE_URL": url, "OPENAI_BASE_URL": model.url}
    run("postgres_memory.py", "ida", read="My dentist is called Okafor.\n", **where)
    assert run("postgres_memory.py", "ida", read="what is my dentist called?\n", **where) == [
        "My dentist is called Okafor."
    ]
    assert run("postgres_memory.py", "bob", read="what is my dentist called?\n", **where) == [
        "I do not know that."
    ]


def test_an_agent_of_langchain_answers_from_private_documents(model: ModelServer) -> None:
    for package in ("langchain", "langchain_openai"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed here: make test-integrations")
    answer = run("langchain_agent.py", "who services the boiler?", OPENAI_BASE_URL=model.url)
    assert answer[0] == "Hansen services the boiler every May, phone 5550117."


@pytest.fixture
def service(model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The service on a port of its own."""
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        free.listen()
        server: Any = uvicorn.Server(uvicorn.Config("fastapi_service:app", log_level="warning", ws="none"))
        running = Thread(target=server.run, kwargs={"sockets": [free]})
        running.start()
        yield f"http://127.0.0.1:{free.getsockname()[1]}"
        server.should_exit = True
        running.join()


def test_the_service_keeps_persons_and_tenants_apart(service: str) -> None:
    with httpx.Client(base_url=service, timeout=30) as client:

        def chat(words: str, **who: str) -> str:
            return client.post("/chat", json={"words": words}, headers=who).text

        ida, bob = {"X-User": "ida"}, {"X-User": "bob"}
        assert chat("turn off the desk lamp", **ida) == "Done: Study Desk Lamp."
        assert chat("unlock the front door", **ida) == "Shall I really unlock Front Door (Hall)?"
        assert "Done" not in chat("yes please", **bob)
        assert chat("yes please", **ida) == "Done: Hall Front Door."
        notes = {"texts": ["The locker number of Ida is 417."]}
        assert client.post("/notes", json=notes, headers=ida).json() == {"added": 1, "total": 1}
        assert "417" in chat("what is Ida's locker number?", **ida)
        assert "417" not in chat("what is Ida's locker number?", **bob)
        assert "417" not in chat("what is Ida's locker number?", **{**ida, "X-Tenant": "other"})
        assert client.delete("/me", headers=ida).json()["documents"] == 1
        assert "417" not in chat("what is Ida's locker number?", **ida)
        assert client.post("/chat", json={"words": "hello"}).status_code == 422
