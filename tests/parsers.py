"""Every parser of outside data: what it may raise, and what it is fed with at first.

``misread`` says what went wrong with some bytes. ``tests/fuzz_coverage.py`` looks for such bytes by the paths
they take through the parser, ``tests/property/test_parsers.py`` by damaging what is right.
"""

from __future__ import annotations

import json
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from tests.damage import files_of, packed
from tests.files import docx, pdf

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.registry import load_home
from winnow.app.config.files import load_tuning, read_acting, read_history, read_knowledge
from winnow.app.config.settings import load_settings
from winnow.engine.llm.json_repair import first_object
from winnow.engine.llm.schema import conform_to_schema
from winnow.engine.tool_calls import TOOL_SCHEMAS, normalize_arguments
from winnow.errors import EXAMPLE_TAXONOMY, WinnowError
from winnow.language.clocks import Clocks
from winnow.retrieve.documents.conversion import IngestLimits, UnreadableDocument, convert_file
from winnow.retrieve.documents.document_reader import clean_text, decode_document, front_matter
from winnow.retrieve.history.ingest import read_export
from winnow.types.message import Message
from winnow.understand.intent.taxonomy import read_taxonomy

LIMITS = IngestLimits(unpacked=2_000_000, text=400_000, entries=50, pages=20)
SHORT = 20_000
"""Bytes of what a parser is fed with at first; what is longer is a whole home."""


@dataclass(frozen=True, slots=True)
class Parser:
    """What reads bytes, and right ones."""

    read: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]


def _file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Reads the bytes as a file of that name."""

    @cache
    def folder() -> Path:
        return Path(tempfile.mkdtemp(prefix="winnow-parsers-"))

    def reading(data: bytes) -> object:
        path = folder() / name
        path.write_bytes(data)
        return read(path)

    return reading


def _messages(data: bytes) -> object:
    read = list(read_export(BytesIO(data), Clocks("UTC")))
    assert all(one.content and one.id for one in read if isinstance(one, Message))
    return read


def _document(data: bytes) -> object:
    told, text = front_matter(clean_text(decode_document(data)))
    assert isinstance(told, Mapping)
    text.encode()
    return text


def _reply(data: bytes) -> object:
    """What a model wrote as arguments of each tool."""
    text = data.decode("utf-8", "surrogatepass" if data[:1] == b"\xed" else "replace")
    found: list[Any] = []
    for name, schema in TOOL_SCHEMAS.items():
        value, problems = conform_to_schema(normalize_arguments(name, first_object(text)), schema)
        found.append((json.dumps(value), problems))
    return found


def _homes() -> Sequence[bytes]:
    homes = [files_of(examples.EXAMPLES_FOLDER / name) for name in ("cottage", "smartthings-raw", "home40")]
    single = sorted((raw for files in homes for raw in files.values()), key=len)
    lamp = {"id": "lamp", "name": "lamp", "type": "light", "room": "hall", "methods": []}
    neutral = {"rooms": [{"id": "hall", "name": "hall"}], "devices": [lamp]}
    return [packed(homes[0]), json.dumps(neutral).encode(), *single[:6], packed({"states.json": single[0]})]


def _yaml(text: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [
        text.encode(),
        b"a: 2026-13-45\n",
        b"1: 2\n",
        b"[" * 700,
        b"a: &a [*a]\n",
        b"{a: {b: !!python/name:os.system x}}\n",
        b"? [a]\n: b\n",
        b"",
    ]


TREE = {
    "title": "t",
    "current_node": "b",
    "mapping": {
        "a": {
            "parent": None,
            "children": ["b"],
            "message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}, "create_time": 1.5},
        },
        "b": {"parent": "a", "children": [], "message": None},
    },
}
SAID = (
    {"id": "1", "role": "user", "content": "hello", "created_at": "2026-01-02T03:04:05Z"},
    {"role": "assistant", "content": [{"type": "text", "text": "hi"}], "created_at": 1700000000},
    {"chat_messages": [{"sender": "human", "text": "hi", "created_at": "2026-01-02 03:04"}], "uuid": "u"},
)
MESSAGES = ("\n".join(map(json.dumps, SAID)).encode(), json.dumps([TREE]).encode())
REPLIES = (
    b'{"plan": "k3x9qa", "calls": null}',
    b'{"calls": [{"device": "d1", "command": "Switch.On", "arguments": [{"name": "level", "value": 3}]}]}',
    b"<think>no</think>```json\n{'id': 'x', choice: 1,}\n```",
    '{"token": "中文", "choice": [1, 2, }'.encode(),
)
PARSERS: Mapping[str, Parser] = {
    "home": Parser(lambda data: load_home(data, "fuzzed"), _homes),
    "acting.yaml": Parser(
        _file("acting.yaml", lambda path: read_acting(path, load_settings({}, path.parent), {})),
        _yaml("dangers: {unlock: never}\nthings: {lock.front_door: ask}\ntimes: {yes_seconds: 60}\n"),
    ),
    "history.yaml": Parser(
        _file("history.yaml", lambda path: read_history(path, load_settings({}, path.parent), {})),
        _yaml("vector_search:\n  enabled: true\n"),
    ),
    "knowledge.yaml": Parser(
        _file("knowledge.yaml", lambda path: read_knowledge(path, {})),
        _yaml("private: {max_results: 5}\nranking: {half_life_days: 30}\npublic: {enabled: false}\n"),
    ),
    "tuned.yaml": Parser(
        _file(
            "tuned.yaml", lambda path: load_tuning(replace(load_settings({}, path.parent), tuned=str(path)))
        ),
        _yaml("relevant: 0.3\n"),
    ),
    "taxonomy": Parser(lambda data: read_taxonomy(data.decode("utf-8", "replace")), _yaml(EXAMPLE_TAXONOMY)),
    "config.toml": Parser(
        _file("config.toml", lambda path: load_settings({}, path.parent)),
        lambda: [b'home = "x"\nmax_targets = 20\nwait = 1.5\n', b"[a]\nb = [1]\n", b"a = " + b"[" * 1500],
    ),
    "messages": Parser(_messages, lambda: MESSAGES),
    "document": Parser(
        _document,
        lambda: [
            b"---\ntitle: x\ntags: [a]\n---\n# Hives\n\nSix.",
            "水泵要清洗".encode("gbk"),
            b"\xff\xfea\0",
        ],
    ),
    "html": Parser(
        lambda data: convert_file("html", data, LIMITS), lambda: [b"<h1>a</h1><p>b<tr><td>c<li>d"]
    ),
    "docx": Parser(lambda data: convert_file("docx", data, LIMITS), lambda: [docx(["Hello there."])]),
    "pdf": Parser(lambda data: convert_file("pdf", data, LIMITS), lambda: [pdf(["Hello there."])]),
    "reply": Parser(_reply, lambda: REPLIES),
}


def misread(name: str, data: bytes) -> str:
    """What went wrong; empty where it was read, or refused with a reason."""
    try:
        PARSERS[name].read(data)
    except UnreadableDocument:
        return ""
    except WinnowError as error:
        return "" if str(error) and error.hint else f"an error without a next step: {error!r}"
    except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
        return traceback.format_exc(limit=-4)
    return ""


PIECES = (
    b"\0",
    b"\xff",
    b"{",
    b"[" * 40,
    b"]",
    b'"',
    b": ",
    b"\n",
    b"- ",
    b"&a *a",
    b"1e999",
    b"\xed\xa0\x80",
    b"null",
    b"<",
    b"%",
)
"""What is put into right bytes."""


def damaged(data: bytes, random: Random) -> bytes:
    """The bytes with a few of them changed, lost, repeated or come in between."""
    made = bytearray(data)
    for _ in range(random.randint(1, 6)):
        at, size = random.randrange(len(made) + 1), random.choice((0, 1, 2, 8, 64))
        own, number = bytes(made[at : at + size]) * 2, str(random.getrandbits(70)).encode()
        piece = random.choice((*PIECES, own, number))
        made[at : at + size] = random.choice((piece, b"", random.randbytes(size)))
    return bytes(made)
